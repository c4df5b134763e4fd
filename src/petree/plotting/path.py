"""The way of one row down a tree."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from petree.plotting.axes import BLUE, GREY, LEVEL, axes_of, chosen_class, plain
from petree.reading.paths import steps_to
from petree.reading.view import PLAIN, View, view
from petree.words import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Walks(Protocol):
    """A fitted single tree."""

    classes_: NDArray[Any]

    def decision_path(self, X: Any) -> csr_array: ...

    def _view(self, level: float | None = None) -> View: ...


@dataclass
class PathDisplay:
    """The probability of a class after each test that a row meets on its way to a leaf.

    Parameters
    ----------
    tests : sequence of str
        What holds of the row, from the root on; the first is "all rows".
    probability, lower, upper : array (tests,)
        The probability of the class in each node on the way, and its 90% interval.
    label : str
        The class.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn last.
    """

    tests: Sequence[str]
    probability: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    label: str

    @classmethod
    def from_estimator(
        cls, estimator: Walks, X: Any, *, row: int = 0, label: Hashable | None = None, ax: Axes | None = None
    ) -> Self:
        """Draw the way of one row of a table.

        Parameters
        ----------
        estimator : fitted tree
        X : table
        row : int, default=0
            Number of the row, counted from 0.
        label : class, optional
            Whose probability; the last of `classes_` unless given.
        ax : matplotlib Axes, optional
            Those of a new figure unless given.
        """
        shown = view(estimator, level=LEVEL)
        chosen, code = chosen_class(estimator.classes_, label)
        paths = estimator.decision_path(X)
        if not 0 <= row < paths.shape[0]:
            raise ValueError(f"There is no row {row}; the table has rows 0 to {paths.shape[0] - 1}.")
        nodes = np.sort(paths.indices[paths.indptr[row] : paths.indptr[row + 1]])
        assert shown.bounds is not None
        lower, upper = (bound[nodes, code] for bound in shown.bounds)
        steps = steps_to(shown.tree, int(nodes[-1]))
        tests = ["all rows", *(visible(one.condition.short_branches[one.branch]) for one in steps)]
        return cls(tests, shown.probabilities[nodes, code], lower, upper, str(chosen)).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the probabilities with their intervals, the first test at the top."""
        axes = axes_of(ax, (6.5, 0.5 * len(self.tests) + 1.2))
        lines = np.arange(len(self.tests))
        reach = np.clip([self.probability - self.lower, self.upper - self.probability], 0, None)
        axes.errorbar(self.probability, lines, xerr=reach, color=BLUE, ecolor=GREY, marker="o", capsize=3, elinewidth=1)
        for line, probability in enumerate(self.probability):
            axes.annotate(
                PLAIN.probability(float(probability)),
                (probability, line),
                xytext=(0, 7),
                textcoords="offset points",
                ha="center",
                fontsize=9,
            )
        axes.set_yticks(lines, [plain(test) for test in self.tests])
        axes.set(xlim=(-0.03, 1.03), ylim=(len(lines) - 0.5, -0.6), xlabel=f"probability of {plain(self.label)}")
        self.ax_ = axes
        return self
