"""The growing loop, wave by wave.

Each wave asks the source for the best splits of all open nodes, asks the stopping rule which of them to accept, divides
those, and goes on with the children. Nodes are numbered as they appear, level by level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.growing.choosing import choose
from petree.keys import child_keys, root_key
from petree.pruning.engine.context import Context
from petree.pruning.engine.gate import Gate
from petree.pruning.engine.stumps import Stumps
from petree.sources.base import Nodes, Source, Splits
from petree.tree import Tree, assemble

# Waves of a tree whose depth nobody limits.
NO_LIMIT = 2**31


@dataclass(frozen=True)
class Stopping:
    """When a node stays a leaf: pure, too small, too deep, or with too little to gain.

    An impure node is split as long as any test divides it, even if the best one gains nothing (CW488 section 2.1),
    since the next test may gain, or has a score below zero, as some scores can; a positive `min_gain` changes that.
    """

    min_samples_leaf: int = 1
    max_depth: int | None = None
    min_gain: float = 0.0

    def asks(self, nodes: Nodes, level: int) -> NDArray[np.bool_]:
        """Which nodes may be split at all."""
        if self.max_depth is not None and level >= self.max_depth:
            return np.zeros(len(nodes), bool)
        is_impure = (nodes.counts > 0).sum(axis=1) > 1
        return is_impure & (nodes.sizes >= 2 * self.min_samples_leaf)

    def accepts(self, splits: Splits) -> NDArray[np.bool_]:
        """Which splits score enough; rounding does not count against a score of exactly `min_gain`."""
        if self.min_gain == 0:
            return np.ones(len(splits), bool)
        return splits.gain >= self.min_gain - 1e-12


@dataclass(frozen=True)
class Grown:
    """A tree and the source's handle of each of its nodes."""

    tree: Tree
    handles: NDArray[Any]


class _Record:
    """What the waves leave behind, joined at the end."""

    def __init__(self) -> None:
        self.nodes: list[Nodes] = []
        self.n_tests: list[NDArray[np.int64]] = []
        self.owners: list[NDArray[np.intp]] = []
        self.splits: list[Splits] = []
        self.n_children: list[NDArray[np.intp]] = []

    def add(self, owners: NDArray[np.intp], splits: Splits, n_children: NDArray[np.intp]) -> None:
        self.owners.append(owners)
        self.splits.append(splits)
        self.n_children.append(n_children)


def grow(
    source: Source,
    stopping: Stopping,
    classes: Sequence[Any],
    class_weight: NDArray[np.float64] | None = None,
    gate: Gate | None = None,
) -> Grown:
    """Grow a tree: unpruned, or with the nodes that a gate closes as leaves.

    A split that the gate refuses is in the tree all the same, with leaves below it, for the gate to cut.
    """
    record, weigh = _Record(), 1.0 if class_weight is None else class_weight
    open_nodes, level, first = source.root(), 0, 0
    is_closed, keys = np.zeros(1, bool), root_key(gate.seed) if gate else np.zeros(1, np.uint64)
    n_cases = float((open_nodes.counts * weigh).sum())
    while len(open_nodes):
        record.nodes.append(open_nodes)
        record.n_tests.append(source.n_tests(open_nodes))
        if not (gate and gate.is_active) and _finish(source, stopping, record, open_nodes, level, first):
            break
        asked = np.flatnonzero(stopping.asks(open_nodes, level) & ~is_closed)
        if gate:
            n_tests = record.n_tests[-1][asked]
            asked = asked[gate.opens(first + asked, open_nodes.counts[asked] * weigh, n_tests, n_cases)]
        if not len(asked):
            break
        splits = source.best_splits(open_nodes.take(asked))
        if gate and gate.chooses:
            splits = choose(source, open_nodes.take(asked), splits, keys[asked], gate.criterion.passes)
        splits = splits.take(stopping.accepts(splits))
        if not len(splits):
            break
        owners = asked[splits.node]
        parents = open_nodes.take(owners)
        children, n_children = source.divide(parents, splits)
        record.add(first + owners, splits, n_children)
        is_closed = np.zeros(len(children), bool)
        if gate and gate.judges:
            stumps = Stumps.just_split(
                first + owners, parents.counts * weigh, children.counts * weigh,
                np.concatenate(([0], np.cumsum(n_children))), splits.gain, record.n_tests[-1][owners], n_cases,
            )  # fmt: skip
            keys = keys[owners]
            context = Context(source, parents.handles, keys, stumps.nodes, gate.seed)
            is_closed = np.repeat(~gate.accepts(stumps, context), n_children)
            keys = child_keys(keys, source.conditions([splits.tests]), n_children)
        first += len(open_nodes)
        open_nodes, level = children, level + 1
    return _join(source, record, classes, class_weight)


def _finish(source: Source, stopping: Stopping, record: _Record, open_nodes: Nodes, level: int, first: int) -> bool:
    """Whether the source could do all that is left in one go."""
    most_waves = NO_LIMIT if stopping.max_depth is None else stopping.max_depth - level
    waves = source.finish(open_nodes, level, most_waves, stopping.min_gain)
    n_open = len(open_nodes)
    for wave in waves or []:
        record.add(first + wave.owners, wave.splits, wave.n_children)
        record.nodes.append(wave.children)
        record.n_tests.append(source.n_tests(wave.children))
        first, n_open = first + n_open, len(wave.children)
    return waves is not None


def _join(source: Source, record: _Record, classes: Sequence[Any], class_weight: NDArray[np.float64] | None) -> Grown:
    counts = np.concatenate([nodes.counts for nodes in record.nodes])
    owners = np.concatenate([np.empty(0, np.intp), *record.owners])
    gain = np.full(len(counts), np.nan)
    for owner, splits in zip(record.owners, record.splits, strict=True):
        gain[owner] = splits.gain
    tree = assemble(
        counts,
        np.concatenate([nodes.sizes for nodes in record.nodes]),
        np.concatenate(record.n_tests),
        owners,
        np.concatenate([np.empty(0, np.intp), *record.n_children]),
        source.conditions([splits.tests for splits in record.splits]),
        classes,
        class_weight,
        {"gain": gain},
    )
    return Grown(tree, np.concatenate([nodes.handles for nodes in record.nodes]))
