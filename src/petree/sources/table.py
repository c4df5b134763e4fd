"""One table in memory: columns binned to small codes, counted by kernels, divided in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import kernels
from petree.columns import Column
from petree.conditions import MULTIWAY, THRESHOLD, UNSEEN, Conditions
from petree.sources.base import Nodes, Splits
from petree.sources.coding import CodedTable
from petree.threads import Threads

# Nodes of at least this many rows are counted block of columns by block of columns, so that threads can share them.
# Blocks do not depend on the number of threads, and so neither does the tree.
SHARED_ROWS = 30_000
SHARED_COLUMNS = 5
# Bytes of counters that one call of a kernel may hold.
COUNTER_BYTES = 8_000_000
# Fewer cells than this are not worth a second thread.
CELLS_PER_PIECE = 150_000
# Whole counts below this look up n log2 n; larger ones are rare enough to compute.
TABLE_SIZE = 65_536

TEST = np.dtype([("column", np.int32), ("kind", np.int32), ("cut", np.int64), ("missing", np.int32)])


@dataclass(frozen=True)
class Weights:
    """Row weights: whole ones are copies of the row, others are plain weights; none at all is the usual case."""

    copies: NDArray[np.uint32]
    fractions: NDArray[np.float64]

    @classmethod
    def of(cls, sample_weight: NDArray[np.float64] | None) -> Weights:
        none = np.empty(0, np.uint32), np.empty(0)
        if sample_weight is None or (sample_weight == 1).all():
            return cls(*none)
        if (sample_weight == np.rint(sample_weight)).all() and sample_weight.sum() < 2**31:
            return cls(sample_weight.astype(np.uint32), none[1])
        return cls(none[0], sample_weight.astype(np.float64))

    @property
    def are_fractional(self) -> bool:
        return len(self.fractions) > 0


class TableSource:
    """A table that grows a tree.

    Parameters
    ----------
    columns : sequence of Column
    arrays : sequence of array (rows,)
        Numbers with NaN for missing, or codes of categories with -1 for missing.
    classes : array (rows,)
        Class codes.
    n_classes : int
    binning : member of the binning family
    split : member of the splitting family
    tests : {"binary", "multiway"}
        What a nominal column offers: ``x = v`` for each category, or one branch a category.
    min_samples_leaf : int
    sample_weight, class_weight : array or None
    threads : Threads
    """

    def __init__(
        self,
        columns: Sequence[Column],
        arrays: Sequence[NDArray[Any]],
        classes: NDArray[np.intp],
        n_classes: int,
        binning: Any,
        split: Any,
        tests: str,
        min_samples_leaf: int,
        sample_weight: NDArray[np.float64] | None,
        class_weight: NDArray[np.float64] | None,
        threads: Threads,
    ) -> None:
        self.threads = threads
        self.columns = tuple(columns)
        self.n_classes = n_classes
        self.score = split.code
        self.min_samples_leaf = min_samples_leaf
        self.classes = classes.astype(np.uint16)
        self.order = np.arange(len(classes), dtype=np.uint32)
        self.weights = Weights.of(sample_weight)
        self.class_weight = np.empty(0) if class_weight is None else class_weight
        is_whole = not self.weights.are_fractional and class_weight is None
        self._table = n_log_n_table() if is_whole else np.empty(0)
        coded = CodedTable.of(columns, arrays, classes, sample_weight, n_classes, binning, threads)
        self._keep(coded, tests)

    def _keep(self, coded: CodedTable, tests: str) -> None:
        """What the kernels need of the coded columns, at their places; thresholds in the user's order."""
        self.narrow, self.wide, self.n_narrow = coded.narrow, coded.wide, coded.narrow.shape[1]
        self.column_order, self.places = coded.column_order, coded.places
        self.n_bins = np.array([coded.columns[i].n_bins for i in coded.column_order], np.int64)
        self.kinds = np.array([coded.columns[i].kind(tests) for i in coded.column_order], np.int64)
        self.empty_columns = [one.column for one in coded.columns if one.is_empty]
        self._n_tests = sum(one.n_tests(tests) for one in coded.columns)
        lengths = [len(one.thresholds) for one in coded.columns]
        self._threshold_start = np.cumsum([0, *lengths[:-1]])
        self._thresholds = np.concatenate([one.thresholds for one in coded.columns])

    # -- the source's answers -----------------------------------------------------------------------------

    def root(self) -> Nodes:
        counts = np.bincount(self.classes, self._row_weights(), self.n_classes).astype(np.float64)
        size = self.weights.copies.sum(dtype=np.int64) if len(self.weights.copies) else len(self.classes)
        return Nodes(np.array([[0, len(self.classes)]]), counts[None], np.array([size], np.int64))

    def _row_weights(self) -> NDArray[Any] | None:
        weights = self.weights.fractions if self.weights.are_fractional else self.weights.copies
        return weights if len(weights) else None

    def n_tests(self, nodes: Nodes) -> NDArray[np.int64]:
        return np.full(len(nodes), self._n_tests, np.int64)

    def best_splits(self, nodes: Nodes) -> Splits:
        best = _Best.none(len(nodes))
        n_rows = nodes.handles[:, 1] - nodes.handles[:, 0]
        is_shared = n_rows >= SHARED_ROWS
        pieces = [
            (which, first, last)
            for chosen, most in ((is_shared, SHARED_COLUMNS), (~is_shared, len(self.columns)))
            for first, last in self._column_blocks(most)
            for which in self._chunks(np.flatnonzero(chosen), n_rows, last - first)
        ]
        totals = self._totals(nodes)

        def count(which: NDArray[np.intp], first: int, last: int) -> _Best:
            return self._count(nodes.handles[which], totals[which], first, last)

        for (which, _, _), found in zip(pieces, self.threads.run(count, pieces), strict=True):
            best.merge(which, found)
        node = np.flatnonzero(best.test["column"] >= 0)
        return Splits(node, best.value[node] / self._weight_of(nodes.counts[node]), best.test[node])

    def divide(self, nodes: Nodes, splits: Splits) -> tuple[Nodes, NDArray[np.intp]]:
        tests, n_rows = splits.tests, nodes.handles[:, 1] - nodes.handles[:, 0]
        place = self.places[tests["column"]]
        n_children = np.where(tests["kind"] == MULTIWAY, self.n_bins[place] + (tests["missing"] != UNSEEN), 2)
        child_start = np.concatenate(([0], np.cumsum(n_children)))
        children = Nodes(
            np.empty((child_start[-1], 2), np.int64),
            np.zeros((child_start[-1], self.n_classes)),
            np.zeros(child_start[-1], np.int64),
        )
        stops = np.empty(child_start[-1], np.int64)

        def move(which: NDArray[np.intp]) -> None:
            first, last = which[0], which[-1] + 1  # a run of neighbouring nodes
            kernels.divide.divide(
                self.narrow, self.wide, self.classes, self.weights.copies, self.weights.fractions, self.order,
                nodes.handles[first:last, 0].copy(), nodes.handles[first:last, 1].copy(), place[first:last],
                tests["kind"][first:last].copy(), tests["cut"][first:last].copy(), self.n_bins[place[first:last]],
                tests["missing"][first:last].astype(np.int64), child_start[first : last + 1],
                stops, children.counts, children.sizes,
            )  # fmt: skip

        self.threads.run(move, [(which,) for which in self._chunks(np.arange(len(nodes)), n_rows, len(self.columns))])
        children.handles[:, 1] = stops
        children.handles[1:, 0] = stops[:-1]
        children.handles[child_start[:-1], 0] = nodes.handles[:, 0]
        return children, n_children.astype(np.intp)

    def conditions(self, waves: Sequence[NDArray[Any]]) -> Conditions:
        tests = np.concatenate([np.empty(0, TEST), *waves])
        value = tests["cut"].astype(np.float64)
        is_threshold = tests["kind"] == THRESHOLD
        column = tests["column"][is_threshold]
        value[is_threshold] = self._thresholds[self._threshold_start[column] + tests["cut"][is_threshold]]
        return Conditions.from_arrays(self.columns, tests["kind"], tests["column"], value, tests["missing"])

    # -- work in pieces -----------------------------------------------------------------------------------

    def _count(self, handles: NDArray[np.int64], totals: NDArray[Any], first: int, last: int) -> _Best:
        """Best tests of some nodes among some columns, all narrow or all wide."""
        found = _Best.none(len(handles))
        column, kind = np.full(len(handles), -1, np.int64), np.empty(len(handles), np.int64)
        cut, missing = np.empty(len(handles), np.int64), np.empty(len(handles), np.int64)
        is_narrow = first < self.n_narrow
        offset = 0 if is_narrow else self.n_narrow
        kernel = kernels.count.best_of_narrow if is_narrow else kernels.count.best_of_wide
        kernel(
            self.narrow if is_narrow else self.wide, self.classes, self.weights.copies, self.weights.fractions,
            np.empty(0, np.float64 if self.weights.are_fractional else np.uint32),
            handles[:, 0].copy(), handles[:, 1].copy(), totals, first - offset, last - offset,
            self.n_bins[offset:], self.kinds[offset:],
            self.score, self.n_classes, self.min_samples_leaf, self.class_weight, self._table,
            found.value, found.tolerance, column, kind, cut, missing,
        )  # fmt: skip
        found.test["column"] = np.where(column < 0, -1, self.column_order[column + offset])
        found.test["kind"], found.test["cut"], found.test["missing"] = kind, cut, missing
        return found

    def _totals(self, nodes: Nodes) -> NDArray[Any]:
        """Class counts as the kernels want them: whole, or fractional with the number of rows behind them."""
        if self.weights.are_fractional:
            return np.column_stack((nodes.counts, nodes.sizes))
        return nodes.counts.astype(np.int64)

    def _weight_of(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Total weight of nodes as the score sees it."""
        return counts @ self.class_weight if len(self.class_weight) else counts.sum(axis=1)

    def _column_blocks(self, most: int) -> list[tuple[int, int]]:
        """Blocks of columns for one kernel call: narrow and wide apart, counters within bounds."""
        most = max(1, min(most, COUNTER_BYTES // (4 * 256 * self.n_classes)))
        ends = ((0, self.n_narrow), (self.n_narrow, len(self.columns)))
        return [(first, min(first + most, end)) for begin, end in ends for first in range(begin, end, most)]

    def _chunks(self, nodes: NDArray[np.intp], n_rows: NDArray[np.int64], n_columns: int) -> Iterator[NDArray[np.intp]]:
        """Runs of nodes with about equal numbers of rows, several a thread."""
        if not len(nodes):
            return
        rows = np.cumsum(n_rows[nodes])
        n_pieces = min(4 * self.threads.n_threads, 1 + int(rows[-1]) * n_columns // CELLS_PER_PIECE)
        if self.threads.n_threads == 1:
            n_pieces = 1
        ends = np.searchsorted(rows, rows[-1] * np.arange(1, n_pieces) / n_pieces)
        yield from (piece for piece in np.split(nodes, np.unique(ends)) if len(piece))


@dataclass(frozen=True)
class _Best:
    """Best test so far of each node: improvement over no split (times its weight), and what counts as equal."""

    value: NDArray[np.float64]
    tolerance: NDArray[np.float64]
    test: NDArray[Any]

    @classmethod
    def none(cls, n: int) -> _Best:
        test = np.zeros(n, TEST)
        test["column"] = -1
        return cls(np.full(n, -np.inf), np.zeros(n), test)

    def merge(self, nodes: NDArray[np.intp], other: _Best) -> None:
        """Take over what is better, or equal and earlier in column order."""
        has = other.test["column"] >= 0
        nodes, value, tolerance, test = nodes[has], other.value[has], other.tolerance[has], other.test[has]
        ours, column = self.value[nodes], self.test["column"][nodes]
        is_better = value > ours + tolerance
        is_earlier = (value >= ours - tolerance) & (test["column"] < column)
        take = is_better | is_earlier
        self.value[nodes[take]] = value[take]
        self.test[nodes[take]] = test[take]


def n_log_n_table() -> NDArray[np.float64]:
    """``n log2 n`` for n below `TABLE_SIZE`."""
    n = np.arange(TABLE_SIZE, dtype=np.float64)
    n[1:] *= np.log2(n[1:])
    return n
