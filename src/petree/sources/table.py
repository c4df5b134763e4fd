"""One table in memory: columns binned to small codes, counted by compiled loops, divided in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.conditions import IN, MULTIWAY, THRESHOLD, UNSEEN, Conditions
from petree.parts import declared
from petree.pruning.engine.trials import Trials
from petree.sources.base import Candidates, Nodes, Splits, Wave
from petree.sources.coding import CodedTable
from petree.sources.finishing import finish
from petree.sources.found import TEST, Best, as_lines, codes_of
from petree.sources.open_scores import best_by_score, list_candidates
from petree.sources.permutation import exceedances, is_plain_gain, permuted, prune_up
from petree.sources.pieces import SHARED_COLUMNS, SHARED_ROWS, split_evenly
from petree.sources.quality import Quality, annotate, best_by_quality, best_of_columns
from petree.sources.weights import Weights
from petree.splitting.base import SplitScore, code_of
from petree.splitting.codes import BayesCode, RatioCode, ScoreCode, Setting, n_log_n_table
from petree.threads import Threads
from petree.tree import Tree

# Bytes of counters that one call may hold.
COUNTER_BYTES = 8_000_000
# Fewer cells than this are not worth a second thread.
CELLS_PER_PIECE = 150_000


class TableSource:
    """A table that grows a tree.

    Parameters
    ----------
    coded : CodedTable
        Its rows are moved while nodes are divided.
    arrays : sequence of array (rows,)
        Numbers with NaN for missing, or codes of categories with -1 for missing.
    classes : array (rows,)
        Class codes.
    n_classes : int
    split : member of the splitting family
        Without a code for the compiled loops it is asked for the score of every candidate.
    tests : {"binary", "sets", "multiway"}
        What a nominal column offers: ``x = v`` for each category, sets of categories, or one branch a category.
    min_samples_leaf : int
    sample_weight, class_weight : array or None
    threads : Threads
    """

    def __init__(
        self,
        coded: CodedTable,
        arrays: Sequence[NDArray[Any]],
        classes: NDArray[np.intp],
        n_classes: int,
        split: Any,
        tests: str,
        min_samples_leaf: int,
        sample_weight: NDArray[np.float64] | None,
        class_weight: NDArray[np.float64] | None,
        threads: Threads,
    ) -> None:
        self.threads = threads
        self._rows: Any = None
        self.columns = tuple(binned.column for binned in coded.columns)
        self.n_classes = n_classes
        self.min_samples_leaf = min_samples_leaf
        self.classes = classes.astype(np.uint16)
        self.order = np.arange(len(classes), dtype=np.uint32)
        self.weights = Weights.of(sample_weight)
        self.class_weight = np.empty(0) if class_weight is None else class_weight
        is_whole = not self.weights.are_fractional and class_weight is None
        n_cases = float(len(classes) if sample_weight is None else sample_weight.sum())
        self.per_case = declared(split, SplitScore, "per_case")
        self._split = split
        self.score = code_of(split, Setting(tests, n_cases))
        self._keep(coded, tests)
        if isinstance(self.score, BayesCode):
            counts = np.bincount(classes, sample_weight, n_classes).astype(np.float64)
            counts *= 1.0 if class_weight is None else class_weight
            self.quality = Quality.of(coded, arrays, counts, self.score.prior, tests)
            self.evidence = self.quality.evidence(slice(None), self.class_weight, min_samples_leaf)
        elif isinstance(self.score, RatioCode):
            self.search = self._search_by(self.score.base, is_whole)
            self.ratio = core.search.RatioRules(*self.score[1:])
        elif self.score is not None:
            self.search = self._search_by(self.score, is_whole)

    def _search_by(self, code: ScoreCode, is_whole: bool) -> core.search.Search:
        """The compiled search by a score, which looks up n log2 n of whole counts."""
        return core.search.Search(
            code.name,
            np.array(code.parameters, np.float64),
            n_log_n_table() if is_whole else np.empty(0),
            int(self.min_samples_leaf),
            np.ascontiguousarray(self.class_weight, np.float64),
            bool(self.per_case),
        )

    def _keep(self, coded: CodedTable, tests: str) -> None:
        """What the compiled loops need of the coded columns, at their places; thresholds in the user's order."""
        self.narrow, self.wide, self.n_narrow = coded.narrow, coded.wide, coded.narrow.shape[1]
        self.column_order, self.places = coded.column_order, coded.places
        self.n_bins = np.array([one.n_bins for one in coded.columns], np.int64)[coded.column_order]
        self.kinds = np.array([one.kind(tests) for one in coded.columns], np.int64)[coded.column_order]
        self._n_tests = sum(one.n_tests(tests, self.n_classes) for one in coded.columns)
        lengths = [len(one.thresholds) for one in coded.columns]
        self._threshold_start = np.cumsum([0, *lengths[:-1]])
        self._thresholds = np.concatenate([one.thresholds for one in coded.columns])

    # -- the source's answers -----------------------------------------------------------------------------

    def root(self) -> Nodes:
        handles = np.array([[0, len(self.classes)]])
        size = self.weights.copies.sum(dtype=np.int64) if len(self.weights.copies) else len(self.classes)
        counts = np.bincount(self.classes, self.row_weights(), self.n_classes)
        return Nodes(handles, counts[None].astype(np.float64), np.array([size], np.int64))

    def counts_of(self, handles: NDArray[np.int64]) -> NDArray[np.float64]:
        """Class counts of nodes whose rows stand one node's after the other's, from the first row on."""
        line = np.repeat(np.arange(len(handles)), handles[:, 1] - handles[:, 0])
        n_cells = len(handles) * self.n_classes
        counts = np.bincount(line * self.n_classes + self.classes, self.row_weights(), n_cells)
        return counts.reshape(len(handles), self.n_classes).astype(np.float64)

    def row_weights(self) -> NDArray[Any] | None:
        """Weights of the rows as they stand now, or nothing where all are 1."""
        weights = self.weights.fractions if self.weights.are_fractional else self.weights.copies
        return weights if len(weights) else None

    def n_tests(self, nodes: Nodes) -> NDArray[np.int64]:
        return np.full(len(nodes), self._n_tests, np.int64)

    def best_splits(self, nodes: Nodes) -> Splits:
        pieces = list(self._find(nodes))
        best = pieces[0][1] if len(pieces) == 1 else Best.none(len(nodes))
        for which, found in pieces if len(pieces) > 1 else []:
            best.merge(which, found)
        node = np.flatnonzero(best.test["column"] >= 0)
        return Splits(node, self.score_of(best.value[node], nodes.counts[node]), best.test[node])

    def best_by_column(self, nodes: Nodes) -> list[Best]:
        """The best test of each column at each node, in the user's order."""
        which = np.arange(len(nodes))
        if isinstance(self.score, BayesCode):
            return self.threads.run(
                lambda j: best_of_columns(self, nodes, which, j, j + 1)[0], [(j,) for j in self.places]
            )
        return self.threads.run(lambda j: self._by_value(nodes, which, j, j + 1), [(j,) for j in self.places])

    def score_of(self, value: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores from the values of the compiled loops and the class counts of the nodes."""
        if not self.per_case:
            return value
        return value / (counts @ self.class_weight if len(self.class_weight) else counts.sum(axis=1))

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
        slices, lines = np.ascontiguousarray(nodes.handles), as_lines(tests)

        def move(which: NDArray[np.intp]) -> None:
            first, last = which[0], which[-1] + 1  # a run of neighbouring nodes
            core.tables.divide(
                self.rows, slices[first:last], lines[first:last], child_start[first : last + 1], stops,
                children.counts, children.sizes, self.threads.stop,
            )  # fmt: skip

        self.threads.run(move, [(which,) for which in self.chunks(np.arange(len(nodes)), n_rows, len(self.columns))])
        children.handles[:, 1] = stops
        children.handles[1:, 0] = stops[:-1]
        children.handles[child_start[:-1], 0] = nodes.handles[:, 0]
        return children, n_children.astype(np.intp)

    def candidates(self, nodes: Nodes) -> Iterator[Candidates]:
        return list_candidates(self, self._split, nodes)

    def finish(self, nodes: Nodes, level: int, most_waves: int, min_gain: float) -> list[Wave] | None:
        return finish(self, nodes, level, most_waves, min_gain)

    def exceedances(
        self, trials: Trials, moves_attributes: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return exceedances(self, trials)

    def prune_up(self, trials: Trials, parents: NDArray[np.int32]) -> NDArray[np.int64] | None:
        return prune_up(self, trials, parents)

    def permuted(self, handle: NDArray[np.int64], key: np.uint64) -> TableSource:
        return permuted(self, handle, key)

    def annotate(self, tree: Tree, handles: NDArray[np.int64]) -> Tree:
        """The tree with what only the source can tell of its splits."""
        return annotate(self, tree, handles) if isinstance(self.score, BayesCode) else tree

    @property
    def is_linked(self) -> bool:
        return False

    @property
    def is_plain_gain(self) -> bool:
        return is_plain_gain(self)

    def conditions(self, waves: Sequence[NDArray[Any]]) -> Conditions:
        # To join records takes numpy longer than all that follows.
        tests = waves[0] if len(waves) == 1 else np.concatenate([np.empty(0, TEST), *waves])
        value = tests["cut"].astype(np.float64)
        is_threshold = tests["kind"] == THRESHOLD
        column = tests["column"][is_threshold]
        value[is_threshold] = self._thresholds[self._threshold_start[column] + tests["cut"][is_threshold]]
        sets = np.flatnonzero(tests["kind"] == IN)
        value[sets] = np.arange(len(sets))
        inside = codes_of(tests["inside"][sets]) if len(sets) else ()
        return Conditions.from_arrays(self.columns, tests["kind"], tests["column"], value, tests["missing"], inside)

    # -- work in pieces -----------------------------------------------------------------------------------

    def _find(self, nodes: Nodes) -> Iterator[tuple[NDArray[np.intp], Best]]:
        """Best tests of the nodes, piece by piece: runs of nodes, and blocks of columns where nodes are large."""
        n_rows = nodes.handles[:, 1] - nodes.handles[:, 0]
        if self.score is None:
            yield from best_by_score(self, self._split, nodes)
            return
        if isinstance(self.score, BayesCode):
            yield from best_by_quality(self, nodes)
            return
        if isinstance(self.score, RatioCode):  # it compares all candidates of a node, so columns stay together
            runs = self.chunks(np.arange(len(nodes)), n_rows, len(self.columns))
            found = self.threads.run(lambda which: self._by_ratio(nodes, which), [(which,) for which in runs])
            yield from zip(runs, found, strict=True)
            return
        small, large = np.flatnonzero(n_rows < SHARED_ROWS), np.flatnonzero(n_rows >= SHARED_ROWS)
        pieces = [
            (which, first, last)
            for chosen, most in ((large, SHARED_COLUMNS), (small, len(self.columns)))
            if len(chosen)
            for first, last in self.column_blocks(most)
            for which in self.chunks(chosen, n_rows, last - first)
        ]
        found = self.threads.run(lambda *piece: self._by_value(nodes, *piece), pieces)
        yield from zip([which for which, _, _ in pieces], found, strict=True)

    def _by_value(self, nodes: Nodes, which: NDArray[np.intp], first: int, last: int) -> Best:
        """Best tests of some nodes among the columns at some places, all narrow or all wide."""
        values, tests = np.empty((len(which), 2)), np.empty(len(which), TEST)
        core.search.best_by_value(
            self.search, self.rows, open_nodes(nodes, which), first, last, values, as_lines(tests), self.threads.stop
        )
        return Best.of(values, tests)

    def _by_ratio(self, nodes: Nodes, which: NDArray[np.intp]) -> Best:
        """Best tests of some nodes among all columns."""
        values, tests = np.empty((len(which), 2)), np.empty(len(which), TEST)
        core.search.best_by_ratio(
            self.search, self.ratio, self.rows, open_nodes(nodes, which), values, as_lines(tests), self.threads.stop
        )
        return Best.of(values, tests)

    @property
    def rows(self) -> core.tables.Rows:
        """The rows as the compiled loops read and divide them; made anew where one of the arrays was replaced."""
        copies, fractions = self.weights.copies, self.weights.fractions
        arrays = self.narrow, self.wide, self.classes, copies, fractions, self.order
        parts = *arrays, self.n_bins, self.kinds, self.column_order
        if self._rows is None or any(one is not other for one, other in zip(parts, self._rows[0], strict=True)):
            columns = core.tables.Columns(self.n_bins, self.kinds, self.column_order)
            self._rows = parts, core.tables.Rows(columns, self.n_classes, *arrays)
        return self._rows[1]

    def column_blocks(self, most: int) -> list[tuple[int, int]]:
        """Blocks of columns for one call: narrow and wide apart, counters within bounds."""
        most = max(1, min(most, COUNTER_BYTES // (4 * 256 * self.n_classes)))
        ends = ((0, self.n_narrow), (self.n_narrow, len(self.columns)))
        return [(first, min(first + most, end)) for begin, end in ends for first in range(begin, end, most)]

    def chunks(self, nodes: NDArray[np.intp], n_rows: NDArray[np.int64], n_columns: int) -> list[NDArray[np.intp]]:
        """Runs of nodes with about equal numbers of rows, several a thread."""
        if self.threads.n_threads == 1 or not len(nodes):
            return [nodes] if len(nodes) else []
        n_pieces = 1 + int(n_rows[nodes].sum()) * n_columns // CELLS_PER_PIECE
        return split_evenly(nodes, n_rows, min(4 * self.threads.n_threads, n_pieces))


def open_nodes(nodes: Nodes, which: NDArray[np.intp]) -> core.search.Nodes:
    """Some nodes as the compiled loops know them: rows, class counts and sizes."""
    return core.search.Nodes(nodes.handles[which], nodes.counts[which], nodes.sizes[which])
