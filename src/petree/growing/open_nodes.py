"""Open nodes of an option tree, and what the compiled loops find when they open them."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.growing.option_ground import OptionGround, OptionRules
from petree.keys import Keys
from petree.threads import Threads
from petree.tree import offsets, ranges


class Open(NamedTuple):
    """Nodes that can be opened.

    Their numbers and levels, their slices of lists of rows, what their columns are drawn by, and their searches; and
    these lists.
    """

    numbers: NDArray[np.int64]
    levels: NDArray[np.int64]
    slices: NDArray[np.int64]
    draws: Keys
    searches: Keys
    members: NDArray[np.int32]

    def some(self, places: NDArray[np.intp]) -> Open:
        """Those at some places, in the same lists."""
        return Open(
            self.numbers[places],
            self.levels[places],
            self.slices[places],
            self.draws[places],
            self.searches[places],
            self.members,
        )

    def alone(self) -> Open:
        """The same in lists that have no other rows."""
        bounds = offsets(self.slices[:, 1] - self.slices[:, 0])
        members = self.members[ranges(*self.slices.T)]
        return self._replace(slices=np.column_stack((bounds[:-1], bounds[1:])), members=members)

    def joined(self, other: Open) -> Open:
        """These and others."""
        return Open(
            np.concatenate((self.numbers, other.numbers)),
            np.concatenate((self.levels, other.levels)),
            np.concatenate((self.slices, other.slices + len(self.members))),
            np.concatenate((self.draws, other.draws)),
            np.concatenate((self.searches, other.searches)),
            np.concatenate((self.members, other.members)),
        )

    def pieces(self, n_pieces: int) -> list[Open]:
        """As many parts, one after the other, of about as many rows each."""
        stops = np.cumsum(self.slices[:, 1] - self.slices[:, 0])
        wanted = np.arange(1, n_pieces) * (stops[-1] / n_pieces)
        parts = np.split(np.arange(len(stops)), np.searchsorted(stops, wanted))
        return [self.some(part) for part in parts if len(part)]


class Opened(NamedTuple):
    """What was found: in how many nodes, and their splits, each with the place of its node, and what the cuts cost.

    Of the children, those of one split after those of another, the counts (classes, then rows), keys by which equal
    ones are known, draws, and how many rows they hand on to be opened in their turn; and these rows.
    """

    n_nodes: int
    splits: NDArray[np.int64]
    penalties: NDArray[np.float64]
    counts: NDArray[np.float64]
    keys: Keys
    draws: Keys
    n_members: NDArray[np.int64]
    members: NDArray[np.int32]

    @property
    def owners(self) -> NDArray[np.int64]:
        """The place of the node above each child."""
        return np.repeat(self.splits[:, 0], self.splits[:, -1])

    def followed_by(self, other: Opened) -> Opened:
        """These nodes, and others after them."""
        splits = other.splits.copy()
        splits[:, 0] += self.n_nodes
        return Opened(
            self.n_nodes + other.n_nodes,
            np.concatenate((self.splits, splits)),
            np.concatenate((self.penalties, other.penalties)),
            np.concatenate((self.counts, other.counts)),
            np.concatenate((self.keys, other.keys)),
            np.concatenate((self.draws, other.draws)),
            np.concatenate((self.n_members, other.n_members)),
            np.concatenate((self.members, other.members)),
        )

    def first(self, n_nodes: int) -> Opened:
        """The same of so many nodes."""
        n_splits = int(np.searchsorted(self.splits[:, 0], n_nodes))
        n_children = int(self.splits[:n_splits, -1].sum())
        n_members = self.n_members[:n_children]
        return Opened(
            n_nodes,
            self.splits[:n_splits],
            self.penalties[:n_splits],
            self.counts[:n_children],
            self.keys[:n_children],
            self.draws[:n_children],
            n_members,
            self.members[: n_members.sum()],
        )


def open_nodes(ground: OptionGround, rules: OptionRules, nodes: Open, until: float, threads: Threads) -> Opened:
    """What is found in nodes, in as many of the first as there is time for."""
    asked = rules.for_core(0, len(ground.places))
    evidence = ground.evidence(rules)

    def open_some(some: Open) -> Opened:
        packed = core.options.OpenNodes(some.members, some.slices, some.levels, some.draws)
        seconds = until - time.monotonic()
        return Opened(*core.options.open(evidence, ground.rows, ground.order, asked, packed, seconds, threads.stop))

    pieces = nodes.pieces(threads.n_threads)
    found = threads.run(open_some, [(piece,) for piece in pieces])
    joined = found[0]
    n_asked = len(pieces[0].numbers)
    for piece, one in zip(pieces[1:], found[1:], strict=True):
        if joined.n_nodes < n_asked:  # the time was over
            break
        joined = joined.followed_by(one)
        n_asked += len(piece.numbers)
    return joined
