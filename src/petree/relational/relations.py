"""Relations in memory: columns of codes, and the values that the codes stand for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree.caching import cached_property
from petree.relational.dates import dates_of
from petree.relational.queries.terms import quoted
from petree.words import counted

# The code of a missing value; it fits nothing, not even another one.
MISSING = -1
# What a column is: a key tells rows apart or points to those of another relation; the others describe.
KEY = "key"
NOMINAL = "nominal"
NUMBER = "number"
# The name of the column that numbers the rows of a table without a key.
ROW = "#row"


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
    is_ordered : bool
        Whether they are names that can be compared, by their places.
    """

    name: str
    values: Sequence[Any]
    is_number: bool = False
    is_ordered: bool = False
    _codes: dict[Any, int] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The values as numbers, or their places; and NaN behind the last, for the code of a missing value."""
        if self.is_ordered:
            return np.append(np.arange(len(self), dtype=np.float64), np.nan)
        if not self.is_number:
            raise ValueError(f"Values of type {self.name!r} are no numbers; test them for equality instead.")
        return np.append(np.asarray(self.values, np.float64), np.nan)

    def number_of(self, value: Any) -> float:
        """A value that `numbers` are compared with: itself, or its place; NaN where it is none of those in order."""
        if not self.is_ordered:
            return value
        code = self.code(value)
        return float(code) if code != MISSING else np.nan

    @cached_property
    def dates(self) -> list[Any]:
        """The values as dates, where they are days."""
        return dates_of(self.numbers[:-1])

    def code(self, value: Any) -> int:
        """Code of a value, or `MISSING` where it is none of these."""
        if not self._codes:
            self._codes.update({_lookup_key(one): code for code, one in enumerate(self.values)})
        return self._codes.get(_lookup_key(value), MISSING)


def _lookup_key(value: Any) -> Any:
    """A value as a key of a dict: booleans as queries write them, since ``True == 1`` in Python."""
    return quoted(value) if isinstance(value, bool) else value


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
        return None if code == MISSING else self.values[code]

    @property
    def values(self) -> Sequence[Any]:
        """The values that the codes stand for, dates as such."""
        return self.domain.dates if self.is_date else self.domain.values


class BothWays(NamedTuple):
    """A table whose rows are read both ways: two of its columns point to rows of one table, and may change places."""

    table: str
    one: str
    other: str


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
    both_ways : BothWays or None
        The table whose rows these are, each twice, where they are those of a table that is read both ways.
    """

    name: str
    columns: tuple[RelationColumn, ...]
    n_rows: int
    keys: tuple[tuple[int, ...], ...] = ()
    of_examples: bool = False
    time: int | None = None
    of_others: tuple[int, ...] = ()
    both_ways: BothWays | None = None

    @property
    def called(self) -> str:
        """What people call it."""
        return self.name if self.both_ways is None else self.both_ways.table

    def place(self, name: str) -> int:
        """Place of a column."""
        for place, column in enumerate(self.columns):
            if column.name == name:
                return place
        raise ValueError(f"Table {self.name!r} has no column {name!r}; its columns are {', '.join(self.names)}.")

    def places(self, names: Iterable[str]) -> tuple[int, ...]:
        """Places of some columns."""
        return tuple(map(self.place, names))

    def described(self) -> str:
        """Its name, its columns, and the number of its rows."""
        names = ", ".join(name for name in self.names if name != ROW)
        return f"{self.name}({names}): {counted(self.n_rows, 'row')}"

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

    @cached_property
    def types(self) -> tuple[str, ...]:
        """The names of the domains of all columns that queries write."""
        return tuple(column.domain.name for column in self.written)

    @property
    def written(self) -> tuple[RelationColumn, ...]:
        """The columns that are arguments in queries."""
        return self.columns[1:] if self.of_examples else self.columns


def row_column(table: str, n_rows: int, is_read: bool = True) -> RelationColumn:
    """The column that numbers the rows of a table without a key; it has no codes where no rows are read."""
    codes = np.arange(n_rows if is_read else 0, dtype=np.int32)
    return RelationColumn(ROW, Domain(f"{table} row", range(n_rows)), codes, KEY)


def kind_of(domain: Domain) -> str:
    """What columns of a domain hold in a database: "number", "boolean" or "text"."""
    if domain.is_number:
        return "number"
    kinds = set(map(type, domain.values))
    if kinds == {bool}:
        return "boolean"
    return "number" if kinds and kinds <= {int, float} else "text"


def is_sorted(domain: Domain) -> bool:
    """Whether texts stand in the order of their letters."""
    return all(str(one) <= str(other) for one, other in pairwise(domain.values))
