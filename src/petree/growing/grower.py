"""The growing loop, wave by wave.

Each wave asks the source for the best splits of all open nodes, asks the stopping rule which of them to accept, divides
those, and goes on with the children. Nodes are numbered as they appear, level by level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.growing.choosing import best_passing
from petree.growing.lookahead import LookaheadSearch
from petree.keys import Keys, child_keys, root_key
from petree.pruning.engine.context import Context
from petree.pruning.engine.gate import Gate
from petree.pruning.engine.stumps import Stumps
from petree.sources.base import Limits, Nodes, Source, Splits
from petree.tree import Tree, assemble, offsets, ranges

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
    """A tree, and the source's handle of each of its nodes."""

    tree: Tree
    handles: NDArray[Any]


@dataclass(frozen=True)
class _Wave:
    """Open nodes of one level, with their numbers in the tree, numbers of tests and random keys."""

    level: int
    nodes: Nodes
    numbers: NDArray[np.intp]
    n_tests: NDArray[np.int64]
    keys: Keys

    def __len__(self) -> int:
        return len(self.numbers)

    def take(self, which: NDArray[Any]) -> _Wave:
        nodes = self.nodes.take(which)
        return _Wave(self.level, nodes, self.numbers[which], self.n_tests[which], self.keys[which])


class _Record:
    """What the waves leave behind, joined at the end; children are numbered on, one split's after the other's."""

    def __init__(self) -> None:
        self.is_by_level = True
        self._nodes: list[Nodes] = []
        self._n_tests: list[NDArray[np.int64]] = []
        self._owners: list[NDArray[np.intp]] = [np.empty(0, np.intp)]
        self._n_children: list[NDArray[np.intp]] = [np.empty(0, np.intp)]
        self._splits: list[Splits] = []
        self._n_nodes = 0

    def add_nodes(self, nodes: Nodes, n_tests: NDArray[np.int64]) -> NDArray[np.intp]:
        """Note some nodes; their numbers."""
        self._nodes.append(nodes)
        self._n_tests.append(n_tests)
        self._n_nodes += len(nodes)
        return np.arange(self._n_nodes - len(nodes), self._n_nodes)

    def add_splits(self, owners: NDArray[np.intp], splits: Splits, n_children: NDArray[np.intp]) -> None:
        """Note the splits of some nodes, the children of which have been noted in the same order."""
        self._owners.append(owners)
        self._n_children.append(n_children)
        self._splits.append(splits)

    def join(self, source: Source, classes: Sequence[Any], class_weight: NDArray[np.float64] | None) -> Grown:
        owners = np.concatenate(self._owners)
        n_children = np.concatenate(self._n_children)
        conditions = source.conditions([splits.tests for splits in self._splits])
        nodes = Nodes(
            np.concatenate([nodes.handles for nodes in self._nodes]),
            np.concatenate([nodes.counts for nodes in self._nodes]),
            np.concatenate([nodes.sizes for nodes in self._nodes]),
        )
        n_tests = np.concatenate(self._n_tests)
        gain = np.full(len(nodes), np.nan)
        for owner, splits in zip(self._owners[1:], self._splits, strict=True):
            gain[owner] = splits.gain
        if not self.is_by_level:
            order, of_splits = by_level(len(nodes), owners, n_children)
            nodes = nodes.take(order)
            n_tests = n_tests[order]
            gain = gain[order]
            owners = np.argsort(order)[owners[of_splits]]
            n_children = n_children[of_splits]
            conditions = conditions.take(of_splits)
        tree = assemble(nodes.counts, nodes.sizes, n_tests, owners, n_children, conditions, classes)
        return Grown(replace(tree, class_weight=class_weight, annotations={"gain": gain}), nodes.handles)


def by_level(
    n_nodes: int, owners: NDArray[np.intp], n_children: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Nodes and splits level by level, where the children of split after split are the nodes 1, 2, ..."""
    stops = 1 + np.cumsum(n_children)
    split_of = np.full(n_nodes, -1)
    split_of[owners] = np.arange(len(owners))
    wave = np.zeros(1, np.intp)
    nodes = [wave]
    splits = []
    while len(wave):
        split = split_of[wave]
        splits.append(split[split >= 0])
        wave = ranges((stops - n_children)[splits[-1]], stops[splits[-1]])
        nodes.append(wave)
    return np.concatenate(nodes), np.concatenate(splits)


def grow(
    source: Source,
    stopping: Stopping,
    classes: Sequence[Any],
    class_weight: NDArray[np.float64] | None = None,
    gate: Gate | None = None,
    lookahead: LookaheadSearch | None = None,
    first: Splits | None = None,
) -> Grown:
    """Grow a tree: unpruned, or with the nodes that a gate closes as leaves.

    A split that the gate refuses is in the tree all the same, with leaves below it, for the gate to cut. Where the
    `first` split is given the root has it, and nobody is asked.
    """
    loop = _Loop(source, stopping, class_weight, gate, lookahead)
    wave = loop.open(source.root(), 0, root_key(gate.seed if gate else 0))
    wave = wave if first is None else loop.begin(wave, first)
    while len(wave := loop.finish(wave)):
        wave = loop.next_wave(wave)
    return loop.record.join(source, classes, class_weight)


class _Loop:
    """One wave after the other."""

    def __init__(
        self,
        source: Source,
        stopping: Stopping,
        class_weight: NDArray[np.float64] | None,
        gate: Gate | None,
        lookahead: LookaheadSearch | None,
    ) -> None:
        self.record = _Record()
        self._source = source
        self._stopping = stopping
        self._factors = 1.0 if class_weight is None else class_weight
        self._gate = gate
        self._lookahead = lookahead
        self._n_cases = 0.0

    def open(self, nodes: Nodes, level: int, keys: Keys) -> _Wave:
        """Nodes that have just been found, noted."""
        n_tests = self._source.n_tests(nodes)
        if level == 0:
            self._n_cases = float((nodes.counts * self._factors).sum())
        return _Wave(level, nodes, self.record.add_nodes(nodes, n_tests), n_tests, keys)

    def begin(self, wave: _Wave, splits: Splits) -> _Wave:
        """The children of the root by a split that is given."""
        children, n_children = self._source.divide(wave.nodes, splits)
        keys = child_keys(wave.keys, self._source.conditions([splits.tests]), n_children)
        opened = self.open(children, wave.level + 1, keys)
        self.record.add_splits(wave.numbers, splits, n_children)
        return opened

    def finish(self, wave: _Wave) -> _Wave:
        """What is left open when the source has done in one go what it can."""
        if not len(wave) or self._lookahead or (self._gate and self._gate.is_active):
            return wave
        depth = self._stopping.max_depth
        most_waves = NO_LIMIT if depth is None else depth - wave.level
        done = self._source.finish(wave.nodes, Limits(wave.level, most_waves, self._stopping.min_gain))
        if done is None:
            return wave
        if len(done.splits):
            below = self.record.add_nodes(done.children, self._source.n_tests(done.children))
            numbers = np.concatenate((wave.numbers, below))
            self.record.add_splits(numbers[done.owners], done.splits, done.n_children)
        self.record.is_by_level &= done.is_by_level and not len(done.left_open)
        return wave.take(done.left_open)

    def next_wave(self, wave: _Wave) -> _Wave:
        """The children of all nodes that are split, but for those that are leaves since the gate refuses the split."""
        asked = self._asked(wave)
        if not len(asked):
            return asked
        splits = self._best_splits(asked)
        parents = asked.take(splits.node)
        if not len(parents):
            return parents
        children, n_children = self._source.divide(parents.nodes, splits)
        opened = self.open(children, wave.level + 1, np.repeat(parents.keys, n_children))
        self.record.add_splits(parents.numbers, splits, n_children)
        return self._judge(parents, splits, opened, n_children) if self._gate and self._gate.judges else opened

    def _asked(self, wave: _Wave) -> _Wave:
        """The nodes that may be split."""
        asked = wave.take(np.flatnonzero(self._stopping.asks(wave.nodes, wave.level)))
        if self._gate is None:
            return asked
        counts = asked.nodes.counts * self._factors
        return asked.take(self._gate.opens(asked.numbers, counts, asked.n_tests, self._n_cases))

    def _best_splits(self, asked: _Wave) -> Splits:
        """The tests that the nodes get."""
        splits = (self._lookahead or self._source).best_splits(asked.nodes)
        if self._gate and self._gate.chooses:
            if self._lookahead:
                raise ValueError(
                    "A pruning criterion that chooses among all tests of a node cannot look ahead as well; set "
                    'lookahead=1, or when="post" of the criterion.'
                )
            splits = best_passing(self._source, asked.nodes, splits, asked.keys, self._gate.criterion.passes)
        return splits.take(self._stopping.accepts(splits))

    def _judge(self, parents: _Wave, splits: Splits, children: _Wave, n_children: NDArray[np.intp]) -> _Wave:
        """The children of the splits that the gate accepts, with keys of their own."""
        stumps = Stumps.just_split(
            parents.numbers,
            parents.nodes.counts * self._factors,
            children.nodes.counts * self._factors,
            offsets(n_children),
            splits.gain,
            parents.n_tests,
            self._n_cases,
        )
        gate = self._gate
        assert gate is not None
        context = Context(self._source, parents.nodes.handles, parents.keys, stumps.nodes, gate.seed)
        is_open = np.repeat(gate.accepts(stumps, context), n_children)
        keys = child_keys(parents.keys, self._source.conditions([splits.tests]), n_children)
        return replace(children, keys=keys).take(is_open)
