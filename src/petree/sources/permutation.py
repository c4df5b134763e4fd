"""How often the best score of a node is reached under permuted class labels.

Gain with whole counts and binary tests has loops of its own. Any other score, and sets of categories, which depend on
the labels, are sought anew under each permutation: copies of a node's rows with permuted classes become nodes of a
table of their own.
"""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.conditions import IN, MULTIWAY
from petree.pruning.engine.trials import Trials
from petree.sources.base import Nodes
from petree.sources.pieces import split_evenly
from petree.splitting.codes import ScoreCode

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


def exceedances(source: Any, trials: Trials) -> tuple[IntArray, IntArray]:
    """Permutations that reach each node's score, at most one more than are allowed, and how many were tried."""
    found, tried = np.zeros(len(trials), np.int64), np.zeros(len(trials), np.int64)
    n_rows = _n_rows(trials)
    by_bits = (n_rows <= MOST_ROWS_WIDE) | (source.wide.shape[1] == 0) if is_plain_gain(source) else n_rows < 0
    for which, count in ((np.flatnonzero(by_bits), _by_bits), (np.flatnonzero(~by_bits), _by_search)):
        if not len(which):
            continue
        cells = int(n_rows[which].sum()) * len(source.columns)
        runs = split_evenly(which, n_rows, 1 + cells // CELLS_PER_PIECE)
        results = source.threads.run(count, [(source, trials.take(run)) for run in runs])
        for run, result in zip(runs, results, strict=True):
            found[run], tried[run] = result
    return found, tried


def prune_up(source: Any, trials: Trials, parents: NDArray[np.int32]) -> IntArray | None:
    """The permutations found from the leaves of a tree up: a node is tested if all its children are leaves by then.

    A node is a leaf if its score is not known (NaN), or once more than are allowed are found; nodes that are never
    tested have -1. None where there are no loops for it. Threads take ranges of rows, and all nodes within; what
    straddles two ranges comes last.
    """
    starts, stops = trials.handles.T
    if not is_plain_gain(source) or (source.wide.shape[1] and stops[0] - starts[0] > MOST_ROWS_WIDE):
        return None
    inner, found = np.flatnonzero(~np.isnan(trials.scores)), np.full(len(trials), -1, np.int64)
    n_inner_children, tried = np.bincount(parents[inner[inner > 0]], minlength=len(trials)), found.copy()
    cells = (stops - starts)[inner[trials.n_permutations[inner] > 0]] * len(source.columns)
    n_pieces = 1 + int(np.minimum(cells, source.n_bins.sum()).sum()) // TESTS_PER_PIECE
    ends = np.linspace(0, len(source.order), n_pieces + 1)[1:-1]
    piece = np.searchsorted(ends, starts, side="right")
    is_top = piece != np.searchsorted(ends, stops - 1, side="right")
    told = np.where((parents >= 0) & ~is_top[parents], parents, np.int32(-1))

    asked = _ask(trials)

    def test(which: NDArray[np.intp], parents: NDArray[np.int32]) -> None:
        progress = core.permutation.Progress(parents, n_inner_children, found, tried)
        core.permutation.exceedances(source.search, source.rows, asked, progress, which, source.threads.stop)

    below = inner[~is_top[inner]][::-1]
    by_piece = below[np.argsort(piece[below], kind="stable")]
    runs = np.split(by_piece, np.flatnonzero(np.diff(piece[by_piece])) + 1)
    source.threads.run(test, [(run, told) for run in runs if len(run)])
    at_the_top = below[(found[below] > trials.allowed) & (told[below] < 0) & (parents[below] >= 0)]
    np.subtract.at(n_inner_children, parents[at_the_top], 1)
    source.threads.run(test, [(inner[is_top[inner]][::-1].copy(), parents)])
    return found


def _n_rows(trials: Trials) -> IntArray:
    """Rows of each node."""
    n_rows: IntArray = trials.handles[:, 1] - trials.handles[:, 0]
    return n_rows


def is_plain_gain(source: Any) -> bool:
    """Whether the score is gain with whole counts, of binary tests alone that do not depend on the labels."""
    is_whole = not source.weights.are_fractional and not len(source.class_weight)
    return source.score == ScoreCode("gain") and is_whole and not np.isin(source.kinds, (IN, MULTIWAY)).any()


def _by_bits(source: Any, trials: Trials) -> tuple[IntArray, IntArray]:
    n = len(trials)
    found, tried = np.zeros(n, np.int64), np.zeros(n, np.int64)
    progress = core.permutation.Progress(np.full(n, -1, np.int32), np.zeros(n, np.int64), found, tried)
    core.permutation.exceedances(source.search, source.rows, _ask(trials), progress, np.arange(n), source.threads.stop)
    return found, tried


def _ask(trials: Trials) -> core.permutation.Trials:
    """Trials as the compiled loops know them."""
    slices = np.ascontiguousarray(trials.handles)
    return core.permutation.Trials(slices, trials.keys, trials.scores, trials.n_permutations, int(trials.allowed))


def _by_search(source: Any, trials: Trials) -> tuple[IntArray, IntArray]:
    n_rows, wanted = _n_rows(trials), trials.n_permutations
    found, tried = np.zeros(len(trials), np.int64), np.zeros(len(trials), np.int64)
    going, done, step = np.flatnonzero(wanted > 0), 0, FIRST_STEP
    while len(going):
        until = min(done + step, int(wanted[going].max()))
        cells = n_rows[going] * (until - done) * len(source.columns)
        for part in _runs(going, cells, CELLS_AT_ONCE):
            best = _permuted_best(source, trials.handles[part], trials.keys[part], done, until)
            is_wanted = np.arange(done, until) < wanted[part, None]
            reaches = (best >= trials.scores[part, None] - TOLERANCE) & is_wanted
            counts = found[part, None] + np.cumsum(reaches, axis=1)
            found[part] = np.minimum(counts[:, -1], trials.allowed + 1)
            tried[part] = np.minimum(done + 1 + (counts <= trials.allowed).sum(axis=1), np.minimum(until, wanted[part]))
        going = going[(found[going] <= trials.allowed) & (wanted[going] > until)]
        most = CELLS_AT_ONCE // (int(n_rows[going].max(initial=1)) * len(source.columns))
        done, step = until, max(FIRST_STEP, min(2 * step, most))
    return found, tried


def _runs(nodes: NDArray[np.intp], cells: IntArray, most: int) -> list[NDArray[np.intp]]:
    """Runs of nodes of about so many cells each, or of a single node of more."""
    ends = np.flatnonzero(np.diff(np.cumsum(cells) // most)) + 1
    return [run for run in np.split(nodes, ends) if len(run)]


def _permuted_best(source: Any, ends: IntArray, keys: NDArray[np.uint64], first: int, last: int) -> NDArray[np.float64]:
    """Best score of each node under its permutations ``first:last``."""
    cases = [core.permutation.cases_of(source.rows, *handle) for handle in ends.tolist()]
    n_drawn, sizes = last - first, np.array([len(one) for one in cases])
    classes = []
    for one, key in zip(cases, keys, strict=True):
        drawn = np.empty((last, len(one)), np.uint16)
        core.permutation.draw_classes(int(key), _class_counts(source, one), drawn)
        classes.append(drawn[first:].ravel())
    copies = _copies_of(source, np.concatenate([np.tile(one, n_drawn) for one in cases]), np.concatenate(classes))
    stops = np.cumsum(np.repeat(sizes, n_drawn))
    handles = np.column_stack((stops - np.repeat(sizes, n_drawn), stops))
    splits = copies.best_splits(Nodes(handles, copies.counts_of(handles), np.diff(handles, axis=1)[:, 0]))
    best = np.full(len(handles), -np.inf)
    best[splits.node] = splits.gain
    return best.reshape(len(ends), n_drawn)


def _copies_of(source: Any, rows: NDArray[np.intp], classes: NDArray[np.uint16]) -> Any:
    """The same source with other rows and classes; a row that stands for several copies is there as often."""
    other = copy(source)
    other.narrow, other.wide, other.classes = source.narrow[rows], source.wide[rows], classes
    other.order = np.arange(len(rows), dtype=np.uint32)
    other.weights = source.weights.take(rows)
    other.threads = source.threads.alone()  # this may already be one of several
    return other


def permuted(source: Any, handle: NDArray[np.int64], key: np.uint64) -> Any:
    """The cases of a node as a source of their own, their classes permuted as the key says."""
    cases = core.permutation.cases_of(source.rows, *handle.tolist())
    other = _copies_of(source, cases, draw_classes(source, cases, key))
    other.threads = source.threads
    return other


def draw_classes(source: Any, cases: NDArray[np.intp], key: np.uint64) -> NDArray[np.uint16]:
    """The classes of some cases in a random order."""
    drawn = np.empty((1, len(cases)), np.uint16)
    core.permutation.draw_classes(int(key), _class_counts(source, cases), drawn)
    return drawn[0]


def _class_counts(source: Any, cases: NDArray[np.intp]) -> IntArray:
    return np.bincount(source.classes[cases], minlength=source.n_classes)
