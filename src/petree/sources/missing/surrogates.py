"""Rows whose value is missing go with most of the others, or where tests of other columns send them.

The latter are surrogates (Breiman et al. 1984, section 5.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import UNSEEN
from petree.sources.base import Nodes, Splits
from petree.sources.missing.agreement import Divided, Ranked, rank
from petree.sources.missing.known import NOWHERE, KnownSource, branches_of
from petree.sources.rows import rows_by_node
from petree.tree import Surrogates, Tree, offsets


class MajoritySource(KnownSource):
    """A table whose rows take the larger branch where their value is missing, the first of equals.

    Every test of a column that has missing values anywhere says which one that is.
    """

    def settled(self, nodes: Nodes, tests: NDArray[Any]) -> NDArray[Any]:
        settled = tests.copy()
        which, node = rows_by_node(nodes.handles)
        branch = branches_of(self.rows, which, tests, node)
        known = np.flatnonzero(branch >= 0)
        weights = self.rows.weights_at(which[known])
        sums = np.bincount(2 * node[known] + branch[known], weights, 2 * len(nodes)).reshape(-1, 2)
        larger = (sums[:, 1] > sums[:, 0]).astype(np.int64)
        settled["missing"] = np.where(self.has_missing[tests["column"]], larger, UNSEEN)
        return settled


Numbers = NDArray[np.intp]
# Cells (a value of a column at a node) that are looked at together.
CELLS_AT_ONCE = 1_000_000


class SurrogateSource(MajoritySource):
    """A table whose rows follow the best surrogate that has a value, else the larger branch, where theirs is missing.

    The surrogates of all nodes are noted in the grown tree, also of those where no value was missing; only tests of
    columns that have missing values anywhere have any.
    """

    def divide(self, nodes: Nodes, splits: Splits) -> tuple[Nodes, NDArray[np.intp]]:
        which, node = rows_by_node(nodes.handles)
        branch = branches_of(self.rows, which, splits.tests, node)
        if (branch == NOWHERE).any():
            self._stand_in(which, node, branch, splits.tests)
        child = 2 * node + branch
        self.rows.arrange(which, which[np.argsort(child, kind="stable")])
        return self._children(nodes, which, np.sort(child)), np.full(len(nodes), 2, np.intp)

    def _stand_in(self, which: Numbers, node: Numbers, branch: Numbers, tests: NDArray[Any]) -> None:
        """Fill in the branches of the rows without a value, at the nodes that have any."""
        is_short = np.bincount(node, branch == NOWHERE, len(tests)) > 0
        for some in self._pieces(np.flatnonzero(is_short)):
            rows = np.flatnonzero(np.isin(node, some))
            own = np.searchsorted(some, node[rows])
            ranked = self._ranked(which[rows], own, branch[rows], tests["column"][some])
            short = np.flatnonzero(branch[rows] == NOWHERE)
            branch[rows[short]] = self._follow(which[rows[short]], own[short], ranked, tests["missing"][some])

    def _ranked(self, which: Numbers, node: Numbers, branch: Numbers, primary: Numbers) -> Ranked:
        return rank(Divided(self.rows, which, node, branch, len(primary)), primary)

    def _follow(self, which: Numbers, node: Numbers, ranked: Ranked, larger: Numbers) -> Numbers:
        """Branches by the first surrogate that has an answer, else the larger one."""
        found = np.full(len(which), NOWHERE, np.intp)
        for place in range(ranked.tests.shape[1]):
            open_rows = np.flatnonzero((found == NOWHERE) & (ranked.number[node] > place))
            own = node[open_rows]
            answer = branches_of(self.rows, which[open_rows], ranked.tests[:, place], own)
            found[open_rows] = np.where(answer < 0, NOWHERE, answer ^ ranked.turned[own, place])
        return np.where(found < 0, larger[node], found)

    def _children(self, nodes: Nodes, which: Numbers, child: Numbers) -> Nodes:
        """The two children of each node, given that of each row, ascending."""
        n_children = 2 * len(nodes)
        n_classes = self.rows.n_classes
        lengths = np.bincount(child, minlength=n_children)
        starts = np.repeat(nodes.handles[:, 0], 2)
        starts[1::2] += lengths[::2]
        cells = child * n_classes + self.rows.classes[which]
        counts = np.bincount(cells, self.rows.weights.take(which).of_rows, n_children * n_classes)
        copies = self.rows.weights.copies
        sizes = np.bincount(child, copies[which] if len(copies) else None, n_children).astype(np.int64)
        by_child = counts.reshape(n_children, n_classes).astype(np.float64)
        return Nodes(np.column_stack((starts, starts + lengths)), by_child, sizes)

    # -- what the tree keeps ------------------------------------------------------------------------------

    def annotate(self, tree: Tree, handles: NDArray[np.int64]) -> Tree:
        tree = super().annotate(tree, handles)
        asked = np.flatnonzero(self.has_missing[tree.conditions.column])
        pieces = [self._found_at(tree, handles, some) for some in self._pieces(asked)]
        number = np.zeros(len(tree.conditions), np.intp)
        number[asked] = np.concatenate([np.empty(0, np.intp), *(ranked.number for ranked in pieces)])
        kept = [_kept(ranked) for ranked in pieces]
        tests = self.conditions([test for test, _, _ in kept])
        turned = np.concatenate([np.empty(0, bool), *(is_turned for _, is_turned, _ in kept)])
        agreement = np.concatenate([np.empty(0), *(share for _, _, share in kept)])
        return replace(tree, surrogates=Surrogates(offsets(number).astype(np.int32), tests, turned, agreement))

    def _found_at(self, tree: Tree, handles: NDArray[np.int64], splits: Numbers) -> Ranked:
        """The surrogates of some splits: rows of their nodes stand still where growing has left them."""
        which, node = rows_by_node(handles[tree.split_nodes[splits]])
        second = handles[tree.children[tree.child_start[splits] + 1], 0]
        branch = (which >= second[node]).astype(np.intp)
        column = tree.conditions.column[splits].astype(np.intp)
        place = self.rows.columns.places[column][node]
        branch[self.rows.codes_at(which, place) == self.rows.columns.n_bins[place]] = NOWHERE
        return self._ranked(which, node, branch, column)

    def _pieces(self, nodes: Numbers) -> Iterator[Numbers]:
        """Some nodes at a time."""
        cells = len(nodes) * (int(self.rows.columns.n_bins.max(initial=0)) + 1)
        return (some for some in np.array_split(nodes, 1 + cells // CELLS_AT_ONCE) if len(some))


def _kept(ranked: Ranked) -> tuple[NDArray[Any], NDArray[np.bool_], NDArray[np.float64]]:
    """The surrogates that there are, one node's after the other's."""
    is_one = np.arange(ranked.tests.shape[1]) < ranked.number[:, None]
    return ranked.tests[is_one], ranked.turned[is_one], ranked.agreement[is_one]
