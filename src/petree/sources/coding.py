"""Columns to codes: each value becomes the number of its bin, missing values the number behind the last; and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.binning import midpoints
from petree.columns import NOMINAL, NUMBER, ORDERED, Column
from petree.columns.moments import round_between
from petree.conditions import EQUALS, IN, MULTIWAY, THRESHOLD, Conditions
from petree.threads import Threads

# A column of at most this many bins is narrow: its codes, the one for missing values included, fit one byte.
NARROW_BINS = 255
# At a node of more classes than this the most frequent ones order the categories of a column.
MOST_CLASS_ORDERS = 32
# A table of fewer cells than this is coded in one piece: a second thread would not pay.
LEAST_CELLS = 300_000
NO_CUTS = np.empty(0)
LARGEST = np.finfo(np.float64).max


def n_orders(n_classes: int) -> int:
    """In how many orders the categories of a column are put: one for two classes, else one per class and one of all."""
    return 1 if n_classes <= 2 else min(n_classes, MOST_CLASS_ORDERS) + 1


def n_sets(n_categories: int, n_classes: int) -> int:
    """Sets of categories that are looked at: the cuts of all orders, but no more than there are divisions in two."""
    if n_categories < 2:
        return 0
    n_cuts = n_orders(n_classes) * (n_categories - 1)
    return min(n_cuts, 2 ** (n_categories - 1) - 1)


def middles_of_bins(cuts: NDArray[np.float64]) -> NDArray[np.float64]:
    """The middle of each bin between two cuts; the outer bins are as wide as those beside them."""
    if not len(cuts):
        return np.zeros(1)
    middle = midpoints(cuts[:-1], cuts[1:])
    ends = cuts[[0, -1]]
    with np.errstate(over="ignore"):
        beside = middle[[0, -1]] if len(middle) else ends + np.array([1.0, -1.0]) * np.maximum(abs(ends), 1.0) / 2
        outer = np.clip(ends - (beside - ends), -LARGEST, LARGEST)
    return np.concatenate((outer[:1], middle, outer[1:]))


def centres_between(
    cuts: NDArray[np.float64], lowest: NDArray[np.float64], highest: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The middle of the least and the greatest value of each bin; of its cuts, if it has no values (inf, -inf)."""
    is_filled = lowest <= highest
    if is_filled.all():
        return midpoints(lowest, highest)
    middles = middles_of_bins(cuts)
    return midpoints(np.where(is_filled, lowest, middles), np.where(is_filled, highest, middles))


class BinnedColumn(NamedTuple):
    """How one column is coded: thresholds of a number, codes as they are of a category.

    Parameters
    ----------
    column : Column
    thresholds : array
        Ascending cuts between the bins of a number or the categories of an ordered column.
    n_bins : int
    has_missing, is_empty : bool
        Whether any value is missing, or all are.
    centres : array (n_bins,) or empty
        The position of each bin of a number: half way between its least and its greatest training value. Empty for
        other columns, and for numbers whose values are not known (see `positions`).
    """

    column: Column
    thresholds: NDArray[np.float64]
    n_bins: int
    has_missing: bool
    is_empty: bool
    centres: NDArray[np.float64] = NO_CUTS

    @property
    def is_wide(self) -> bool:
        return self.n_bins > NARROW_BINS

    @property
    def positions(self) -> NDArray[np.float64]:
        """The position of each code on the axis that thresholds cut: its centre, or the middle between its cuts."""
        return self.centres if len(self.centres) == self.n_bins else middles_of_bins(self.thresholds)[: self.n_bins]

    def kind(self, tests: str) -> int:
        if self.column.kind != NOMINAL:
            return THRESHOLD
        if tests == "sets" and not self.is_wide:
            return IN
        return MULTIWAY if tests == "multiway" else EQUALS

    def n_tests(self, tests: str, n_classes: int = 2) -> int:
        """Tests that the column offers; the number of classes matters for sets alone."""
        if self.is_empty:
            return 0
        n_cuts = max(self.n_bins - 1, 0)
        if self.column.kind != NOMINAL:
            return n_cuts + self.has_missing
        kind = self.kind(tests)
        n_tests = n_sets(self.n_bins, n_classes) if kind == IN else 1 if kind == MULTIWAY else self.n_bins
        return n_tests + self.has_missing

    def n_prior_tests(self, tests: str) -> int:
        """The same where the cut of a number is paid for by itself, so that all its cuts are one test."""
        is_number = self.kind(tests) == THRESHOLD and self.n_bins > 1
        return 1 + self.has_missing if is_number else self.n_tests(tests)


@dataclass(frozen=True)
class CodedTable:
    """All columns as codes, row after row: narrow columns first, then wide ones, each group in the user's order.

    `column_order` says which of the user's columns stands at each place, `places` at which place each of them stands.
    """

    narrow: NDArray[np.uint8]
    wide: NDArray[np.uint32]
    column_order: NDArray[np.int32]
    places: NDArray[np.intp]
    columns: tuple[BinnedColumn, ...]

    @classmethod
    def of(
        cls,
        columns: Sequence[Column],
        arrays: Sequence[NDArray[Any]],
        classes: NDArray[np.intp],
        sample_weight: NDArray[np.float64] | None,
        n_classes: int,
        binning: Binning,
        threads: Threads,
    ) -> CodedTable:
        """Choose cuts and write codes, a column at a time."""
        matrix = np.empty((len(classes), len(columns)), np.uint8)
        writer = _Writer(binning, classes, sample_weight, n_classes, matrix)

        def bin_some(first: int, last: int) -> list[tuple[BinnedColumn, NDArray[np.uint32] | None]]:
            return [writer.bin(columns[j], arrays[j], j) for j in range(first, last)]

        step = 1 if matrix.size >= LEAST_CELLS else len(columns)
        pieces = [(first, min(first + step, len(columns))) for first in range(0, len(columns), step)]
        results = [result for piece in threads.run(bin_some, pieces) for result in piece]
        is_wide = np.array([codes is not None for _, codes in results], bool)
        order = np.argsort(is_wide, kind="stable").astype(np.int32)
        wide = [codes for _, codes in results if codes is not None]
        return cls(
            np.ascontiguousarray(matrix[:, ~is_wide]) if wide else matrix,
            np.hstack(wide) if wide else np.empty((len(classes), 0), np.uint32),
            order,
            np.argsort(order),
            tuple(binned for binned, _ in results),
        )

    def with_cut(self, column: int, values: NDArray[Any], threshold: float) -> CodedTable:
        """The same, but that a column of numbers may be cut at a certain place; its codes are written anew.

        A cut that divides the values as this one does gives way to it, and so does the nearest one where a narrow
        column has no room for more.
        """
        binned = self.columns[column]
        cuts = _with_cut(binned.thresholds, np.asarray(values, np.float64), threshold, binned.is_wide)
        place = int(self.places[column])
        numbers = np.ascontiguousarray(values, np.float64)
        if binned.is_wide:
            centres = _encode_wide(numbers, cuts, self.wide, place - self.narrow.shape[1])
        else:
            centres = _encode_narrow(numbers, cuts, self.narrow, place)
        columns = list(self.columns)
        columns[column] = binned._replace(thresholds=cuts, n_bins=len(cuts) + 1, centres=centres)
        return replace(self, columns=tuple(columns))

    def take(self, rows: NDArray[np.intp]) -> CodedTable:
        """Some of the rows, by the same cuts."""
        taken = replace(self, narrow=self.narrow[rows], wide=self.wide[rows])
        return replace(taken, columns=tuple(map(_among, self.columns, taken.by_column)))

    @property
    def by_column(self) -> list[NDArray[Any]]:
        """The codes of each of the user's columns."""
        by_place = [*self.narrow.T, *self.wide.T]
        return [by_place[place] for place in self.places]

    def copy(self) -> CodedTable:
        """The same in memory of its own."""
        return replace(self, narrow=self.narrow.copy(), wide=self.wide.copy())


def _encode_narrow(
    values: NDArray[np.float64], cuts: NDArray[np.float64], codes: NDArray[np.uint8], place: int
) -> NDArray[np.float64]:
    """Write the codes of a narrow column of numbers; the centres of its bins."""
    core.tables.encode_numbers(values, cuts, codes, place)
    lowest, highest = _no_ends(len(cuts) + 1)
    core.tables.find_bin_ends(values, codes, place, lowest, highest)
    return centres_between(cuts, lowest, highest)


def _encode_wide(
    values: NDArray[np.float64], cuts: NDArray[np.float64], codes: NDArray[np.uint32], place: int
) -> NDArray[np.float64]:
    """Write the codes of a wide column of numbers; the centres of its bins."""
    core.tables.encode_numbers_wide(values, cuts, codes, place)
    lowest, highest = _no_ends(len(cuts) + 1)
    core.tables.find_bin_ends_wide(values, codes, place, lowest, highest)
    return centres_between(cuts, lowest, highest)


def _no_ends(n_bins: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The least and the greatest value of bins that contain no value yet."""
    return np.full(n_bins, np.inf), np.full(n_bins, -np.inf)


def _with_cut(
    cuts: NDArray[np.float64], values: NDArray[np.float64], threshold: float, is_wide: bool
) -> NDArray[np.float64]:
    """Ascending cuts of some values among which a threshold is."""
    if threshold in cuts:
        return cuts
    nearest = _around(cuts, threshold)
    n_below = np.count_nonzero(values < threshold)
    is_same = np.array([np.count_nonzero(values < cut) == n_below for cut in nearest], bool)
    is_full = not is_wide and len(cuts) + 1 >= NARROW_BINS
    given_way = nearest[is_same] if is_same.any() else nearest[: int(is_full)]
    return np.union1d(np.setdiff1d(cuts, given_way), [threshold])


def _around(cuts: NDArray[np.float64], threshold: float) -> NDArray[np.float64]:
    """The cuts on either side of a threshold, the nearer one first."""
    place = int(np.searchsorted(cuts, threshold))
    neighbours = cuts[max(place - 1, 0) : place + 1]
    return neighbours[np.argsort(np.abs(neighbours - threshold), kind="stable")]


def _among(binned: BinnedColumn, codes: NDArray[Any]) -> BinnedColumn:
    """The column where only these codes of it are left."""
    if not binned.has_missing:
        return binned
    n_missing = int(np.count_nonzero(codes == binned.n_bins))
    return binned._replace(has_missing=n_missing > 0, is_empty=n_missing == len(codes))


@dataclass(frozen=True)
class Vocabulary:
    """What the tests of binned columns are called, and how many there are."""

    columns: tuple[BinnedColumn, ...]
    tests: str

    def n_tests(self, n_classes: int) -> int:
        """Number of tests of all columns."""
        return sum(self.n_tests_by_column(n_classes))

    def n_tests_by_column(self, n_classes: int) -> list[int]:
        """Number of tests of each column."""
        return [one.n_tests(self.tests, n_classes) for one in self.columns]

    def of_known(self) -> Vocabulary:
        """The same where no test asks whether a value is missing."""
        return replace(self, columns=tuple(one._replace(has_missing=False) for one in self.columns))

    def conditions(
        self,
        column: NDArray[np.int64],
        kind: NDArray[np.int64],
        cut: NDArray[np.int64],
        missing: NDArray[np.int64],
        sets: Sequence[tuple[int, ...]] = (),
    ) -> Conditions:
        """Tests as conditions; `sets` are the codes of those that ask for a set, in their order."""
        value = cut.astype(np.float64)
        is_cut = kind == THRESHOLD
        if is_cut.any():
            value[is_cut] = self._thresholds[self._starts[column[is_cut]] + cut[is_cut]]
        if len(sets):
            value[kind == IN] = np.arange(len(sets))
        return Conditions.from_arrays([one.column for one in self.columns], kind, column, value, missing, sets)

    @cached_property
    def _thresholds(self) -> NDArray[np.float64]:
        """Those of all columns."""
        return np.concatenate([one.thresholds for one in self.columns])

    @cached_property
    def _starts(self) -> NDArray[np.intp]:
        """Where the thresholds of each column begin among them."""
        return np.cumsum([0, *(len(one.thresholds) for one in self.columns[:-1])])


class Binning(Protocol):
    """A member of the binning family, or a user's own."""

    def thresholds(
        self,
        values: NDArray[np.float64],
        classes: NDArray[np.intp],
        weights: NDArray[np.float64] | None,
        n_classes: int,
    ) -> NDArray[np.float64]:
        """Ascending cuts of a column whose values are all there."""


class _Writer(NamedTuple):
    """Bins columns, and writes the codes of narrow ones to their places in a matrix."""

    binning: Binning
    classes: NDArray[np.intp]
    weights: NDArray[np.float64] | None
    n_classes: int
    narrow: NDArray[np.uint8]

    def bin(self, column: Column, array: NDArray[Any], place: int) -> tuple[BinnedColumn, NDArray[np.uint32] | None]:
        """How a column is coded, and its codes where it is wide, as a matrix; missing ones have the last code."""
        if column.kind == NUMBER:
            return self._bin_numbers(column, np.ascontiguousarray(array, np.float64), place)
        return self._bin_categories(column, np.ascontiguousarray(array, np.int32), place)

    def _bin_numbers(
        self, column: Column, values: NDArray[np.float64], place: int
    ) -> tuple[BinnedColumn, NDArray[np.uint32] | None]:
        is_missing = np.isnan(values)
        has_missing = bool(is_missing.any())
        present, classes, weights = values, self.classes, self.weights
        if has_missing:
            rows = np.flatnonzero(~is_missing)
            present, classes = values[rows], classes[rows]
            weights = None if weights is None else weights[rows]
        cuts = np.ascontiguousarray(self.binning.thresholds(present, classes, weights, self.n_classes), np.float64)
        if column.quantity:  # several cuts between the same two moments become one
            cuts = np.unique(round_between(cuts, present))
        binned = BinnedColumn(column, cuts, len(cuts) + 1, has_missing, len(present) == 0)
        if not binned.is_wide:
            return binned._replace(centres=_encode_narrow(values, cuts, self.narrow, place)), None
        codes = np.empty((len(values), 1), np.uint32)
        return binned._replace(centres=_encode_wide(values, cuts, codes, 0)), codes

    def _bin_categories(
        self, column: Column, categories: NDArray[np.int32], place: int
    ) -> tuple[BinnedColumn, NDArray[np.uint32] | None]:
        n_bins = len(column.categories)
        # The cut before category k of an ordered column is k itself.
        cuts = np.arange(1, n_bins, dtype=np.float64) if column.kind == ORDERED else NO_CUTS
        codes = np.empty((len(categories), 1), np.uint32) if n_bins > NARROW_BINS else None
        if codes is None:
            n_missing = core.tables.encode_categories(categories, n_bins, self.narrow, place)
        else:
            n_missing = core.tables.encode_categories_wide(categories, n_bins, codes, 0)
        return BinnedColumn(column, cuts, n_bins, n_missing > 0, n_missing == len(categories)), codes
