"""A bias made from the schema: follow the links, and ask for the values of what is found there.

A table is entered by its key, where one of its rows is known already, or by a foreign key, which finds new rows. Behind
either door every describing column offers its values or thresholds. A link that finds something for every row says
nothing by itself, so the tables behind it are looked at in the same step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from petree.relational.bias.modes import (
    CONSTANT,
    EITHER,
    IGNORED,
    INPUT,
    NAMED,
    OUTPUT,
    AggregateMode,
    Argument,
    Bias,
    Lookahead,
    Mode,
)
from petree.relational.database import ROW, Database, ForeignKey
from petree.relational.queries.terms import FUNCTIONS, Atom, Variable
from petree.relational.relations import KEY, NOMINAL, NUMBER, Relation

# What functions may be taken of numbers, and of other values.
OF_NUMBERS, OF_VALUES = ("min", "max", "sum", "mean"), ("mode", "proportion")


def automatic_bias(
    database: Database,
    target: str,
    max_links: int | None = 3,
    aggregates: Sequence[str] = ("count",),
) -> Bias:
    """All that the schema lets one ask about rows of a table.

    Parameters
    ----------
    database : Database
    target : str
        Table of the examples, without the class.
    max_links : int or None
        Most rows beside the example's own that a query may speak of.
    aggregates : sequence of str
        Functions over the rows behind a link: "count", "min", "max", "sum", "mean", "mode", "proportion".
    """
    if isinstance(aggregates, str):
        raise TypeError(f"aggregates must be a sequence of names, got the text {aggregates!r}; put it into a list.")
    if not isinstance(aggregates, Sequence) or not all(isinstance(name, str) for name in aggregates):
        raise TypeError(f"aggregates must be a sequence of names such as ['count']. Got {aggregates!r} instead.")
    for function in aggregates:
        if function not in FUNCTIONS:
            raise ValueError(f"There is no aggregate {function!r}; there are {', '.join(FUNCTIONS)}.")
    tables = {name: _Table(database, relation) for name, relation in database.relations.items()}
    order = [target, *(name for name in tables if name != target)]
    modes = [mode for name in order for mode in tables[name].modes()]
    lookaheads = [one for name in order for one in _lookaheads(database, tables, tables[name])]
    functions = [one for name in order for one in tables[name].aggregates(aggregates)]
    return Bias(tuple(modes), tuple(lookaheads), 1, tuple(functions), max_links)


@dataclass(frozen=True, eq=False)
class _Table:
    """A table among others."""

    database: Database
    relation: Relation

    @property
    def describing(self) -> list[int]:
        """Places of the columns that describe rows."""
        columns = enumerate(self.relation.columns)
        return [j for j, one in columns if one.kind != KEY and len(one.domain)]

    @property
    def doors(self) -> list[ForeignKey]:
        """The foreign keys of this table."""
        return [link for link in self.database.foreign_keys if link.table == self.relation.name]

    def places(self, names: Sequence[str]) -> tuple[int, ...]:
        return tuple(map(self.relation.place, names))

    def modes(self) -> Iterator[Mode]:
        for key in self.relation.keys:
            yield from self.tests(self.arguments(dict.fromkeys(key, INPUT), IGNORED))
        for door in self.doors:
            known = dict.fromkeys(self.places(door.columns), INPUT)
            yield Mode(self.relation.name, self.arguments(known, EITHER, door))
            yield from self.tests(self.arguments(known, OUTPUT, door))

    def tests(self, arguments: tuple[Argument, ...]) -> Iterator[Mode]:
        """One mode for each column that describes."""
        for place in self.describing:
            is_number = self.relation.columns[place].kind == NUMBER
            tried = Argument(OUTPUT if is_number else CONSTANT, arguments[place].name)
            changed = (*arguments[:place], tried, *arguments[place + 1 :])
            yield Mode(self.relation.name, changed, compared=place if is_number else None)

    def arguments(self, known: dict[int, str], others: str, door: ForeignKey | None = None) -> tuple[Argument, ...]:
        """Arguments of a mode: some known, the other keys as told, nothing else named."""
        implied = set() if door is None else set(_implied(self.database, self.relation, door))
        found = []
        for place, column in enumerate(self.relation.columns):
            kind = others if column.kind == KEY and place not in implied else IGNORED
            kind = OUTPUT if kind == EITHER and column.name == ROW else kind
            found.append(Argument(known.get(place, kind), _variable_name(column.name)))
        return tuple(found)

    def aggregates(self, functions: Sequence[str]) -> Iterator[AggregateMode]:
        for door in self.doors:
            mode = Mode(self.relation.name, self.arguments(dict.fromkeys(self.places(door.columns), INPUT), IGNORED))
            for function in functions:
                if function == "count":
                    yield AggregateMode(function, mode)
                    continue
                kind = NUMBER if function in OF_NUMBERS else NOMINAL
                for place in self.describing:
                    if self.relation.columns[place].kind == kind:
                        yield AggregateMode(function, _opened(mode, place, function), place)


def _opened(mode: Mode, place: int, function: str) -> Mode:
    """The mode with one argument that a function is taken of."""
    argument = Argument(CONSTANT if function == "proportion" else OUTPUT, mode.arguments[place].name)
    return Mode(mode.relation, (*mode.arguments[:place], argument, *mode.arguments[place + 1 :]))


def _variable_name(column: str) -> str:
    """A column's name as a variable: a capital letter first, nothing but letters and digits."""
    text = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in column).strip("_")
    return (text[:1].upper() + text[1:]) if text[:1].isalpha() else f"X{text}"


def _implied(database: Database, relation: Relation, door: ForeignKey) -> Iterator[int]:
    """Foreign keys of a table that only repeat what the row behind another one says already."""
    forward = database.link(
        relation.name, tuple(map(relation.place, door.columns)), door.to_table, _places(database, door)
    )
    there = database.relation(door.to_table)
    has_one = np.diff(forward.starts) == 1
    rows = forward.rows[forward.starts[:-1][has_one]]
    for other in database.foreign_keys:
        if other.table != relation.name or other.columns == door.columns:
            continue
        for further in database.foreign_keys:
            if (further.table, further.to_table, further.to_columns) != (there.name, other.to_table, other.to_columns):
                continue
            pairs = list(zip(other.columns, further.columns, strict=True))
            if all(
                (
                    relation.columns[relation.place(one)].codes[has_one] == there.columns[there.place(two)].codes[rows]
                ).all()
                for one, two in pairs
            ):
                yield from (relation.place(one) for one, _ in pairs)


def _places(database: Database, door: ForeignKey) -> tuple[int, ...]:
    return tuple(map(database.relation(door.to_table).place, door.to_columns))


# -- lookahead -------------------------------------------------------------------------------------------------


def _lookaheads(database: Database, tables: dict[str, _Table], table: _Table) -> Iterator[Lookahead]:
    """Behind a link that finds something for every row: the rows that the new one points to."""
    relation, doors = table.relation, table.doors
    names = tuple(Variable(f"{_variable_name(column.name)}{place}") for place, column in enumerate(relation.columns))
    first = Atom(relation.name, names)
    reached = {
        further
        for door in doors
        if _finds_always(database, door)
        for further in doors
        if further.columns != door.columns and not set(table.places(further.columns)) & set(_implied_by(table, door))
    }
    for further in (door for door in doors if door in reached):
        there = tables[further.to_table]
        named = dict(zip(there.places(further.to_columns), table.places(further.columns), strict=True))
        arguments = tuple(
            Argument(NAMED, names[named[place]].name) if place in named else argument
            for place, argument in enumerate(there.arguments({}, IGNORED))
        )
        yield from (Lookahead(first, mode, alone=True) for mode in there.tests(arguments))


def _implied_by(table: _Table, door: ForeignKey) -> tuple[int, ...]:
    return tuple(_implied(table.database, table.relation, door))


def _finds_always(database: Database, door: ForeignKey) -> bool:
    """Whether every row that the foreign key may point to has a row that does."""
    relation = database.relation(door.table)
    back = database.link(door.to_table, _places(database, door), door.table, tuple(map(relation.place, door.columns)))
    return bool((np.diff(back.starts) > 0).all())
