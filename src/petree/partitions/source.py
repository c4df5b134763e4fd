"""A data set in parts as a source: nodes are counted part by part, and finished in memory as soon as their rows fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import IN, Conditions
from petree.growing.grower import Stopping
from petree.partitions.code_tree import CodeTree
from petree.partitions.counting import CountCells, GatherRows, Layout, new_token
from petree.partitions.engines.base import Engine, Part
from petree.partitions.finishing import Below, grow_below
from petree.partitions.tables import CountedNodes, gathered_rows
from petree.sources.base import Candidates, Finished, Limits, Nodes, Source, Splits
from petree.sources.coding import NARROW_BINS, BinnedColumn, Vocabulary
from petree.sources.found import TEST, codes_of
from petree.sources.rows import Rows
from petree.sources.searching import Searcher
from petree.sources.table import TableSource
from petree.threads import Threads

# Of the memory of a fit, what counters may take, since searching copies them; and what gathered rows may.
SHARE_OF_COUNTERS = 1 / 16
SHARE_OF_ROWS = 1 / 2


@dataclass(frozen=True, eq=False)
class Ground:
    """What a partitioned source stands on: the parts, who counts them, and in how many bytes."""

    parts: Sequence[Part]
    engine: Engine
    memory: int
    threads: Threads


class PartitionedSource(Source):
    """Rows in parts. A handle is the number of a node in the tree that tasks carry.

    Parameters
    ----------
    ground : Ground
    columns : tuple of BinnedColumn
    layout : Layout
        Which rows count is its affair.
    searcher_of : callable
        Makes what searches, given what all rows weigh together.
    tests : {"binary", "sets", "multiway"}
    """

    def __init__(
        self,
        ground: Ground,
        columns: tuple[BinnedColumn, ...],
        layout: Layout,
        searcher_of: Callable[[float], Searcher],
        tests: str,
    ) -> None:
        self.ground = ground
        self.layout = layout
        self._tree = CodeTree.root()
        self._token = new_token()
        self._counted = _Counted(np.empty(0, np.intp), [])
        self._root, among = self._look(columns)
        self.searcher = searcher_of(float(self._root.counts.sum()))
        self.vocabulary = Vocabulary(among, tests)
        self._n_tests = self.vocabulary.n_tests(layout.n_classes)

    def _look(self, columns: tuple[BinnedColumn, ...]) -> tuple[Nodes, tuple[BinnedColumn, ...]]:
        """The root, and the columns as the rows that count have them."""
        root = np.zeros(1, np.intp)
        counted = self._count(root)
        self._counted = _Counted(root, [counted])
        return Nodes(root, *counted.nodes_counts()), counted.among(columns)

    # -- growing ------------------------------------------------------------------------------------------

    def root(self) -> Nodes:
        return self._root

    def n_tests(self, nodes: Nodes) -> NDArray[np.int64]:
        return np.full(len(nodes), self._n_tests, np.int64)

    def best_splits(self, nodes: Nodes) -> Splits:
        found = [Splits(np.empty(0, np.intp), np.empty(0), np.empty(0, TEST))]
        for first, rows, some in self._batches(nodes):
            splits = self.searcher.best_splits(rows, some, self.ground.threads)
            found.append(replace(splits, node=splits.node + first))
        return Splits(
            np.concatenate([splits.node for splits in found]),
            np.concatenate([splits.gain for splits in found]),
            np.concatenate([splits.tests for splits in found]),
        )

    def candidates(self, nodes: Nodes) -> Iterator[Candidates]:
        for first, rows, some in self._batches(nodes):
            for listed in self.searcher.candidates(rows, some, self.ground.threads):
                yield replace(listed, splits=replace(listed.splits, node=listed.splits.node + first))

    def divide(self, nodes: Nodes, splits: Splits) -> tuple[Nodes, NDArray[np.intp]]:
        n_children = self.layout.columns.n_children(splits.tests).astype(np.intp)
        counts, sizes = self._counted.divide(nodes.handles, splits.tests, n_children)
        handles = np.arange(len(self._tree), len(self._tree) + len(sizes))
        self._tree = self._tree.divided(nodes.handles, splits.tests, n_children)
        return Nodes(handles, counts, sizes), n_children

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
        below = Below(len(nodes))
        for group in _packed_in(np.flatnonzero(is_splittable & fits), nodes.sizes, self._most_rows):
            table, slices = self._gather(nodes.handles[group])
            grow_below(table, replace(nodes.take(group), handles=slices), group, limits, below)
        return below.finished(np.flatnonzero(is_splittable & ~fits)) if below.splits else None

    # -- counting and gathering ---------------------------------------------------------------------------

    def _fits(self, nodes: Nodes) -> NDArray[np.bool_]:
        """Which nodes are finished in memory."""
        return nodes.sizes <= self._most_rows

    @property
    def _most_rows(self) -> int:
        """Rows that may be gathered at a time."""
        return max(int(self.ground.memory * SHARE_OF_ROWS) // bytes_of_row(self.layout.columns.n_bins), 1)

    @property
    def _most_counted(self) -> int:
        """Nodes whose counters have room at a time."""
        return max(int(self.ground.memory * SHARE_OF_COUNTERS) // (self.layout.n_lines * self.layout.width * 8), 1)

    def _asked(self, handles: NDArray[np.intp]) -> tuple[Layout, CodeTree, NDArray[np.int32], int]:
        slots = np.full(len(self._tree), -1, np.int32)
        slots[handles] = np.arange(len(handles))
        return self.layout, self._tree, slots, self._token

    def _count(self, handles: NDArray[np.intp]) -> CountedNodes:
        task = CountCells(*self._asked(handles))
        return CountedNodes.of(self.layout, self.ground.engine.reduce(task, self.ground.parts))

    def _gather(self, handles: NDArray[np.intp]) -> tuple[TableSource, NDArray[np.int64]]:
        task = GatherRows(*self._asked(handles))
        pieces = self.ground.engine.reduce(task, self.ground.parts)
        rows, slices = gathered_rows(self.layout, pieces, len(handles))
        return TableSource(rows, self.searcher, self.vocabulary, self.ground.threads), slices

    def _batches(self, nodes: Nodes) -> Iterator[tuple[int, Rows, Nodes]]:
        """Some nodes as tables of their counts, as many at a time as counters have room for; the first one's place."""
        if not np.array_equal(nodes.handles, self._counted.handles):
            most = self._most_counted
            groups = [nodes.handles[first : first + most] for first in range(0, len(nodes), most)]
            self._counted = _Counted(nodes.handles, [self._count(group) for group in groups])
        first = 0
        for batch in self._counted.batches:
            some = nodes.take(np.arange(first, first + len(batch.slices)))
            yield first, batch.rows, replace(some, handles=batch.slices)
            first += len(some)


@dataclass(frozen=True, eq=False)
class _Counted:
    """The nodes that were counted last, by their handles, some at a time."""

    handles: NDArray[np.intp]
    batches: list[CountedNodes]

    def divide(
        self, handles: NDArray[np.intp], tests: NDArray[Any], n_children: NDArray[np.intp]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Class counts and sizes of the children of some of the nodes, in the same order, one's after the other's."""
        order = np.argsort(self.handles)
        places = order[np.searchsorted(self.handles, handles, sorter=order)]
        counts = []
        sizes = []
        first = 0
        for batch in self.batches:
            own = slice(*np.searchsorted(places, (first, first + len(batch.slices))))
            of_batch = batch.divide(places[own] - first, tests[own], n_children[own])
            counts.append(of_batch[0])
            sizes.append(of_batch[1])
            first += len(batch.slices)
        return np.concatenate(counts), np.concatenate(sizes)


def bytes_of_row(n_bins: NDArray[np.int64]) -> int:
    """What a gathered row takes: codes, class, place, weight and key, of which there are two copies."""
    n_wide = int(np.count_nonzero(n_bins > NARROW_BINS))
    return len(n_bins) + 3 * n_wide + 2 + 4 + 4 + 8 + 8


def _packed_in(which: NDArray[np.intp], sizes: NDArray[np.int64], most: int) -> list[NDArray[np.intp]]:
    """Runs of nodes that have no more rows than this together, each of them having no more."""
    groups: list[NDArray[np.intp]] = []
    stops = np.cumsum(sizes[which])
    first = 0
    while first < len(which):
        before = stops[first] - sizes[which[first]]
        last = int(np.searchsorted(stops, before + most, "right"))
        groups.append(which[first:last])
        first = last
    return groups
