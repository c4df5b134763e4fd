"""Questions of nodes that were come to by other conditions ask for the same values in the same words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.relational.random_databases import MadeTables, random_tables
from tests.relational.random_queries import Queries

from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Constant, Literal
from petree.relational.reading.sql_text import ALWAYS
from petree.relational.refinement.families import BELOW, Family
from petree.relational.routing import NO_LIMIT

pytest.importorskip("sqlalchemy")

from tests.relational.in_database.made import assert_same, both_ways, fitted, write
from tests.relational.in_database.test_same_trees import in_sqlite, timed_tables

from petree.relational.in_database.questions import Question, joint, question_of, writer_of
from petree.relational.in_database.session import Session
from petree.relational.in_database.values import Found, ask_jointly

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


# -- functions over rows ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["sqlite", "duckdb", "postgres"], indirect=True)
@pytest.mark.parametrize("seed", range(2))
def test_random_conditions_of_three_nodes_hold_as_in_memory(address: str, seed: int) -> None:
    """In DuckDB also without its optimizer, which must not matter."""
    made = random_tables(seed, 24)
    write(made, address)
    memory, inside = both_ways(made, address)
    scope = Scope.of_target(inside, "thing")
    server = inside.server
    assert server is not None
    n = len(memory.keys("thing"))
    rows = memory.rows("thing", inside.keys("thing"))
    first = Answers.of_examples(Scope.of_target(memory, "thing"), rows, NO_LIMIT)
    queries = Queries(memory, "thing", seed)
    groups: dict[str, list[tuple[list[Literal], Question]]] = {}
    for number in range(80):
        literals = queries.query(queries.numbers.randint(1, 3))
        if number % 2:
            literals = [queries.plain_aggregation(scope) for _ in range(3)]
        try:
            writer = writer_of(server, scope, literals)
        except ValueError:  # rows without a key are compared
            continue
        tables, conditions = " ".join(writer.tables), " AND ".join(writer.conditions) or ALWAYS
        question = Question(tables, conditions, (), tuple(writer.functions), server.own)
        groups.setdefault(tables, []).append((literals, question))
    nodes = np.arange(n) % 3
    table = server.nodes(np.arange(n, dtype=np.int32), nodes)
    n_functions = 0
    for members in groups.values():
        chosen = [queries.numbers.choice(members) for _ in range(3)]
        question = joint({node: one for node, (_, one) in enumerate(chosen)}, table)
        covered = np.array([first.extend(literals).covered for literals, _ in chosen])
        expected = np.flatnonzero(covered[nodes, np.arange(n)]).tolist()
        assert server.session.numbers(question.text())[0].tolist() == expected, question.text()
        n_functions += len(question.functions)
        if address.startswith("duckdb"):
            server.session.rows("PRAGMA disable_optimizer")
            assert server.session.numbers(question.text())[0].tolist() == expected
            server.session.rows("PRAGMA enable_optimizer")
    assert n_functions > 4


@in_sqlite
@pytest.mark.parametrize("seed", range(3))
def test_functions_are_joined_by_their_keys(address: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No query computes a function anew for each row, which takes the square of the rows of a key."""
    made = random_tables(seed, 24, is_clean=True)
    write(made, address)
    asked: list[str] = []
    numbers = Session.numbers

    def noted(session: Session, query: str) -> list[Any]:
        plan = session.rows(f"EXPLAIN QUERY PLAN {query}")
        asked.extend(str(step) for *_, step in plan)
        return numbers(session, query)

    monkeypatch.setattr(Session, "numbers", noted)
    functions = ("count", "min", "max", "mode", "proportion", "two_links")
    fitted(both_ways(made, address)[1], made.tables["thing"]["id"], aggregates=functions, max_depth=3)
    assert asked
    assert [step for step in asked if "CORRELATED SCALAR" in step] == []


@in_sqlite
def test_queries_that_join_many_functions_are_divided(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = random_tables(1, 24)
    write(made, address)
    monkeypatch.setattr("petree.relational.in_database.values.MOST_JOINS", 1)
    assert_same(made, address, aggregates=("count", "min", "max", "mode"), max_depth=4)


@in_sqlite
def test_models_of_memory_with_windows_and_conditions_predict_in_the_database(address: str) -> None:
    made = timed_tables(3)
    tables = {**made.tables, "thing": {**made.tables["thing"]}}
    for name, table, column in (("thing", "thing", "until"), ("visit", "visit", "day")):  # SQLite has no dates
        days = tables[table][column]
        tables[name] = {**tables[table], column: [None if day is None else day.toordinal() for day in days]}
    del tables["visit"]["cost"]
    made = MadeTables(tables, made.links, made.keys, made.time)
    write(made, address)
    memory, inside = both_ways(made, address)
    keys = memory.keys("thing")
    for parameters in ({"windows": (3, 8)}, {"max_links": 2}):
        functions = ("count", "sum", "mean", "min", "mode", "complex")
        model = fitted(memory, keys, aggregates=functions, max_depth=6, **parameters)
        assert any("count(" in str(one) or "sum(" in str(one) for one in model.tree_.conditions)
        assert (model.predict_proba(keys, database=inside) == model.predict_proba(keys)).all()


@in_sqlite
def test_a_query_that_counts_otherwise_than_growing_did_is_an_error(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(MADE, address)

    def without_the_last(*arguments: Any) -> Found:
        found = ask_jointly(*arguments)
        return Found(found.numbers[:-1], {one: array[:-1] for one, array in found.values.items()})

    monkeypatch.setattr("petree.relational.in_database.routing.ask_jointly", without_the_last)
    with pytest.raises(RuntimeError, match=r"The test of node 0 \(.*\) held for 1 examples .* the query 'SELECT"):
        fitted(both_ways(MADE, address)[1], [1, 2])
