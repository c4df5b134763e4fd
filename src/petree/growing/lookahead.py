"""Lookahead: a test is as good as the best tests below it make it (Buntine 1992, section 3.1)."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from petree.sources.base import Nodes, Splits
from petree.sources.found import Best


class Lookahead:
    """A source that chooses tests by what they and the best tests below them gain together.

    For a score whose gains add up along the tree, ``V(test) = gain(test) + sum over children of max(0, V(best test))``,
    each gain times the weight of its node. Everything else is the source's own affair.

    Parameters
    ----------
    source : TableSource
    plies : int
        Tests on a path that are looked at together, 2 or more.
    beam : int
        Tests of a node that are looked behind: so many of the best, one a column.
    """

    def __init__(self, source: Any, plies: int, beam: int) -> None:
        self._source = source
        self._plies = plies
        self._beam = beam

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def best_splits(self, nodes: Nodes) -> Splits:
        chosen, _ = self._choose(nodes, self._plies)
        node = np.flatnonzero(chosen.test["column"] >= 0)
        return Splits(node, self._source.score_of(chosen.value[node], nodes.counts[node]), chosen.test[node])

    def candidates(self, nodes: Nodes) -> NoReturn:
        """Refused: only the best tests are looked behind."""
        raise ValueError(
            "A pruning criterion that chooses among all tests of a node cannot look ahead as well; set lookahead=1, or "
            'when="post" of the criterion.'
        )

    def finish(self, nodes: Nodes, level: int, most_waves: int, min_gain: float) -> None:
        """All waves have to be asked for, one by one."""

    def _choose(self, nodes: Nodes, plies: int) -> tuple[Best, NDArray[np.float64]]:
        """The test of each node that is best over so many plies, and what these gain together."""
        found = self._source.best_by_column(nodes)
        values = np.array([one.value for one in found]).T.copy()
        values[np.array([one.test["column"] for one in found]).T < 0] = -np.inf
        tests = np.array([one.test for one in found]).T
        order = np.argsort(-values, axis=1, kind="stable")[:, : self._beam if plies > 1 else 1]
        lines = np.arange(len(nodes))
        best, chosen = np.full(len(nodes), -np.inf), Best.none(len(nodes))
        for rank in range(order.shape[1]):
            own, test = values[lines, order[:, rank]], tests[lines, order[:, rank]]
            total = own + self._below(nodes, own, test, plies - 1)
            better = total > best + found[0].tolerance
            best[better], chosen.value[better], chosen.test[better] = total[better], own[better], test[better]
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
