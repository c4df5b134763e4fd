"""Functions over the rows of the last days: the same examples by the definition, in SQL and in Prolog's notation."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.relational.oracles.queries import aggregate, covers
from tests.relational.random_databases import MadeTables
from tests.relational.reading.test_rules import first_rule_that_holds

import petree
from petree import RelationalTreeClassifier
from petree.relational import AggregateMode, Argument, Bias, Database, Mode, automatic_bias
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Aggregation, text_of
from petree.relational.reading.sentences import sentence_of

START = date(2020, 1, 1)
FUNCTIONS = ("count", "sum", "mean", "max", "mode", "proportion")
N = 60
TIME = {"customer": "until", "payment": "day"}
LINK = "payment.customer -> customer.id"


def bank(seed: int, is_date: bool = True) -> MadeTables:
    """Customers with payments on some days; some days, amounts and owners are missing."""
    numbers = random.Random(seed)

    def day(gaps: float) -> Any:
        if numbers.random() < gaps:
            return None
        number = numbers.randrange(200)
        return START + timedelta(number) if is_date else float(number)

    owners = [numbers.choice([*range(N), None]) for _ in range(6 * N)]
    tables: dict[str, dict[str, list[Any]]] = {
        "customer": {"id": list(range(N)), "until": [day(0.05) for _ in range(N)]},
        "payment": {
            "customer": owners,
            "day": [day(0.1) for _ in owners],
            "amount": [None if numbers.random() < 0.1 else numbers.randrange(9) / 4 for _ in owners],
            "kind": [numbers.choice(["rent", "food", None]) for _ in owners],
        },
    }
    return MadeTables(tables, [LINK], {"customer": "id"}, TIME, target="customer")


def n_of_the_last(made: MadeTables, customer: int, window: int) -> int:
    """The number of a customer's payments in a window before its own day, by the definition."""
    until = made.tables["customer"]["until"][customer]
    payments = made.tables["payment"]
    if until is None:
        return 0
    since = until - (timedelta(window) if isinstance(until, date) else window)
    pairs = zip(payments["customer"], payments["day"], strict=True)
    return sum(owner == customer and day is not None and since < day <= until for owner, day in pairs)


def learned(seed: int, is_date: bool, **parameters: Any) -> RelationalTreeClassifier:
    """A tree of customers, by chance but for those who paid in the last 30 days."""
    made = bank(seed, is_date)
    numbers = random.Random(seed)
    labels = ["busy" if n_of_the_last(made, one, 30) or numbers.random() < 0.2 else "calm" for one in range(N)]
    tables = {**made.tables, "customer": {**made.tables["customer"], "class": labels}}
    model = RelationalTreeClassifier(
        replace(made, tables=tables).database(), "customer.class", pruning="none", smoothing="laplace"
    )
    return model.set_params(windows=[30, 90.5], aggregates=FUNCTIONS, **parameters).fit(range(N))


@pytest.mark.parametrize("is_date", [True, False])
def test_what_happened_in_the_last_days_is_found_and_told(is_date: bool) -> None:
    model = learned(0, is_date)
    said = (
        f"the number of payments of the customer in the last 30{' days' if is_date else ''} up to until of the customer"
    )
    assert model.sentence(0) == f"{said} is < 1"
    assert f"{said} is >= 1" in model.export_text()
    assert str(model.tree_.conditions[0]) == "count(payment(A, C, _, _, _), customer(A, B), C > B - 30) < 1"


@pytest.mark.parametrize("is_date", [True, False])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_values_are_those_of_the_definition(function: str, is_date: bool) -> None:
    made = bank(1, is_date)
    database = made.database()
    functions = automatic_bias(database, "customer", aggregates=[function], windows=[45]).aggregates
    bias = Bias((), aggregates=tuple(one for one in functions if one.window is not None))
    model = RelationalTreeClassifier(database, "customer", bias=bias, pruning="none", min_examples=1, max_depth=3)
    model.fit(range(N), np.where(np.random.default_rng(0).random(N) < 0.5, "a", "b"))
    facts = replace(made.facts(), rows={name: in_days(rows) for name, rows in made.facts().rows.items()})
    assert model.get_depth() >= 2
    for node, literals in model._router.literals.items():
        arrived = model.rows_at(node)
        (literal,) = literals
        assert isinstance(literal, Aggregation)
        assert parse_literals(text_of(literals)) == literals
        found = {one["key"] for one in model.rows_at(int(model.tree_.children_of(np.array([node]))[0]))}
        assert found == {one["key"] for one in arrived if covers(facts, one["key"], literals)}
        if function == "count":
            values = [aggregate(facts, one, literal, facts.start(one)) for one in range(N)]
            assert values == [n_of_the_last(made, one, 45) for one in range(N)]


def in_days(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows with dates as days since 1970."""
    first = date(1970, 1, 1)
    return [tuple((one - first).days if isinstance(one, date) else one for one in row) for row in rows]


@pytest.mark.parametrize("is_date", [True, False])
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_sql_gives_the_same(tmp_path: Path, dialect: str, is_date: bool) -> None:
    sa = pytest.importorskip("sqlalchemy")
    pytest.importorskip("duckdb_engine" if dialect == "duckdb" else "sqlite3")
    model = learned(2, is_date)
    assert model.get_n_leaves() > 4
    assert model.database is not None
    model.database.to_sql(f"{dialect}:///{tmp_path / 'bank.db'}")
    engine = sa.create_engine(f"{dialect}:///{tmp_path / 'bank.db'}")
    with engine.connect() as connection:
        found = {row[0]: row[-1] for row in connection.exec_driver_sql(model.to_sql(dialect=dialect))}
    engine.dispose()
    np.testing.assert_allclose([found[one] for one in range(N)], model.predict_proba(range(N))[:, 1])


def test_postgres_can_read_the_text() -> None:
    sqlglot = pytest.importorskip("sqlglot")
    text = learned(2, True).to_sql(dialect="postgresql")
    assert "- 30" in text
    assert sqlglot.parse_one(text, read="postgres") is not None


@pytest.mark.parametrize("is_date", [True, False])
def test_the_first_rule_decides(is_date: bool) -> None:
    model = learned(3, is_date)
    assert " - 30)" in model.to_prolog()
    assert first_rule_that_holds(model, np.arange(N)) == model.predict(range(N)).tolist()


def test_a_model_file_keeps_it(tmp_path: Path) -> None:
    model = learned(4, True)
    petree.save(model, tmp_path / "m.json")
    loaded = petree.load(tmp_path / "m.json", database=model.database)
    assert loaded.windows == [30, 90.5]
    np.testing.assert_array_equal(loaded.predict_proba(range(N)), model.predict_proba(range(N)))


def test_a_window_goes_with_conditions_of_ones_own() -> None:
    database = bank(5).database()
    arguments = [Argument("+", "Customer"), *(Argument("_") for _ in range(2)), Argument("#"), Argument("_")]
    mode = Mode("payment", tuple(arguments))
    bias = Bias((), aggregates=(AggregateMode("count", mode, window=60),))
    model = RelationalTreeClassifier(database, "customer", bias=bias, pruning="none", max_depth=1)
    model.fit(range(N), [f"{n_of_the_last(bank(5), one, 60) > 1}" for one in range(N)])
    assert " in the last 60 days up to until of the customer is " in model.sentence(0)
    assert model.sentence(0).startswith("the number of payments of the customer with kind = ")
    assert str(bias) == "aggregate(count, payment(+Customer, _, _, #, _), last 60)."


def test_the_time_itself_may_be_what_a_function_is_of() -> None:
    scope = Scope.of_target(bank(0).database(), "customer")
    said = sentence_of(scope, parse_literals("max(X, payment(A, X, _, _, _), customer(A, B), X > B - 7) < 18000"))
    assert said.success == (
        "the greatest day of payments of the customer in the last 7 days up to until of the customer is < 2019-04-14"
    )


def test_windows_without_functions_are_refused() -> None:
    model = RelationalTreeClassifier(bank(0).database(), "customer", aggregates=[], windows=[30])
    with pytest.raises(ValueError, match="Windows are for functions over rows, but aggregates names none"):
        model.fit(range(N), np.arange(N) % 2)


@pytest.mark.parametrize(
    ("windows", "time", "problem"),
    [
        ("30", TIME, "windows must be a sequence of numbers"),
        ([0], TIME, "A window is a number above 0"),
        (["30"], TIME, "A window is a number above 0"),
        ([30], {"payment": "day"}, "Windows end at the time of an example, but 'customer' has none"),
        ([30], {"customer": "until"}, "no table beside that of the examples has one"),
    ],
)
def test_what_is_refused(windows: Any, time: dict[str, str], problem: str) -> None:
    database = Database(bank(0).tables, [LINK], time=time)
    with pytest.raises((TypeError, ValueError), match=problem):
        RelationalTreeClassifier(database, "customer", windows=windows).fit(range(N), np.arange(N) % 2)
