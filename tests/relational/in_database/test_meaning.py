"""Values mean in the database what they mean in memory, or are refused with their column."""

from __future__ import annotations

from typing import Any

import pytest
from tests.relational.random_databases import MadeTables

pytest.importorskip("sqlalchemy")

import sqlalchemy as sa
from tests.relational.in_database.made import assert_same, both_ways, fitted
from tests.relational.in_database.test_same_trees import everywhere, in_sqlite

from petree.relational import Database

MADE = MadeTables({}, ["part.thing -> thing.id"], {"thing": "id"})
N = 12


def execute(address: str, *statements: str, rows: dict[str, list[tuple[Any, ...]]] | None = None) -> None:
    engine = sa.create_engine(address)
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
        for table, values in (rows or {}).items():
            names = ", ".join(f":c{place}" for place in range(len(values[0])))
            given = [{f"c{place}": one for place, one in enumerate(row)} for row in values]
            connection.execute(sa.text(f"INSERT INTO {table} VALUES ({names})"), given)
    engine.dispose()


def things(address: str, key: str, key_of_part: str, kind: str, words: list[Any], ids: list[str]) -> None:
    """Things of class y have a part whose kind is the first of the words."""
    execute(
        address,
        f"CREATE TABLE thing (id {key}, class VARCHAR(1))",
        f"CREATE TABLE part (thing {key_of_part}, kind {kind})",
        rows={
            "thing": [(one, "yn"[place % 3 == 0]) for place, one in enumerate(ids)],
            "part": [(one, words[(place % 3 == 0) + 2 * (place % 2)]) for place, one in enumerate(ids)]
            + [(one, words[-1]) for one in ids[::4]],
        },
    )


IDS = [f"{letter}{number}" for number in range(N // 2) for letter in "aA"]
WORDS = ["b", "B", "b ", "a"]


@pytest.mark.parametrize("address", ["sqlite", "duckdb"], indirect=True)
@pytest.mark.parametrize("collation", ["NOCASE", "RTRIM"])
def test_collations(address: str, collation: str) -> None:
    if collation == "RTRIM" and not address.startswith("sqlite"):
        pytest.skip("a collation of SQLite")
    kind = f"VARCHAR COLLATE {collation}"
    ids = IDS if collation == "NOCASE" else [f"a{number}{' ' * (number % 2)}" for number in range(N)]
    things(address, kind, "VARCHAR", kind, WORDS, ids)
    assert_same(MADE, address, aggregates=("count", "mode"))


@pytest.mark.parametrize("address", ["postgres"], indirect=True)
def test_characters_of_fixed_length(address: str) -> None:
    things(address, "CHAR(4)", "VARCHAR(4)", "CHAR(3)", WORDS, [f"a{number}" for number in range(N)])
    assert_same(MADE, address, aggregates=("count", "mode"))


@pytest.mark.parametrize("address", ["postgres", "duckdb"], indirect=True)
def test_the_order_of_an_enum_is_that_of_its_texts(address: str) -> None:
    execute(address, "CREATE TYPE word AS ENUM ('d', 'c', 'b', 'a')")
    things(address, "VARCHAR(4)", "VARCHAR(4)", "word", ["c", "b", "a", "d"], [f"a{number}" for number in range(N)])
    assert_same(MADE, address, aggregates=("count", "mode"))


@everywhere
def test_the_least_whole_number(address: str) -> None:
    things(address, "INTEGER", "INTEGER", "INTEGER", [-(2**31), 1, 2, 3], list(range(N)))  # type: ignore[arg-type]
    assert_same(MADE, address)


@pytest.mark.parametrize("address", ["postgres"], indirect=True)
def test_a_numeric_that_is_no_number_is_missing(address: str) -> None:
    words = ["NaN", "1.5", "2.5", "NaN"]
    execute(
        address, "CREATE TABLE thing (id INTEGER, class VARCHAR(1))", "CREATE TABLE part (thing INTEGER, size NUMERIC)"
    )
    for number in range(N):
        execute(
            address,
            f"INSERT INTO thing VALUES ({number}, '{'yn'[number % 3 == 0]}')",
            f"INSERT INTO part VALUES ({number}, '{words[number % 4]}')",
        )
    assert_same(MADE, address)


@in_sqlite
def test_small_decimals_of_sqlite(address: str) -> None:
    things(address, "INTEGER", "INTEGER", "NUMERIC", [1e-12, 2e-12, 3e-12, 5e-12], list(range(N)))  # type: ignore[arg-type]
    model = assert_same(MADE, address)
    assert "e-12" in model.export_text(style="prolog")


@pytest.mark.parametrize(
    ("address", "kind", "word", "told"),
    [
        ("sqlite", "BOOLEAN", 2, "Column 'part.kind' of booleans holds a value other than 0 and 1"),
        ("sqlite", "TEXT", "a\0b", "Column 'part.kind' holds a text with a NUL character"),
        ("duckdb", "VARCHAR", "a\0b", "Column 'part.kind' holds a text with a NUL character"),
    ],
    indirect=["address"],
)
def test_values_that_are_refused(address: str, kind: str, word: Any, told: str) -> None:
    others = [1, 0, 1] if kind == "BOOLEAN" else ["a", "b", "c"]
    things(address, "INTEGER", "INTEGER", kind, [*others, word], list(range(N)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=told):
        both_ways(MADE, address)[1]
    Database.from_url(address, leave_out=["part.kind"], in_database=True)


@pytest.mark.parametrize("address", ["postgres", "duckdb"], indirect=True)
def test_exported_queries_take_numbers_that_are_none_for_missing(address: str) -> None:
    numbers = [float("nan"), 1.0, 2.0, 3.0]
    things(address, "INTEGER", "INTEGER", "DOUBLE PRECISION", numbers, list(range(N)))  # type: ignore[arg-type]
    execute(address, "ALTER TABLE thing ADD COLUMN size DOUBLE PRECISION", "UPDATE thing SET size = 'NaN' WHERE id < 6")
    execute(address, "UPDATE thing SET size = id WHERE id > 5")
    memory = Database.from_url(address, links=MADE.links, keys=MADE.keys)
    keys = memory.keys("thing")
    engine = sa.create_engine(address)
    for aggregates in (("count",), ("min", "max", "mean", "sum")):
        model = fitted(memory, keys, aggregates=aggregates)
        with engine.connect() as connection:
            query = model.to_sql(dialect=engine.dialect.name)
            rows = {row[0]: row[1] for row in connection.exec_driver_sql(query)}
        assert [rows[key] for key in keys.tolist()] == model.apply(keys).tolist()  # type: ignore[union-attr]
    engine.dispose()
