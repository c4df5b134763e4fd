"""Whole trees as SQL."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest
from tests.relational.molecules import KEYS, make_model, make_tables

import petree
from petree.relational import Database
from petree.relational.reading.sql_trees import leaf_sql


@pytest.mark.parametrize(
    ("table", "key"),
    [("examples", "id"), ("Test_0", "id"), ("molecule", "leaf"), ("known_class", "Leaf"), ("molecule", "a.b")],
)
def test_names_that_the_text_of_sql_uses_itself(tmp_path: Path, table: str, key: str) -> None:
    tables = make_tables()
    molecule = {key: tables["molecule"]["id"], "mutagenic": tables["molecule"]["mutagenic"]}
    database = Database({table: molecule, "atom": tables["atom"]}, links=[f"atom.molecule -> {table}.{key}"])
    model = make_model(database, f"{table}.mutagenic").fit(KEYS)
    database.to_sql(f"sqlite:///{tmp_path / 'x.db'}")
    petree.save(model, tmp_path / "model.json")
    loaded = petree.load(tmp_path / "model.json", database=database)
    connection = sqlite3.connect(tmp_path / "x.db")
    found = {row[0]: row[-1] for row in connection.execute(loaded.to_sql())}
    connection.close()
    assert np.allclose([found[one] for one in KEYS], model.predict_proba(KEYS)[:, 1])


def test_the_query_of_a_leaf_finds_its_examples(tmp_path: Path) -> None:
    database = Database(make_tables(), links=["atom.molecule -> molecule.id"])
    model = make_model(database).fit(KEYS)
    database.to_sql(f"sqlite:///{tmp_path / 'x.db'}")
    connection = sqlite3.connect(tmp_path / "x.db")
    leaves = model.apply(KEYS)
    for leaf in np.flatnonzero(model.tree_.is_leaf).tolist():
        found = {row[0] for row in connection.execute(leaf_sql(model._router, leaf))}
        assert found == {key for key, own in zip(KEYS, leaves.tolist(), strict=True) if own == leaf}
    connection.close()
