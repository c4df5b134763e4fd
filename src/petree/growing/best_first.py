"""Option trees that grow best first: the open nodes that most of the posterior goes through come next.

The trees that have an open node end there so far: their share of the posterior is what its opening can still move at
the root. A node is opened whole, with all its options, so that the evidence of the root never falls. To open one node
changes the shares of all others; so growing goes by rounds, each of which opens a part of as many nodes as there are.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree.growing.open_nodes import Open, Opened, open_nodes
from petree.growing.option_ground import GrownOptions, OptionGround, OptionRules
from petree.keys import Keys, combine_keys
from petree.threads import Threads
from petree.tree import offsets

# A round opens one node for so many that there are, and at least one.
NODES_PER_OPENED = 8

# The share of the posterior that goes through each node, where the tests of the root count alike or do not.
Masses = Callable[[GrownOptions, bool], NDArray[np.float64]]


def grow_best_first(
    ground: OptionGround, rules: OptionRules, masses: Masses, threads: Threads
) -> tuple[GrownOptions, bool]:
    """What all searches find until nothing is open, or nodes or seconds are used up; whether an interrupt ended it."""
    until = time.monotonic() + rules.max_seconds
    growth = Growth.begun(ground, rules)
    try:
        while len(growth.open.numbers):
            places = growth.next_places(masses(growth.grown, rules.n_searches > 1))
            opened = open_nodes(ground, rules, growth.open.some(places), until, threads)
            growth = growth.with_opened(places, opened, rules)
    except KeyboardInterrupt:
        return growth.grown, True
    return growth.grown, False


@dataclass(frozen=True)
class Growth:
    """What was grown so far, keys by which its nodes are known, and those that are open. The root has number 0."""

    grown: GrownOptions
    keys: Keys
    open: Open

    @classmethod
    def begun(cls, ground: OptionGround, rules: OptionRules) -> Growth:
        """The root alone, which is open once for each search."""
        nothing = np.empty(0, np.int64)
        root = GrownOptions(np.zeros(1, np.int64), ground.root[None], nothing.reshape(0, 6), np.empty(0), nothing)
        zeros = np.zeros(rules.n_searches, np.int64)
        slices = np.tile([0, ground.n_lines], (rules.n_searches, 1))
        draws = np.array([rules.draw_of(search) for search in range(rules.n_searches)], np.uint64)
        searches = np.arange(rules.n_searches, dtype=np.uint64)
        members = np.arange(ground.n_lines, dtype=np.int32)
        return cls(root, np.zeros(1, np.uint64), Open(zeros, zeros, slices, draws, searches, members))

    @property
    def n_nodes(self) -> int:
        return len(self.grown.levels)

    def next_places(self, masses: NDArray[np.float64]) -> NDArray[np.intp]:
        """The open nodes of a round, those of most mass first, the first of equals; the root in all its searches."""
        n_wanted = len(self.open.numbers) if self.n_nodes == 1 else max(self.n_nodes // NODES_PER_OPENED, 1)
        order: NDArray[np.intp] = np.argsort(-masses[self.open.numbers], kind="stable")
        return order[:n_wanted]

    def with_opened(self, places: NDArray[np.intp], opened: Opened, rules: OptionRules) -> Growth:
        """With what was found in the nodes at some places; if not all of it is there, or fits, nothing is open then."""
        asked = self.open.some(places)
        keys = self._keys_of(opened, asked, rules)
        numbers = self._numbers_of(keys)
        is_new = self._is_new(numbers)
        n_fit = self._n_that_fit(opened, is_new, rules.max_nodes)
        opened = opened.first(n_fit)
        numbers = numbers[: len(opened.keys)]
        is_new = is_new[: len(opened.keys)]
        grown = self._extended(asked, opened, numbers, is_new)
        left = np.setdiff1d(np.arange(len(self.open.numbers)), places)
        found = self.open.some(left).alone().joined(_open_children(asked, opened, numbers, is_new))
        is_over = n_fit < len(places)
        return Growth(
            grown,
            np.concatenate((self.keys, keys[: len(opened.keys)][is_new])),
            found.some(left[:0]) if is_over else found,
        )

    def _keys_of(self, opened: Opened, asked: Open, rules: OptionRules) -> Keys:
        """Keys of children, which those of different searches never share, and none where a node has one test."""
        if rules.max_options > 1:
            return combine_keys(opened.keys, asked.searches[opened.owners])
        return np.arange(self.n_nodes, self.n_nodes + len(opened.keys), dtype=np.uint64)

    def _numbers_of(self, keys: Keys) -> NDArray[np.int64]:
        """Numbers of the nodes of some keys: those that are known, and the next ones in the order of the others."""
        _, first, which = np.unique(np.concatenate((self.keys, keys)), return_index=True, return_inverse=True)
        meant = first[which]
        is_first = meant == np.arange(len(meant))
        return (np.cumsum(is_first) - 1)[meant][self.n_nodes :]

    def _is_new(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which children are nodes that were never met before, neither known nor among the children before them."""
        most = np.maximum.accumulate(np.concatenate(([self.n_nodes - 1], numbers)))
        return numbers > most[:-1]

    def _n_that_fit(self, opened: Opened, is_new: NDArray[np.bool_], max_nodes: int) -> int:
        """How many of the opened nodes there is room for; the searches of the root have it together or not at all."""
        n_new = np.bincount(opened.owners, is_new, opened.n_nodes).astype(np.int64)
        n_fit = int(np.searchsorted(self.n_nodes + np.cumsum(n_new), max_nodes, side="right"))
        return 0 if self.n_nodes == 1 and n_fit < opened.n_nodes else n_fit

    def _extended(
        self, asked: Open, opened: Opened, numbers: NDArray[np.int64], is_new: NDArray[np.bool_]
    ) -> GrownOptions:
        """What was grown, with new nodes and splits."""
        splits = opened.splits.copy()
        splits[:, 0] = asked.numbers[splits[:, 0]]
        levels = asked.levels[opened.owners[is_new]] + 1
        return GrownOptions(
            np.concatenate((self.grown.levels, levels)),
            np.concatenate((self.grown.counts, opened.counts[is_new])),
            np.concatenate((self.grown.splits, splits)),
            np.concatenate((self.grown.penalties, opened.penalties)),
            np.concatenate((self.grown.children, numbers)),
        )


def _open_children(asked: Open, opened: Opened, numbers: NDArray[np.int64], is_new: NDArray[np.bool_]) -> Open:
    """The new children that can be opened in their turn."""
    bounds = offsets(opened.n_members)
    owners = opened.owners
    children = Open(
        numbers,
        asked.levels[owners] + 1,
        np.column_stack((bounds[:-1], bounds[1:])),
        opened.draws,
        asked.searches[owners],
        opened.members,
    )
    return children.some(np.flatnonzero(is_new & (opened.n_members > 0))).alone()
