"""Random queries, functions with conditions among them, find the same examples in SQL."""

from __future__ import annotations

from datetime import datetime

import numpy as np
import pytest
from tests.relational.queries.test_time import timed
from tests.relational.random_databases import random_tables
from tests.relational.random_queries import Queries

from petree.relational import Database
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Aggregation, Literal, text_of
from petree.relational.reading.sql_text import condition_sql
from petree.relational.routing import NO_LIMIT

sa = pytest.importorskip("sqlalchemy")


def found_by_petree(database: Database, literals: list[Literal]) -> set[object]:
    scope = Scope.of_target(database, "thing")
    rows = np.arange(database.relation("thing").n_rows, dtype=np.int32)
    holds = Answers.of_examples(scope, rows, NO_LIMIT).extend(literals).covered
    return set(np.asarray(database.keys("thing"))[holds].tolist())


def found_by_sql(engine: sa.Engine, database: Database, literals: list[Literal]) -> set[object]:
    condition = condition_sql(Scope.of_target(database, "thing"), literals, engine.dialect.name)
    with engine.connect() as connection:
        return {row[0] for row in connection.exec_driver_sql(f'SELECT t0."id" FROM "thing" AS t0 WHERE {condition}')}


def is_read_by_postgres(condition: str) -> bool:
    sqlglot = pytest.importorskip("sqlglot")
    return sqlglot.parse_one(f'SELECT t0."id" FROM "thing" AS t0 WHERE {condition}', read="postgres") is not None


@pytest.mark.parametrize("has_times", [False, True])
@pytest.mark.parametrize(("url", "seed"), [("sqlite://", seed) for seed in range(6)] + [("duckdb:///:memory:", 0)])
def test_random_queries(url: str, seed: int, has_times: bool) -> None:
    if url.startswith("duckdb"):
        pytest.importorskip("duckdb_engine")
    made = random_tables(seed, is_clean=True)
    database = (timed(made, seed) if has_times else made).database()
    engine = sa.create_engine(url, poolclass=sa.pool.StaticPool)
    database.to_sql(engine)
    queries = Queries(database, "thing", seed)
    n_conditions = n_chains = 0
    for _ in range(70):
        literals = queries.query(queries.numbers.randint(1, 3))
        try:
            condition_sql(Scope.of_target(database, "thing"), literals)
        except ValueError:  # rows without a key are compared
            continue
        assert found_by_sql(engine, database, literals) == found_by_petree(database, literals), text_of(literals)
        assert is_read_by_postgres(condition_sql(Scope.of_target(database, "thing"), literals, "postgresql"))
        functions = [one for one in literals if isinstance(one, Aggregation)]
        n_conditions += any(one.conditions for one in functions)
        n_chains += any(one.through for one in functions)
    assert min(n_conditions, n_chains) > 2


@pytest.mark.parametrize("separator", [" ", "T"])
@pytest.mark.parametrize("text", ["B < 12000.5", "B >= 12000.5", "B > 12000.5", "B =< 12000.5", "B = 12000.5"])
def test_moments_with_a_t_compare_as_those_without(separator: str, text: str) -> None:
    engine = sa.create_engine("sqlite://", poolclass=sa.pool.StaticPool)
    hours = [0, 11, 12, 13, 23]
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE thing (id INTEGER PRIMARY KEY, at TIMESTAMP)")
        for hour in hours:
            moment = datetime(2002, 11, 9, hour).isoformat(separator)
            connection.exec_driver_sql(f"INSERT INTO thing VALUES ({hour}, '{moment}')")
    database = Database.from_url(engine)
    literals = [*parse_literals("thing(A, B)"), *parse_literals(text)]
    found = found_by_sql(engine, database, literals)
    assert found == found_by_petree(database, literals)
    assert 0 < len(found) < 5
