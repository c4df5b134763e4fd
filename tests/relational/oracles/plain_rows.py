"""Tables as plain Python rows, and the functions over them, written from their definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from operator import eq, ge, gt, le, lt, ne
from typing import Any, NamedTuple

Row = dict[str, Any]

KEY = "#key"
DAY = 86_400_000_000
COMPARE: dict[str, Callable[[Any, Any], bool]] = {"<=": le, ">=": ge, "!=": ne, "<": lt, ">": gt, "=": eq}


class Link(NamedTuple):
    """Columns of a table, and those of another that they point to."""

    table: str
    columns: tuple[str, ...]
    to_table: str
    to_columns: tuple[str, ...]


@dataclass(frozen=True)
class World:
    """Tables of rows, and what one must know to read of them.

    A row has its key in `KEY`; of a table with two columns that may change places (`pairs`) each row stands there
    twice. `kinds` has what columns hold: "number", "date" (in microseconds), "boolean", or the values of a category.
    """

    rows: dict[str, list[Row]]
    links: list[Link]
    target: str
    time: dict[str, str] = field(default_factory=dict)
    pairs: dict[str, tuple[str, str]] = field(default_factory=dict)
    kinds: dict[tuple[str, str], Any] = field(default_factory=dict)

    def columns(self, table: str) -> list[str]:
        return [one for one in self.rows[table][0] if one != KEY]

    def only_link(self, table: str, to_table: str) -> str:
        """The column of the only link between two tables."""
        ((column,),) = {one.columns for one in self.links if (one.table, one.to_table) == (table, to_table)}
        return column

    @property
    def pointers(self) -> dict[str, str]:
        """The columns of the example that point to a row by themselves, and the tables of these rows."""
        own = (one for one in self.links if one.table == self.target and len(one.columns) == 1)
        return {one.columns[0]: one.to_table for one in own}


# -- values ----------------------------------------------------------------------------------------------------


class Ranked(str):
    """A category among others in an order, which compares by its place."""

    order: tuple[str, ...]

    def __new__(cls, value: str, order: tuple[str, ...]) -> Ranked:
        made = super().__new__(cls, value)
        made.order = order
        return made

    __hash__ = str.__hash__

    def __lt__(self, other: str) -> bool:
        return self.order.index(self) < self.order.index(other)

    def __gt__(self, other: str) -> bool:
        return self.order.index(self) > self.order.index(other)

    def __le__(self, other: str) -> bool:
        return not self > other

    def __ge__(self, other: str) -> bool:
        return not self < other


def moment_of(value: date) -> int:
    """A date or moment in microseconds since 1970."""
    moment = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
    passed = moment - datetime(1970, 1, 1)
    return (passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds


def same(one: Any, other: Any) -> bool:
    return one is not None and one == other


def compare(left: Any, operator: str, right: Any) -> bool:
    return left is not None and right is not None and COMPARE[operator](left, right)


def computed(function: str, values: list[Any]) -> Any:
    """A function over values of which none is missing; None where it has none."""
    if function in ("count", "sum"):
        return len(values) if function == "count" else sum(values)
    if not values:
        return None
    if function == "mode":
        times = Counter(values)
        return min(value for value in times if times[value] == max(times.values()))
    return sum(values) / len(values) if function in ("mean", "share") else {"min": min, "max": max}[function](values)
