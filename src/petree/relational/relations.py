"""Relations in memory: columns of codes, the values that the codes stand for, and which rows fit together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.relational.dates import dates_of
from petree.relational.queries.terms import quoted

# The code of a missing value; it fits nothing, not even another one.
MISSING = -1
# What a column is: a key tells rows apart or points to those of another relation; the others describe.
KEY = "key"
NOMINAL = "nominal"
NUMBER = "number"


@dataclass(frozen=True, eq=False)
class Domain:
    """The values that columns of one type may hold; a value's code is its place.

    Numbers stand in increasing order, so that their codes compare as they do. Columns of one domain can be joined.

    Parameters
    ----------
    name : str
        Its type, in the user's words.
    values : sequence
        Distinct values: numbers, text, booleans.
    is_number : bool
        Whether they are numbers that can be compared.
    """

    name: str
    values: Sequence[Any]
    is_number: bool = False
    _codes: dict[Any, int] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The values as numbers, and NaN behind the last, where the code of a missing value finds it."""
        if not self.is_number:
            raise ValueError(f"Values of type {self.name!r} are no numbers; test them for equality instead.")
        return np.append(np.asarray(self.values, np.float64), np.nan)

    @cached_property
    def dates(self) -> list[Any]:
        """The values as dates, where they are days."""
        return dates_of(self.numbers[:-1])

    def code(self, value: Any) -> int:
        """Code of a value, or `MISSING` where it is none of these."""
        if not self._codes:
            self._codes.update({one: code for code, one in enumerate(self.values)})
            if {True, False}.issuperset(self.values):  # as queries write them
                self._codes.update({quoted(one): code for code, one in enumerate(self.values)})
        return self._codes.get(value, MISSING)


@dataclass(frozen=True, eq=False)
class RelationColumn:
    """A column of a relation.

    Parameters
    ----------
    name : str
    domain : Domain
    codes : array
        A code a row.
    kind : `KEY`, `NOMINAL` or `NUMBER`
    is_date : bool or None
        Whether its numbers are dates, as days since 1970; None where nothing tells, as of a column without values.
    """

    name: str
    domain: Domain
    codes: NDArray[np.int32]
    kind: str = NOMINAL
    is_date: bool | None = False

    def value(self, row: int) -> Any:
        """The value in a row, a date as such; None where it is missing."""
        code = int(self.codes[row])
        if code == MISSING:
            return None
        return self.domain.dates[code] if self.is_date else self.domain.values[code]


@dataclass(frozen=True, eq=False)
class Relation:
    """A table, or the facts of one predicate.

    Parameters
    ----------
    name : str
    columns : tuple of RelationColumn
    n_rows : int
    keys : tuple of tuples of int
        Places of columns that together tell all rows apart, one tuple for each way to do so.
    of_examples : bool
        Whether the first column says to which example a row belongs without being written in queries: facts that stand
        inside of models.
    time : int or None
        Place of the column that says since when a row is known.
    of_others : tuple of int
        Places of the columns that name an example; the row that names the example itself answers no query about it.
    """

    name: str
    columns: tuple[RelationColumn, ...]
    n_rows: int
    keys: tuple[tuple[int, ...], ...] = ()
    of_examples: bool = False
    time: int | None = None
    of_others: tuple[int, ...] = ()

    def place(self, name: str) -> int:
        """Place of a column."""
        for place, column in enumerate(self.columns):
            if column.name == name:
                return place
        raise ValueError(f"Table {self.name!r} has no column {name!r}; its columns are {', '.join(self.names)}.")

    def places(self, names: Iterable[str]) -> tuple[int, ...]:
        """Places of some columns."""
        return tuple(map(self.place, names))

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return [column.name for column in self.columns]

    @property
    def key_columns(self) -> list[RelationColumn]:
        """Columns of the first key."""
        return [self.columns[place] for place in self.keys[0]] if self.keys else []

    def without(self, name: str) -> Relation:
        """The same without a column, which must be part of no key, and not the time."""
        gone = self.place(name)
        if any(gone in key for key in self.keys):
            raise ValueError(f"Column {name!r} tells the rows of {self.name!r} apart; it cannot be left out.")
        if gone == self.time:
            raise ValueError(f"Column {name!r} says since when rows of {self.name!r} are known; it cannot be left out.")

        def moved(places: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(place - (place > gone) for place in places)

        columns = tuple(column for place, column in enumerate(self.columns) if place != gone)
        time = None if self.time is None else moved((self.time,))[0]
        keys = tuple(map(moved, self.keys))
        return replace(self, columns=columns, keys=keys, time=time, of_others=moved(self.of_others))

    @cached_property
    def times(self) -> NDArray[np.float64] | None:
        """Since when each row is known, where the table says so."""
        if self.time is None:
            return None
        column = self.columns[self.time]
        return column.domain.numbers[column.codes]

    @property
    def written(self) -> tuple[RelationColumn, ...]:
        """The columns that are arguments in queries."""
        return self.columns[1:] if self.of_examples else self.columns


@dataclass(frozen=True, eq=False)
class Link:
    """For every row of one relation the rows of another that fit: ``rows[starts[i]:starts[i + 1]]``."""

    starts: NDArray[np.int64]
    rows: NDArray[np.int32]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many rows fit each row."""
        return np.diff(self.starts)

    def follow(self, rows: NDArray[np.int32], most: float = math.inf) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """All that fits some rows: pairs of a place among them and a row of the other relation, up to so many."""
        n_pairs = core.relations.count_matches(rows, self.starts, self.rows)
        _check_rows(n_pairs, most)
        came_from = np.empty(n_pairs, np.int32)
        matched = np.empty_like(came_from)
        core.relations.match(rows, self.starts, self.rows, came_from, matched, core.NO_STOP)
        return came_from, matched


class TooManyRowsError(ValueError):
    """A join would have more rows than allowed."""

    def __init__(self, n_rows: int):
        super().__init__(f"A join of {n_rows} rows is more than allowed.")
        self.n_rows = n_rows


def make_link(
    left: Sequence[RelationColumn],
    right: Sequence[RelationColumn],
    n_left: int,
    n_right: int,
    most: float = math.inf,
) -> Link:
    """Rows of the right that agree with each row of the left in all of the columns; without columns all of them.

    Columns of a pair have one domain. Rows keep their order; missing values fit nothing. A link of more rows than
    `most` is refused (`TooManyRowsError`) before it is made.
    """
    if not left:
        _check_rows(n_left * n_right, most)
        return Link(
            np.arange(n_left + 1, dtype=np.int64) * n_right, np.tile(np.arange(n_right, dtype=np.int32), n_left)
        )
    left_keys, right_keys = joint_keys([one.codes for one in left], [one.codes for one in right])
    order = np.argsort(right_keys, kind="stable").astype(np.int32)
    order = order[right_keys[order] != MISSING]
    ranked = right_keys[order]
    first = np.searchsorted(ranked, left_keys, "left")
    last = np.searchsorted(ranked, left_keys, "right")
    last[left_keys == MISSING] = first[left_keys == MISSING]
    sizes = last - first
    _check_rows(int(sizes.sum()), most)
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    places = np.arange(starts[-1]) + np.repeat(first - starts[:-1], sizes)
    return Link(starts, order[places])


def _check_rows(n_rows: int, most: float) -> None:
    if n_rows > most:
        raise TooManyRowsError(n_rows)


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """Each value once, in order; by sorting, which is faster than np.unique where most of them differ."""
    values = np.sort(values)
    return values[np.append(True, values[1:] != values[:-1])[: len(values)]]


def joint_keys(
    left: Sequence[NDArray[np.int32]], right: Sequence[NDArray[np.int32]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One number for the codes of each row, equal where all codes are; `MISSING` where any is missing."""
    n_left = len(left[0])
    keys = np.zeros(n_left + len(right[0]), np.int64)
    is_missing = np.zeros(len(keys), bool)
    for one, other in zip(left, right, strict=True):
        codes = np.concatenate((one, other)).astype(np.int64)
        is_missing |= codes == MISSING
        size = int(codes.max(initial=0)) + 1
        if size * (int(keys.max(initial=0)) + 1) > 2**62:
            keys = np.unique(keys, return_inverse=True)[1].astype(np.int64)
        keys = keys * size + codes
    keys[is_missing] = MISSING
    return keys[:n_left], keys[n_left:]
