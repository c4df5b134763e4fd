"""Categories that have an order are asked by thresholds, everywhere alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from petree import RelationalTreeClassifier
from petree.relational import Database
from petree.storage import dumps, loads

LEVELS = ["low", "mid", "high", "top"]
MADE = [
    lambda values: pd.Series(pd.Categorical(values, categories=LEVELS, ordered=True)),
    lambda values: pd.Categorical(values, categories=LEVELS, ordered=True),
    lambda values: pl.Series(values, dtype=pl.Enum(LEVELS)),
]


def make_database(made: Any, n: int = 40) -> Database:
    """Patients with visits, whose class asks for a visit at level high or top."""
    random = np.random.default_rng(0)
    patients, levels = random.integers(0, n, 3 * n), random.choice(LEVELS, 3 * n)
    classes = np.bincount(patients, np.isin(levels, ["high", "top"]), n) > 0
    tables = {
        "patient": {"id": np.arange(n), "class": np.where(classes, "ill", "well")},
        "visit": {"patient": patients, "level": made([*levels[:-3], None, None, None])},
    }
    return Database(tables, ["visit.patient -> patient.id"])


def fitted(database: Database) -> RelationalTreeClassifier:
    model = RelationalTreeClassifier(database, "patient.class", pruning="none", aggregates=("count", "complex"))
    return model.fit(database.keys("patient"))


@pytest.mark.parametrize("made", MADE)
def test_one_threshold_says_it(made: Any) -> None:
    database = make_database(made)
    model = fitted(database)
    assert model.sentence(0) == "some visit (B) of the patient has level >= high"
    assert str(model.tree_.conditions[0]) == "visit(A, C, B), C >= high"
    keys = database.keys("patient")
    loaded = loads(dumps(model))
    assert loaded.export_text() == model.export_text()
    assert loaded.predict(keys, database=database).tolist() == model.predict(keys).tolist()
    assert "% Values of level in visit compare as low < mid < high < top." in model.to_prolog()


def test_sql_finds_the_same() -> None:
    sa = pytest.importorskip("sqlalchemy")
    database = make_database(MADE[0])
    model = fitted(database)
    engine = sa.create_engine("sqlite://", poolclass=sa.pool.StaticPool)
    database.to_sql(engine)
    with engine.connect() as connection:
        found = {row[0]: row[1] for row in connection.exec_driver_sql(loads(dumps(model)).to_sql())}
    keys = database.keys("patient")
    assert [found[key] for key in keys.tolist()] == model.apply(keys).tolist()


def test_other_tables_may_have_plain_text_in_any_order() -> None:
    database = make_database(MADE[0])
    model = fitted(database)
    keys = database.keys("patient")
    plain = make_database(lambda values: values)
    assert not plain.relation("visit").columns[1].domain.is_ordered
    assert model.predict(keys, database=plain).tolist() == model.predict(keys).tolist()
    strange = make_database(lambda values: ["huge", *values[1:]])
    with pytest.raises(ValueError, match=r"'visit\.level' holds 'huge', which is not among .*: low, mid, high, top"):
        model.predict(keys, database=strange)
