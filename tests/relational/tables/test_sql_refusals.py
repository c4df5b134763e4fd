"""Databases on a server that cannot be reached or read."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from tests.relational.tables.servers import SCHEMA, execute, in_sqlite, sa
from tests.relational.tables.test_sql_writing import written

from petree.relational.database import Database


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
