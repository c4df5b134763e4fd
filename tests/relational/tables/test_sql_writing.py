"""Databases on a server: what is written comes back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.relational.decoded import rows
from tests.relational.tables.servers import everywhere, execute, in_sqlite, sa

from petree.relational.database import Database
from petree.relational.relations import KEY, Domain, Relation, RelationColumn


def written() -> Database:
    """Tables with composite keys, a self link whose rows come before those they point to, and all kinds of values."""
    return Database(
        {
            "opening": {"clinic": ["n", "n", "s"], "day": [1, 2, 1]},
            "visit": {
                "id": [3, 2, 1],
                "clinic": ["s", "n", None],
                "day": [1, 2, 1],
                "again": [2, 1, None],
                "price": [1.5, None, -2.0],
                "is_first": [True, None, False],
                "note": ["it's", None, "ü;--"],
            },
            "item": {"visit": [1, 1, 3], "name": ["a", "a", "b"], "nothing": [None, None, None]},
        },
        ["visit(clinic, day) -> opening(clinic, day)", "visit.again -> visit.id", "item.visit -> visit.id"],
        keys={"visit": "id"},
    )


@everywhere
def test_what_was_written_is_read_again(address: str, engine: Any) -> None:
    database = written()
    database.to_sql(engine)
    declared = None if engine.dialect.name != "duckdb" else [str(key) for key in database.foreign_keys]
    again = Database.from_url(engine, links=declared)
    assert set(again.foreign_keys) == set(database.foreign_keys)
    assert sorted(again.relations) == sorted(database.relations)
    for name, relation in database.relations.items():
        assert sorted(rows(again, name), key=repr) == sorted(rows(database, name), key=repr)
        other = again.relation(name)
        assert [one.name for one in other.columns] == [one.name for one in relation.columns]
        assert [one.kind for one in other.columns] == [one.kind for one in relation.columns]
        assert [list(one.domain.values) for one in other.columns] == [
            list(one.domain.values) for one in relation.columns
        ]
        assert other.keys == relation.keys


@everywhere
def test_a_table_that_is_there_already_is_not_written(engine: Any) -> None:
    execute(engine, "CREATE TABLE item (a INTEGER)")
    with pytest.raises(ValueError, match="The database has a table 'item' already; drop it"):
        written().to_sql(engine)
    assert sa.inspect(engine).get_table_names() == ["item"]


@everywhere
def test_links_that_dangle_and_tables_that_point_at_each_other(engine: Any) -> None:
    tables = {"a": {"id": [1, 2], "b": [3, 4]}, "b": {"id": [4, 3], "a": [1, None]}, "c": {"id": [1, 9]}}
    with pytest.warns(UserWarning, match="1 of 2 rows of table 'c' dangle"):
        database = Database(tables, ["a.b -> b.id", "b.a -> a.id", "c.id -> a.id"], keys={"c": "id"})
    database.to_sql(engine)
    again = Database.from_url(engine)
    assert [rows(again, name) for name in "abc"] == [rows(database, name) for name in "abc"]
    assert len(again.foreign_keys) == (0 if engine.dialect.name == "duckdb" else 2)


@in_sqlite
def test_facts_of_models_say_whose_they_are(address: str, engine: Any) -> None:
    models, shapes = Domain("model", ["m1", "m2"]), Domain("shape", ["circle", "square"])
    codes = np.array([0, 0, 1], np.int32)
    columns = (RelationColumn("", models, codes, KEY), RelationColumn("shape", shapes, codes[::-1]))
    Database.from_relations({"object": Relation("object", columns, 3, of_examples=True)}).to_sql(address)
    with engine.connect() as connection:
        found = connection.execute(sa.text("SELECT model, shape FROM object")).all()
    assert [tuple(row) for row in found] == [("m1", "square"), ("m1", "circle"), ("m2", "circle")]
