"""A data set in parts as a source: nodes are counted part by part, and finished in memory as soon as their rows fit."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import IN, Conditions
from petree.growing.grower import Stopping
from petree.partitions.code_tree import CodeTree
from petree.partitions.counted import CountedInTurn, Divided, joined
from petree.partitions.counting import CountCells, Gathered, GatherRows, Layout, new_token
from petree.partitions.engines.base import Begun
from petree.partitions.finishing import Below, grow_below
from petree.partitions.ground import Ground, packed_in
from petree.partitions.nodes import PartedNodes
from petree.partitions.tables import CountedNodes, gathered_rows
from petree.pruning.engine.permutation_tests import PermutationTests
from petree.sources.base import Candidates, Finished, Limits, Nodes, Source, Splits
from petree.sources.coding import BinnedColumn, Vocabulary
from petree.sources.found import TEST, codes_of
from petree.sources.searching import Searcher
from petree.sources.searching.by_evidence import ByEvidence
from petree.sources.table import TableSource
from petree.tree import Tree

SearcherOf = Callable[[NDArray[np.float64], tuple[BinnedColumn, ...]], Searcher]


class PartitionedSource(Source):
    """Rows in parts. A handle is the number of a node in the tree that tasks carry.

    Parameters
    ----------
    ground : Ground
    columns : tuple of BinnedColumn
    layout : Layout
        Which rows count is its affair.
    searcher_of : callable
        Makes what searches, given the class counts of all rows and the columns as these have them.
    tests : {"binary", "sets", "multiway"}
    """

    def __init__(
        self,
        ground: Ground,
        columns: tuple[BinnedColumn, ...],
        layout: Layout,
        searcher_of: SearcherOf,
        tests: str,
    ) -> None:
        self.ground = ground
        self.layout = layout
        self._columns = columns
        self._tree = CodeTree.root()
        self._token = new_token()
        self._undecided: set[int] = set()
        self._counted = CountedInTurn(self._count)
        self._divided: Divided | None = None
        self._root, among = self._look(columns)
        self.searcher = searcher_of(self._root.counts[0], among)
        self.vocabulary = Vocabulary(among, tests)
        self._n_tests = self.vocabulary.n_tests(layout.n_classes)

    def _look(self, columns: tuple[BinnedColumn, ...]) -> tuple[Nodes, tuple[BinnedColumn, ...]]:
        """The root, and the columns as the rows that count have them."""
        root = np.zeros(1, np.intp)
        _, counted, _ = next(self._counted.batches(root, 1))
        return Nodes(root, *counted.nodes_counts()), counted.among(columns)

    # -- growing ------------------------------------------------------------------------------------------

    def root(self) -> Nodes:
        return self._root

    def n_tests(self, nodes: Nodes) -> NDArray[np.int64]:
        return np.full(len(nodes), self._n_tests, np.int64)

    def best_splits(self, nodes: Nodes) -> Splits:
        found = [Splits(np.empty(0, np.intp), np.empty(0), np.empty(0, TEST))]
        divided = []
        for places, counted, some in self._batches(nodes):
            tables = replace(some, handles=counted.slices[some.handles])
            splits = self.searcher.best_splits(counted.rows, tables, self.ground.threads)
            found.append(replace(splits, node=places[splits.node]))
            divided.append(self._divided_by(counted, nodes.handles[places], some, splits))
            del counted, tables  # which take memory that the next ones need
        self._divided = joined(divided) if divided else None
        return Splits(
            np.concatenate([splits.node for splits in found]),
            np.concatenate([splits.gain for splits in found]),
            np.concatenate([splits.tests for splits in found]),
        )

    def candidates(self, nodes: Nodes) -> Iterator[Candidates]:
        for places, counted, some in self._batches(nodes):
            tables = replace(some, handles=counted.slices[some.handles])
            for listed in self.searcher.candidates(counted.rows, tables, self.ground.threads):
                yield replace(listed, splits=replace(listed.splits, node=places[listed.splits.node]))
            del counted, tables

    def divide(self, nodes: Nodes, splits: Splits) -> tuple[Nodes, NDArray[np.intp]]:
        n_children = self.layout.columns.n_children(splits.tests).astype(np.intp)
        counts, sizes = self._children(nodes, splits)
        handles = np.arange(len(self._tree), len(self._tree) + len(sizes))
        self._tree = self._tree.divided(nodes.handles, splits.tests, n_children)
        return Nodes(handles, counts, sizes), n_children

    def _children(self, nodes: Nodes, splits: Splits) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Class counts and sizes of the children: known since their tests were found, or counted again."""
        known = None if self._divided is None else self._divided.of(nodes.handles, splits.tests)
        if known is not None:
            return known
        counts = [np.empty((0, self.layout.n_classes))]
        sizes = [np.empty(0, np.int64)]
        for places, counted, some in self._batches(nodes):
            own = Splits(np.arange(len(places)), splits.gain[places], splits.tests[places])
            divided = self._divided_by(counted, nodes.handles[places], some, own)
            counts.append(divided.counts)
            sizes.append(divided.sizes)
            del counted
        return np.concatenate(counts), np.concatenate(sizes)

    def conditions(self, waves: Sequence[NDArray[Any]]) -> Conditions:
        tests = np.concatenate([np.empty(0, TEST), *waves])
        are_sets = tests["kind"] == IN
        sets = codes_of(tests["inside"][are_sets]) if are_sets.any() else ()
        return self.vocabulary.conditions(tests["column"], tests["kind"], tests["cut"], tests["missing"], sets)

    def finish(self, nodes: Nodes, limits: Limits) -> Finished | None:
        """All that grows below the nodes whose rows fit in memory, as many of them at a time as fit together."""
        is_splittable = Stopping(self.searcher.scoring.min_samples_leaf).asks(nodes, limits.level)
        fits = self._fits(nodes)
        if not (is_splittable & fits).any() or limits.most_waves < 1:
            return None
        self._counted.forget()
        below = Below(len(nodes))
        groups = packed_in(np.flatnonzero(is_splittable & fits), nodes.sizes, self.ground.most_rows(self.layout))
        with closing(self._gathered([nodes.handles[group] for group in groups])) as gathered:
            for group in groups:
                rows, slices = gathered_rows(self.layout, next(gathered), len(group))
                table = TableSource(rows, self.searcher, self.vocabulary, self.ground.threads)
                grow_below(table, replace(nodes.take(group), handles=slices), group, limits, below)
                del rows, table
        return below.finished(np.flatnonzero(is_splittable & ~fits)) if below.splits else None

    # -- looking at nodes again ---------------------------------------------------------------------------

    def seated(self, tree: Tree) -> PartedNodes:
        """The rows at the nodes of a tree that was grown from them; handles are the numbers of its nodes."""
        return self._nodes_of(CodeTree.of(tree, self._columns), new_token())

    def annotate(self, tree: Tree, handles: NDArray[np.intp]) -> Tree:
        if not isinstance(self.searcher, ByEvidence):
            return tree
        return self.searcher.noted(tree, self.seated(tree).cut_costs(tree, self.searcher, self._most_counted))

    def exceedances(
        self, trials: PermutationTests, moves_attributes: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return self._nodes_of(self._tree, self._token).exceedances(trials)

    def permutes(self, handles: NDArray[np.int64]) -> NDArray[np.bool_]:
        return self._nodes_of(self._tree, self._token).permutes(handles)

    def remarks(self) -> list[str]:
        if not self._undecided:
            return []
        return [
            f"Nodes too large to permute, decided by the chi-square test at the same level: {len(self._undecided)}."
        ]

    @property
    def is_plain_gain(self) -> bool:
        return self.searcher.gain_search(self.layout.columns) is not None

    def _nodes_of(self, tree: CodeTree, token: int) -> PartedNodes:
        return PartedNodes(
            self.ground, self.layout, tree, token, self.searcher, self.vocabulary, self.is_plain_gain, self._undecided
        )

    # -- counting and gathering ---------------------------------------------------------------------------

    def _fits(self, nodes: Nodes) -> NDArray[np.bool_]:
        """Which nodes are finished in memory."""
        return nodes.sizes <= self.ground.most_rows(self.layout)

    @property
    def _most_counted(self) -> int:
        """Nodes whose counters have room at a time."""
        return max(self.ground.most_counters(self.layout) // self.layout.n_counters, 1)

    def _asked(self, handles: NDArray[np.intp]) -> tuple[Layout, CodeTree, NDArray[np.int32], int]:
        slots = np.full(len(self._tree), -1, np.int32)
        slots[handles] = np.arange(len(handles))
        return self.layout, self._tree, slots, self._token

    def _count(self, handles: NDArray[np.intp]) -> CountedNodes:
        task = CountCells(*self._asked(handles))
        return CountedNodes.of(self.layout, self.ground.engine.reduce(task, self.ground.parts))

    def _gathered(self, groups: Sequence[NDArray[np.intp]]) -> Generator[list[Gathered]]:
        """The rows of one group of nodes after the other; workers gather the next one while this one grows.

        Who closes it before its end lets them give up what was begun.
        """
        begun = self._start_gathering(groups[0])
        try:
            for following in groups[1:]:
                gathered = [*begun.result()]
                begun = self._start_gathering(following)
                yield gathered
            yield [*begun.result()]
        finally:
            begun.give_up()

    def _start_gathering(self, handles: NDArray[np.intp]) -> Begun[tuple[Gathered, ...]]:
        return self.ground.engine.start(GatherRows(*self._asked(handles)), self.ground.parts)

    def _batches(self, nodes: Nodes) -> Iterator[tuple[NDArray[np.intp], CountedNodes, Nodes]]:
        """Some nodes at a time, as many as counters have room for: their places, their counts as tables, and they."""

        def of_batch(
            batch: tuple[NDArray[np.intp], CountedNodes, NDArray[np.intp]],
        ) -> tuple[NDArray[np.intp], CountedNodes, Nodes]:
            places, counted, own = batch
            return places, counted, replace(nodes.take(places), handles=own)

        # no name here holds the counts while the next ones are made
        return map(of_batch, self._counted.batches(nodes.handles, self._most_counted))

    def _divided_by(self, counted: CountedNodes, handles: NDArray[np.intp], own: Nodes, splits: Splits) -> Divided:
        """The children of nodes that were counted, by tests of theirs."""
        n_children = self.layout.columns.n_children(splits.tests).astype(np.intp)
        children = counted.divide(own.handles[splits.node], splits.tests, n_children)
        return Divided(handles[splits.node], splits.tests, n_children, *children)
