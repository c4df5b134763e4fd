"""Questions of nodes that were come to by other conditions ask for the same values in the same words."""

from __future__ import annotations

import pytest
from tests.relational.random_databases import MadeTables

from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Constant
from petree.relational.refinement.families import BELOW, Family

pytest.importorskip("sqlalchemy")

from tests.relational.in_database.made import both_ways, write
from tests.relational.in_database.test_same_trees import in_sqlite

from petree.relational.in_database.questions import Question, question_of

MADE = MadeTables(
    {
        "thing": {"id": [1, 2], "class": ["y", "n"]},
        "visit": {"thing": [1, 1, 2], "person": [1, 2, 2]},
        "person": {"id": [1, 2]},
        "note": {"person": [1, 1, 2]},
    },
    ["visit.thing -> thing.id", "visit.person -> person.id", "note.person -> person.id"],
    {"thing": "id", "person": "id"},
)


@in_sqlite
def test_a_function_is_the_same_value_whatever_functions_stand_above(address: str) -> None:
    write(MADE, address)
    _, inside = both_ways(MADE, address)
    server = inside.server
    assert server is not None
    scope = Scope.of_target(inside.hiding("thing", "class"), "thing")

    def question(text: str) -> Question:
        return question_of(server, scope, Family(parse_literals(text), BELOW, None, (Constant(2),), 0))

    first = question("visit(A, B, _), count(note(B, _)) < 2")
    second = question("visit(A, B, _), count(visit(_, B, _)) < 2, count(note(B, _)) < 2")
    assert first.tables == second.tables
    assert first.conditions != second.conditions
    assert first.outputs == second.outputs
