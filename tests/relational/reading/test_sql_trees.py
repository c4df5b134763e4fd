"""Whole trees as SQL."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from tests.relational.molecules import KEYS, make_model, make_tables
from tests.relational.varied_tables import ballots

import petree
from petree.relational import Database
from petree.relational.reading.sql_text import identifier
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


@pytest.mark.parametrize("seed", range(12))
def test_booleans_beside_numbers_that_equal_them(tmp_path: Path, seed: int) -> None:
    ids = list(range(30))
    numbers = random.Random(seed)
    labels = [numbers.choice("ny") for _ in ids]
    database = Database({"patient": {"id": ids}, "ballot": ballots(numbers, ids, 70)}, ["ballot.patient -> patient.id"])
    model = petree.RelationalTreeClassifier(
        database, "patient", pruning="none", smoothing="laplace", aggregates=("count", "mode"), min_examples=1
    ).fit(ids, labels)
    database.to_sql(f"sqlite:///{tmp_path / 'x.db'}")
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        found = {row[0]: row[-1] for row in connection.execute(model.to_sql())}
    assert np.allclose([found[one] for one in ids], model.predict_proba(ids)[:, 1])
    petree.save(model, tmp_path / "model.json")
    loaded = petree.load(tmp_path / "model.json", database=database)
    assert (loaded.predict_proba(ids) == model.predict_proba(ids)).all()


def test_the_indexes_that_a_query_needs_stand_in_front(tmp_path: Path) -> None:
    """Also of names with line ends, behind which nothing may be run."""
    tables = make_tables()
    atom = {"of\nmolecule": tables["atom"].pop("molecule"), **tables["atom"]}
    links = [(("atom", ("of\nmolecule",)), ("molecule", ("id",)))]
    database = Database({"molecule": tables["molecule"], "atom": atom}, links)
    model = make_model(database).fit(KEYS)
    for text in (model.to_sql(), model.to_sql(0)):
        comments = [line.removeprefix("-- ") for line in text.splitlines() if line.startswith("-- ")]
        query = text.partition("\nWITH" if "\nWITH" in text else "\nSELECT")
        assert all(line.startswith("-- ") for line in query[0].splitlines())
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.execute('CREATE TABLE molecule ("id", "mutagenic")')
            connection.execute(f"CREATE TABLE atom ({', '.join(map(identifier, atom))})")
            connection.executescript("\n".join(comments[1:]))
            plan = " ".join(row[-1] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}"))
        assert "atom_of\nmolecule_index" in plan
