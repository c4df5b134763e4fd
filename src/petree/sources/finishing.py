"""Small nodes of a table: all that is left of their growing in one go."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.sources.base import Nodes, Splits, Wave
from petree.sources.found import TEST
from petree.splitting.codes import BayesCode, RatioCode

# Nodes of at most this many rows are small: they need no sharing of columns among threads.
SMALL_ROWS = 5000


def finish(source: Any, nodes: Nodes, most_waves: int, min_gain: float) -> list[Wave] | None:
    """All further waves of some open nodes, or None where nodes are large or only Python knows how to go on.

    They come as a single one, whose owners are counted on from the open nodes through the children.
    """
    n_rows = nodes.handles[:, 1] - nodes.handles[:, 0]
    has_loops = source.score is not None and not isinstance(source.score, RatioCode | BayesCode)
    is_plain = has_loops and not source.wide.shape[1]
    if not is_plain or n_rows.max() > SMALL_ROWS:
        return None
    runs = source.chunks(np.arange(len(nodes)), n_rows, len(source.columns))
    pieces = source.threads.run(
        lambda run: _grow(source, nodes.take(run), most_waves, min_gain), [(run,) for run in runs]
    )
    sizes, counts, splits, values = pieces[0][:4] if len(pieces) == 1 else _join(pieces)
    if not len(splits):
        return []
    tests = np.ascontiguousarray(splits[:, 2:]).view(TEST)[:, 0]
    found = Splits(np.arange(len(splits)), source.score_of(values, counts[splits[:, 0]]), tests)
    children = Nodes(sizes[len(nodes) :, :2], counts[len(nodes) :], sizes[len(nodes) :, 2])
    return [Wave(splits[:, 0], found, children, splits[:, 1])]


def _grow(source: Any, nodes: Nodes, most_waves: int, min_gain: float) -> tuple[NDArray[Any], ...]:
    """Some neighbouring nodes and all below them: nodes, counts, splits, values, levels."""
    open_nodes = core.search.Nodes(np.ascontiguousarray(nodes.handles), nodes.counts, nodes.sizes)
    sizes, counts, levels, splits, values = core.search.grow(
        source.search, source.rows, open_nodes, most_waves, min_gain, source.threads.stop
    )
    return sizes, counts, splits, values, levels


def _join(pieces: list[tuple[NDArray[Any], ...]]) -> tuple[NDArray[Any], ...]:
    """Neighbouring pieces level by level, side by side: as if all had been one."""
    first_nodes = np.cumsum([0, *(len(sizes) for sizes, *_ in pieces[:-1])])
    sizes, counts, splits, values, levels = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
    order = np.argsort(levels, kind="stable")
    number = np.empty(len(order), np.intp)
    number[order] = np.arange(len(order))
    splits[:, 0] = number[splits[:, 0] + np.repeat(first_nodes, [len(splits) for _, _, splits, *_ in pieces])]
    by_owner = np.argsort(splits[:, 0])
    return sizes[order], counts[order], splits[by_owner], values[by_owner]
