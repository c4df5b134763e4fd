"""Nodes whose rows are in parts, and their permutation tests.

Nodes that fit in memory are gathered and permuted as those of a table. Larger ones cannot be permuted: for these the
criterion's fallback stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from petree.caching import cached_property
from petree.partitions.code_tree import CodeTree, Lineage
from petree.partitions.counting import NOT_ASKED, CountCases, CountCells, GatherRows, Layout
from petree.partitions.ground import Ground, packed_in
from petree.partitions.tables import CountedNodes, rows_in_order
from petree.pruning.engine.permutation_tests import PermutationTests, PruningWalk
from petree.sources.base import Nodes
from petree.sources.coding import Vocabulary
from petree.sources.rows import Rows
from petree.sources.searching import Searcher
from petree.sources.searching.by_evidence import ByEvidence
from petree.sources.table import TableSource
from petree.tree import Tree

# Nodes of no more rows than this are gathered for permutation tests, in whatever memory.
ALWAYS_GATHERED = 65_536

Found = tuple[NDArray[np.int64], NDArray[np.int64]]


def walk_in_waves(
    exceedances: Callable[[PermutationTests], Found],
    trials: PermutationTests,
    parents: NDArray[np.int32],
    found: NDArray[np.int64],
) -> NDArray[np.int64]:
    """The permutations found of all nodes of a tree, from the leaves up, after those that are found already (not -1).

    A node is tested when all its children are leaves, as those are with more than are allowed.
    """
    found = found.copy()
    stands = ~np.isnan(trials.scores) & (found <= trials.allowed)
    n_inner_children = np.bincount(parents[stands & (parents >= 0)], minlength=len(trials))
    nodes = np.flatnonzero(stands & (found < 0) & (n_inner_children == 0))
    while len(nodes):
        found[nodes] = exceedances(trials.take(nodes))[0]
        above = parents[nodes[(found[nodes] > trials.allowed) & (parents[nodes] >= 0)]]
        np.subtract.at(n_inner_children, above, 1)
        nodes = np.unique(above[n_inner_children[above] == 0]).astype(np.intp)
    return found


@dataclass(frozen=True, eq=False)
class PartedNodes:
    """Nodes of a tree whose rows are in parts; a handle is the number of a node in the tree that tasks carry.

    `token` tells trees apart. `undecided` collects nodes that were too large to permute.
    """

    ground: Ground
    layout: Layout
    tree: CodeTree
    token: int
    searcher: Searcher
    vocabulary: Vocabulary
    is_plain_gain: bool
    undecided: set[int]

    @property
    def is_linked(self) -> bool:
        return False

    def exceedances(self, trials: PermutationTests, moves_attributes: bool = False) -> Found:
        found = np.zeros(len(trials), np.int64)
        tried = np.zeros(len(trials), np.int64)
        is_asked = trials.n_permutations > 0
        fits = self._fits[trials.handles]
        for top in self._groups(trials.handles[fits & is_asked]):
            which = np.flatnonzero(top[trials.handles] >= 0)
            table, slices = self._gather(top)
            found[which], tried[which] = table.exceedances(
                replace(trials.take(which), handles=slices[trials.handles[which]])
            )
        too_large = np.flatnonzero(~fits & is_asked)
        if len(too_large):
            assert trials.fallback is not None
            found[too_large] = trials.fallback[too_large]
            self.undecided.update(trials.handles[too_large].tolist())
        return found, tried

    def permutes(self, handles: NDArray[np.int64]) -> NDArray[np.bool_]:
        return self._fits[handles]

    @property
    def pruning_walk(self) -> PruningWalk | None:
        return self._walk_up

    def _walk_up(self, trials: PermutationTests, parents: NDArray[np.int32]) -> NDArray[np.int64]:
        found = np.full(len(trials), -1, np.int64)
        n_asked = self._lineage.over_nodes((trials.n_permutations > 0).astype(np.int64))
        for top in self._groups(np.flatnonzero(self._fits & (n_asked > 0))):
            table, slices = self._gather(top)
            walk = table.pruning_walk
            if walk is None:
                break
            nodes = np.flatnonzero(top >= 0)
            places = np.full(len(trials) + 1, -1, np.int32)  # nobody is above the root, whose parent is -1
            places[nodes] = np.arange(len(nodes))
            found[nodes] = walk(replace(trials.take(nodes), handles=slices[nodes]), places[parents[nodes]])
        return walk_in_waves(self.exceedances, trials, parents, found)

    def cut_costs(self, tree: Tree, searcher: ByEvidence, most_counted: int) -> NDArray[np.float64]:
        """What the cuts of the inner nodes cost: of nodes that are gathered, and of so many that are counted at a time.

        The tree is the same in words.
        """
        inner = np.flatnonzero(~tree.is_leaf)
        columns = np.zeros(tree.n_nodes, np.intp)
        columns[inner] = tree.conditions.column
        nodes = Nodes(np.zeros((tree.n_nodes, 2), np.int64), tree.counts, tree.sizes)
        costs = np.zeros(tree.n_nodes)

        def note(which: NDArray[np.intp], rows: Rows, slices: NDArray[np.int64]) -> None:
            some = replace(nodes.take(which), handles=slices)
            costs[which] = searcher.cut_costs(rows, some, columns[which], self.ground.threads)

        for top in self._groups(inner[self._fits[inner]]):
            table, slices = self._gather(top)
            which = inner[top[inner] >= 0]
            note(which, table.rows, slices[which])
        large = inner[~self._fits[inner]]
        for level in (np.zeros(1, np.intp), *self._lineage.levels):  # nodes of a level have no rows in common
            of_level = large[np.isin(large, level)]
            for first in range(0, len(of_level), most_counted):
                which = of_level[first : first + most_counted]
                counted = self._count(which)
                note(which, counted.rows, counted.slices)
        return costs[inner]

    def _count(self, nodes: NDArray[np.intp]) -> CountedNodes:
        """Nodes that have no rows in common as tables of their counts."""
        task = CountCells(self.layout, self.tree, self._slots_below(nodes), self.token)
        return CountedNodes.of(self.layout, self.ground.engine.reduce(task, self.ground.parts))

    def _slots_below(self, nodes: NDArray[np.intp]) -> NDArray[np.int32]:
        """For each node of the tree the place of the first one of these at or above it."""
        places = np.full(len(self.tree) + 1, NOT_ASKED, np.int32)
        places[nodes] = np.arange(len(nodes))
        return places[self._lineage.topmost(nodes)]

    # -- gathering ----------------------------------------------------------------------------------------

    def _groups(self, nodes: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
        """The nodes that are gathered together with some nodes, a group at a time.

        Of each node of the tree there is the one that it is gathered with: the first of these at or above it, or -1.
        """
        top = self._lineage.topmost(nodes)
        tops = np.unique(top[top >= 0])
        for group in packed_in(tops, self._cases.sum(axis=1), self._most_rows):
            yield np.where(np.isin(top, group), top, NOT_ASKED)

    def _gather(self, top: NDArray[np.intp]) -> tuple[TableSource, NDArray[np.int64]]:
        """The rows below some nodes as a table, in which those of every node stand together, and the slices of all."""
        is_asked = (top >= 0) & (self.tree.n_children == 0)
        slots = np.where(is_asked, np.arange(len(top)), NOT_ASKED).astype(np.int32)
        task = GatherRows(self.layout, self.tree, slots, self.token)
        gathered = self.ground.engine.reduce(task, self.ground.parts)
        pieces = [*gathered]
        del gathered  # pieces are used up
        leaves = np.concatenate([piece.slots for piece in pieces])
        n_rows = self._lineage.over_nodes(np.bincount(leaves, minlength=len(top)).astype(np.int64))
        starts = self._lineage.starts(n_rows)
        order = np.argsort(starts[leaves], kind="stable")
        # pieces come in the order of the parts, so that rows are in that of their numbers
        rows = replace(rows_in_order(self.layout, pieces, order), order=order.astype(np.uint32))
        table = TableSource(rows, self.searcher, self.vocabulary, self.ground.threads)
        return table, np.column_stack((starts, starts + n_rows))

    @cached_property
    def _lineage(self) -> Lineage:
        return Lineage.of(self.tree)

    @cached_property
    def _cases(self) -> NDArray[np.int64]:
        """Cases of each class in each node."""
        task = CountCases(self.layout, self.tree, np.zeros(len(self.tree), np.int32), self.token)
        return self._lineage.over_nodes(self.ground.engine.reduce(task, self.ground.parts))

    @property
    def _most_rows(self) -> int:
        """Rows that are gathered at a time."""
        return max(self.ground.most_rows(self.layout), ALWAYS_GATHERED)

    @property
    def _fits(self) -> NDArray[np.bool_]:
        """Which nodes can be gathered."""
        return self._cases.sum(axis=1) <= self._most_rows
