"""Families of tests as questions to a database, each answered with one number an example.

All that a family needs to know of an example's rows is the least or the greatest of their values, or whether one has a
value. So all families that join the same rows are one question, whatever their thresholds and constants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from petree.relational.in_database.server import Server
from petree.relational.queries.scope import Place, Scope
from petree.relational.queries.terms import Aggregation, Constant, Literal, Variable
from petree.relational.reading.sql_text import ALWAYS, QueryWriter
from petree.relational.reading.sql_values import constant_sql
from petree.relational.refinement.families import BELOW, EQUALS, EXISTS, Family
from petree.relational.refinement.forms import variables_of
from petree.relational.refinement.tabulation import asked_of
from petree.relational.relations import RelationColumn


class Function(NamedTuple):
    """A function over rows as a column of a grouped subquery, which is joined to a query by its keys.

    A correlated subquery would take quadratic time in the rows of a key in SQLite, and its value would depend on how
    the optimizer of the database rewrites it; that of DuckDB 2.0.0 has failed where several stand inside CASE.
    """

    alias: str
    keys: tuple[str, ...]
    value: str
    source: str
    end: str
    on: str


def joins_of(functions: Iterable[Function]) -> list[str]:
    """Subqueries of functions as joins, one for all functions of the same rows and keys."""
    values: dict[tuple[Any, ...], dict[str, None]] = {}
    for one in functions:
        values.setdefault((one.alias, one.keys, one.source, one.end, one.on), {})[one.value] = None
    return [
        f"LEFT JOIN (SELECT {', '.join([*keys, *some])} {source}{end}) AS {alias} ON {on}"
        for (alias, keys, source, end, on), some in values.items()
    ]


@dataclass
class Outside:
    """The columns outside of a function's rows that these are compared with.

    Parameters
    ----------
    aliases : frozenset of str
        The rows outside.
    alias : str
        The rows of the distinct values of these columns, where they are needed.
    equal : list of (str, str)
        Columns of the function's own rows, and those outside that they equal.
    names : dict
        The names of all other columns that are looked at.
    is_chain : bool
        Whether all rows count that are equal, which is not so of rows that conditions speak of.
    """

    aliases: frozenset[str]
    alias: str
    equal: list[tuple[str, str]] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    is_chain: bool = True

    def named(self, text: str) -> str:
        """A column outside, by the name that it has inside."""
        return f"{self.alias}.{self.names.setdefault(text, f'{self.alias}{len(self.names)}')}"


@dataclass
class ServedWriter(QueryWriter):
    """Collects a query of tables that are read in their database; its functions are joined to it."""

    server: Server = field(kw_only=True)
    functions: list[Function] = field(default_factory=list, kw_only=True)
    outside: Outside | None = field(default=None, kw_only=True)

    def _source(self, name: str) -> str:
        return self.server.tables.text(name)

    def _named(self, name: str, alias: str) -> str:
        text = super()._named(name, alias)
        return text if self.outside is None or alias not in self.outside.aliases else self.outside.named(text)

    def _known(self, number: str) -> str:
        return number  # the tables as they are read have no NaN

    def _joined(self, column: str, place: Place) -> list[str]:
        outside = self.outside
        if outside is None or not outside.is_chain or self.aliases[place[0]] not in outside.aliases:
            return super()._joined(column, place)
        if column.startswith(f"{outside.alias}."):
            return super()._joined(column, place)
        outside.equal.append((column, replace(self, outside=None).at(place)))
        return []

    def function(self, literal: Aggregation) -> tuple[str, RelationColumn | None]:
        outside = Outside(frozenset(self.aliases), self.server.own("o"))
        inside = replace(self, aliases=list(self.aliases), tables=[], conditions=[], outside=outside)
        for number, atom in enumerate(literal.chain, 1):
            inside._join(atom, self.server.own(f"a{number}"))
        if not inside.tables:
            return super().function(literal)
        outside.is_chain = False
        inside.conditions += inside._fulfilled(literal.conditions)
        value, column = inside._value_of(literal)
        found = inside._grouped(literal, value, column, self.tables)
        self.functions.append(found)
        text = f"{found.alias}.{found.value.rpartition(' ')[2]}"
        return (f"COALESCE({text}, 0)" if literal.function in ("count", "sum") else text), column

    def _grouped(
        self, literal: Aggregation, value: str, column: RelationColumn | None, tables: Sequence[str]
    ) -> Function:
        """A function over the rows of this writer, for each of the values outside; `tables` are those outside."""
        assert self.outside is not None
        here, keys, there = self._keys(self.outside, tables)
        names = [self.server.own(f"k{number}") for number in range(len(keys))]
        source = f"FROM {here} WHERE {' AND '.join(self.conditions) or ALWAYS}"
        end = f" GROUP BY {', '.join(keys)}" if keys else ""
        if literal.function == "mode":
            assert column is not None
            rows, place, mode = map(self.server.own, ("r", "place", "mode"))
            listed = [f"{key} AS {name}" for key, name in zip(keys, names, strict=True)]
            each = f"PARTITION BY {', '.join(keys)} " if keys else ""
            order = f"ROW_NUMBER() OVER ({each}ORDER BY COUNT(*) DESC, {self._ordered(value, column)}) AS {place}"
            grouped = f"GROUP BY {', '.join([*keys, value])}"
            found = (
                f"SELECT {', '.join([*listed, f'{value} AS {mode}', order])} {source} AND {value} IS NOT NULL {grouped}"
            )
            source, end, value = f"FROM ({found}) AS {rows} WHERE {rows}.{place} = 1", "", f"{rows}.{mode}"
            keys = [f"{rows}.{name}" for name in names]
        else:
            value = self._summary(literal, value, column)
        alias = self.server.numbered_name("f", (source, end, *keys, *there))
        on = " AND ".join(f"{alias}.{name} = {text}" for name, text in zip(names, there, strict=True)) or ALWAYS
        listed = [f"{key} AS {name}" for key, name in zip(keys, names, strict=True)]
        return Function(alias, tuple(listed), f"{value} AS {self.server.numbered_name('v', value)}", source, end, on)

    def _keys(self, outside: Outside, tables: Sequence[str]) -> tuple[str, list[str], list[str]]:
        """The tables of a function's rows, its keys, and the columns outside to which these are equal."""
        if not outside.names:
            return " ".join(self.tables), [key for key, _ in outside.equal], [text for _, text in outside.equal]
        self.conditions += [f"{key} = {outside.named(text)}" for key, text in outside.equal]
        is_of_examples = all(text.startswith(f"{self.aliases[0]}.") for text in outside.names)
        listed = ", ".join(f"{text} AS {name}" for text, name in outside.names.items())
        every = (
            f"(SELECT DISTINCT {listed} FROM {' '.join(tables[:1] if is_of_examples else tables)}) AS {outside.alias}"
        )
        here = f"{every} JOIN {self.tables[0]} ON {ALWAYS} {' '.join(self.tables[1:])}"
        return here, [f"{outside.alias}.{name}" for name in outside.names.values()], list(outside.names)


class Output(NamedTuple):
    """What is asked of the answers of an example: an expression, what of its values, and the functions in it."""

    value: str
    summary: str
    functions: tuple[Function, ...] = ()

    @property
    def is_number(self) -> bool:
        """Whether it is a number, and not 1 where something holds."""
        return self.summary.startswith("CAST")


@dataclass(frozen=True)
class Question:
    """The tables and conditions of a query with their functions, and what is asked of the answers of each example."""

    tables: str
    conditions: str
    outputs: tuple[Output, ...]
    functions: tuple[Function, ...]
    own: Callable[[str], str] = field(repr=False)

    @property
    def joins(self) -> list[str]:
        """The subqueries of all functions."""
        return joins_of([*self.functions, *(function for output in self.outputs for function in output.functions)])

    def text(self) -> str:
        """A query for the numbers of the examples that have answers, in order, and all outputs."""
        values = list(dict.fromkeys(one.value for one in self.outputs))
        n, found, example = map(self.own, ("n", "found", "t0"))
        names = [self.own(f"value{at}") for at in range(len(values))]
        listed = [f"{example}.{n}", *(f"{value} AS {name}" for value, name in zip(values, names, strict=True))]
        summaries = [one.summary.format(names[values.index(one.value)]) for one in self.outputs]
        rows = f"SELECT {', '.join(listed)} FROM {' '.join([self.tables, *self.joins])} WHERE {self.conditions}"
        return f"SELECT {', '.join([n, *summaries])} FROM ({rows}) AS {found} GROUP BY {n} ORDER BY {n}"


def joint(questions: Mapping[int, Question], nodes: str) -> Question:
    """Questions of several nodes that differ in their conditions alone as one, which is about each node's own examples.

    `nodes` is a table with the node of each example, by their numbers.
    """
    first = next(iter(questions.values()))
    own = first.own
    cases = " ".join(f"WHEN {node} THEN {one.conditions}" for node, one in questions.items())
    outputs = dict.fromkeys(output for one in questions.values() for output in one.outputs)
    functions = dict.fromkeys(function for one in questions.values() for function in one.functions)
    m, n = own("m"), own("n")
    joined = f"{first.tables} JOIN {nodes} AS {m} ON {m}.{n} = {own('t0')}.{n}"
    return Question(joined, f"CASE {m}.{own('node')} {cases} ELSE 1 = 0 END", tuple(outputs), tuple(functions), own)


def writer_of(server: Server, scope: Scope, literals: Iterable[Literal]) -> ServedWriter:
    """A query about the examples, which are numbered; `scope` is that of the empty query."""
    examples = server.examples_table(scope.relation(0))
    tables = [f"{examples} AS {server.own('t0')}"]
    writer = ServedWriter(scope, server.dialect, tables=tables, prefix=server.tables.prefix, server=server)
    for literal in literals:
        writer.add(literal)
    return writer


def question_of(server: Server, scope: Scope, family: Family) -> Question:
    """What answers all tests of a family behind the empty query, of which this is the scope."""
    writer = writer_of(server, scope, asked_of(family))
    conditions = " AND ".join(writer.conditions) or ALWAYS
    outputs = outputs_of(replace(writer, functions=[]), family)
    return Question(" ".join(writer.tables), conditions, outputs, tuple(writer.functions), server.own)


def outputs_of(writer: ServedWriter, family: Family) -> tuple[Output, ...]:
    """What is asked of the answers: for each constant whether one has it, of numbers the least or the greatest."""
    if family.kind == EXISTS:
        return ()
    value, column = _value(writer, family)
    if family.kind == EQUALS:
        functions = tuple(writer.functions)
        return tuple(Output(value, _has(constant, column, writer), functions) for constant in family.values)
    summary = "MIN" if family.kind == BELOW else "MAX"
    return (Output(value, f"CAST({summary}({{0}}) AS DOUBLE PRECISION)", tuple(writer.functions)),)


def _has(constant: Constant, column: RelationColumn | None, writer: ServedWriter) -> str:
    """Whether some value is a constant; the text is a format, in which braces are doubled."""
    left = "\0"
    equal = constant_sql(left, "=", constant, column, writer.dialect)
    escaped = equal.replace("{", "{{").replace("}", "}}").replace(left, "{0}")
    return f"MAX(CASE WHEN {escaped} THEN 1 ELSE 0 END)"


def _value(writer: ServedWriter, family: Family) -> tuple[str, RelationColumn | None]:
    """What is tried, as an expression, dates as days; and the column whose values it has, if any."""
    if isinstance(family.last, Aggregation):
        return function_value(writer, family.last)
    assert isinstance(family.slot, Variable)
    column = writer.scope.column_of(family.slot)
    value = writer.value(family.slot)
    return (writer.dialect.days.format(value) if column.is_date else value), column


def function_value(writer: ServedWriter, literal: Aggregation) -> tuple[str, RelationColumn | None]:
    """The value of a function over rows; of a mode with the column whose values it has."""
    text, column = writer.function(literal)
    if literal.function in ("min", "max") and column is not None and column.is_date:
        text = writer.dialect.days.format(text)
    return text, column if literal.function == "mode" else None


# -- what of a query matters -----------------------------------------------------------------------------------


def behind(query: Sequence[Literal], family: Family, scope: Scope) -> Family:
    """A family behind a query as one behind the empty query, of which this is the scope.

    All examples at a node have answers of its whole query; so only those literals are kept that speak of the rows of
    which the family speaks, and of what these depend on.
    """
    own = set(scope.variables)
    wanted = {*variables_of(family.literals), *(() if family.slot is None else (family.slot,))} - own
    kept: set[int] = set()
    is_complete = False
    while not is_complete:
        named = ((place, set(one.named) - own) for place, one in enumerate(query) if place not in kept)
        more = {place: variables for place, variables in named if variables & wanted}
        kept.update(more)
        wanted = wanted.union(*more.values())
        is_complete = not more
    needed = tuple(query[place] for place in sorted(kept))
    return Family((*needed, *family.literals), family.kind, family.slot, family.values, family.mode)
