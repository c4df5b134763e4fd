"""The tests of one node as a table of codes, one row an example: from here on it is a table like any other.

A column of two codes is one test, 0 where it holds. A column of more codes has all thresholds of a family: the code is
the lowest bin among the example's answers, so that `code <= k` says whether any of them lies below threshold k; or the
highest, so that `code > k` says whether any lies at threshold k or above it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.caching import cached_property
from petree.relational.links import TooManyRowsError
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Aggregation, Constant, Literal
from petree.relational.refinement.families import AT_LEAST, BELOW, EQUALS, EXISTS, Family
from petree.relational.refinement.packs import Pack, Walked
from petree.relational.relations import Domain

# Thresholds that one family may have, so that codes fit one byte.
MOST_THRESHOLDS = 254


@dataclass(frozen=True, eq=False)
class Layout:
    """What the columns of a table of tests are: the codes, the family and the first test of each."""

    n_bins: NDArray[np.int64]
    families: tuple[Family, ...]
    family_of: NDArray[np.intp]
    first_of: NDArray[np.intp]
    left_out: tuple[Family, ...] = ()

    @classmethod
    def of(cls, families: Sequence[Family]) -> Layout:
        """The columns of some families, one after the other."""
        widths = np.array([1 if family.is_of_thresholds else len(family) for family in families], np.intp)
        bins = np.array([len(family.values) + 1 if family.is_of_thresholds else 2 for family in families], np.int64)
        starts = np.cumsum(widths) - widths
        n_bins = np.repeat(bins, widths)
        family_of = np.repeat(np.arange(len(families)), widths)
        return cls(n_bins, tuple(families), family_of, np.arange(len(n_bins)) - np.repeat(starts, widths))

    def columns_of(self, places: Sequence[int]) -> NDArray[np.intp]:
        """The columns of some families."""
        is_one = np.zeros(len(self.families), bool)
        is_one[list(places)] = True
        return np.flatnonzero(is_one[self.family_of])

    @cached_property
    def is_upward(self) -> NDArray[np.bool_]:
        """Which columns have the highest code of an example's answers."""
        return np.array([family.kind == AT_LEAST for family in self.families], bool)[self.family_of]

    @cached_property
    def _no_answer(self) -> NDArray[np.uint8]:
        """The code of each column where no answer has a value."""
        return np.where(self.is_upward, 0, self.n_bins - 1).astype(np.uint8)

    def empty_codes(self, n_examples: int) -> NDArray[np.uint8]:
        """The codes of examples without answers."""
        return np.tile(self._no_answer, (n_examples, 1))

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        """The first column of each family."""
        return np.searchsorted(self.family_of, np.arange(len(self.families)))

    def pack(self, scope: Scope, places: Iterable[int]) -> Pack:
        """Some families behind a scope, those together that begin alike."""
        return Pack.of(scope, [(place, asked_of(self.families[place])) for place in places])

    def fill(self, walk: Iterable[Walked], codes: NDArray[np.uint8]) -> list[int]:
        """Write the columns of the families of a pack; those whose answers would be too many are left, and told."""
        left_out = []
        for pack, _, found in walk:
            if found is None:  # their columns stay as they are and divide nothing
                left_out += [place for one in pack.every for place, _ in one.ends]
                continue
            for place, scope in pack.ends:
                try:
                    _fill(self.families[place], found.renamed(scope, found), int(self.starts[place]), codes)
                except TooManyRowsError:  # of a function whose rows are looked at for each answer
                    left_out.append(place)
        return sorted(left_out)

    def test(self, column: int, cut: int) -> tuple[Family, tuple[Literal, ...]]:
        """Family and literals of the test that is a cut of a column."""
        family = self.families[self.family_of[column]]
        return family, family.test(cut if family.is_of_thresholds else int(self.first_of[column]))


@dataclass(frozen=True, eq=False)
class LocalTable:
    """The tests of a node, one row an example, one column a test or all thresholds of a family."""

    codes: NDArray[np.uint8]
    layout: Layout

    def holds(self, column: int, cut: int) -> NDArray[np.bool_]:
        """For which examples a test holds."""
        is_below = self.codes[:, column] <= cut
        return ~is_below if self.layout.families[self.layout.family_of[column]].kind == AT_LEAST else is_below


def tabulate(answers: Answers, families: Sequence[Family]) -> LocalTable:
    """Answer all tests of a node; families whose answers would be too many are left out."""
    layout = Layout.of(families)
    codes = layout.empty_codes(len(answers.examples))
    left_out = layout.fill(layout.pack(answers.scope, range(len(families))).walk(answers), codes)
    return LocalTable(codes, replace(layout, left_out=tuple(families[place] for place in left_out)))


def asked_of(family: Family) -> tuple[Literal, ...]:
    """The literals that are joined before the values are tried."""
    return family.literals[:-1] if isinstance(family.last, Aggregation) else family.literals


def _fill(family: Family, answers: Answers, first: int, codes: NDArray[np.uint8]) -> None:
    """Write the columns of a family."""
    if family.kind == EXISTS:
        codes[answers.owners, first] = 0
        return
    rows, values, lookup = _values(family, answers)
    room = core.relations
    mark = {EQUALS: room.mark_values, BELOW: room.mark_lowest, AT_LEAST: room.mark_highest}[family.kind]
    mark(answers.owners, rows, values, lookup, first, codes, core.NO_STOP)


def _values(family: Family, answers: Answers) -> tuple[NDArray[np.int32], NDArray[Any], NDArray[Any]]:
    """What is tried: for each answer a row, for each row a code, and for each code its place or bin."""
    if isinstance(family.last, Aggregation):
        values, domain = answers.aggregate(family.last)
        each = np.arange(len(answers), dtype=np.int32)
        if domain is None:  # every answer has a number of its own
            return each, each, _bins(values, family, None)
        return each, values, _places(domain, family.values)
    assert family.slot is not None
    column = answers.scope.column_of(family.slot)
    rows = answers.rows[answers.scope.place_of(family.slot)[0]]
    key = (column.domain, family.kind == EQUALS, id(family.values))
    n_bytes = len(column.domain) * np.dtype(np.int32).itemsize + sys.getsizeof(family.values)
    # With the values, so that no others have their id.
    kept = answers.scope.lookups.find(key, lambda: (family.values, _lookup(family, column.domain)), n_bytes)
    return rows, column.codes, kept[1]


def _lookup(family: Family, domain: Domain) -> NDArray[np.int32]:
    """For each code of a domain its place among the values of a family, or its bin."""
    if family.kind == EQUALS:
        return _places(domain, family.values)
    return _bins(domain.numbers[:-1], family, domain)


def _places(domain: Domain, constants: Sequence[Constant]) -> NDArray[np.int32]:
    """For each code of a domain its place among constants, or -1."""
    places = np.full(len(domain), -1, np.int32)
    for place, constant in enumerate(constants):
        code = domain.code(constant.value)
        if code >= 0:
            places[code] = place
    return places


def _bins(values: NDArray[np.float64], family: Family, domain: Domain | None) -> NDArray[np.int32]:
    """Bins of numbers, -1 where missing; thresholds are values of a domain, or numbers."""
    thresholds = (constant.value for constant in family.values)
    cuts = np.array([one if domain is None else domain.number_of(one) for one in thresholds], np.float64)
    bins = np.searchsorted(cuts, values, side="right").astype(np.int32)
    bins[np.isnan(values)] = -1
    return bins
