"""Small nodes and long chains: all that is left of their growing in one go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.conditions import EQUALS, MULTIWAY
from petree.sources.base import Finished, Limits, Nodes, Splits
from petree.sources.found import TEST
from petree.sources.pieces import SHARED_COLUMNS, SHARED_ROWS, column_blocks, in_runs
from petree.sources.rows import Rows, n_rows_of
from petree.sources.searching.scoring import Scoring
from petree.threads import Threads

# Nodes of at most this many rows are small: they need no sharing of columns among threads.
SMALL_ROWS = 5000
# A tree of more levels is a chain of tests that take one category from the others.
CHAIN_LEVELS = 32
# Where every node may test every column.
ALL_COLUMNS = np.empty((0, 0), np.uint8)


def finish(
    search: core.search.Search, scoring: Scoring, rows: Rows, nodes: Nodes, limits: Limits, threads: Threads
) -> Finished | None:
    """All that grows below some open nodes, or None where nodes are large or only Python knows how to go on."""
    n_rows = n_rows_of(nodes.handles)
    grow = _loop(rows, is_small=n_rows.max() <= SMALL_ROWS, is_chain=limits.level >= CHAIN_LEVELS)
    if grow is None:
        return None
    runs = in_runs(np.arange(len(nodes)), n_rows, len(rows.columns), threads)
    pieces = threads.run(
        lambda run: grow(search, rows, _open(nodes.take(run)), limits, threads.stop), [(run,) for run in runs]
    )
    sizes, counts, splits, values = _join(pieces)
    tests = np.ascontiguousarray(splits[:, 2:]).view(TEST)[:, 0]
    found = Splits(np.arange(len(splits)), scoring.score_of(values, counts[splits[:, 0]]), tests)
    children = Nodes(sizes[len(nodes) :, :2], counts[len(nodes) :], sizes[len(nodes) :, 2])
    return Finished(splits[:, 0], found, children, splits[:, 1], left_open=np.empty(0, np.intp))


# Nodes, counts, levels, splits and values of some neighbouring nodes and all below them.
Pieces = tuple[NDArray[Any], ...]
Loop = Callable[[core.search.Search, Rows, core.search.Nodes, Limits, NDArray[np.uint8]], Pieces]


def _loop(rows: Rows, is_small: bool, is_chain: bool) -> Loop | None:
    """The compiled loop for such nodes, if there is one."""
    if not rows.wide.shape[1]:
        return _grow if is_small else None
    kinds = rows.columns.kinds
    are_binary = (kinds[rows.n_narrow :] == EQUALS).all() and not (kinds == MULTIWAY).any()
    is_known = are_binary and not rows.weights.are_fractional
    return _grow_inheriting if is_known and (is_small or is_chain) else None


def _grow(
    search: core.search.Search, rows: Rows, nodes: core.search.Nodes, limits: Limits, stop: NDArray[np.uint8]
) -> Pieces:
    return core.search.grow(search, rows.packed, nodes, limits.most_waves, limits.min_gain, stop)


def _grow_inheriting(
    search: core.search.Search, rows: Rows, nodes: core.search.Nodes, limits: Limits, stop: NDArray[np.uint8]
) -> Pieces:
    """The same with columns of many categories: what a level costs is the rows that leave the larger child."""
    small = _blocks(rows, len(rows.columns))
    large = _blocks(rows, SHARED_COLUMNS)
    return core.search.grow_inheriting(
        search, rows.packed, nodes, limits.most_waves, limits.min_gain, small, large, SHARED_ROWS, stop
    )


def _blocks(rows: Rows, most: int) -> NDArray[np.int64]:
    return np.array(column_blocks(rows.n_narrow, len(rows.columns), rows.n_classes, most), np.int64)


def _open(nodes: Nodes) -> core.search.Nodes:
    return core.search.Nodes(np.ascontiguousarray(nodes.handles), nodes.counts, nodes.sizes, ALL_COLUMNS)


def _join(pieces: list[Pieces]) -> Pieces:
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
