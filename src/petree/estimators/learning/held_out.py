"""Rows that a tree was not grown from, to score smoothings on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from petree.estimators.learning.cases import Cases
from petree.estimators.tuning.grid import Grid
from petree.pruning.engine.counts import FLOOR
from petree.smoothing import goes_by_row
from petree.smoothing.all_leaves import AllLeaves
from petree.smoothing.average import means_of
from petree.threads import Threads
from petree.tree import Tree

# Node probabilities that are held at a time.
CELLS = 1_000_000
# Rows of a fold that are answered where a smoothing goes by row, since each of them takes long.
MOST_ROWS = 3_000

Chances = Iterator[NDArray[np.float64]]


def _leaves(tree: Tree, cases: Cases) -> NDArray[np.intp]:
    """The leaf of each case, or -1 for a blend: the leaf numbers of one leaf have variance 0, those of a blend more."""
    router = cases.route(tree)
    leaf = np.arange(tree.n_nodes, dtype=np.float64)
    squares = np.column_stack((leaf, leaf**2))
    found = np.concatenate([router.probabilities(piece.table, squares, Threads(1)) for piece in cases.pieces()])
    return np.where(found[:, 0] ** 2 == found[:, 1], found[:, 0], -1).astype(np.intp)


class HeldOut:
    """Held-out cases, sent down a tree once.

    A smoothing that answers node by node needs of most rows only how much weight of each class fell into each leaf.
    Rows that are blends of several leaves are answered one by one, and where a smoothing goes `by_row` all rows are, or
    of very many an even sample.

    The chance of a row is the probability of its own class. Chances are kept of the cells first (a class in a leaf),
    then of the rows that are answered one by one; those under a mean of smoothings are the mean of those under each.

    Attributes
    ----------
    weights : array
        Of the cells and the rows.
    """

    def __init__(
        self,
        tree: Tree,
        rows: Cases,
        cells: NDArray[np.intp],
        weights: NDArray[np.float64],
    ) -> None:
        """From the rows that are answered one by one, and the others by cell, ascending; weights are of both."""
        self.tree = tree
        self.router = rows.route(tree)
        self.threads = Threads(1)
        self.rows = rows
        self.cells = cells
        self.weights = weights

    @classmethod
    def of(cls, tree: Tree, cases: Cases, by_row: bool) -> HeldOut:
        """Cases, sent down."""
        weights = cases.amounts
        leaf = np.full(len(weights), -1) if by_row else _leaves(tree, cases)
        in_leaf = np.flatnonzero(leaf >= 0)
        rows = np.flatnonzero(leaf < 0)
        if by_row:
            rows = rows[:: -(-len(rows) // MOST_ROWS)]
        cells, place = np.unique(leaf[in_leaf] * tree.n_classes + cases.codes[in_leaf], return_inverse=True)
        of_all = np.concatenate((np.bincount(place, weights[in_leaf]).astype(np.float64), weights[rows]))
        return cls(tree, cases.take(rows), cells, of_all)

    def counts(self) -> NDArray[np.float64]:
        """Weight of each class of the rows in each leaf, without the rows that are answered one by one."""
        shape = self.tree.counts.shape
        weights = np.bincount(self.cells, self.weights[: len(self.cells)], self.tree.counts.size)
        return weights.astype(np.float64).reshape(shape)

    def losses(self, grid: Grid) -> NDArray[np.float64]:
        """Log loss of each combination of a grid in bits, the sum over the rows."""
        chances = self._chances(grid)
        n_together = max(1, CELLS // max(1, len(self.weights)))
        losses = []
        while block := list(islice(chances, n_together)):
            losses.append((self.weights * -np.log2(np.maximum(block, FLOOR))).sum(axis=1))
        return np.concatenate(losses)

    def _chances(self, grid: Grid) -> Chances:
        """The chances under each combination of a grid."""
        if grid.is_mean:
            return self._of_mean(grid)
        if isinstance(grid.smoothing, AllLeaves):
            return self._of_all_leaves(grid)
        if goes_by_row(grid.smoothing):
            by_member = (
                member.answer(self.tree, self.router, self.rows.table, self.threads) for member in grid.variants
            )
            return (one for answers in by_member for one in self._of_rows(answers))
        return self._of_nodes(grid)

    def _of_mean(self, grid: Grid) -> Chances:
        """Each part is asked once for each of its own combinations: twenty times for a hundred of two tens."""
        return means_of([list(self._chances(part)) for part in grid.parts.values()])

    def _of_all_leaves(self, grid: Grid) -> Chances:
        """What leaves say under all their combinations is heard together, since the weights of leaves are the same."""
        said = np.hstack([leaf.estimate(self.tree) for leaf in grid.parts["leaf"].variants])
        for member in replace(grid, parts={}).variants:
            yield from self._of_rows(member.blend(self.router, self.rows.table, said, self.threads))

    def _of_nodes(self, grid: Grid) -> Chances:
        estimates = (member.estimate(self.tree) for member in grid.variants)
        n_together = max(1, CELLS // self.tree.counts.size)
        while block := list(islice(estimates, n_together)):
            of_cells = np.array([estimate.ravel()[self.cells] for estimate in block])
            answers = self.router.probabilities(self.rows.table, np.hstack(block), self.threads)
            yield from np.hstack((of_cells, self._of_rows(answers)))

    def _of_rows(self, answers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Chances of the rows from their answers under one or more combinations, side by side."""
        n_rows = len(answers)
        n_classes = self.tree.n_classes
        by_combination = answers.reshape(n_rows, answers.shape[1] // n_classes, n_classes)
        return by_combination[np.arange(n_rows), :, self.rows.codes].T
