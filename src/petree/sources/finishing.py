"""Small nodes of a table: all that is left of their growing in one go."""

from __future__ import annotations

from typing import Any

import numpy as np

from petree import kernels
from petree.sources.base import Nodes, Splits, Wave
from petree.sources.found import TEST
from petree.splitting.codes import BayesCode, RatioCode

# Nodes of at most this many rows are small: they need no sharing of columns among threads.
SMALL_ROWS = 5000


def finish(source: Any, nodes: Nodes, most_waves: int, min_gain: float) -> list[Wave] | None:
    """All further waves of some open nodes, or None where nodes are large or only Python knows how to go on."""
    n_rows = nodes.handles[:, 1] - nodes.handles[:, 0]
    has_loops = source.score is not None and not isinstance(source.score, RatioCode | BayesCode)
    is_plain = has_loops and not source.wide.shape[1]
    if not is_plain or n_rows.max() > SMALL_ROWS:
        return None
    runs = source.chunks(np.arange(len(nodes)), n_rows, len(source.columns))
    pieces = source.threads.run(
        lambda run: _grow(source, nodes.take(run), most_waves, min_gain), [(run,) for run in runs]
    )
    return _join(pieces, [len(run) for run in runs])


def _grow(source: Any, nodes: Nodes, most_waves: int, min_gain: float) -> list[Wave]:
    """The waves of some neighbouring nodes."""
    extra = int(source.weights.are_fractional)
    zero = np.empty(source.n_classes + extra, np.float64 if extra else np.int64)
    sizes, counts, n_nodes, splits, values, n_splits, ends, n_waves = kernels.grow.grow_waves(
        source.narrow, source.wide, *source.rows, source.order, zero, np.column_stack((nodes.handles, nodes.sizes)),
        nodes.counts, source.n_bins, source.kinds, source.score, source.min_samples_leaf, source.class_weight,
        source.per_case, most_waves, min_gain,
    )  # fmt: skip
    sizes, counts, ends = sizes[:n_nodes], counts[:n_nodes], ends[:n_waves]
    splits, values = splits[:n_splits], values[:n_splits, 0]
    scores = source.score_of(values, counts[splits[:, 0]])
    tests = np.zeros(len(splits), TEST)
    tests["column"] = source.column_order[splits[:, 1]]
    tests["kind"], tests["cut"], tests["missing"] = splits[:, 2], splits[:, 3], splits[:, 4]
    first_nodes, first_splits = [0, *ends[:, 0], len(sizes)], [*ends[:, 1], len(splits)]
    waves = []
    for k in range(len(ends)):
        own, below = slice(first_splits[k], first_splits[k + 1]), slice(first_nodes[k + 1], first_nodes[k + 2])
        found = Splits(np.arange(own.stop - own.start), scores[own], tests[own])
        children = Nodes(sizes[below, :2], counts[below], sizes[below, 2])
        waves.append(Wave(splits[own, 0] - first_nodes[k], found, children, splits[own, 5]))
    return waves


def _join(pieces: list[list[Wave]], n_nodes: list[int]) -> list[Wave]:
    """The waves of neighbouring pieces of so many nodes, side by side: as if all had been one."""
    if len(pieces) == 1:
        return pieces[0]
    waves = []
    for k in range(max(map(len, pieces))):
        first_nodes = np.cumsum([0, *n_nodes[:-1]])
        going = [(piece[k], first) for piece, first in zip(pieces, first_nodes, strict=True) if len(piece) > k]
        splits = [wave.splits for wave, _ in going]
        waves.append(
            Wave(
                np.concatenate([wave.owners + first for wave, first in going]),
                Splits(
                    np.arange(sum(map(len, splits))),
                    np.concatenate([one.gain for one in splits]),
                    np.concatenate([one.tests for one in splits]),
                ),
                Nodes(
                    np.concatenate([wave.children.handles for wave, _ in going]),
                    np.concatenate([wave.children.counts for wave, _ in going]),
                    np.concatenate([wave.children.sizes for wave, _ in going]),
                ),
                np.concatenate([wave.n_children for wave, _ in going]),
            )
        )
        n_nodes = [len(piece[k].children) if len(piece) > k else 0 for piece in pieces]
    return waves
