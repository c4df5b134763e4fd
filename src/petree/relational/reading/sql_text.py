"""Queries as SQL text that finds the same examples in a database server.

A query about the example's own row is a condition; one that speaks of other rows is ``EXISTS (SELECT 1 FROM ...)``, and
a function over rows a subquery. A comparison with NULL holds of nothing, as one with a missing value does here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from petree.relational.queries.scope import Place, Scope, Step
from petree.relational.queries.terms import Aggregation, Atom, Comparison, Constant, Literal, Variable
from petree.relational.reading.sql_values import (
    OPERATORS,
    Dialect,
    constant_sql,
    number_sql,
    rank_sql,
    resolve_dialect,
)
from petree.relational.relations import KEY, MISSING, ROW, Relation, RelationColumn, is_sorted, kind_of

# What always holds.
ALWAYS = "1 = 1"


def identifier(name: str) -> str:
    """A name of a table or a column."""
    return '"' + name.replace('"', '""') + '"'


def condition_sql(scope: Scope, literals: Iterable[Literal], dialect: str = "sqlite") -> str:
    """A query about the example, whose alias is ``t0`` behind the scope's `own_prefix`, as a condition.

    Parameters
    ----------
    scope : Scope
        Of the empty query.
    literals : sequence of literals
        All that is asked, from the root of the tree on.
    dialect : {"sqlite", "postgresql", "duckdb"}
    """
    writer = QueryWriter(scope, resolve_dialect(dialect), prefix=own_prefix(scope))
    for literal in literals:
        writer.add(literal)
    return writer.text()


def own_prefix(scope: Scope) -> str:
    """What aliases begin with so that none is the name of a table or a column."""
    relations = scope.database.relations.values()
    taken = [name.lower() for relation in relations for name in (relation.name, *relation.names)]
    prefix = ""
    while any(re.fullmatch(rf"{prefix}[at]\d+", name) for name in taken):
        prefix += "_"
    return prefix


@dataclass
class QueryWriter:
    """Collects the tables and the conditions of a query, literal by literal.

    `tables` is the text behind FROM, `aliases` has the name of each of the scope's rows. All names but those of tables
    and columns begin with `prefix`.
    """

    scope: Scope
    dialect: Dialect
    aliases: list[str] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    n_functions: int = 0
    prefix: str = ""

    def __post_init__(self) -> None:
        self.aliases = self.aliases or [f"{self.prefix}t0"]

    def text(self) -> str:
        """All that was added as one condition."""
        conditions = " AND ".join(self.conditions) or ALWAYS
        if not self.tables:
            return conditions
        return f"EXISTS (SELECT 1 FROM {' '.join(self.tables)} WHERE {conditions})"

    def add(self, literal: Literal) -> None:
        """One literal more."""
        match literal:
            case Atom():
                self._join(literal)
            case Comparison():
                self.conditions.append(self._comparison(literal))
            case Aggregation():
                self.conditions.append(self._aggregation(literal))

    # -- atoms ----------------------------------------------------------------------------------------------

    def _join(self, atom: Atom, name: str | None = None) -> None:
        """A row more, which gets a name unless it is one of the query's own."""
        step, after = self.scope.join(atom)
        alias = self._known_alias(step)
        is_new = alias is None
        alias = alias or name or f"{self.prefix}t{len(self.aliases)}"
        fitting = self._fitting(step, alias, is_new)
        having = self._having(step, alias)
        if is_new and self.tables:  # as part of the join, since DuckDB makes a product of all rows out of a list
            self.tables.append(f"JOIN {self._source(step.relation)} AS {alias} ON {' AND '.join(fitting) or ALWAYS}")
            self.conditions += having
        else:
            self.tables += [f"{self._source(step.relation)} AS {alias}"] if is_new else []
            self.conditions += [*fitting, *having]
        if not step.is_same:
            self.aliases.append(alias)
        self.scope = after

    def _source(self, name: str) -> str:
        """A table by its name, or the rows of one both ways."""
        relation = self.scope.database.relation(name)
        if relation.both_ways is None:
            return identifier(name)
        table, one, other = relation.both_ways
        names = [column for column in relation.names if column != ROW]
        swapped = {one: other, other: one}
        first = ", ".join(map(identifier, names))
        second = ", ".join(identifier(swapped.get(column, column)) for column in names)
        return f"(SELECT {first} FROM {identifier(table)} UNION ALL SELECT {second} FROM {identifier(table)})"

    def _known_alias(self, step: Step) -> str | None:
        """The alias of the row that an atom speaks of, where it is one of the query's own."""
        if step.is_same:
            return self.aliases[step.row]
        columns = self.scope.database.relation(step.relation).columns
        # The number of a row stands in no table; who knows it knows the row.
        return next((self.aliases[row] for (row, _), at in step.equalities if columns[at].name == ROW), None)

    def _fitting(self, step: Step, alias: str, is_new: bool) -> list[str]:
        """What a row must be to fit an atom."""
        relation = self.scope.database.relation(step.relation)
        if relation.of_others:
            raise ValueError("The classes of training examples stand in no table; fit without known_labels to get SQL.")
        found = []
        for (row, left), right in step.equalities:
            if step.is_same and (row, left) == (step.row, right):
                found += [f"{self.at((row, left))} IS NOT NULL"] if may_be_missing(relation, right) else []
            elif relation.columns[right].name != ROW:
                found += self._joined(self._column(relation, right, alias), (row, left))
        found += [
            f"{self._column(relation, one, alias)} = {self._column(relation, other, alias)}"
            for one, other in step.repeated
        ]
        return found + (self._in_time(relation, alias) if is_new else [])

    def _joined(self, column: str, place: Place) -> list[str]:
        """That a column of a row equals the value at a place."""
        return [f"{column} = {self.at(place)}"]

    def _having(self, step: Step, alias: str) -> list[str]:
        """The constants that a row must have to fit an atom."""
        relation = self.scope.database.relation(step.relation)
        return [self._equals(relation, column, alias, value) for column, value in step.constants]

    def _in_time(self, relation: Relation, alias: str) -> list[str]:
        """That a row was known at the time of the example."""
        target = self.scope.relation(0)
        if relation.time is None or target.time is None:
            return []
        since = self._ordered(self._column(relation, relation.time, alias), relation.columns[relation.time])
        until = self._ordered(self.at((0, target.time)), target.columns[target.time])
        return [f"{since} <= {until}"]

    def _equals(self, relation: Relation, column: int, alias: str, constant: Constant) -> str:
        left = self._column(relation, column, alias)
        return constant_sql(left, "=", constant, relation.columns[column], self.dialect)

    # -- comparisons ----------------------------------------------------------------------------------------

    def _comparison(self, literal: Comparison) -> str:
        left = self.value(literal.left)
        column = self.scope.column_of(literal.left)
        if isinstance(literal.right, Constant):
            return constant_sql(left, literal.operator, literal.right, column, self.dialect)
        right = self.value(literal.right)
        if literal.less:
            days = self.dialect.days if column.is_date else "{}"
            less = number_sql(float(literal.less), self.dialect)
            operator = OPERATORS.get(literal.operator, literal.operator)
            return f"{days.format(left)} {operator} {days.format(right)} - {less}"
        if literal.operator not in ("=", "\\=") or column.is_date:
            left = self._ordered(left, column)
            right = self._ordered(right, column)
        return f"{left} {OPERATORS.get(literal.operator, literal.operator)} {right}"

    def _ordered(self, expression: str, column: RelationColumn) -> str:
        """A value of a column in the order of its domain."""
        domain = column.domain
        if column.is_date:
            return self.dialect.date_order.format(expression)
        if kind_of(domain) != "text":
            return expression
        if is_sorted(domain) and not domain.is_ordered:
            return self.dialect.text_order.format(expression)
        return rank_sql(expression, domain)

    # -- functions over rows --------------------------------------------------------------------------------

    def _aggregation(self, literal: Aggregation) -> str:
        text, column = self.function(literal)
        of_column = column if literal.function in ("mode", "min", "max") else None
        return constant_sql(text, literal.operator, literal.value, of_column, self.dialect)

    def function(self, literal: Aggregation) -> tuple[str, RelationColumn | None]:
        """The value of a function over rows, and the column that it is taken of."""
        inside = replace(self, aliases=list(self.aliases), tables=[], conditions=[])
        for atom in literal.chain:
            self.n_functions += 1
            inside._join(atom, f"{self.prefix}a{self.n_functions}")
        conditions = " AND ".join([*inside.conditions, *inside._fulfilled(literal.conditions)]) or ALWAYS
        value, column = inside._value_of(literal)
        row = None if literal.variable is None else inside.scope.place_of(literal.variable)[0]
        is_outer = row is not None and inside.aliases[row] in self.aliases
        if not inside.tables:
            return self._of_one(literal, value, conditions, column), column
        source = f"FROM {' '.join(inside.tables)} WHERE {conditions}"
        if is_outer:  # a function of an outer row would belong to its query
            rows = f"{self.prefix}a{self.n_functions}"
            source = f"FROM (SELECT {value} AS v {source}) AS {rows} WHERE {ALWAYS}"
            value = f"{rows}.v"
        return self._of_rows(literal, value, source, column), column

    def _value_of(self, literal: Aggregation) -> tuple[str, RelationColumn | None]:
        """What a function is taken of, in the writer of its rows."""
        if literal.variable is None:
            return "", None
        value, column = self.value(literal.variable), self.scope.column_of(literal.variable)
        is_number = column.is_date and literal.function in ("sum", "mean")
        return (self.dialect.days.format(value) if is_number else value), column

    def _fulfilled(self, conditions: Iterable[Literal]) -> list[str]:
        """What is asked beside of one of the rows of a function."""
        writer = replace(self, aliases=list(self.aliases), tables=[], conditions=[], n_functions=0)
        for one in conditions:
            writer.add(one)
        return [writer.text()] if conditions else []

    def _of_rows(self, literal: Aggregation, value: str, source: str, column: RelationColumn | None) -> str:
        """A function over the rows of a table."""
        if literal.function == "mode":
            assert column is not None
            order = f"COUNT(*) DESC, {self._ordered(value, column)}"
            return f"(SELECT {value} {source} AND {value} IS NOT NULL GROUP BY {value} ORDER BY {order} LIMIT 1)"
        return f"(SELECT {self._summary(literal, value, column)} {source})"

    def _summary(self, literal: Aggregation, value: str, column: RelationColumn | None) -> str:
        """A function as an aggregate of SQL."""
        if literal.function == "proportion":
            has_share = self._has_share(literal, value, column)
            count = f"CAST(COUNT(CASE WHEN {has_share} THEN 1 END) AS DOUBLE PRECISION)"
            return f"{count} / NULLIF(COUNT({value}), 0)"
        functions = {
            "count": "COUNT(*)",
            "sum": f"COALESCE(SUM({value}), 0)",
            "mean": self.dialect.mean.format(value),
            "min": f"MIN({value})",
            "max": f"MAX({value})",
        }
        return functions[literal.function]

    def _of_one(self, literal: Aggregation, value: str, conditions: str, column: RelationColumn | None) -> str:
        """The same over one row of the query, which fits or does not."""
        if literal.function == "count":
            return f"(CASE WHEN {conditions} THEN 1 ELSE 0 END)"
        if literal.function == "sum":
            return f"(CASE WHEN {conditions} THEN COALESCE({value}, 0) ELSE 0 END)"
        if literal.function == "proportion":
            has_share = self._has_share(literal, value, column)
            return (
                f"(CASE WHEN {conditions} AND {has_share} THEN 1 WHEN {conditions} AND {value} IS NOT NULL THEN 0 END)"
            )
        return f"(CASE WHEN {conditions} THEN {value} END)"

    def _has_share(self, literal: Aggregation, value: str, column: RelationColumn | None) -> str:
        assert literal.share is not None
        return constant_sql(value, "=", literal.share, column, self.dialect)

    # -- places ---------------------------------------------------------------------------------------------

    def value(self, variable: Variable) -> str:
        """A variable as an expression."""
        return self.at(self.scope.place_of(variable))

    def at(self, place: Place) -> str:
        """The value at a place as an expression."""
        return self._column(self.scope.relation(place[0]), place[1], self.aliases[place[0]])

    def _column(self, relation: Relation, column: int, alias: str) -> str:
        name = relation.columns[column].name
        if name == ROW:
            raise ValueError(f"Rows of table {relation.name!r} are compared, which have no key; SQL needs one.")
        text = self._named(name, alias)
        one = relation.columns[column]
        is_number = one.domain.is_number and not one.domain.is_ordered and not one.is_date
        return self._known(text) if is_number and one.kind != KEY else text

    def _known(self, number: str) -> str:
        """A column of numbers, NULL where it is NaN, which databases take for the greatest number."""
        return self.dialect.known.format(number)

    def _named(self, name: str, alias: str) -> str:
        """A column of the row of an alias, by its name."""
        return f"{alias}.{identifier(name)}"


def may_be_missing(relation: Relation, column: int) -> bool:
    """Whether a column can lack a value: one that is no key can, and a key does if it has a gap."""
    is_key = any(column in key for key in relation.keys)
    return not is_key or bool((relation.columns[column].codes == MISSING).any())
