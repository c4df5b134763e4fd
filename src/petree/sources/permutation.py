"""How often the best score of a node is reached under permuted class labels.

Gain with whole counts and binary tests has loops of its own. Any other score, and sets of categories, which depend on
the labels, are sought anew under each permutation: copies of a node's rows with permuted classes become nodes of a
table of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.pruning.engine.permutation_tests import PermutationTests, PruningWalk
from petree.sources.base import Nodes
from petree.sources.pieces import split_evenly
from petree.sources.rows import Rows, n_rows_of
from petree.sources.searching import Searcher
from petree.threads import Threads

# Scores that differ by no more than this are equal.
TOLERANCE = 1e-12
# Permutations tried at first where every one is a search, then twice as many: a hopeless node is done after a few.
FIRST_STEP = 8
# Codes of permuted copies that are held at a time.
CELLS_AT_ONCE = 20_000_000
# With wide columns tests are as many as rows, and comparing bit sets takes their square: not for nodes beyond this.
MOST_ROWS_WIDE = 20_000

# Cells (rows times columns) whose permutation tests are one piece of work, so that there are some for each thread.
CELLS_PER_PIECE = 50_000
# From the leaves of a tree up nodes are small, and their tests say best how long it takes: no more than a cell or a bin
# each. Fewer are not worth a second thread.
TESTS_PER_PIECE = 12_000

IntArray = NDArray[np.int64]


# Which columns may be tested at the nodes of some handles.
AllowedAt = Callable[[IntArray], NDArray[np.bool_]]
# ``best(trials, numbers)``: the best score of each node under its permutations of these numbers, a line for each node.
Best = Callable[[PermutationTests, range], NDArray[np.float64]]


def exceedances(
    rows: Rows, searcher: Searcher, trials: PermutationTests, threads: Threads, allowed_at: AllowedAt | None = None
) -> tuple[IntArray, IntArray]:
    """Permutations that reach each node's score, at most one more than are allowed, and how many were tried.

    Where nodes may not test all columns, `allowed_at` tells which.
    """
    found = np.zeros(len(trials), np.int64)
    tried = np.zeros(len(trials), np.int64)
    n_rows = n_rows_of(trials.handles)
    search = None if allowed_at else searcher.gain_search(rows.columns)
    by_bits = (n_rows <= MOST_ROWS_WIDE) | (rows.wide.shape[1] == 0) if search else n_rows < 0

    def count(which: NDArray[np.intp], is_by_bits: bool) -> None:
        some = trials.take(which)
        if is_by_bits and search:
            found[which], tried[which] = _by_bits(rows, search, some, threads)
        else:
            found[which], tried[which] = _by_search(rows, searcher, some, threads, allowed_at)

    for is_by_bits in (True, False):
        which = np.flatnonzero(by_bits == is_by_bits)
        cells = int(n_rows[which].sum()) * len(rows.columns)
        runs = split_evenly(which, n_rows, 1 + cells // CELLS_PER_PIECE) if len(which) else []
        threads.run(count, [(run, is_by_bits) for run in runs])
    return found, tried


def pruning_walk(rows: Rows, searcher: Searcher, threads: Threads) -> PruningWalk | None:
    """The permutation tests of a whole tree from the leaves up, where there are loops for it."""
    search = searcher.gain_search(rows.columns)
    if search is None or (rows.wide.shape[1] and len(rows) > MOST_ROWS_WIDE):
        return None
    return partial(_walk_up, rows, search, threads)


def _walk_up(
    rows: Rows, search: core.search.Search, threads: Threads, trials: PermutationTests, parents: NDArray[np.int32]
) -> IntArray:
    """The permutations found: a node is tested if all its children are leaves by then.

    A node is a leaf if its score is not known (NaN), or once more than are allowed are found; nodes that are never
    tested have -1. Some nodes may have no parent (-1). Threads take ranges of rows, and all nodes within; what
    straddles two ranges comes last.
    """
    starts, stops = trials.handles.T
    inner = np.flatnonzero(~np.isnan(trials.scores))
    found = np.full(len(trials), -1, np.int64)
    tried = found.copy()
    n_inner_children = np.bincount(parents[inner[parents[inner] >= 0]], minlength=len(trials))
    cells = (stops - starts)[inner[trials.n_permutations[inner] > 0]] * len(rows.columns)
    n_pieces = 1 + int(np.minimum(cells, rows.columns.n_bins.sum()).sum()) // TESTS_PER_PIECE
    ends = np.linspace(0, len(rows), n_pieces + 1)[1:-1]
    piece = np.searchsorted(ends, starts, side="right")
    is_top = piece != np.searchsorted(ends, stops - 1, side="right")
    told = np.where((parents >= 0) & ~is_top[parents], parents, np.int32(-1))
    asked = _ask(trials)

    def test(which: NDArray[np.intp], parents: NDArray[np.int32]) -> None:
        progress = core.permutation.Progress(parents, n_inner_children, found, tried)
        core.permutation.exceedances(search, rows.packed, asked, progress, which, threads.stop)

    below = inner[~is_top[inner]][::-1]
    by_piece = below[np.argsort(piece[below], kind="stable")]
    runs = np.split(by_piece, np.flatnonzero(np.diff(piece[by_piece])) + 1)
    threads.run(test, [(run, told) for run in runs if len(run)])
    at_the_top = below[(found[below] > trials.allowed) & (told[below] < 0) & (parents[below] >= 0)]
    np.subtract.at(n_inner_children, parents[at_the_top], 1)
    threads.run(test, [(inner[is_top[inner]][::-1].copy(), parents)])
    return found


def _by_bits(
    rows: Rows, search: core.search.Search, trials: PermutationTests, threads: Threads
) -> tuple[IntArray, IntArray]:
    n = len(trials)
    found = np.zeros(n, np.int64)
    tried = np.zeros(n, np.int64)
    progress = core.permutation.Progress(np.full(n, -1, np.int32), np.zeros(n, np.int64), found, tried)
    core.permutation.exceedances(search, rows.packed, _ask(trials), progress, np.arange(n), threads.stop)
    return found, tried


def _ask(trials: PermutationTests) -> core.permutation.Trials:
    """PermutationTests as the compiled loops know them."""
    slices = np.ascontiguousarray(trials.handles)
    return core.permutation.Trials(slices, trials.keys, trials.scores, trials.n_permutations, int(trials.allowed))


def _by_search(
    rows: Rows, searcher: Searcher, trials: PermutationTests, threads: Threads, allowed_at: AllowedAt | None = None
) -> tuple[IntArray, IntArray]:
    def best(some: PermutationTests, numbers: range) -> NDArray[np.float64]:
        return _permuted_best(rows, searcher, some, numbers, threads, allowed_at)

    return count_in_steps(trials, n_rows_of(trials.handles) * len(rows.columns), CELLS_AT_ONCE, best)


def count_in_steps(trials: PermutationTests, cells: IntArray, most_cells: int, best: Best) -> tuple[IntArray, IntArray]:
    """As `exceedances`, where the best score of every permutation is sought.

    Parameters
    ----------
    trials : PermutationTests
    cells : array (nodes,)
        What a permutation of each node takes, and `most_cells` how much may be held at a time.
    best : callable
    """
    wanted = trials.n_permutations
    found = np.zeros(len(trials), np.int64)
    tried = np.zeros(len(trials), np.int64)
    going = np.flatnonzero(wanted > 0)
    done = 0
    step = FIRST_STEP
    while len(going):
        until = min(done + step, int(wanted[going].max()))
        for part in _runs(going, cells[going] * (until - done), most_cells):
            is_wanted = np.arange(done, until) < wanted[part, None]
            reaches = best(trials.take(part), range(done, until)) >= trials.scores[part, None] - TOLERANCE
            counts = found[part, None] + np.cumsum(reaches & is_wanted, axis=1)
            found[part] = np.minimum(counts[:, -1], trials.allowed + 1)
            tried[part] = np.minimum(done + 1 + (counts <= trials.allowed).sum(axis=1), np.minimum(until, wanted[part]))
        going = going[(found[going] <= trials.allowed) & (wanted[going] > until)]
        done = until
        step = max(FIRST_STEP, min(2 * step, most_cells // int(cells[going].max(initial=1))))
    return found, tried


def _runs(nodes: NDArray[np.intp], cells: IntArray, most: int) -> list[NDArray[np.intp]]:
    """Runs of nodes of about so many cells each, or of a single node of more."""
    ends = np.flatnonzero(np.diff(np.cumsum(cells) // most)) + 1
    return [run for run in np.split(nodes, ends) if len(run)]


def _permuted_best(
    rows: Rows,
    searcher: Searcher,
    trials: PermutationTests,
    numbers: range,
    threads: Threads,
    allowed_at: AllowedAt | None,
) -> NDArray[np.float64]:
    """Best score of each node under its permutations of these numbers."""
    cases = [rows.cases_of(handle) for handle in trials.handles[:, :2]]
    n_drawn = len(numbers)
    sizes = np.array([len(one) for one in cases])
    drawn = [_draw(rows, one, key, numbers.stop)[numbers.start :] for one, key in zip(cases, trials.keys, strict=True)]
    copies = rows.of_cases(
        np.concatenate([np.tile(one, n_drawn) for one in cases]), np.concatenate([one.ravel() for one in drawn])
    )
    stops = np.cumsum(np.repeat(sizes, n_drawn))
    handles = np.column_stack((stops - np.repeat(sizes, n_drawn), stops))
    allowed = np.repeat(allowed_at(trials.handles), n_drawn, axis=0) if allowed_at else None
    nodes = Nodes(handles, copies.counts_of(handles), n_rows_of(handles), allowed)
    splits = searcher.best_splits(copies, nodes, threads.alone())  # this may already be one of several threads
    best = np.full(len(handles), -np.inf)
    best[splits.node] = splits.gain
    return best.reshape(len(trials), n_drawn)


def draw_classes(rows: Rows, cases: NDArray[np.intp], key: np.uint64) -> NDArray[np.uint16]:
    """The classes of some cases in a random order."""
    return _draw(rows, cases, key, 1)[0]


def _draw(rows: Rows, cases: NDArray[np.intp], key: np.uint64, n_times: int) -> NDArray[np.uint16]:
    """The classes of some cases in so many random orders."""
    drawn = np.empty((n_times, len(cases)), np.uint16)
    core.permutation.draw_classes(int(key), np.bincount(rows.classes[cases], minlength=rows.n_classes), drawn)
    return drawn
