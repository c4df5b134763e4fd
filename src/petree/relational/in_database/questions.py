"""Families of tests as questions to a database, each answered with one number an example.

All that a family needs to know of an example's rows is the least or the greatest of their values, or whether one has a
value. So all families that join the same rows are one question, whatever their thresholds and constants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from petree.relational.in_database.server import NUMBER, Server
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Aggregation, Constant, Literal, Variable
from petree.relational.reading.sql_text import ALWAYS, QueryWriter, identifier
from petree.relational.reading.sql_values import constant_sql
from petree.relational.refinement.families import BELOW, EQUALS, EXISTS, Family
from petree.relational.refinement.forms import variables_of
from petree.relational.refinement.tabulation import asked_of
from petree.relational.relations import RelationColumn


@dataclass
class ServedWriter(QueryWriter):
    """Collects a query of tables that are read in their database."""

    server: Server = field(kw_only=True)

    def _source(self, name: str) -> str:
        return self.server.tables.text(name)


class Output(NamedTuple):
    """What is asked of the answers of an example: an expression, and what of its values."""

    value: str
    summary: str

    @property
    def is_number(self) -> bool:
        """Whether it is a number, and not 1 where something holds."""
        return self.summary.startswith("CAST")


@dataclass(frozen=True)
class Question:
    """The tables and conditions of a query, and what is asked of the answers of each example."""

    tables: str
    conditions: str
    outputs: tuple[Output, ...]

    def text(self) -> str:
        """A query for the numbers of the examples that have answers, in order, and all outputs."""
        values = list(dict.fromkeys(one.value for one in self.outputs))
        listed = [f"t0.{identifier(NUMBER)} AS n", *(f"{value} AS v{at}" for at, value in enumerate(values))]
        summaries = [one.summary.format(f"v{values.index(one.value)}") for one in self.outputs]
        found = f"SELECT {', '.join(listed)} FROM {self.tables} WHERE {self.conditions}"
        return f"SELECT {', '.join(['n', *summaries])} FROM ({found}) AS found GROUP BY n ORDER BY n"


def joint(questions: Mapping[int, Question], nodes: str) -> Question:
    """Questions of several nodes that differ in their conditions alone as one, which is about each node's own examples.

    `nodes` is a table with the node of each example, by their numbers.
    """
    tables = next(iter(questions.values())).tables
    cases = " ".join(f"WHEN {node} THEN {one.conditions}" for node, one in questions.items())
    outputs = dict.fromkeys(output for one in questions.values() for output in one.outputs)
    joined = f"{tables} JOIN {nodes} AS m ON m.n = t0.{identifier(NUMBER)}"
    return Question(joined, f"CASE m.node {cases} ELSE 1 = 0 END", tuple(outputs))


def writer_of(server: Server, scope: Scope, literals: Iterable[Literal]) -> ServedWriter:
    """A query about the examples ``t0``, which are numbered; `scope` is that of the empty query."""
    examples = server.examples_table(scope.relation(0))
    writer = ServedWriter(scope, server.dialect, tables=[f"{examples} AS t0"], server=server)
    for literal in literals:
        writer.add(literal)
    return writer


def question_of(server: Server, scope: Scope, family: Family) -> Question:
    """What answers all tests of a family behind the empty query, of which this is the scope."""
    writer = writer_of(server, scope, asked_of(family))
    return Question(" ".join(writer.tables), " AND ".join(writer.conditions) or ALWAYS, outputs_of(writer, family))


def outputs_of(writer: ServedWriter, family: Family) -> tuple[Output, ...]:
    """What is asked of the answers: for each constant whether one has it, of numbers the least or the greatest."""
    if family.kind == EXISTS:
        return ()
    value, column = _value(writer, family)
    if family.kind == EQUALS:
        return tuple(Output(value, _has(constant, column, writer)) for constant in family.values)
    summary = "MIN" if family.kind == BELOW else "MAX"
    return (Output(value, f"CAST({summary}({{0}}) AS DOUBLE PRECISION)"),)


def _has(constant: Constant, column: RelationColumn | None, writer: ServedWriter) -> str:
    """Whether some value is a constant; the text is a format, in which braces are doubled."""
    left = "\0"
    equal = constant_sql(left, "=", constant, column, writer.dialect)
    escaped = equal.replace("{", "{{").replace("}", "}}").replace(left, "{0}")
    return f"MAX(CASE WHEN {escaped} THEN 1 ELSE 0 END)"


def _value(writer: ServedWriter, family: Family) -> tuple[str, RelationColumn | None]:
    """What is tried, as an expression, dates as days; and the column whose values it has, if any."""
    if isinstance(family.last, Aggregation):
        # Rows are named as if no condition had named some, so that nodes with other conditions ask for the same value.
        return function_value(replace(writer, n_functions=0), family.last)
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
