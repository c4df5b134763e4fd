"""Whether classes happen as often as they are said to."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv

from petree.evaluation import calibration_error
from petree.evaluation.measures import bins_of
from petree.evaluation.predictions import read_probabilities
from petree.plotting.axes import BLUE, GREY, axes_of, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEVEL = 0.9


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
        chosen: Any = labels[-1] if label is None else label
        if chosen not in labels:
            raise ValueError(f"There is no class {chosen!r}; the classes are {', '.join(map(str, labels))}.")
        error = calibration_error(y, probabilities, labels, of_class=chosen, n_bins=n_bins)
        predictions = read_probabilities(y, probabilities, labels, None)
        code = int(np.flatnonzero(labels == chosen)[0])
        made = cls._of_bins(predictions.values[:, code], predictions.is_true[:, code], n_bins, error, str(chosen))
        made.plot(ax)
        return made

    @classmethod
    def _of_bins(
        cls, probability: NDArray[np.float64], is_true: NDArray[np.bool_], n_bins: int, error: float, label: str
    ) -> Self:
        bins, place, n_rows = np.unique(bins_of(probability, n_bins), return_inverse=True, return_counts=True)
        n_true = np.bincount(place, is_true, len(bins))
        n_false = n_rows - n_true
        outside = (1 - LEVEL) / 2
        lower = np.where(n_true > 0, betaincinv(n_true + 0.5, n_false + 0.5, outside), 0.0)
        upper = np.where(n_false > 0, betaincinv(n_true + 0.5, n_false + 0.5, 1 - outside), 1.0)
        predicted = np.bincount(place, probability, len(bins)) / n_rows
        return cls(predicted, n_true / n_rows, lower, upper, n_rows, error, label)

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
