"""Databases on a server: what is read from them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.relational.decoded import partners, rows
from tests.relational.tables.servers import SCHEMA, everywhere, execute, in_sqlite

from petree.relational.database import Database, ForeignKey
from petree.relational.relations import KEY, NOMINAL, NUMBER
from petree.relational.tables.sql.reading import compact

VISITS = [
    (5, "south", 1, 2.25, True, 2.0, 0.5, None),
    (6, "north", 2, None, False, None, None, 5),
    (7, "north", None, 1.0, None, -1.0, 1.0, 6),
]


@everywhere
def test_tables_keys_and_links_are_found(engine: Any) -> None:
    execute(engine, SCHEMA)
    database = Database.from_url(engine)
    assert sorted(database.relations) == ["clinic", "opening", "visit"]
    assert set(database.foreign_keys) == {
        ForeignKey("opening", ("clinic",), "clinic", ("name",)),
        ForeignKey("visit", ("clinic", "day"), "opening", ("clinic", "day")),
        ForeignKey("visit", ("again",), "visit", ("id",)),
    }
    assert sorted(rows(database, "visit")) == VISITS
    assert sorted(rows(database, "clinic")) == [("north", 10, 1.5), ("south", None, None)]
    kinds = [column.kind for column in database.relation("visit").columns]
    assert kinds == [KEY, KEY, KEY, NUMBER, NOMINAL, NUMBER, NUMBER, KEY]
    dates = [column.name for column in database.relation("visit").columns if column.is_date]
    assert dates == ["since", "moment"]
    assert database.relation("visit").keys == ((0,),)
    assert database.relation("opening").keys == ((0, 1),)
    openings = database.rows("opening", [("south", 1), ("north", 2)])
    visits = database.rows("visit", [5, 6, 7])
    found = partners(database, "visit", "opening")
    assert [found[visit] for visit in visits] == [[openings[0]], [openings[1]], []]


@everywhere
def test_chosen_tables_links_keys_and_times(engine: Any) -> None:
    execute(engine, SCHEMA)
    database = Database.from_url(engine, tables=["visit", "clinic"], keys={"clinic": "beds"}, time={"visit": "moment"})
    assert list(database.relations) == ["visit", "clinic"]
    assert [str(key) for key in database.foreign_keys] == ["visit.again -> visit.id"]
    assert database.relation("clinic").keys == ((1,),)
    assert database.relation("visit").time == 6
    other = Database.from_url(engine, tables=["visit", "clinic"], links=["visit.clinic -> clinic.name"])
    assert [str(key) for key in other.foreign_keys] == ["visit.clinic -> clinic.name"]


@everywhere
def test_an_address_will_do(address: str, engine: Any) -> None:
    execute(engine, SCHEMA)
    engine.dispose()
    assert sorted(rows(Database.from_url(address), "opening")) == [("north", 1), ("north", 2), ("south", 1)]


@everywhere
def test_types_that_cannot_be_read_are_left_out(address: str, engine: Any) -> None:
    binary = "BYTEA" if engine.dialect.name == "postgresql" else "BLOB"
    execute(engine, f"CREATE TABLE thing (id INTEGER PRIMARY KEY, picture {binary}, extra JSON, name TEXT)")
    with pytest.warns(UserWarning, match=r"Column 'thing\.(picture|extra)' is left out") as caught:
        database = Database.from_url(engine)
    assert len(caught) == 2
    assert caught[0].filename == __file__
    assert [column.name for column in database.relation("thing").columns] == ["id", "name"]


@pytest.mark.parametrize("address", ["postgres"], indirect=True)
def test_types_of_postgres(engine: Any) -> None:
    execute(
        engine,
        """CREATE SCHEMA far;
CREATE TYPE mood AS ENUM ('sad', 'happy');
CREATE TABLE far.person (id UUID PRIMARY KEY, feels mood, at TIMESTAMP WITH TIME ZONE, scores INTEGER[], big NUMERIC);
INSERT INTO far.person VALUES
('00000000-0000-0000-0000-000000000001', 'sad', '1970-01-01 03:00:00+03', '{1}', 3.5)""",
    )
    with pytest.warns(UserWarning, match=r"Column 'person\.scores' is left out"):
        database = Database.from_url(engine, schema="far")
    assert rows(database, "person") == [("00000000-0000-0000-0000-000000000001", "sad", 0.0, 3.5)]


@in_sqlite
def test_columns_of_sqlite_without_a_type(engine: Any) -> None:
    execute(engine, "CREATE TABLE thing (a, b);\nINSERT INTO thing VALUES (1, 'x'), (2, NULL)")
    assert rows(Database.from_url(engine), "thing") == [(1, "x"), (2, None)]


@in_sqlite
def test_values_that_are_not_of_their_columns_type_are_refused(engine: Any) -> None:
    execute(engine, "CREATE TABLE thing (b INTEGER, a DATE);\nINSERT INTO thing VALUES (1, 'yesterday')")
    told = r"Column 'thing\.a' holds a value that is not of its type: .*yesterday.*leave_out=\['thing\.a'\]"
    with pytest.raises(ValueError, match=told):
        Database.from_url(engine)
    assert rows(Database.from_url(engine, leave_out=["thing.a"]), "thing") == [(1,)]


def test_large_whole_numbers_are_not_rounded() -> None:
    assert compact((1, 2)).dtype == np.int64
    assert compact((2**60, None)).tolist() == [2**60, None]
    assert compact((2**70, 1)).tolist() == [2**70, 1]


def test_links_are_given_by_name() -> None:
    with pytest.raises(TypeError, match="positional"):
        Database.from_url("sqlite://", None, None, ["b.a_id -> a.id"])
