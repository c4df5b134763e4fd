"""Whether classes happen as often as they are said to."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from petree.metrics import calibration_error
from petree.metrics.predictions import read_probabilities
from petree.metrics.reliability import reliability_bins
from petree.plotting.axes import BLUE, GREY, LEVEL, axes_of, chosen_class, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Predicts(Protocol):
    """A fitted classifier."""

    classes_: NDArray[Any]

    def predict_proba(self, X: Any) -> NDArray[np.float64]: ...


@dataclass
class ReliabilityDisplay:
    """How often a class happens among rows that are given about the same probability of it.

    Parameters
    ----------
    predicted, observed : array (bins,)
        Mean probability of the rows in a bin, and the share of them that have the class.
    lower, upper : array (bins,)
        What so many rows leave open of the share: its 90% interval.
    n_rows : array (bins,)
    error : float
        The calibration error: mean distance of the two, by rows.
    label : str
        The class.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn last.
    """

    predicted: NDArray[np.float64]
    observed: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    n_rows: NDArray[np.int64]
    error: float
    label: str

    @classmethod
    def from_estimator(
        cls,
        estimator: Predicts,
        X: Any,
        y: ArrayLike,
        *,
        label: Hashable | None = None,
        n_bins: int = 10,
        ax: Axes | None = None,
    ) -> Self:
        """Ask a fitted classifier about rows whose classes are known, and draw what is found.

        Parameters
        ----------
        estimator : fitted classifier
        X : table
        y : class labels
        label : class, optional
            Whose probability; the last of `classes_` unless given.
        n_bins : int, default=10
            Number of bins of equal width.
        ax : matplotlib Axes, optional
            Those of a new figure unless given.
        """
        answers = estimator.predict_proba(X)
        return cls.from_predictions(y, answers, estimator.classes_, label=label, n_bins=n_bins, ax=ax)

    @classmethod
    def from_predictions(
        cls,
        y: ArrayLike,
        probabilities: ArrayLike,
        classes: ArrayLike,
        *,
        label: Hashable | None = None,
        n_bins: int = 10,
        ax: Axes | None = None,
    ) -> Self:
        """The same from the probabilities themselves, one column per class of `classes`."""
        labels = np.asarray(classes)
        chosen, code = chosen_class(labels, label)
        error = calibration_error(y, probabilities, labels, of_class=chosen, n_bins=n_bins)
        predictions = read_probabilities(y, probabilities, labels, None)
        bins = reliability_bins(predictions.values[:, code], predictions.is_true[:, code], n_bins)
        lower, upper = bins.interval(LEVEL)
        return cls(bins.predicted, bins.observed, lower, upper, bins.n_rows, error, str(chosen)).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the shares with their intervals beside the line on which both would be alike."""
        axes = axes_of(ax, (5.0, 5.0))
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=1, linestyle="--", label="as predicted")
        reach = np.clip([self.observed - self.lower, self.upper - self.observed], 0, None)
        sizes = 20 + 180 * np.sqrt(self.n_rows / self.n_rows.max())
        axes.errorbar(self.predicted, self.observed, reach, fmt="none", ecolor=BLUE, elinewidth=1, capsize=3)
        axes.scatter(
            self.predicted, self.observed, sizes, color=BLUE, alpha=0.8, label="observed, 90% interval", zorder=3
        )
        axes.set(
            xlim=(-0.03, 1.03),
            ylim=(-0.03, 1.03),
            aspect="equal",
            xlabel=f"predicted probability of {plain(self.label)}",
            ylabel=f"share of {plain(self.label)}",
            title=f"calibration error {self.error:.3f}",
        )
        axes.legend(loc="upper left", frameon=False)
        self.ax_ = axes
        return self
