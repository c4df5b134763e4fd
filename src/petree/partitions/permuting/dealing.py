"""Classes dealt to the cases of large nodes at random, by their numbers, so that nobody needs to have all cases.

In each permutation a case draws a number that follows from the key of its node, from its own place in the data set and
from that of the permutation. The cases of the lowest draws get the first class, as many as are of it, the next ones the
second, and so on. So every order of the classes is as probable as another, and whoever has some of the cases can deal
to these as soon as it is known at which draw each class ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.keys import Keys, combine_keys
from petree.partitions.amounts import ONE_EACH
from petree.partitions.counting import ALL_COLUMNS, Layout

# Nodes of no more cases than this are permuted in memory, in the order of their cases; only larger ones are dealt to.
MOST_IN_ORDER = 65_536
CASES_AT_ONCE = 2**18
# How far from where it is expected the end of a class is sought at first, in standard deviations.
SPREAD = 6.0
HIGHEST = np.uint64(2**64 - 1)

Answer = TypeVar("Answer")


def are_dealt(n_cases: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether nodes of so many cases are so large that classes are dealt by number."""
    return n_cases > MOST_IN_ORDER


@dataclass(frozen=True, eq=False)
class SomeCases:
    """Cases of some nodes: codes, the slot of each one's node, its key, and what it amounts to (none: 1 each)."""

    narrow: NDArray[np.uint8]
    wide: NDArray[np.uint32]
    slots: NDArray[np.int32]
    keys: Keys
    amounts: NDArray[np.int64]

    def draws(self, permutation: int) -> Keys:
        """What the cases draw in a permutation."""
        return combine_keys(self.keys, np.array([permutation], np.uint64))


@dataclass(frozen=True, eq=False)
class NumberedRows:
    """Rows with their places in the data set; slots are -1 of rows in no node, copies and amounts empty for 1 each."""

    narrow: NDArray[np.uint8]
    wide: NDArray[np.uint32]
    slots: NDArray[np.int32]
    numbers: NDArray[np.uint64]
    copies: NDArray[np.int64]
    amounts: NDArray[np.int64]

    def cases(self, keys: Keys) -> Iterator[SomeCases]:
        """The cases of nodes that have these keys, some at a time; a row of several copies is as many."""
        which = np.flatnonzero(self.slots >= 0)
        n_copies = self.copies[which] if len(self.copies) else np.ones(len(which), np.int64)
        ends = np.cumsum(n_copies)
        for first in range(0, int(ends[-1]) if len(ends) else 0, CASES_AT_ONCE):
            cases = np.arange(first, min(first + CASES_AT_ONCE, int(ends[-1])))
            places = np.searchsorted(ends, cases, "right")
            yield self._some(which[places], cases - (ends - n_copies)[places], keys)

    def _some(self, rows: NDArray[np.intp], copies: NDArray[np.int64], keys: Keys) -> SomeCases:
        of_cases = combine_keys(keys[self.slots[rows]], self.numbers[rows])
        again = np.flatnonzero(copies)
        of_cases[again] = combine_keys(of_cases[again], copies[again].astype(np.uint64))
        amounts = self.amounts[rows] if len(self.amounts) else ONE_EACH
        return SomeCases(self.narrow[rows], self.wide[rows], self.slots[rows], of_cases, amounts)


class Question(Protocol[Answer]):
    """What is asked of cases; answers of some and of others become one, in any order."""

    def of(self, cases: Iterable[SomeCases], stop: NDArray[np.uint8]) -> Answer:
        """The answer of some cases."""

    def join(self, one: Answer, other: Answer) -> Answer:
        """That of both."""


class LargeNodes(Protocol):
    """Who has the cases of large nodes, in memory or in parts."""

    def totals(self, handles: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many cases of each class the nodes have."""

    def ask(self, handles: NDArray[np.int64], keys: Keys, question: Question[Answer]) -> Answer:
        """The answer of all cases of nodes that have these keys; slots are places among the nodes."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """How many draws are below windows, and what stands in these: the window of each draw, and the draw."""

    below: NDArray[np.int64]
    windows: NDArray[np.intp]
    draws: Keys

    def ranked(self, ranks: NDArray[np.int64]) -> tuple[Keys, NDArray[np.bool_]]:
        """The draw that so many others are below, a rank for each window, and whether it stands there."""
        order = np.lexsort((self.draws, self.windows))
        bounds = np.searchsorted(self.windows[order], np.arange(ranks.size + 1))
        starts = bounds[:-1].reshape(ranks.shape)
        places = starts + ranks - self.below
        is_inside = (places >= starts) & (places < bounds[1:].reshape(ranks.shape))
        draws = np.zeros(ranks.shape, np.uint64)
        draws[is_inside] = self.draws[order[places[is_inside]]]
        return draws, is_inside


@dataclass(frozen=True, eq=False)
class LookThroughWindows:
    """Draws of permutations from `first` on, near the end of each class but the last.

    Windows are (slots, permutations, classes - 1), from `low` up to `high`.
    """

    first: int
    low: Keys
    high: Keys

    def of(self, cases: Iterable[SomeCases], stop: NDArray[np.uint8]) -> Drawn:
        below = np.zeros(self.low.shape, np.int64)
        numbers = np.arange(self.low.size).reshape(self.low.shape)
        windows = [np.empty(0, np.intp)]
        draws = [np.empty(0, np.uint64)]
        for some in cases:
            for permutation in range(self.low.shape[1]):
                drawn = some.draws(self.first + permutation)
                for end in range(self.low.shape[2]):
                    place = (some.slots, permutation, end)
                    is_below = drawn < self.low[place]
                    inside = np.flatnonzero(~is_below & (drawn <= self.high[place]))
                    below[:, permutation, end] += np.bincount(some.slots[is_below], minlength=len(below))
                    windows.append(numbers[place][inside])
                    draws.append(drawn[inside])
        return Drawn(below, np.concatenate(windows), np.concatenate(draws))

    def join(self, one: Drawn, other: Drawn) -> Drawn:
        windows = np.concatenate((one.windows, other.windows))
        return Drawn(one.below + other.below, windows, np.concatenate((one.draws, other.draws)))


@dataclass(frozen=True, eq=False)
class CountDealt:
    """Counts by column, code and class of nodes under permutations: (slots * permutations * lines, cells of a line).

    `ends` are the draws at which each class but the last ends, (slots, permutations, classes - 1).
    """

    layout: Layout
    first: int
    ends: Keys

    def of(self, cases: Iterable[SomeCases], stop: NDArray[np.uint8]) -> NDArray[np.int64]:
        layout = self.layout
        n_slots, n_permutations = self.ends.shape[:2]
        cells = np.zeros((n_slots * n_permutations * layout.n_lines, layout.width), np.int64)
        for some in cases:
            for permutation in range(n_permutations):
                slots = some.slots * np.int32(n_permutations) + np.int32(permutation)
                core.partitions.count_cells(
                    layout.columns.packed,
                    some.narrow,
                    some.wide,
                    self._classes(some, permutation),
                    some.amounts,
                    slots,
                    ALL_COLUMNS,
                    layout.amounts.counts_rows,
                    cells,
                    stop,
                )
        return cells

    def _classes(self, some: SomeCases, permutation: int) -> NDArray[np.uint16]:
        """The class that each case is dealt."""
        drawn = some.draws(self.first + permutation)
        classes = np.zeros(len(drawn), np.uint16)
        for end in range(self.ends.shape[2]):
            classes += drawn >= self.ends[some.slots, permutation, end]
        return classes

    def join(self, one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
        return one + other


def find_ends(nodes: LargeNodes, handles: NDArray[np.int64], keys: Keys, permutations: range) -> Keys:
    """The draws at which each class but the last ends in some permutations of nodes: that many cases draw less."""
    totals = nodes.totals(handles)
    shape = (len(handles), len(permutations), totals.shape[1] - 1)
    before = np.broadcast_to(np.cumsum(totals, axis=1)[:, None, :-1], shape)
    n_cases = np.broadcast_to(totals.sum(axis=1)[:, None, None], shape)
    ends = np.where(before == 0, np.uint64(0), HIGHEST)
    is_open = (before > 0) & (before < n_cases)
    spread = SPREAD
    while is_open.any():
        low, high = _windows(before, n_cases, spread)
        question = LookThroughWindows(permutations.start, np.where(is_open, low, 1), np.where(is_open, high, 0))
        draws, is_found = nodes.ask(handles, keys, question).ranked(before)
        ends = np.where(is_found, draws, ends)
        is_open &= ~is_found
        spread *= 8  # in one of a thousand million windows an end is farther away
    return ends


def _windows(before: NDArray[np.int64], n_cases: NDArray[np.int64], spread: float) -> tuple[Keys, Keys]:
    """Where the ends of classes are sought: so many standard deviations, and cases, about where they are expected."""
    share = before / n_cases
    reach = spread * (np.sqrt(share * (1 - share) * n_cases) + 1) / n_cases
    low = (np.maximum(share - reach, 0) * 2.0**64).astype(np.uint64)
    high = (np.minimum(share + reach, 1 - 2.0**-53) * 2.0**64).astype(np.uint64)
    return low, np.where(share + reach >= 1, HIGHEST, high)
