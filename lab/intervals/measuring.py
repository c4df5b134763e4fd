"""How often intervals of leaf probabilities contain the true ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.intervals.data import Floats, Task
from petree import ProbabilityTreeClassifier

# Leaves that fewer other rows come to have no rate that could be called true.
LEAST_ROWS = 200
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99)
PLAIN = "plain"
MEASURED = "measured"
HONEST = "honest"
WAYS = (PLAIN, MEASURED, HONEST)
# Bounds are quantiles to rounding.
ROUNDING = 1e-9
LEAST_CHANCE = 1e-6


@dataclass(frozen=True)
class Covered:
    """Intervals of the classes in leaves, those that contain the truth, both also by rows, widths and log loss.

    The log loss is that of the whole tree in bits a row, of so many trees.
    """

    n: float = 0.0
    n_inside: float = 0.0
    rows: float = 0.0
    rows_inside: float = 0.0
    width: float = 0.0
    bits: float = 0.0
    trees: float = 0.0

    def __add__(self, other: Covered) -> Covered:
        return Covered(*(one + two for one, two in zip(vars(self).values(), vars(other).values(), strict=True)))

    @property
    def shares(self) -> tuple[float, float]:
        """Parts of the intervals that contain the truth: each as one, and by the rows of its leaf."""
        return self.n_inside / self.n, self.rows_inside / self.rows


@dataclass(frozen=True)
class Leaves:
    """The leaves of a tree that enough other rows come to, the number of these, and what is true of them.

    The log loss is that of all other rows, in bits a row.
    """

    nodes: NDArray[np.int64]
    n_rows: NDArray[np.int64]
    truth: Floats
    bits: float


def measure(task: Task) -> Iterator[tuple[str, float, Covered]]:
    """What each way of making intervals covers of a task, at each level."""
    model = ProbabilityTreeClassifier(n_jobs=1).fit(task.X, task.y)
    leaves = leaves_of(model, task)
    yield from _levels(MEASURED, model, leaves)
    del model.certainty_  # without which intervals are those of trees that were fitted without inner folds
    yield from _levels(PLAIN, model, leaves)
    honest = ProbabilityTreeClassifier(n_jobs=1, honest=True).fit(task.X, task.y)
    yield from _levels(HONEST, honest, leaves_of(honest, task))


def leaves_of(model: Any, task: Task) -> Leaves:
    """The leaves of which the truth is known."""
    leaves = model.apply(task.others)
    answers = model.predict_proba(task.others)
    bits = -(task.truth * np.log2(np.maximum(answers, LEAST_CHANCE))).sum() / task.truth.sum()
    # A row that is answered by a blend of leaves belongs to none of them.
    is_of_leaf = np.abs(answers - model.node_probabilities_[leaves]).max(axis=1) < ROUNDING
    nodes, place, n_rows = np.unique(leaves[is_of_leaf], return_inverse=True, return_counts=True)
    sums = [np.bincount(place, of_class, len(nodes)) for of_class in task.truth[is_of_leaf].T]
    is_large = n_rows >= LEAST_ROWS
    return Leaves(nodes[is_large], n_rows[is_large], (np.array(sums) / n_rows).T[is_large], float(bits))


def _levels(way: str, model: Any, leaves: Leaves) -> Iterator[tuple[str, float, Covered]]:
    for level in LEVELS:
        frame = model.to_frame(level).iloc[leaves.nodes]
        lower, upper = (frame.filter(regex=f"^{side}_").to_numpy() for side in ("lower", "upper"))
        is_inside = (leaves.truth >= lower - ROUNDING) & (leaves.truth <= upper + ROUNDING)
        rows = leaves.n_rows.sum() * lower.shape[1]
        rows_inside = leaves.n_rows @ is_inside.sum(axis=1)
        width = float((upper - lower).sum())
        yield way, level, Covered(is_inside.size, is_inside.sum(), rows, rows_inside, width, leaves.bits, 1)
