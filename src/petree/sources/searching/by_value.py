"""Search by the scores that the compiled loops know, and by their ratios."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.conditions import EQUALS, IN, MULTIWAY
from petree.sources.base import Finished, Limits, Nodes, Splits
from petree.sources.found import TEST, Best, as_lines
from petree.sources.pieces import SHARED_COLUMNS, SHARED_ROWS, column_blocks, in_runs
from petree.sources.rows import ColumnCodes, Rows, n_rows_of
from petree.sources.searching.scoring import Scoring
from petree.sources.searching.searcher import Piece, Searcher
from petree.splitting.codes import RatioCode, ScoreCode, n_log_n_table
from petree.threads import Threads

# Nodes of at most this many rows are small: they need no sharing of columns among threads.
SMALL_ROWS = 5000
# A tree of more levels is a chain of tests that take one category from the others.
CHAIN_LEVELS = 32
# Where every node may test every column.
ALL_COLUMNS = np.empty((0, 0), np.uint8)
# Nodes, counts, levels, splits and values of some neighbouring nodes and all below them.
Grown = tuple[NDArray[Any], ...]
Loop = Callable[[Rows, core.search.Nodes, Limits, NDArray[np.uint8]], Grown]


class ByValue(Searcher):
    """The test of greatest value, block of columns by block of columns where nodes are large.

    Parameters
    ----------
    scoring : Scoring
    code : ScoreCode
        The score as the compiled loops know it.
    is_whole : bool
        Whether all counts are whole: then n log2 n is looked up.
    """

    def __init__(self, scoring: Scoring, code: ScoreCode, is_whole: bool) -> None:
        super().__init__(scoring)
        self._code = code
        self._is_whole = is_whole
        self.search = core.search.Search(
            code.name,
            np.array(code.parameters, np.float64),
            n_log_n_table() if is_whole else np.empty(0),
            int(scoring.min_samples_leaf),
            np.ascontiguousarray(scoring.class_weight, np.float64),
            bool(scoring.per_case),
            scoring.known_only,
        )

    def find(self, rows: Rows, nodes: Nodes, threads: Threads) -> Iterator[Piece]:
        n_rows = n_rows_of(nodes.handles)
        n_columns = len(rows.columns)
        small = np.flatnonzero(n_rows < SHARED_ROWS)
        large = np.flatnonzero(n_rows >= SHARED_ROWS)
        pieces = [
            (which, first, last)
            for chosen, most in ((large, SHARED_COLUMNS), (small, n_columns))
            if len(chosen)
            for first, last in column_blocks(rows.n_narrow, n_columns, rows.n_classes, most)
            for which in in_runs(chosen, n_rows, last - first, threads)
        ]
        found = threads.run(lambda *piece: self._best(rows, nodes, threads, *piece), pieces)
        yield from zip([which for which, _, _ in pieces], found, strict=True)

    def best_in_column(self, rows: Rows, nodes: Nodes, column: int, threads: Threads) -> Best:
        place = int(rows.columns.places[column])
        return self._best(rows, nodes, threads, np.arange(len(nodes)), place, place + 1)

    def scored_by(self, scoring: Scoring) -> Searcher:
        return ByValue(scoring, self._code, self._is_whole)

    def _best(self, rows: Rows, nodes: Nodes, threads: Threads, which: NDArray[np.intp], first: int, last: int) -> Best:
        """Best tests of some nodes among the columns at some places, all narrow or all wide."""
        values = np.empty((len(which), 2))
        tests = np.empty(len(which), TEST)
        core.search.best_by_value(
            self.search, rows.packed, open_nodes(nodes, which), first, last, values, as_lines(tests), threads.stop
        )
        return Best.of(values, tests)

    def gain_search(self, columns: ColumnCodes) -> core.search.Search | None:
        is_plain = not np.isin(columns.kinds, (IN, MULTIWAY)).any() and not columns.signs.any()
        is_gain = self._is_whole and self._code == ScoreCode("gain") and not self.scoring.known_only
        return self.search if is_gain and is_plain else None

    def on_known(self) -> Searcher:
        return self.scored_by(replace(self.scoring, known_only=True))

    # -- small nodes and long chains: all that is left of their growing in one go --------------------------

    def finish(self, rows: Rows, nodes: Nodes, limits: Limits, threads: Threads) -> Finished | None:
        n_rows = n_rows_of(nodes.handles)
        grow = self._loop(rows, is_small=n_rows.max() <= SMALL_ROWS, is_chain=limits.level >= CHAIN_LEVELS)
        if grow is None:
            return None
        runs = in_runs(np.arange(len(nodes)), n_rows, len(rows.columns), threads)
        pieces = threads.run(
            lambda run: grow(rows, open_nodes(nodes, run), limits, threads.stop), [(run,) for run in runs]
        )
        sizes, counts, splits, values = _join(pieces)
        tests = np.ascontiguousarray(splits[:, 2:]).view(TEST)[:, 0]
        found = Splits(np.arange(len(splits)), self.scoring.score_of(values, counts[splits[:, 0]]), tests)
        children = Nodes(sizes[len(nodes) :, :2], counts[len(nodes) :], sizes[len(nodes) :, 2])
        return Finished(splits[:, 0], found, children, splits[:, 1], left_open=np.empty(0, np.intp))

    def _loop(self, rows: Rows, is_small: bool, is_chain: bool) -> Loop | None:
        """The compiled loop for such nodes; None where nodes are large or only Python knows how to go on."""
        if not rows.wide.shape[1]:
            return self._grow if is_small else None
        kinds = rows.columns.kinds
        are_binary = (kinds[rows.n_narrow :] == EQUALS).all() and not (kinds == MULTIWAY).any()
        is_known = are_binary and not rows.weights.are_fractional
        return self._grow_inheriting if is_known and (is_small or is_chain) else None

    def _grow(self, rows: Rows, nodes: core.search.Nodes, limits: Limits, stop: NDArray[np.uint8]) -> Grown:
        return core.search.grow(self.search, rows.packed, nodes, limits.most_waves, limits.min_gain, stop)

    def _grow_inheriting(self, rows: Rows, nodes: core.search.Nodes, limits: Limits, stop: NDArray[np.uint8]) -> Grown:
        """The same with columns of many categories: what a level costs is the rows that leave the larger child."""
        small = _blocks(rows, len(rows.columns))
        large = _blocks(rows, SHARED_COLUMNS)
        return core.search.grow_inheriting(
            self.search, rows.packed, nodes, limits.most_waves, limits.min_gain, small, large, SHARED_ROWS, stop
        )


class ByRatio(ByValue):
    """The test of greatest ratio among those of at least the mean value: all candidates of a node are compared."""

    def __init__(self, scoring: Scoring, code: RatioCode, is_whole: bool) -> None:
        super().__init__(scoring, code.base, is_whole)
        self._ratio = code
        self._rules = core.search.RatioRules(*code[1:])

    def find(self, rows: Rows, nodes: Nodes, threads: Threads) -> Iterator[Piece]:
        runs = in_runs(np.arange(len(nodes)), n_rows_of(nodes.handles), len(rows.columns), threads)
        found = threads.run(lambda which: self._best_ratio(rows, nodes, which, threads), [(which,) for which in runs])
        yield from zip(runs, found, strict=True)

    def scored_by(self, scoring: Scoring) -> Searcher:
        return ByRatio(scoring, self._ratio, self._is_whole)

    def _best_ratio(self, rows: Rows, nodes: Nodes, which: NDArray[np.intp], threads: Threads) -> Best:
        """Best tests of some nodes among all columns."""
        values = np.empty((len(which), 2))
        tests = np.empty(len(which), TEST)
        core.search.best_by_ratio(
            self.search, self._rules, rows.packed, open_nodes(nodes, which), values, as_lines(tests), threads.stop
        )
        return Best.of(values, tests)

    def finish(self, rows: Rows, nodes: Nodes, limits: Limits, threads: Threads) -> Finished | None:
        return None

    def gain_search(self, columns: ColumnCodes) -> core.search.Search | None:
        return None


def open_nodes(nodes: Nodes, which: NDArray[np.intp]) -> core.search.Nodes:
    """Some nodes as the compiled loops know them: rows, class counts, sizes and the columns that may be tested."""
    allowed = ALL_COLUMNS if nodes.allowed is None else nodes.allowed[which].view(np.uint8)
    return core.search.Nodes(nodes.handles[which], nodes.counts[which], nodes.sizes[which], allowed)


def _blocks(rows: Rows, most: int) -> NDArray[np.int64]:
    return np.array(column_blocks(rows.n_narrow, len(rows.columns), rows.n_classes, most), np.int64)


def _join(pieces: list[Grown]) -> Grown:
    """Neighbouring pieces level by level, side by side: as if all had been one."""
    if len(pieces) == 1:
        sizes, counts, _, splits, values = pieces[0]
        return sizes, counts, splits, values
    first_nodes = np.cumsum([0, *(len(sizes) for sizes, *_ in pieces[:-1])])
    sizes, counts, levels, splits, values = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
    order = np.argsort(levels, kind="stable")
    number = np.empty(len(order), np.intp)
    number[order] = np.arange(len(order))
    splits[:, 0] = number[splits[:, 0] + np.repeat(first_nodes, [len(splits) for _, _, _, splits, _ in pieces])]
    by_owner = np.argsort(splits[:, 0])
    return sizes[order], counts[order], splits[by_owner], values[by_owner]
