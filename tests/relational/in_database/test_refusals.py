"""What cannot be asked of tables that stay in their database is refused in a sentence."""

from __future__ import annotations

import warnings
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.relational.in_database.made import both_ways, fitted, sa, write
from tests.relational.random_databases import MadeTables

from petree import RelationalFeatures, RelationalOptionTreeClassifier, RelationalTreeClassifier
from petree.pruning import Rand
from petree.relational import AggregateMode, Argument, Bias, Database, Mode

TABLES = {
    "thing": {"id": [1, 2, 3, 4], "class": ["y", "n", "y", "n"]},
    "part": {"thing": [1, 1, 2, 3], "kind": ["a", "b", "a", "b"], "size": [0.5, 1.5, 2.5, 3.5]},
}
MADE = MadeTables(TABLES, ["part.thing -> thing.id"], {"thing": "id"})


@pytest.fixture
def address(tmp_path: Path) -> str:
    write(MADE, f"sqlite:///{tmp_path}/test.db")
    return f"sqlite:///{tmp_path}/test.db"


@pytest.fixture
def inside(address: str) -> Database:
    return both_ways(MADE, address)[1]


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"aggregates": ("sum",)}, "The aggregate 'sum' cannot be asked in a database; choose among"),
        ({"aggregates": ("count", "complex")}, "The aggregate 'complex' cannot be asked"),
        ({"windows": (30,)}, "windows= cannot be asked in a database"),
        ({"binning": "entropy"}, "binning='entropy' looks at classes"),
        ({"known_labels": True}, "known_labels=True needs the rows of all tables"),
        (
            {
                "bias": Bias(
                    (), aggregates=(AggregateMode("mean", Mode("part", (Argument("+"), *[Argument("-")] * 3)), 2),)
                )
            },
            "The aggregate 'mean' cannot be asked",
        ),
        (
            {
                "bias": Bias(
                    (), aggregates=(AggregateMode("count", Mode("part", (Argument("+"), *[Argument("#")] * 3))),)
                )
            },
            "is over rows that fit conditions",
        ),
    ],
)
def test_parameters(inside: Database, parameters: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        RelationalTreeClassifier(inside, "thing.class", **parameters).fit([1, 2, 3, 4])


def test_weights_and_examples_that_stand_twice(inside: Database) -> None:
    model = RelationalTreeClassifier(inside, "thing.class")
    with pytest.raises(ValueError, match="sample_weight cannot be followed in a database"):
        model.fit([1, 2, 3, 4], sample_weight=[1, 2, 1, 1])
    with pytest.raises(ValueError, match="The key at place 3 of X stands there a second time"):
        model.fit([1, 2, 3, 2])


def test_pruning_that_deals_values_anew(inside: Database) -> None:
    with pytest.raises(ValueError, match="Values cannot be dealt anew"):
        fitted(inside, [1, 2, 3, 4], pruning=Rand(randomise="attributes"))


def test_what_needs_all_rows(inside: Database, tmp_path: Path) -> None:
    model = fitted(inside, [1, 2, 3, 4])
    told = "which stay in their database; read them into memory"
    for ask in (
        lambda: model.rows_at(0),
        lambda: inside.to_sql(f"sqlite:///{tmp_path}/other.db"),
        lambda: RelationalFeatures(RelationalTreeClassifier(inside, "thing.class")).fit([1, 2, 3, 4]),
        lambda: RelationalOptionTreeClassifier(inside, "thing.class").fit([1, 2, 3, 4]),
    ):
        with pytest.raises(ValueError, match=told):
            ask()
    assert "P(" in str(model.explain([1])[0])  # without the rows behind it


def test_links_without_a_direction(address: str) -> None:
    with pytest.raises(ValueError, match="Links without a direction"):
        Database.from_url(address, links=["part.thing -- part.kind"], in_database=True)


def test_keys_that_are_repeated(address: str) -> None:
    with pytest.raises(ValueError, match=r"The key 'part\.thing' does not tell rows apart: 1 is repeated"):
        Database.from_url(address, keys={"part": "thing"}, in_database=True)


def test_views_and_other_databases(address: str) -> None:
    engine = sa.create_engine(address)
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE VIEW small AS SELECT * FROM part"))
    with pytest.raises(ValueError, match="'small' is a view, whose rows nothing tells apart"):
        Database.from_url(address, tables=["thing", "small"], in_database=True)
    engine.dispose()


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([date(2004, 1, 1), None], "Column 'other.value' holds dates, which SQLite keeps as texts"),
        ([2**60, 1], "whole numbers beyond 2\\*\\*53"),
        ([float("inf"), 1.0], "infinite numbers"),
    ],
)
def test_values_that_cannot_be_compared(address: str, values: list[Any], told: str) -> None:
    engine = sa.create_engine(address)
    kind = {date: "DATE", int: "BIGINT", float: "DOUBLE"}[type(values[0])]
    with engine.begin() as connection:
        connection.exec_driver_sql(f"CREATE TABLE other (value {kind})")
        connection.exec_driver_sql("INSERT INTO other VALUES (?), (?)", tuple(values))
    engine.dispose()
    with pytest.raises(ValueError, match=told):
        Database.from_url(address, in_database=True)
    Database.from_url(address, leave_out=[], tables=["thing", "part"], in_database=True)


def test_types_that_are_mixed(address: str) -> None:
    engine = sa.create_engine(address)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE other (value)")
        connection.exec_driver_sql("INSERT INTO other VALUES ('a'), (1)")
    engine.dispose()
    with pytest.raises(ValueError, match="holds values of several types \\(integer, text\\)"):
        Database.from_url(address, in_database=True)


def test_the_examples_are_in_memory_and_nothing_else(inside: Database) -> None:
    assert inside.keys("thing").tolist() == [1, 2, 3, 4]
    assert inside.labels("thing.class").tolist() == ["y", "n", "y", "n"]
    assert inside.relation("part").n_rows == 4
    assert all(len(column.codes) == 0 for column in inside.relation("part").columns)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(fitted(inside, [1, 2, 3, 4]).predict_proba([1])).all()
