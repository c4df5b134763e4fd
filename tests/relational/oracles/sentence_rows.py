"""Rows of plain tables as sentences tell them: how they are found, what their columns are called, what they have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from tests.relational.oracles.plain_rows import COMPARE, KEY, Row, World, compare, moment_of, same
from tests.relational.oracles.text import Text

Known = dict[str, Any]  # what letters stand for; OWN is the example's row
Clause = Callable[[Known], Iterator[Known]]
Value = Callable[[Known], Any]
Rows = Callable[[Known], Iterator[tuple[Known, Row]]]

OWN = ""
OPERATORS = [f" {one} " for one in COMPARE]
NUMBER = r"[+-]?[\d.]+(?:e[+-]?\d+)?"
MOMENT = r"\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?)?"


class Property(NamedTuple):
    """A column of a row, and whether it is as it should be."""

    column: str
    holds: Callable[[Known, Row], bool]


class RowReader(Text):
    """Reads what a sentence says of a row."""

    def __init__(self, world: World, text: str) -> None:
        super().__init__(text)
        self.world = world

    # -- rows -----------------------------------------------------------------------------------------------

    def row_clause(self) -> Clause:
        """A row, what its columns are called, and what it has."""
        self.takes("there is ")
        table, rows = self.row()
        names = self.names(table)
        lacks = self.name(self.world.columns(table)) if self.takes(" has no ") else ""
        has = self.listed(lambda: self.property(table)) if self.takes(" has ", ", has ") else []
        if lacks:
            has = [Property(lacks, lambda known, row: row[lacks] is None)]
        or_none = bool(self.takes(" or none"))

        def holds(known: Known) -> Iterator[Known]:
            found = list(rows(known))
            if or_none and not any(row[has[0].column] is not None for _, row in found):
                yield known
            for inside, row in found:
                if all(same(row[column], inside[letter]) for column, letter in names if letter in inside):
                    inside = {**inside, **{letter: row[column] for column, letter in names}}
                    if all(one.holds(inside, row) for one in has):
                        yield inside

        return holds

    def names(self, table: str) -> list[tuple[str, str]]:
        """Columns of a row, and the letters that stand for them."""
        return self.listed(lambda: self.naming(table)) if self.takes(", with ") else []

    def naming(self, table: str) -> tuple[str, str]:
        return self.name(self.world.columns(table)), self.matches(r" [A-Z]\d*")[1:]

    def row(self) -> tuple[str, Rows]:
        """A row, or all rows of a kind."""
        if self.takes("the "):
            return self.tries(self.pointed_to) or self.own()
        is_new = bool(self.takes("some "))
        self.takes("that ")
        table = self.name(self.world.rows)
        letters = self.letters()
        fits = self.linked(table)

        def found(known: Known) -> Iterator[tuple[Known, Row]]:
            for row in self.world.rows[table]:
                is_it = is_new or row[KEY] == tuple(known[one] for one in letters)
                if is_it and fits(known, row):
                    yield {**known, **dict(zip(letters, row[KEY], strict=False))}, row

        return table, found

    def own(self) -> tuple[str, Rows]:
        self.needs(self.world.target)
        return self.world.target, lambda known: iter([(known, known[OWN])])

    def pointed_to(self) -> tuple[str, Rows]:
        """The row that a column of the example points to."""
        column, table = self.pointer()
        letters = self.letters()
        self.needs(f" of the {self.world.target}")
        fits = self.linked(table)

        def found(known: Known) -> Iterator[tuple[Known, Row]]:
            for row in self.world.rows[table]:
                if same(known[OWN][column], row[KEY][0]) and fits(known, row):
                    yield {**known, **dict(zip(letters, row[KEY], strict=False))}, row

        return table, found

    def pointer(self) -> tuple[str, str]:
        """The column of the example that points to a row, which is called by its table or by the column."""
        pointers = self.world.pointers
        tables = list(pointers.values())
        by_table = {there: one for one, there in pointers.items() if tables.count(there) == 1}
        by_table.pop(self.world.target, None)
        name = self.name([*by_table, *pointers])
        column = by_table.get(name, name)
        return column, pointers[column]

    def letters(self) -> list[str]:
        """The letters of a row's key, in brackets."""
        found = self.tries(lambda: self.matches(r" \([A-Z]\d*(, [A-Z]\d*)*\)"))
        return found[2:-1].split(", ") if found else []

    def linked(self, table: str) -> Callable[[Known, Row], bool]:
        """To which rows those of a table belong, and what they have."""
        of = self.tries(lambda: (self.needs(" of "), self.row_value()))
        whose: list[tuple[str, Value]] = []
        while self.takes(" whose ", " and whose "):
            whose.append((self.name(self.world.columns(table)), (self.needs(" is "), self.described())[1]))
        has = self.listed(lambda: self.property(table)) if self.takes(" with ") else []
        if of is not None:
            whose.append((self.of_column(table, of[1][0], [column for column, _ in whose]), of[1][1]))
        has += [Property(column, equals(column, value)) for column, value in whose]
        return lambda known, row: all(one.holds(known, row) for one in has)

    def of_column(self, table: str, to_table: str, told: list[str]) -> str:
        """The column by which rows belong to one of another table; of two that may change places, the one not told."""
        if table not in self.world.pairs:
            return self.world.only_link(table, to_table)
        one, other = self.world.pairs[table]
        names = self.text[self.at :].partition(", with ")[2]
        return other if one in told or re.match(rf"([^,]* and )?{one} [A-Z]", names) else one

    # -- values ---------------------------------------------------------------------------------------------

    def row_value(self) -> tuple[str, Value]:
        """A row that is told by its key: its table, and the key."""
        if self.takes("the "):
            return self.tries(self.pointer_value) or (self.own()[0], lambda known: known[OWN][KEY][0])
        self.takes("that ")
        table = self.name(self.world.rows)
        (letter,) = self.letters() or [self.needs("(")]
        return table, lambda known: known[letter]

    def pointer_value(self) -> tuple[str, Value]:
        column, table = self.pointer()
        self.needs(f" of the {self.world.target}")
        return table, lambda known: known[OWN][column]

    def described(self) -> Value:
        """The key of a row, or a column of one."""
        read = self.tries(self.row_value)
        return read[1] if read else self.column_of_row()

    def column_of_row(self) -> Value:
        """A column of the example, or of a row that is known by its letters."""
        column = self.name({one for table in self.world.rows for one in self.world.columns(table)})
        if self.takes(f" of the {self.world.target}"):
            return lambda known: known[OWN][column]
        self.needs(" of that ", " of ")
        table = self.name(self.world.rows)
        letters = self.letters()
        rows = self.world.rows[table]
        return lambda known: next((row[column] for row in rows if row[KEY] == tuple(map(known.get, letters))), None)

    def constant(self, kind: Any) -> Any:
        if kind == "date":
            return moment_of(datetime.fromisoformat(self.matches(MOMENT)))
        if kind == "number":
            return float(self.matches(NUMBER))
        return self.needs("true", "false") == "true" if kind == "boolean" else self.name(kind)

    def property(self, table: str) -> Property:
        """A column that has a value, or that compares with one."""
        column = self.name(self.world.columns(table))
        if not (operator := self.takes(*OPERATORS).strip()):
            self.matches(r"(?= and |,|$)")
            return Property(column, lambda known, row: row[column] is not None)
        kind = self.world.kinds.get((table, column))
        constant = None if kind is None else self.tries(lambda: [self.constant(kind)])
        value = self.described() if constant is None else lambda known: constant[0]
        return Property(column, lambda known, row: compare(row[column], operator, value(known)))


def equals(column: str, value: Value) -> Callable[[Known, Row], bool]:
    return lambda known, row: same(row[column], value(known))
