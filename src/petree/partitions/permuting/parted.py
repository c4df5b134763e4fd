"""Nodes whose rows are in parts, and the permutation tests of these.

Nodes that fit in memory are gathered, and are permuted there as those of a table. To the cases of others classes are
dealt where they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from petree.caching import cached_property
from petree.keys import Keys
from petree.partitions.amounts import ONE_EACH
from petree.partitions.code_tree import CodeTree, Lineage
from petree.partitions.counting import NOT_ASKED, Asked, CountCases, CountCells, GatherRows, Layout
from petree.partitions.engines.base import Part, Working
from petree.partitions.ground import Ground, packed_in
from petree.partitions.permuting import dealing
from petree.partitions.permuting.dealing import Answer, NumberedRows, Question
from petree.partitions.permuting.numbered import Dealer, Found, NumberedSource, walk_in_waves
from petree.partitions.tables import CountedNodes, rows_in_order
from petree.pruning.engine.permutation_tests import PermutationTests, PruningWalk
from petree.sources.base import Nodes
from petree.sources.coding import Vocabulary
from petree.sources.rows import Rows
from petree.sources.searching import Searcher
from petree.sources.searching.by_evidence import ByEvidence
from petree.tree import Tree

# Bytes of the number of a row, which is gathered with it.
BYTES_OF_NUMBER = 8


@dataclass(frozen=True, eq=False)
class AskCases(Asked, Generic[Answer]):
    """A task: what is asked of the cases of some nodes, which have these keys."""

    keys: Keys
    question: Question[Answer]

    def __call__(self, part: Part, working: Working) -> Answer:
        rows = part.read()
        slots = self.slots_at(self.nodes(part, rows, working))
        copies = self.copies(part, rows)
        amounts = self.layout.amounts.of_rows(rows, copies) if self.layout.amounts.counts_rows else ONE_EACH
        numbers = (np.arange(len(rows)) + part.first_row).astype(np.uint64)
        numbered = NumberedRows(rows.narrow, rows.wide, slots, numbers, copies, amounts)
        return self.question.of(numbered.cases(self.keys), working.stop)

    def join(self, one: Answer, other: Answer) -> Answer:
        return self.question.join(one, other)


@dataclass(frozen=True, eq=False)
class PartedNodes:
    """Nodes of a tree whose rows are in parts; a handle is the number of a node in the tree that tasks carry.

    `token` tells trees apart.
    """

    ground: Ground
    layout: Layout
    tree: CodeTree
    token: int
    searcher: Searcher
    vocabulary: Vocabulary
    is_plain_gain: bool

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
        for level in (np.zeros(1, np.intp), *self._lineage.levels):  # nodes of a level have no rows in common
            which = np.flatnonzero(~fits & is_asked & np.isin(trials.handles, level))
            if len(which):
                found[which], tried[which] = self._dealer.exceedances(self, trials.take(which))
        return found, tried

    @property
    def pruning_walk(self) -> PruningWalk | None:
        return self._walk_up

    def _walk_up(self, trials: PermutationTests, parents: NDArray[np.int32]) -> NDArray[np.int64]:
        found = np.full(len(trials), -1, np.int64)
        n_asked = self._lineage.over_nodes((trials.n_permutations > 0).astype(np.int64))
        for top in self._groups(np.flatnonzero(self._fits & (n_asked > 0))):
            table, slices = self._gather(top)
            nodes = np.flatnonzero(top >= 0)
            places = np.full(len(trials) + 1, -1, np.int32)  # nobody is above the root, whose parent is -1
            places[nodes] = np.arange(len(nodes))
            found[nodes] = table.walk_up(replace(trials.take(nodes), handles=slices[nodes]), places[parents[nodes]])
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

    def _gather(self, top: NDArray[np.intp]) -> tuple[NumberedSource, NDArray[np.int64]]:
        """The rows below some nodes as a table, in which those of every node stand together, and the slices of all."""
        is_asked = (top >= 0) & (self.tree.n_children == 0)
        slots = np.where(is_asked, np.arange(len(top)), NOT_ASKED).astype(np.int32)
        task = GatherRows(self.layout, self.tree, slots, self.token, with_numbers=True)
        gathered = self.ground.engine.reduce(task, self.ground.parts)
        pieces = [*gathered]
        del gathered  # pieces are used up
        leaves = np.concatenate([piece.slots for piece in pieces])
        numbers = np.concatenate([piece.numbers for piece in pieces])
        n_rows = self._lineage.over_nodes(np.bincount(leaves, minlength=len(top)).astype(np.int64))
        starts = self._lineage.starts(n_rows)
        order = np.argsort(starts[leaves], kind="stable")
        # pieces come in the order of the parts, so that rows are in that of their numbers
        rows = replace(rows_in_order(self.layout, pieces, order), order=order.astype(np.uint32))
        amounts = self.layout.amounts
        table = NumberedSource(rows, self.searcher, self.vocabulary, self.ground.threads, numbers, amounts)
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
        """Rows that are gathered at a time: at least those of a node whose cases are permuted in order."""
        return max(self.ground.most_rows(self.layout, BYTES_OF_NUMBER), dealing.MOST_IN_ORDER)

    @property
    def _fits(self) -> NDArray[np.bool_]:
        """Which nodes can be gathered."""
        return self._cases.sum(axis=1) <= self._most_rows

    # -- the cases of large nodes -------------------------------------------------------------------------

    @property
    def _dealer(self) -> Dealer:
        return Dealer(self.layout, self.searcher, self.ground.threads, self.ground.most_counters(self.layout))

    def totals(self, handles: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many cases of each class the nodes have."""
        return self._cases[handles]

    def ask(self, handles: NDArray[np.int64], keys: Keys, question: Question[Answer]) -> Answer:
        """The answer of all cases of nodes that have these keys; slots are places among the nodes."""
        task = AskCases(self.layout, self.tree, self._slots_below(handles), self.token, keys, question)
        return self.ground.engine.reduce(task, self.ground.parts)
