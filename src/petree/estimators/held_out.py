"""Rows that a tree was not grown from, to score smoothings on."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.estimators.learning import Cases
from petree.routing import Router
from petree.threads import Threads
from petree.tree import Tree

# The least probability that counts, so that one case taken for impossible does not decide alone.
FLOOR = 1e-6
# Node probabilities that are held at a time.
CELLS = 1_000_000


class HeldOut:
    """Held-out cases, sent down a tree once.

    A smoothing that answers node by node needs of most rows only how much weight of each class fell into each leaf.
    Rows that are blends of several leaves, and all rows of a smoothing that goes `by_row`, are answered one by one.
    """

    def __init__(self, tree: Tree, cases: Cases, by_row: bool) -> None:
        self.tree, self.cases, self.by_row = tree, cases, by_row
        self.router, self.threads = Router.of(tree), Threads(1)
        self.weights = np.ones(len(cases.codes)) if cases.weights is None else cases.weights
        if not by_row:
            self._fill_leaves()

    def _fill_leaves(self) -> None:
        # The leaf numbers of one leaf have variance 0, those of a blend more.
        leaf = np.arange(self.tree.n_nodes, dtype=np.float64)
        found, squared = self.router.probabilities(self.cases.table, np.column_stack((leaf, leaf**2)), self.threads).T
        is_blend = found**2 != squared
        cells = found[~is_blend].astype(np.intp) * self.tree.n_classes + self.cases.codes[~is_blend]
        self.cells, place = np.unique(cells, return_inverse=True)
        self.cell_weights = np.bincount(place, self.weights[~is_blend])
        blends = np.flatnonzero(is_blend)
        self.blends, self.blend_weights = self.cases.take(blends), self.weights[blends]

    def ask(self, smoothing: Any) -> NDArray[np.float64]:
        """Probabilities of the nodes, or of the rows where these are needed."""
        if not self.by_row:
            return smoothing.estimate(self.tree)
        if getattr(smoothing, "by_row", False):
            return smoothing.answer(self.tree, self.router, self.cases.table, self.threads)
        return self.router.probabilities(self.cases.table, smoothing.estimate(self.tree), self.threads)

    def losses(self, smoothings: Iterable[Any]) -> NDArray[np.float64]:
        """Log loss of each smoothing in bits, the sum over the rows."""
        answers = map(self.ask, smoothings)
        if self.by_row:
            rows = np.arange(len(self.cases.codes))
            return np.array([np.sum(self.weights * _bits(answer[rows, self.cases.codes])) for answer in answers])
        losses = []
        n_together = max(1, CELLS // self.tree.counts.size)
        while block := list(islice(answers, n_together)):
            of_leaves = [np.sum(self.cell_weights * _bits(answer.ravel()[self.cells])) for answer in block]
            losses.append(np.array(of_leaves) + self._losses_of_blends(block))
        return np.concatenate(losses)

    def _losses_of_blends(self, block: list[NDArray[np.float64]]) -> NDArray[np.float64]:
        if not len(self.blend_weights):
            return np.zeros(len(block))
        answers = self.router.probabilities(self.blends.table, np.hstack(block), self.threads)
        of_class = answers.reshape(len(answers), len(block), -1)[np.arange(len(answers)), :, self.blends.codes]
        return np.sum(self.blend_weights[:, None] * _bits(of_class), axis=0)


def _bits(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    return -np.log2(np.maximum(probabilities, FLOOR))
