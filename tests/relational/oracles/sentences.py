"""The sentences of a tree read back and looked up in plain rows: a parser that knows the schema, and nothing of petree.

A sentence becomes clauses. A clause gets what is known so far, the example's own row and what the letters in brackets
stand for, and gives all ways in which it holds; a sentence holds where its clauses do so together. That an example
sees no later rows must stand in the sentence: here nobody knows of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from tests.relational.oracles.plain_rows import DAY, Link, Row, compare, computed, same
from tests.relational.oracles.sentence_rows import NUMBER, OPERATORS, OWN, Clause, Known, RowReader

__all__ = ["OWN", "Clause", "Reader", "hold"]

FUNCTIONS = {
    "the number of ": "count",
    "the least ": "min",
    "the greatest ": "max",
    "the sum of ": "sum",
    "the mean ": "mean",
    "the most frequent ": "mode",
    "the share of ": "share",
}
NO = {"there is no ": "there is some ", "no such ": "that ", "no ": "some "}


class Reader(RowReader):
    """Reads one sentence, from left to right."""

    # -- sentences ------------------------------------------------------------------------------------------

    def sentence(self) -> tuple[bool, list[Clause]]:
        """Whether it says that something is so, and what."""
        is_so = not self.takes("not: ")
        if no := self.takes(*NO):
            self.text = NO[no] + self.text[self.at :]
            self.at = 0
            is_so = False
        clauses = [self.clause()]
        if self.takes(", where "):
            clauses += self.listed(self.clause)
        if self.at < len(self.text):
            raise ValueError(f"{self.text!r}: {self.text[self.at :]!r} is left over")
        return is_so, clauses

    def clause(self) -> Clause:
        return self.tries(self.function) or self.row_clause()

    # -- functions ------------------------------------------------------------------------------------------

    def function(self) -> Clause:
        """A function over rows, and what it is compared with."""
        function = FUNCTIONS[self.needs(*FUNCTIONS)]
        start = self.at
        self.matches({"share": ".*? among ", "sum": ".*? over ", "count": ""}.get(function, ".*? of "))
        plurals = {plural(one): one for one in self.world.rows}
        table = plurals[self.name(plurals)]
        rows = self.rows_of_function(table)
        self.takes(" is")
        end, self.at = self.at, start
        share = self.property(table) if function == "share" else None
        column = "" if function == "count" else share.column if share else self.name(self.world.columns(table))
        self.at = end
        operator = self.needs(*OPERATORS).strip()
        kind = self.world.kinds.get((table, column), "number")
        constant = self.constant(kind if function in ("min", "max", "mean", "mode") else "number")
        or_none = bool(self.takes(" or there is none"))
        unit = DAY if function == "sum" and kind == "date" else 1

        def holds(known: Known) -> Iterator[Known]:
            values = [
                share.holds(known, row) if share else row.get(column)
                for row in rows(known)
                if not column or row[column] is not None
            ]
            value = computed(function, values)
            if (or_none and value is None) or compare(value, operator, constant * unit):
                yield known

        return holds

    def rows_of_function(self, table: str) -> Callable[[Known], Iterator[Row]]:
        return self.tries(lambda: self.rows_at_the_end(table)) or self.plain_rows(table)

    def rows_at_the_end(self, table: str) -> Callable[[Known], Iterator[Row]]:
        """Rows that those of another table point to, or that point to these, each as often as one does."""
        has = self.listed(lambda: self.property(table)) if self.takes(" with ") else []
        is_pointed_at = self.needs(" that ", " whose ") == " that "
        every = {one for name in self.world.rows for one in self.world.columns(name)}
        columns = self.listed(lambda: self.name(every))
        self.needs(" of ") if is_pointed_at else self.needs(" points to ", " point to ")
        there, before = self.rows_of_a_table()
        if is_pointed_at:
            self.needs(" points to", " point to")
        link = self.link_of(there, columns, table) if is_pointed_at else self.link_of(table, columns, there)
        ends = (link.columns, link.to_columns)
        here, own = ends if is_pointed_at else ends[::-1]

        def found(known: Known) -> Iterator[Row]:
            for row, other in product(before(known), self.world.rows[table]):
                is_led_to = all(same(row[one], other[column]) for one, column in zip(here, own, strict=True))
                if is_led_to and all(one.holds(known, other) for one in has):
                    yield other

        return found

    def rows_of_a_table(self) -> tuple[str, Callable[[Known], Iterator[Row]]]:
        plurals = {plural(one): one for one in self.world.rows}
        table = plurals[self.name(plurals)]
        return table, self.plain_rows(table)

    def link_of(self, table: str, columns: list[str], to_table: str) -> Link:
        """The link of some columns, in whichever order they are told."""
        links = (one for one in self.world.links if (one.table, one.to_table) == (table, to_table))
        return next(one for one in links if sorted(one.columns) == sorted(columns))

    def plain_rows(self, table: str) -> Callable[[Known], Iterator[Row]]:
        fits = self.linked(table)
        window = self.window(table) if self.takes(" in the last ") else None
        names = self.names(table)
        others = self.listed(self.clause) if self.takes(", for which ") else []
        self.takes(",")

        def found(known: Known) -> Iterator[Row]:
            for row in self.world.rows[table]:
                inside = {**known, **{letter: row[column] for column, letter in names}}
                if fits(known, row) and (window is None or window(known, row)) and hold(others, inside):
                    yield row

        return found

    def window(self, table: str) -> Callable[[Known, Row], bool]:
        """That a row is of the last so much time before that of the example."""
        length = float(self.matches(NUMBER)) * (DAY if self.takes(" days") else 1)
        since = self.world.time[table]
        until = self.world.time[self.world.target]
        self.needs(f" up to {until} of the {self.world.target}")
        return lambda known, row: (
            None not in (row[since], known[OWN][until]) and known[OWN][until] - length < row[since] <= known[OWN][until]
        )


def hold(clauses: list[Clause], known: Known) -> bool:
    """Whether there is a way in which all clauses hold."""
    return not clauses or any(hold(clauses[1:], found) for found in clauses[0](known))


def plural(name: str) -> str:
    if name.endswith("s"):
        return name
    return name[:-1] + "ies" if name[-1] == "y" and name[-2] not in "aeiou" else name + "s"
