"""Tables written into a database as they are, with keys that dangle, and both ways to open them."""

from __future__ import annotations

import pickle
import warnings
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.relational.random_databases import MadeTables, random_tables

import petree
from petree import RelationalTreeClassifier
from petree.relational import Database

sa = pytest.importorskip("sqlalchemy")

TYPES = {bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE PRECISION", str: "VARCHAR(20)", date: "DATE"}


def write(made: MadeTables, address: str, schema: str | None = None) -> None:
    """Make the tables, without any constraint."""
    engine = sa.create_engine(address)
    with engine.begin() as connection:
        for name, columns in made.tables.items():
            place = f'"{name}"' if schema is None else f'{schema}."{name}"'
            listed = ", ".join(f'"{column}" {_type(values)}' for column, values in columns.items())
            connection.exec_driver_sql(f"CREATE TABLE {place} ({listed})", execution_options={"no_parameters": True})
            rows = ", ".join(f"({', '.join(map(_text, row))})" for row in zip(*columns.values(), strict=True))
            connection.exec_driver_sql(f"INSERT INTO {place} VALUES {rows}", execution_options={"no_parameters": True})
    engine.dispose()


def _type(values: list[Any]) -> str:
    kinds = {type(one) for one in values if one is not None}
    return TYPES[float if float in kinds else next(iter(kinds))]


def _text(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, float) and value != value:
        return "CAST('NaN' AS DOUBLE PRECISION)"
    return "'" + str(value).replace("'", "''") + "'" if isinstance(value, (str, date)) else repr(value)


def both_ways(made: MadeTables, address: str, **told: Any) -> tuple[Database, Database]:
    """The tables in memory, and in their database."""
    declared: dict[str, Any] = {"links": made.links, "keys": made.keys, "time": made.time, **told}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dangling keys are meant
        return (
            Database.from_url(address, **declared),
            Database.from_url(address, **declared, in_database=True),
        )


def fitted(database: Database, keys: Any, **parameters: Any) -> RelationalTreeClassifier:
    settings: dict[str, Any] = {"pruning": "none", "smoothing": "laplace", "random_state": 0, **parameters}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns that name rows, refinements left out
        return RelationalTreeClassifier(database, "thing.class", **settings).fit(keys)


def assert_same(
    made: MadeTables, address: str, keys: slice = slice(None), **parameters: Any
) -> RelationalTreeClassifier:
    """The trees of both ways are the same, and send all examples the same way; returns that of the database."""
    memory, inside = both_ways(made, address)
    assert inside.report() == memory.report()
    every = memory.keys(made.target)
    expected = fitted(memory, every[keys], **parameters)
    found = fitted(inside, every[keys], **parameters)
    assert str(found.bias_) == str(expected.bias_)
    assert found.export_text(style="prolog") == expected.export_text(style="prolog")
    assert (found.node_probabilities_ == expected.node_probabilities_).all()
    assert (found.apply(every) == expected.apply(every)).all()
    return found


def assert_models_from_elsewhere_predict(address: str, folder: Path) -> None:
    """Those that were fitted in memory, that come from files, and that were pickled."""
    made = random_tables(3, 20)
    write(made, address)
    memory, inside = both_ways(made, address)
    keys = memory.keys("thing")
    model = fitted(memory, keys, aggregates=("count", "sum", "mean", "complex"), max_depth=4)
    expected = model.predict_proba(keys)
    assert (model.predict_proba(keys, database=inside) == expected).all()
    petree.save(model, folder / "model.json")
    loaded: Any = petree.load(folder / "model.json", database=inside)
    assert (loaded.predict_proba(keys) == expected).all()
    assert (pickle.loads(pickle.dumps(loaded)).predict_proba(keys) == expected).all()
