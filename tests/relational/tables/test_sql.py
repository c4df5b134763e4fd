"""Databases on a server: what is read from them, and what is written comes back."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.relational.decoded import partners, rows

from petree.relational.database import Database, ForeignKey
from petree.relational.relations import KEY, NOMINAL, NUMBER, Domain, Relation, RelationColumn
from petree.relational.tables.sql.reading import compact

sa = pytest.importorskip("sqlalchemy")

SERVERS = ["sqlite", "postgres", "duckdb"]

SCHEMA = """
CREATE TABLE clinic (name VARCHAR(20) PRIMARY KEY, beds INTEGER, rating DOUBLE PRECISION);
CREATE TABLE opening (clinic VARCHAR(20) REFERENCES clinic (name), day INTEGER, PRIMARY KEY (clinic, day));
CREATE TABLE visit (
    id INTEGER PRIMARY KEY, clinic VARCHAR(20), day INTEGER, price DECIMAL(10, 2), is_first BOOLEAN, since DATE,
    moment TIMESTAMP, again INTEGER,
    FOREIGN KEY (clinic, day) REFERENCES opening (clinic, day), FOREIGN KEY (again) REFERENCES visit (id)
);
INSERT INTO clinic VALUES ('north', 10, 1.5), ('south', NULL, NULL);
INSERT INTO opening VALUES ('north', 1), ('north', 2), ('south', 1);
INSERT INTO visit VALUES (5, 'south', 1, 2.25, TRUE, '1970-01-03', '1970-01-01 12:00:00.000000', NULL);
INSERT INTO visit VALUES (6, 'north', 2, NULL, FALSE, NULL, NULL, 5);
INSERT INTO visit VALUES (7, 'north', NULL, 1.00, NULL, '1969-12-31', '1970-01-02 00:00:00.000000', 6)
"""
VISITS = [
    (5, "south", 1, 2.25, True, 2.0, 0.5, None),
    (6, "north", 2, None, False, None, None, 5),
    (7, "north", None, 1.0, None, -1.0, 1.0, 6),
]


@pytest.fixture
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database on the server that the test names."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres"))
    if request.param == "duckdb":
        pytest.importorskip("duckdb_engine", reason="DuckDB's dialect is not installed or does not load")
    return f"{request.param}:///{tmp_path}/test.db"


@pytest.fixture
def engine(address: str) -> Iterator[Any]:
    made = sa.create_engine(address)
    yield made
    made.dispose()


def execute(engine: Any, script: str) -> None:
    with engine.begin() as connection:
        for statement in script.split(";\n"):
            connection.execute(sa.text(statement))


everywhere = pytest.mark.parametrize("address", SERVERS, indirect=True)
in_sqlite = pytest.mark.parametrize("address", ["sqlite"], indirect=True)


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


# -- writing -----------------------------------------------------------------------------------------------------


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


# -- what goes wrong ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("molecules.db", "'molecules.db' is no address of a database"),
        ("nosuch://x", "'nosuch://x' is no address of a database"),
        ("sqlite:////no/such/file.db", "There is no database file '/no/such/file.db'; check the address"),
        (7, "7 is no address of a database"),
    ],
)
def test_wrong_addresses_are_refused(address: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Database.from_url(address)


def test_a_driver_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def know_none(*_: Any, **__: Any) -> None:
        raise sa.exc.NoSuchModuleError("Can't load plugin: sqlalchemy.dialects:duckdb")

    monkeypatch.setattr(sa, "create_engine", know_none)
    with pytest.raises(
        ImportError, match=r"duckdb needs the Python package 'duckdb-engine': pip install duckdb-engine"
    ):
        Database.from_url("duckdb:///x.db")


def test_a_server_that_does_not_answer_is_named_without_the_password() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(ValueError, match=r"postgresql\+psycopg://me:\*\*\*@127\.0\.0\.1:1/x.* refused: .*failed"):
        Database.from_url("postgresql+psycopg://me:secret@127.0.0.1:1/x?connect_timeout=2")


@in_sqlite
def test_missing_tables_are_refused(engine: Any) -> None:
    with pytest.raises(ValueError, match="The database has no tables; check its address"):
        Database.from_url(engine)
    execute(engine, SCHEMA)
    with pytest.raises(ValueError, match="The database has no table 'clinics'; it has clinic, opening, visit"):
        Database.from_url(engine, tables=["clinics"])
    with pytest.raises(TypeError, match="tables must be a sequence of names, got the text 'clinic'"):
        Database.from_url(engine, tables="clinic")
    with pytest.raises(TypeError, match="unexpected keyword argument 'key'"):
        Database.from_url(engine, key={"clinic": "beds"})


def test_without_sqlalchemy_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [one for one in sys.modules if one.startswith("petree.relational.tables.sql")]:
        monkeypatch.delitem(sys.modules, name)  # they are imported again, as if for the first time
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    with pytest.raises(ImportError, match=r"Databases need SQLAlchemy: pip install 'petree\[sql\]'"):
        Database.from_url("sqlite:///x.db")
    with pytest.raises(ImportError, match=r"Databases need SQLAlchemy: pip install 'petree\[sql\]'"):
        written().to_sql("sqlite:///x.db")


def test_large_whole_numbers_are_not_rounded() -> None:
    assert compact((1, 2)).dtype == np.int64
    assert compact((2**60, None)).tolist() == [2**60, None]
    assert compact((2**70, 1)).tolist() == [2**70, 1]


@pytest.mark.parametrize(("name", "needed"), [("odd", "the Python package 'odd'"), (None, "a Python package that is")])
def test_a_driver_that_is_not_there(monkeypatch: pytest.MonkeyPatch, name: str | None, needed: str) -> None:
    def refuse(*_: object) -> None:
        raise ImportError("no driver.", name=name)

    monkeypatch.setattr("sqlalchemy.create_engine", refuse)
    with pytest.raises(ImportError, match=rf"needs {needed}.*; install it \(no driver\)\.$"):
        Database.from_url("sqlite://")


def test_names_of_any_characters_are_shown_as_text() -> None:
    tables = {"a\x1b": {"id": [1, 2]}, "b -> c": {"k\x1b": [1, 3]}}
    links = [(("b -> c", ("k\x1b",)), ("a\x1b", ("id",)))]
    with pytest.warns(UserWarning, match=r"their b -> c\.k\\x1b \(such as 3\) is not among a\\x1b\.id;"):
        Database(tables, links, {"a\x1b": "id"})
    with pytest.raises(ValueError, match=r"no table 'x'; it has a\\x1b, b -> c\.$"):
        Database(tables, [(("x", ("y",)), ("a\x1b", ("id",)))])
    with pytest.raises(ValueError, match=r"no column 'y'; its columns are k\\x1b\.$"):
        Database(tables, [(("b -> c", ("y",)), ("a\x1b", ("id",)))])


def test_links_are_given_by_name() -> None:
    with pytest.raises(TypeError, match="positional"):
        Database.from_url("sqlite://", None, None, ["b.a_id -> a.id"])
