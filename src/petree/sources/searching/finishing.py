"""Small nodes and long chains: all that is left of their growing in one go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.conditions import EQUALS, MULTIWAY
from petree.sources.base import Nodes, Splits, Wave
from petree.sources.found import TEST
from petree.sources.pieces import SHARED_COLUMNS, SHARED_ROWS
from petree.splitting.codes import BayesCode, RatioCode

# Nodes of at most this many rows are small: they need no sharing of columns among threads.
SMALL_ROWS = 5000
# A tree of more levels is a chain of tests that take one category from the others.
CHAIN_LEVELS = 32


def finish(source: Any, nodes: Nodes, level: int, most_waves: int, min_gain: float) -> list[Wave] | None:
    """All further waves of some open nodes, or None where nodes are large or only Python knows how to go on.

    They come as a single one, whose owners are counted on from the open nodes through the children.
    """
    n_rows = nodes.handles[:, 1] - nodes.handles[:, 0]
    grow = _loop(source, is_small=n_rows.max() <= SMALL_ROWS, is_chain=level >= CHAIN_LEVELS)
    if grow is None:
        return None
    runs = source.chunks(np.arange(len(nodes)), n_rows, len(source.columns))
    pieces = source.threads.run(
        lambda run: grow(source, nodes.take(run), most_waves, min_gain), [(run,) for run in runs]
    )
    sizes, counts, splits, values = _join(pieces)
    if not len(splits):
        return []
    tests = np.ascontiguousarray(splits[:, 2:]).view(TEST)[:, 0]
    found = Splits(np.arange(len(splits)), source.score_of(values, counts[splits[:, 0]]), tests)
    children = Nodes(sizes[len(nodes) :, :2], counts[len(nodes) :], sizes[len(nodes) :, 2])
    return [Wave(splits[:, 0], found, children, splits[:, 1])]


def _loop(source: Any, is_small: bool, is_chain: bool) -> Callable[..., tuple[NDArray[Any], ...]] | None:
    """The compiled loop for such nodes, if there is one."""
    if source.score is None or isinstance(source.score, RatioCode | BayesCode):
        return None
    if not source.wide.shape[1]:
        return _grow if is_small else None
    are_binary = (source.kinds[source.n_narrow :] == EQUALS).all() and not (source.kinds == MULTIWAY).any()
    is_known = are_binary and not source.weights.are_fractional
    return _grow_inheriting if is_known and (is_small or is_chain) else None


def _grow(source: Any, nodes: Nodes, most_waves: int, min_gain: float) -> tuple[NDArray[Any], ...]:
    """Some neighbouring nodes and all below them: nodes, counts, levels, splits, values."""
    return core.search.grow(source.search, source.rows, _open(nodes), most_waves, min_gain, source.threads.stop)


def _grow_inheriting(source: Any, nodes: Nodes, most_waves: int, min_gain: float) -> tuple[NDArray[Any], ...]:
    """The same with columns of many categories: what a level costs is the rows that leave the larger child."""
    small = np.array(source.column_blocks(len(source.columns)), np.int64)
    large = np.array(source.column_blocks(SHARED_COLUMNS), np.int64)
    return core.search.grow_inheriting(
        source.search, source.rows, _open(nodes), most_waves, min_gain, small, large, SHARED_ROWS, source.threads.stop
    )


def _open(nodes: Nodes) -> core.search.Nodes:
    return core.search.Nodes(np.ascontiguousarray(nodes.handles), nodes.counts, nodes.sizes)


def _join(pieces: list[tuple[NDArray[Any], ...]]) -> tuple[NDArray[Any], ...]:
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
