"""Names of petree's own in SQL are none of the user's."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.relational.random_databases import MadeTables, pointers, quarters

pytest.importorskip("sqlalchemy")

import sqlalchemy as sa
from tests.relational.in_database.made import assert_same, fitted, write
from tests.relational.in_database.test_same_trees import everywhere, in_sqlite

from petree.relational import Database

# Names that the queries have had for themselves, and some that they have now unless they are taken.
NAMES = [
    *("n", "#n", "node", "v", "v0", "t0", "t1", "a1", "m", "s", "p", "r", "h", "k", "f0", "found", "given", "value"),
    *("#until", "petree_n", "petree_t0", "petree_nodes", "Petree_f0", "50%(x)s", ":n"),
]


def named_tables(names: list[str], seed: int, rooms: str = "room", lost: int | None = 99) -> MadeTables:
    """Parts of a thing have columns of all names; two links lead to a table with a column ``rowid``."""
    numbers = random.Random(seed)
    n = 16
    first, second, *others = names
    tables: dict[str, Any] = {
        "thing": {
            first: list(range(n)),
            "one": pointers(numbers, n, range(6), lost=lost),
            "other": pointers(numbers, n, range(6), lost=lost),
            "class": [numbers.choice("yn") for _ in range(n)],
            **{name: quarters(numbers, n) for name in others[:4]},
        },
        "part": {second: pointers(numbers, 3 * n, range(n)), **{name: quarters(numbers, 3 * n) for name in others}},
        rooms: {"key": list(range(6)), "rowid": [0, 1, 1, 2, 2, 2], "_rowid_": [1] * 6, "size": quarters(numbers, 6)},
    }
    links = [f"part({second}) -> thing({first})", f"thing(one) -> {rooms}(key)", f"thing(other) -> {rooms}(key)"]
    return MadeTables(tables, links, {"thing": first, rooms: "key"})


@everywhere
@pytest.mark.parametrize("seed", range(2))
def test_names_that_queries_use_themselves(address: str, seed: int) -> None:
    names = list(NAMES)
    random.Random(seed).shuffle(names)
    plain = [name for name in names if name.isidentifier()]
    made = named_tables([*plain[:2], *(name for name in names if name not in plain[:2])], seed, rooms="t0")
    write(made, address)
    assert_same(made, address, aggregates=("count", "min", "mode", "two_links"), max_depth=4)


@in_sqlite
def test_tables_without_rowid(address: str) -> None:
    made = named_tables(["id", "thing", "n"], 3)
    write(made, address)
    engine = sa.create_engine(address)
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE room RENAME TO old")
        connection.exec_driver_sql(
            "CREATE TABLE room (key INTEGER PRIMARY KEY, a INTEGER, b INTEGER, size) WITHOUT ROWID"
        )
        connection.exec_driver_sql("INSERT INTO room SELECT * FROM old")
        connection.exec_driver_sql("DROP TABLE old")
    engine.dispose()
    assert_same(made, address)


@pytest.mark.parametrize("name", ["t0", "T1", "a1"])
def test_exported_queries_of_columns_that_are_named_like_aliases(name: str) -> None:
    made = named_tables(["id", "thing", name], 1, lost=None)
    database = made.database()
    keys = database.keys("thing")
    model = fitted(database, keys, aggregates=("count", "min"), max_depth=3)
    engine = sa.create_engine("duckdb:///:memory:", poolclass=sa.pool.StaticPool)
    pytest.importorskip("duckdb_engine")
    database.to_sql(engine)
    with engine.connect() as connection:
        rows = {row[0]: row[1] for row in connection.exec_driver_sql(model.to_sql(dialect="duckdb"))}
    assert [rows[key] for key in list(keys)] == model.apply(keys).tolist()
    assert f' AS "{name}"' not in model.to_sql()
    aliases = {f"_{letter}{number}" for letter in "ta" for number in range(3)}
    assert any(f"AS {alias}" in model.to_sql() for alias in aliases)


def test_names_of_columns_that_are_left_out_are_taken_too(tmp_path: Any) -> None:
    address = f"sqlite:///{tmp_path}/test.db"
    engine = sa.create_engine(address)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE thing (id INTEGER PRIMARY KEY, petree_n INTEGER, data BLOB)")
    engine.dispose()
    database = Database.from_url(address, leave_out=["thing.petree_n", "thing.data"], in_database=True)
    assert database.server is not None
    assert not "petree_n".startswith(database.server.tables.prefix)
