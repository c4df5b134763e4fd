"""How often the best score of a node is reached under permuted class labels.

Gain with whole counts and binary tests has a kernel of its own. Any other score is sought anew under each permutation:
copies of a node's rows with permuted classes become nodes of a table of their own.
"""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import kernels
from petree.conditions import MULTIWAY
from petree.sources.base import Nodes
from petree.sources.pieces import split_evenly
from petree.splitting.codes import GainCode
from petree.threads import Threads

# Scores that differ by no more than this are equal.
TOLERANCE = 1e-12
# Permutations tried at a time where every one is a search; a hopeless node is done after the first few.
STEPS = (8, 16, 32, 64)
# Codes of permuted copies that are held at a time.
CELLS_AT_ONCE = 20_000_000
# Words of bit sets of tests that are held at a time.
MOST_WORDS = 1 << 19
# With wide columns tests are as many as rows, and comparing bit sets takes their square: not for nodes beyond this.
MOST_ROWS_WIDE = 20_000

# Cells (rows times columns) whose permutation tests are one piece of work: well below a second, so that an interrupt
# does not wait, and some for each thread.
CELLS_PER_PIECE = 50_000

IntArray = NDArray[np.int64]


def exceedances(
    source: Any,
    nodes: Nodes,
    keys: NDArray[np.uint64],
    scores: NDArray[np.float64],
    n_permutations: int,
    allowed: int,
) -> IntArray:
    """Number of permutations that reach the score of each node's best test; beyond `allowed` counting may end early."""
    found, n_rows = np.zeros(len(nodes), np.int64), nodes.sizes
    has_kernel = np.full(len(nodes), is_plain_gain(source))
    by_bits = has_kernel & ((n_rows <= MOST_ROWS_WIDE) | (source.wide.shape[1] == 0))
    for which, count in ((np.flatnonzero(by_bits), _by_bits), (np.flatnonzero(~by_bits), _by_search)):
        if not len(which):
            continue
        cells = int(n_rows[which].sum()) * len(source.columns)
        runs = split_evenly(which, n_rows, 1 + cells // CELLS_PER_PIECE)
        pieces = [(count, source, nodes.take(part), keys[part], scores[part]) for part in runs]

        def run(count: Any, *piece: Any) -> IntArray:
            result: IntArray = count(*piece, n_permutations, allowed)
            return result

        for part, result in zip(runs, source.threads.run(run, pieces), strict=True):
            found[part] = result
    return found


def prune_up(
    source: Any,
    nodes: Nodes,
    keys: NDArray[np.uint64],
    scores: NDArray[np.float64],
    parents: NDArray[np.int32],
    is_certain: NDArray[np.bool_],
    n_permutations: int,
    allowed: int,
) -> IntArray | None:
    """The same from the leaves of a tree up: only inner nodes whose children are all leaves, by now, are tested.

    A node counts as a leaf once more than `allowed` permutations are found; those never tested have -1. None where
    there is no kernel for it. Threads take ranges of rows, and all nodes within; what straddles two ranges comes last.
    """
    starts, stops = nodes.handles.T.copy()
    if not is_plain_gain(source) or (source.wide.shape[1] and stops[0] - starts[0] > MOST_ROWS_WIDE):
        return None
    inner = np.flatnonzero(~np.isnan(scores))
    found, n_inner_children = (
        np.full(len(nodes), -1, np.int64),
        np.bincount(parents[inner[inner > 0]], minlength=len(nodes)),
    )
    n_pieces = 1 + int((stops - starts)[inner].sum()) * len(source.columns) // CELLS_PER_PIECE
    ends = np.linspace(0, len(source.order), n_pieces + 1)[1:-1]
    piece = np.searchsorted(ends, starts, side="right")
    is_top = piece != np.searchsorted(ends, stops - 1, side="right")
    told = np.where((parents >= 0) & ~is_top[parents], parents, -1)
    totals = nodes.counts.astype(np.int64)

    def test(which: NDArray[np.intp], parents: NDArray[Any]) -> None:
        kernels.permute.prune_up(
            source.narrow, source.wide, source.order, source.weights.copies, starts, stops, totals, keys, scores,
            source.n_bins, source.kinds, source.min_samples_leaf, source.score.table, n_permutations, allowed,
            MOST_WORDS, found, which, parents, is_certain, n_inner_children,
        )  # fmt: skip

    below = inner[~is_top[inner]][::-1]
    by_piece = below[np.argsort(piece[below], kind="stable")]
    runs = np.split(by_piece, np.flatnonzero(np.diff(piece[by_piece])) + 1)
    source.threads.run(test, [(run, told) for run in runs if len(run)])
    at_the_top = below[(found[below] > allowed) & (told[below] < 0) & (parents[below] >= 0)]
    np.subtract.at(n_inner_children, parents[at_the_top], 1)
    top = inner[is_top[inner]][::-1]
    if len(top):
        test(top, parents)
    return found


def is_plain_gain(source: Any) -> bool:
    """Whether the score is gain with whole counts, of binary tests alone."""
    is_whole = not source.weights.are_fractional and not len(source.class_weight)
    return isinstance(source.score, GainCode) and is_whole and not (source.kinds == MULTIWAY).any()


def _by_bits(
    source: Any, nodes: Nodes, keys: NDArray[np.uint64], scores: NDArray[np.float64], n_permutations: int, allowed: int
) -> IntArray:
    found = np.zeros(len(nodes), np.int64)
    kernels.permute.exceedances(
        source.narrow, source.wide, source.order, source.weights.copies, nodes.handles[:, 0].copy(),
        nodes.handles[:, 1].copy(), nodes.counts.astype(np.int64), keys, scores, source.n_bins, source.kinds,
        source.min_samples_leaf, source.score.table, n_permutations, allowed,
        MOST_WORDS, found,
    )  # fmt: skip
    return found


def _by_search(
    source: Any, nodes: Nodes, keys: NDArray[np.uint64], scores: NDArray[np.float64], n_permutations: int, allowed: int
) -> IntArray:
    found, done = np.zeros(len(nodes), np.int64), 0
    for step in (*STEPS, n_permutations):
        until = min(n_permutations, done + step)
        going = np.flatnonzero(found <= allowed) if done < until else np.zeros(0, np.intp)
        for part in _pieces(source, nodes, going, until):
            best = _permuted_best(source, nodes.take(part), keys[part], done, until)
            found[part] += (best >= scores[part, None] - TOLERANCE).sum(axis=1)
        done = until
    return found


def _pieces(source: Any, nodes: Nodes, which: NDArray[np.intp], n_drawn: int) -> list[NDArray[np.intp]]:
    """Runs of nodes whose permuted copies fit into memory together."""
    cells = np.cumsum(nodes.sizes[which]) * n_drawn * len(source.columns) // CELLS_AT_ONCE
    return [part for part in np.split(which, np.flatnonzero(np.diff(cells)) + 1) if len(part)]


def _permuted_best(source: Any, nodes: Nodes, keys: NDArray[np.uint64], first: int, last: int) -> NDArray[np.float64]:
    """Best score of each node under its permutations ``first:last``."""
    cases = [kernels.permute.list_cases(source.order, source.weights.copies, *handle) for handle in nodes.handles]
    n_drawn, sizes = last - first, np.array([len(one) for one in cases])
    classes = []
    for one, key in zip(cases, keys, strict=True):
        drawn = np.empty((last, len(one)), np.uint16)
        totals = np.bincount(source.classes[one], minlength=source.n_classes)[None]
        kernels.permute.draw_classes(key, totals, drawn)
        classes.append(drawn[first:].ravel())
    copies = _copies_of(source, np.concatenate([np.tile(one, n_drawn) for one in cases]), np.concatenate(classes))
    stops = np.cumsum(np.repeat(sizes, n_drawn))
    handles = np.column_stack((stops - np.repeat(sizes, n_drawn), stops))
    splits = copies.best_splits(Nodes(handles, copies.counts_of(handles), np.diff(handles, axis=1)[:, 0]))
    best = np.full(len(handles), -np.inf)
    best[splits.node] = splits.gain
    return best.reshape(len(nodes), n_drawn)


def _copies_of(source: Any, rows: NDArray[np.intp], classes: NDArray[np.uint16]) -> Any:
    """The same source with other rows and classes; a row that stands for several copies is there as often."""
    other = copy(source)
    other.narrow, other.wide, other.classes = source.narrow[rows], source.wide[rows], classes
    other.order = np.arange(len(rows), dtype=np.uint32)
    other.weights = source.weights.take(rows)
    other.threads = Threads(1)  # this may already be one of several
    return other
