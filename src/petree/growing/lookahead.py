"""Lookahead: a test is as good as the best tests below it make it (Buntine 1992, section 3.1)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.sources.base import Nodes, SourceByColumn, Splits
from petree.sources.found import Best


class LookaheadSearch:
    """Chooses tests by what they and the best tests below them gain together.

    For a score whose gains add up along the tree, ``V(test) = gain(test) + sum over children of max(0, V(best test))``,
    each gain times the weight of its node.

    Parameters
    ----------
    source : SourceByColumn
    plies : int
        Tests on a path that are looked at together, 2 or more.
    beam : int
        Tests of a node that are looked behind: so many of the best, one per column.
    """

    def __init__(self, source: SourceByColumn, plies: int, beam: int) -> None:
        self._source = source
        self._plies = plies
        self._beam = beam

    def best_splits(self, nodes: Nodes) -> Splits:
        """The test of each node that is best together with those below it, with its own score."""
        chosen, _ = self._choose(nodes, self._plies)
        node = np.flatnonzero(chosen.test["column"] >= 0)
        return Splits(node, self._source.score_of(chosen.value[node], nodes.counts[node]), chosen.test[node])

    def _choose(self, nodes: Nodes, plies: int) -> tuple[Best, NDArray[np.float64]]:
        """The test of each node that is best over so many plies, and what these gain together."""
        found = self._source.best_by_column(nodes)
        values = np.array([one.value for one in found]).T.copy()
        values[np.array([one.test["column"] for one in found]).T < 0] = -np.inf
        tests = np.array([one.test for one in found]).T
        order = np.argsort(-values, axis=1, kind="stable")[:, : self._beam if plies > 1 else 1]
        lines = np.arange(len(nodes))
        best = np.full(len(nodes), -np.inf)
        chosen = Best.none(len(nodes))
        for rank in range(order.shape[1]):
            own = values[lines, order[:, rank]]
            test = tests[lines, order[:, rank]]
            total = own + self._below(nodes, own, test, plies - 1)
            better = total > best + found[0].tolerance
            best[better] = total[better]
            chosen.value[better] = own[better]
            chosen.test[better] = test[better]
        return chosen, best

    def _below(self, nodes: Nodes, values: NDArray[np.float64], tests: NDArray[Any], plies: int) -> NDArray[np.float64]:
        """What the best tests of the children gain, over so many plies; dividing only sorts the rows of a node."""
        gained = np.zeros(len(nodes))
        divided = np.flatnonzero(np.isfinite(values))
        if not plies or not len(divided):
            return gained
        children, n_children = self._source.divide(
            nodes.take(divided), Splits(np.arange(len(divided)), values[divided], tests[divided])
        )
        parents = np.repeat(divided, n_children)
        is_open = ((children.counts > 0).sum(axis=1) > 1) & (children.sizes >= 2 * self._source.min_samples_leaf)
        open_children = np.flatnonzero(is_open)
        if len(open_children):
            _, below = self._choose(children.take(open_children), plies)
            np.add.at(gained, parents[open_children], np.maximum(below, 0))
        return gained
