"""Constants and thresholds of a bias, as a database tells them of the training examples."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from petree.caching import cached_property
from petree.relational.bias.grounding import Grounding
from petree.relational.bias.modes import AggregateMode
from petree.relational.bias.rounding import COMPUTED
from petree.relational.in_database.questions import ServedWriter, function_value, joins_of
from petree.relational.in_database.reaching import EXAMPLE_TIME, NUMBER, Reaching, chosen_ones
from petree.relational.in_database.server import Server
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Aggregation, Constant, Variable
from petree.relational.reading.sql_text import identifier
from petree.relational.relations import Relation, RelationColumn, kind_of


@dataclass
class ReachedWriter(ServedWriter):
    """Queries about rows that examples lead to, where the time of these counts; `until` is the column that has it."""

    until: RelationColumn | None = field(kw_only=True)

    def _in_time(self, relation: Relation, alias: str) -> list[str]:
        if relation.time is None or self.until is None:
            return []
        since = self._ordered(self._column(relation, relation.time, alias), relation.columns[relation.time])
        return [
            f"{since} <= {self._ordered(self._named(self.server.own(EXAMPLE_TIME), self.server.own('t0')), self.until)}"
        ]


@dataclass(frozen=True, eq=False)
class InDatabaseGrounding(Grounding):
    """Finds the values that tests may use, each with the number of rows or examples that have it.

    `training` is the table that has the numbers of the training examples.
    """

    server: Server | None = None
    training: str = ""

    @property
    def _server(self) -> Server:
        assert self.server is not None
        return self.server

    def _own(self, name: str) -> str:
        return self._server.own(name)

    @property
    def _row(self) -> str:
        """The alias of a row that examples lead to."""
        return self._own("t0")

    @cached_property
    def queries(self) -> dict[str, str]:
        """For each relation a query for the rows that examples lead to."""
        reaching = Reaching(self._server, self.database, self.target, self.training, self.most_answers)
        return reaching.queries(self.left_out)

    def _rows(self, relation: str) -> str:
        """The rows of a relation that training examples lead to, as the end of a query."""
        return f"FROM ({self.queries[relation]}) AS {self._row} WHERE {chosen_ones(self._server, 't0', self.training)}"

    @property
    def reached_relations(self) -> list[str]:
        return list(self.queries)

    def _constants(self, relation: str, place: int) -> tuple[Constant, ...]:
        if relation not in self.queries:
            return ()
        column = self._column(relation, place)
        value = f"{self._row}.{identifier(column.name)}"
        query = f"SELECT {value} {self._rows(relation)} AND {value} IS NOT NULL GROUP BY {value}{self._enough()}"
        return _constants_of([value for (value,) in self._server.session.rows(query)], column)

    def _has_gaps(self, relation: str, place: int) -> bool:
        if relation not in self.queries:
            return False
        value = f"{self._row}.{identifier(self._column(relation, place).name)}"
        n_rows, n_known = self._server.session.one(f"SELECT COUNT(*), COUNT({value}) {self._rows(relation)}")
        return bool(0 < n_known < n_rows)

    def _enough(self) -> str:
        """That enough examples lead to a value; two are the least and the greatest, and need not be counted."""
        number = f"{self._row}.{self._own(NUMBER)}"
        if self.min_examples <= 1:
            return ""
        if self.min_examples == 2:
            return f" HAVING MIN({number}) < MAX({number})"
        return f" HAVING COUNT(DISTINCT {number}) >= {self.min_examples}"

    def _thresholds(self, relation: str, place: int) -> tuple[Constant, ...]:
        if relation not in self.queries:
            return ()
        column = self._column(relation, place)
        value = f"{self._row}.{identifier(column.name)}"
        value = self._server.dialect.days.format(value) if column.is_date else value
        return self._cuts_of(
            f"SELECT {value} AS {self._own('v')}, 1 AS {self._own('n')} {self._rows(relation)}", bool(column.is_date)
        )

    def _cuts_of(self, query: str, is_date: bool, errors: bool = False) -> tuple[Constant, ...]:
        """Thresholds of the distinct values that a query finds, each as heavy as it is frequent: n times a row."""
        v, n, found = map(self._own, ("v", "n", "found"))
        listed = f"CAST({v} AS DOUBLE PRECISION), SUM({n})"
        distinct = f"SELECT {listed} FROM ({query}) AS {found} WHERE {v} IS NOT NULL GROUP BY {v}"
        values, counts = self._server.session.numbers(distinct)
        classes = np.zeros(len(values), np.intp)
        return self._chosen_cuts(values, classes, counts, is_date, np.zeros(len(values)) if errors else None)

    def _thresholds_of(self, aggregate: AggregateMode) -> tuple[Constant, ...]:
        left = self._entry_of(aggregate.entered)
        if left is None:
            return ()
        table, scope = left
        *through, atom = self._chain_of(aggregate)
        variable = None if aggregate.place is None else Variable("X")
        literal = Aggregation(aggregate.function, variable, atom, "<", Constant(0), through=tuple(through))
        if aggregate.function == "mode":
            column = self._column(aggregate.mode.relation, aggregate.place or 0)
            v, values = self._own("v"), f"({self._values(table, scope, literal)}) AS {self._own('found')}"
            rows = self._server.session.rows(f"SELECT DISTINCT {v} FROM {values} WHERE {v} IS NOT NULL")
            return _constants_of([value for (value,) in rows], column)
        shares = [self._values(table, scope, replace(literal, share=share)) for share in aggregate.shares]
        if not shares:
            return ()
        return self._cuts_of(" UNION ALL ".join(shares), self._is_date(aggregate), aggregate.function in COMPUTED)

    def _values(self, table: str, scope: Scope, literal: Aggregation) -> str:
        """A query for the values of a function, and for how many rows that examples lead to have each.

        Where no time counts it is the same for rows that are alike in what it goes by, and is computed once for these.
        """
        target = self.database.relation(self.target)
        until = None if target.time is None else target.columns[target.time]
        row, counted = self._row, self._own("n")
        rows, n = f"SELECT * {self._rows(table)}", "1"
        if until is None:
            entered = sorted({place for places in scope.places.values() for _, place in places})
            columns = ", ".join(f"{row}.{identifier(self._column(table, place).name)}" for place in entered)
            rows, n = (
                f"SELECT {columns}, COUNT(*) AS {counted} {self._rows(table)} GROUP BY {columns}",
                f"{row}.{counted}",
            )
        tables = [f"({rows}) AS {row}"]
        prefix = self._server.tables.prefix
        writer = ReachedWriter(
            scope, self._server.dialect, tables=tables, prefix=prefix, server=self._server, until=until
        )
        value = function_value(writer, literal)[0]
        listed = f"{value} AS {self._own('v')}, {n} AS {counted}"
        return f"SELECT {listed} FROM {' '.join([*tables, *joins_of(writer.functions)])}"


def _constants_of(values: list[Any], column: RelationColumn) -> tuple[Constant, ...]:
    """Values in the order of their domain."""
    if kind_of(column.domain) == "boolean":
        values = [bool(value) for value in values]
    elif kind_of(column.domain) == "text":
        values = [str(value) for value in values]
    return tuple(map(Constant, sorted(values)))
