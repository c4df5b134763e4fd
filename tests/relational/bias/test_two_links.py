"""Functions over the rows at the end of two links: what is asked, in which words, and that order says nothing."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import petree
from petree import RelationalOptionTreeClassifier, RelationalTreeClassifier
from petree.relational import AggregateMode, Argument, Database, Mode, automatic_bias

N = 40
LINKS = ["visit.patient -> patient.id", "visit.doctor -> doctor.id", "bill.visit -> visit.id"]


def make_tables(order: int = 1) -> dict[str, dict[str, Any]]:
    """Patients with visits to doctors, and bills of visits; the mean age of the doctors tells the class."""
    random = np.random.default_rng(0)
    doctors = np.array([[0, 1, 2], [3, 4, 5]])[np.arange(N) % 2]
    patients = np.repeat(np.arange(N), 3)
    costs = np.repeat([0.1, 0.2, 0.3], N)[random.permutation(3 * N)]
    return {
        "patient": {"id": np.arange(N), "class": np.array(["ill", "well"])[np.arange(N) % 2]},
        "visit": {"id": np.arange(3 * N)[::order], "patient": patients[::order], "doctor": doctors.ravel()[::order]},
        "doctor": {"id": np.arange(6), "age": [30.1, 60.2, 31.3, 30.1, 60.2, 59.4]},
        "bill": {"visit": np.arange(3 * N)[::order], "cost": costs[::order]},
    }


def database_of(order: int = 1) -> Database:
    return Database(make_tables(order), LINKS)


def fitted(database: Database, *aggregates: str, **settings: Any) -> RelationalTreeClassifier:
    model = RelationalTreeClassifier(
        database, "patient.class", pruning="none", smoothing="laplace", aggregates=aggregates, **settings
    )
    return model.fit(np.arange(N))


def test_what_is_asked() -> None:
    bias = automatic_bias(database_of(), "patient", aggregates=("count", "mean", "two_links"))
    assert [str(one) for one in bias.aggregates if one.through is not None] == [
        "aggregate(mean, Age, (visit(_, +Patient, -Doctor2), doctor(Doctor2, -Age)))",
        "aggregate(count, (visit(-Id0, +Patient, _), bill(Id0, _, _)))",
        "aggregate(mean, Cost, (visit(-Id0, +Patient, _), bill(Id0, -Cost, _)))",
        "aggregate(count, (visit(-Id0, _, +Doctor), bill(Id0, _, _)))",
        "aggregate(mean, Cost, (visit(-Id0, _, +Doctor), bill(Id0, -Cost, _)))",
    ]


COUNTED = "aggregate(count, (visit(_, +Patient, -Doctor2), doctor(Doctor2, _)))"


@pytest.mark.parametrize("lost", [None, 99.0])
def test_rows_that_are_pointed_to_are_counted_where_some_point_nowhere(lost: float | None) -> None:
    tables = make_tables()
    doctors = tables["visit"]["doctor"].astype(float)
    is_lost = np.random.default_rng(1).random(3 * N) < 0.4
    tables["visit"]["doctor"] = np.where(is_lost, np.nan if lost is None else lost, doctors)
    has_all = ~is_lost.reshape(N, 3).any(axis=1)
    tables["patient"]["class"] = np.where(has_all, "ill", "well")
    with nullcontext() if lost is None else pytest.warns(UserWarning, match="dangle"):
        database = Database(tables, LINKS)
    bias = automatic_bias(database, "patient", aggregates=("count", "mean", "two_links"))
    assert COUNTED in map(str, bias.aggregates)
    model = fitted(database, "count", "mean", "two_links", max_links=2, max_depth=1)
    assert "count((visit(_, A, B), doctor(B, _))) < 3" in model.to_prolog()
    assert (model.predict(np.arange(N)) == tables["patient"]["class"]).all()


def test_rows_that_are_pointed_to_are_counted_where_they_become_known_by_and_by() -> None:
    tables = make_tables()
    tables["doctor"]["since"] = range(6)
    for times, is_counted in [({}, False), ({"doctor": "since"}, True)]:
        bias = automatic_bias(Database(tables, LINKS, time=times), "patient", aggregates=("count", "two_links"))
        assert any("doctor(Doctor2" in str(one) for one in bias.aggregates) == is_counted


def test_they_are_asked_only_by_name_and_by_themselves_they_count() -> None:
    database = database_of()
    assert all(one.through is None for one in automatic_bias(database, "patient", aggregates=("mean",)).aggregates)
    alone = automatic_bias(database, "patient", aggregates=("two_links",)).aggregates
    assert {one.function for one in alone} == {"count"}


def test_a_tree_says_it_in_words_prolog_and_sql(tmp_path: Path) -> None:
    model = fitted(database_of(), "mean", "two_links", max_links=2, max_depth=1)
    said = "the mean age of doctors that doctor of visits of the patient points to is"
    assert model.sentence(0) == f"{said} < 45"
    assert model.export_text().splitlines()[-1].endswith(f"|- {said} >= 45 or there is none: P(well)=0.95")
    assert "mean(X, (visit(_, A, B), doctor(B, X))) < 45" in model.to_prolog()
    assert model.to_sql(0).splitlines()[-1] == (
        'WHERE (SELECT AVG(a2."age") FROM "visit" AS a1 JOIN "doctor" AS a2 ON a2."id" = a1."doctor" '
        'WHERE a1."patient" = t0."id") < 45'
    )
    petree.save(model, tmp_path / "model.json")
    loaded: Any = petree.load(tmp_path / "model.json", database=database_of())
    assert (loaded.predict_proba(np.arange(N)) == model.predict_proba(np.arange(N))).all()


def test_both_links_count() -> None:
    assert "points to" in fitted(database_of(), "mean", "two_links", max_links=2).export_text()
    assert "points to" not in fitted(database_of(), "mean", "two_links", max_links=1).export_text()


@pytest.mark.parametrize("function", ["sum", "mean"])
def test_the_order_of_rows_says_nothing(function: str) -> None:
    """Added up from the left 0.1 + 0.2 + 0.3 is more than 0.3 + 0.2 + 0.1."""
    models = [fitted(database_of(order), function, "two_links") for order in (1, -1)]
    assert models[0].export_text() == models[1].export_text()


def test_option_trees_ask_them_too() -> None:
    database = database_of()
    model = RelationalOptionTreeClassifier(database, "patient.class", aggregates=("mean", "two_links"), n_refined=0)
    model.fit(np.arange(N))
    assert any("doctor(B, X))) <" in str(one) for one in model.tree_.conditions)
    assert (model.predict(np.arange(N)) == make_tables()["patient"]["class"]).all()


def test_what_leads_to_rows_has_no_values_to_try() -> None:
    through = Mode("visit", (Argument("-", "Id"), Argument("+", "Patient"), Argument("#")))
    with pytest.raises(ValueError, match="leads to the rows of a function; its arguments are"):
        AggregateMode("count", Mode("bill", (Argument("=", "Id"), Argument("_"))), through=through)
