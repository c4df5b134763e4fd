"""SQL text finds the examples that the tree finds, in every database it is written for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from tests.relational.made_trees import dated_database, made_database, made_model

from petree import RelationalTreeClassifier
from petree.relational import Database
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.reading.sql_text import condition_sql
from petree.relational.routing import NO_LIMIT

sa = pytest.importorskip("sqlalchemy")

DATA = Path(os.environ.get("PETREE_DATA", "")) / "relational"


@pytest.fixture(params=["sqlite", "duckdb", "postgresql"])
def engine(request: pytest.FixtureRequest) -> Iterator[sa.Engine]:
    """An empty database of each kind."""
    if request.param == "duckdb":
        pytest.importorskip("duckdb_engine")
    urls = {"sqlite": "sqlite://", "duckdb": "duckdb:///:memory:"}
    made = sa.create_engine(urls.get(request.param) or request.getfixturevalue("postgres"))
    yield made
    made.dispose()


def covered(scope: Scope, literals: tuple) -> set:
    """The keys of the examples for which a query has an answer."""
    relation = scope.relation(0)
    rows = np.arange(relation.n_rows, dtype=np.int32)
    holds = Answers.of_examples(scope, rows, NO_LIMIT).extend(literals).covered
    return set(np.asarray(scope.database.keys(relation.name))[holds].tolist())


def asked(engine: sa.Engine, text: str) -> list[tuple]:
    if engine.dialect.paramstyle in ("format", "pyformat"):
        text = text.replace("%", "%%")
    with engine.connect() as connection:
        return [tuple(row) for row in connection.exec_driver_sql(text)]


def compare_all(model: RelationalTreeClassifier, engine: sa.Engine) -> None:
    """Every test of a tree, and the tree as a whole."""
    dialect, router = engine.dialect.name, model._router
    keys = model._database().keys(model._target()[0])
    for node, literals in router.literals.items():
        found = [row[0] for row in asked(engine, model.to_sql(node, dialect))]
        assert len(found) == len(set(found))
        assert set(found) == covered(router.scope, (*router.query(node), *literals)), model.to_sql(node)
    rows = {row[0]: row[1:] for row in asked(engine, model.to_sql(dialect=dialect))}
    assert rows.keys() == set(keys.tolist())
    assert [rows[key][0] for key in keys.tolist()] == model.apply(keys).tolist()
    probabilities = np.array([rows[key][1:] for key in keys.tolist()], float)
    np.testing.assert_allclose(probabilities, model.predict_proba(keys), rtol=1e-15)


@pytest.mark.parametrize("with_times", [False, True])
@pytest.mark.parametrize("seed", [0, 1])
def test_random_databases(engine, seed, with_times):
    database = made_database(seed, with_times)
    database.to_sql(engine)
    model = made_model(database, seed)
    assert model.tree_.n_internal >= 3
    compare_all(model, engine)


QUERIES = [
    "visit(A, D, R, X, _, E), visit(F, D, S, Y, _, G), X < Y",
    "visit(A, D, R, X, _, E), visit(F, D, S, Y, _, G), R \\= S",
    "visit(A, D, R, X, _, E), R \\= 'no such reason'",
    "visit(A, D, 27, _, _, E)",
    "visit(A, D, R, _, _, E), R \\= 27",
    "doctor(B, F, B)",
    "doctor(B, F, G), doctor(G, F, H)",
    "stay(A, F, D, M, E), room(F, D, S), S >= 4",
    "visit(A, D, _, _, _, E), count(visit(_, D, _, _, _, _)) >= 3",
    "visit(A, D, _, _, _, E), count(visit(_, _, red, _, _, E)) >= 0.5",
    "visit(A, D, _, _, _, E), sum(X, visit(_, _, _, X, _, E)) = 0",
    "visit(A, D, _, _, _, E), mean(X, visit(_, _, _, X, _, E)) >= 2",
    "visit(A, D, _, _, _, E), proportion(X = red, visit(_, _, X, _, _, E)) < 0.5",
    "mode(X, visit(A, X, _, _, _, _)) = b",
    "sum(X, visit(A, _, _, X, _, _)) =< 0",
    "mean(X, visit(A, _, _, X, _, _)) >= 2",
    "proportion(X = 27, visit(A, _, X, _, _, _)) < 0.5",
    "mode(X, visit(A, _, X, _, _, _)) = 27",
    "visit(A, D, _, _, _, E), visit(A, D, _, _, _, E)",
    "badge(A, true, D)",
    "badge(A, V, D), V \\= true",
    "proportion(X = false, badge(A, X, _)) >= 0.5",
]


@pytest.mark.parametrize("with_times", [False, True])
def test_queries_that_no_tree_makes_by_itself(engine, with_times):
    database = made_database(3, with_times)
    database.to_sql(engine)
    scope, dialect = Scope.of_target(database, "patient"), engine.dialect.name
    sizes = []
    for text in QUERIES:
        literals = parse_literals(text)
        condition = condition_sql(scope, literals, dialect)
        found = asked(engine, f'SELECT t0."id" FROM "patient" AS t0 WHERE {condition}')
        assert {row[0] for row in found} == covered(scope, literals), text
        sizes.append(len(found))
    assert len(set(sizes)) > 5  # not all the same, hence not all empty or full


def test_ties_of_a_mode_go_by_the_order_of_the_values(engine):
    words = ["b", "B", "a", "Z", "ä", "a ", "b"]
    tables = {
        "thing": {"id": [1, 2, 3], "class": ["x", "y", "x"]},
        "part": {"thing": [1, 1, 2, 2, 3, 3, 3], "word": words},
    }
    database = Database(tables, ["part.thing -> thing.id"])
    database.to_sql(engine)
    scope = Scope.of_target(database, "thing")
    for word in set(words):
        literals = parse_literals(f"mode(X, part(A, X, _)) = '{word}'")
        condition = condition_sql(scope, literals, engine.dialect.name)
        found = {row[0] for row in asked(engine, f'SELECT t0."id" FROM "thing" AS t0 WHERE {condition}')}
        assert found == covered(scope, literals)


# -- dates -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("with_times", [False, True])
@pytest.mark.parametrize("seed", [0, 1])
def test_random_databases_with_dates(engine, seed, with_times):
    database = dated_database(seed, with_times)
    database.to_sql(engine)
    model = made_model(database, seed)
    written = model.to_sql(dialect=engine.dialect.name)
    assert model.tree_.n_internal >= 3
    assert "'2004-" in written or "'1970-" in written or "'2003-" in written
    compare_all(model, engine)


NOON = (datetime(2004, 2, 28, 12) - datetime(1970, 1, 1)) / timedelta(days=1)
LATER = (datetime(2004, 2, 28, 12, 0, 0, 1) - datetime(1970, 1, 1)) / timedelta(days=1)
LEAP_DAY = (date(2004, 2, 29) - date(1970, 1, 1)).days
OPERATORS = ("<", ">=", ">", "=<", "=", "\\=")


@pytest.mark.parametrize("operator", OPERATORS)
def test_dates_compared_in_every_way(engine, operator):
    database = dated_database(4)
    database.to_sql(engine)
    days = database.relation("visit").columns[2].domain.values
    compared = [("M", one) for one in (NOON, LATER, (NOON + LATER) / 2, LEAP_DAY, -1 / 86_400e6, 1e12)]
    compared += [("D", one) for one in (days[3], days[3] + 0.5, 12345.25)]
    queries = [f"visit(A, _, D, M, V), {name} {operator} {value!r}" for name, value in compared]
    queries += [f"{function}(M, visit(A, _, _, M, _)) {operator} {NOON!r}" for function in ("min", "max", "mode")]
    queries += [f"visit(A, _, _, M, V), visit(A, _, _, N, W), M {operator} N"]
    queries += [f"visit(A, _, _, _, V), max(D, visit(_, _, D, _, V)) {operator} {days[2]!r}"]
    queries += [f"visit(A, D, _, _, V), {one}(D, visit(_, D, _, _, _)) {operator} {NOON!r}" for one in ("sum", "mean")]
    scope, sizes = Scope.of_target(database, "patient"), []
    for text in queries:
        literals = parse_literals(text)
        condition = condition_sql(scope, literals, engine.dialect.name)
        found = asked(engine, f'SELECT t0."id" FROM "patient" AS t0 WHERE {condition}')
        assert {row[0] for row in found} == covered(scope, literals), (text, condition)
        sizes.append(len(found))
    assert len(set(sizes)) > 2


def test_a_moment_is_known_by_a_day(engine):
    database = dated_database(1, with_times=True)  # until a date, since a moment
    database.to_sql(engine)
    scope = Scope.of_target(database, "patient")
    visits, patients = database.relation("visit").times, database.relation("patient").times
    assert set(visits.tolist()) & set(patients.tolist())
    for n_visits in range(1, 5):
        literals = parse_literals(f"count(visit(A, _, _, _, _)) >= {n_visits}")
        condition = condition_sql(scope, literals, engine.dialect.name)
        found = {row[0] for row in asked(engine, f'SELECT t0."id" FROM "patient" AS t0 WHERE {condition}')}
        assert found == covered(scope, literals)


@pytest.mark.parametrize("place", ["visit(A, D, _, _, V), opening(D, S), S \\= red", "visit(A, {day}, _, _, _)"])
def test_dates_that_are_equal(engine, place):
    database = dated_database(5)
    database.to_sql(engine)
    scope, dialect = Scope.of_target(database, "patient"), engine.dialect.name
    day = database.relation("visit").columns[1].domain.values[1]
    texts = [place.format(day=day), f"proportion(X = {day}, visit(A, X, _, _, _)) >= 0.5"]
    for text in texts:
        literals = parse_literals(text)
        condition = condition_sql(scope, literals, dialect)
        found = {row[0] for row in asked(engine, f'SELECT t0."id" FROM "patient" AS t0 WHERE {condition}')}
        assert found == covered(scope, literals)
        assert found


@pytest.mark.parametrize("operator", OPERATORS)
def test_sqlite_keeps_dates_as_text_of_many_forms(operator):
    midnight, noon = datetime(2004, 2, 29), datetime(2004, 2, 28, 12)
    moments = [midnight, noon, noon + timedelta(microseconds=500_000), noon - timedelta(microseconds=1)]
    forms = [(moment, f"{moment}") for moment in moments]
    forms += [(moment, f"{moment:%Y-%m-%d %H:%M:%S.%f}") for moment in moments]
    forms += [(noon, "2004-02-28 12:00:00.000"), (midnight, "2004-02-29"), (moments[2], "2004-02-28 12:00:00.5")]
    tables = {"thing": {"id": list(range(len(forms))), "at": [moment for moment, _ in forms]}}
    database = Database(tables, keys={"thing": "id"})
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        connection.exec_driver_sql('CREATE TABLE "thing" ("id" INTEGER, "at" DATETIME)')
        connection.exec_driver_sql("INSERT INTO thing VALUES (?, ?)", [(k, text) for k, (_, text) in enumerate(forms)])
    scope = Scope.of_target(database, "thing")
    for days in (LEAP_DAY, NOON, LATER, NOON + 0.5 / 86400, NOON - 1 / 86_400e6, LEAP_DAY - 1):
        literals = parse_literals(f"thing(A, X), X {operator} {days!r}")
        condition = condition_sql(scope, literals)
        found = {row[0] for row in asked(engine, f'SELECT t0."id" FROM "thing" AS t0 WHERE {condition}')}
        assert found == covered(scope, literals), condition
    for days in (LEAP_DAY - 0.6, NOON + 0.1 / 86400):
        literals = parse_literals(f"mean(X, thing(A, X)) {operator} {days!r}")
        condition = condition_sql(scope, literals)
        found = {row[0] for row in asked(engine, f'SELECT t0."id" FROM "thing" AS t0 WHERE {condition}')}
        assert found == covered(scope, literals), condition
    engine.dispose()


def test_moments_with_a_time_zone_are_compared_in_utc(postgres):
    engine = sa.create_engine(postgres, connect_args={"options": "-c timezone=UTC"})
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE person (id INTEGER PRIMARY KEY, class TEXT, at TIMESTAMPTZ)")
        for k in range(12):
            place = "Asia/Tokyo" if k % 2 else "America/New_York"
            moment = f"2004-02-28 {8 + k:02d}:30:00 {place}"
            connection.exec_driver_sql(f"INSERT INTO person VALUES ({k}, '{'ab'[k % 2]}', '{moment}')")
    database = Database.from_url(engine)
    model = RelationalTreeClassifier(database, "person.class", pruning="none", smoothing="laplace")
    compare_all(model.fit(database.keys("person")), engine)
    assert model.sentence(0) == "the person has at < 2004-02-28 12:00:00"
    engine.dispose()


@pytest.mark.skipif(not DATA.is_dir(), reason="PETREE_DATA has no relational sets")
def test_mutagenesis_in_sqlite(tmp_path):
    from petree.relational.prolog.ace import read_ace

    database = read_ace(DATA / "mutagenesis/prolog/muta.s")
    engine = sa.create_engine(f"sqlite:///{tmp_path}/muta.db")
    database.to_sql(engine)
    with engine.begin() as connection:  # what a query looks up by must be indexed
        for name, relation in database.relations.items():
            columns = ", ".join(f'"{column.name}"' for column in relation.columns[:2])
            connection.exec_driver_sql(f'CREATE INDEX "by_{name}" ON "{name}" ({columns})')
    model = RelationalTreeClassifier(database, pruning="none", smoothing="laplace", min_samples_leaf=4)
    compare_all(model.fit(database.keys("dmuta")), engine)
    engine.dispose()


def test_an_unknown_dialect_is_refused():
    model = made_model(made_database(0))
    with pytest.raises(ValueError, match=r"must be one of sqlite, postgresql, duckdb. Got 'oracle' instead"):
        model.to_sql(0, dialect="oracle")


def test_sql_warns_of_keys_that_dangle() -> None:
    tables = {"dept": {"id": [1, 2]}, "person": {"id": [1, 2, 3, 4], "dept": [1, 2, 9, 9], "class": list("xxyy")}}
    with pytest.warns(UserWarning, match="kept out of joins"):
        database = Database(tables, ["person.dept -> dept.id"], {"person": "id"})
    model = RelationalTreeClassifier(database, "person.class", pruning="none").fit([1, 2, 3, 4])
    with pytest.warns(UserWarning, match=r"Dangling keys of person.dept -> dept.id: 2 \(such as 9\)"):
        model.to_sql()
