"""What has to be known of the rows of a table before they are asked about: how many, of what, and what is missing."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import sqlalchemy as sa

from petree.inputs.values import LARGEST_WHOLE
from petree.relational.in_database.cleaning import NAN, Tables
from petree.relational.in_database.session import Session
from petree.relational.reading.sql_text import identifier
from petree.relational.tables.integrity import LinkCheck, dangling_warning
from petree.relational.tables.schema import ForeignKey, place_text
from petree.relational.tables.sql.catalogue import TableInfo
from petree.relational.tables.sql.connections import always_quoted

# Whether a text has a NUL character, which PostgreSQL does not store.
NUL = {"sqlite": "instr({}, char(0)) > 0", "duckdb": "contains(CAST({} AS VARCHAR), chr(0))"}
LARGEST_FLOAT = "1.7976931348623157e308"


@dataclass(frozen=True)
class Profile:
    """The number of rows, a value of each column (None where it has none), columns with NaN, and those with gaps."""

    n_rows: int
    samples: dict[str, Any]
    floats: list[str]
    gaps: set[str]


def profile(session: Session, tables: Tables, info: TableInfo, keys: Iterable[str]) -> Profile:
    """Look at all rows of a table once, and at some value of each column; what no tree can ask about is refused."""
    if not info.columns:
        raise ValueError(f"Table {info.name!r} has no columns that can be read; name the others in tables=.")
    source = tables.plain(info.name)
    samples = {name: _sample(session, tables, info, name) for name in info.columns}
    for name, value in samples.items():
        _refuse_kinds(session, source, info.name, name, value)
    are_floats = session.dialect != "sqlite"
    floats = [name for name, value in samples.items() if isinstance(value, (float, Decimal)) and are_floats]
    numbers = [
        name for name, value in samples.items() if type(value) in (int, float, Decimal) and name not in set(keys)
    ]
    asked = ["COUNT(*)", *(f"COUNT({identifier(name)})" for name in info.columns)]
    asked += [f"COUNT(CASE WHEN {identifier(name)} = {NAN} THEN 1 END)" for name in floats]
    asked += [_too_large(name, samples[name], name in floats) for name in numbers]
    counts = session.one(f"SELECT {', '.join(asked)} FROM {source}")
    first_float = 1 + len(info.columns)
    first_number = first_float + len(floats)
    for name, n_large in zip(numbers, counts[first_number:], strict=True):
        if n_large:
            _refuse_large(info.name, name, samples[name])
    n_rows = int(counts[0])
    with_nan = [name for name, n in zip(floats, counts[first_float:first_number], strict=True) if n]
    gaps = {name for name, n in zip(info.columns, counts[1:first_float], strict=True) if n < n_rows}
    for name in with_nan:
        found = f"SELECT MIN({identifier(name)}) FROM {source} WHERE {identifier(name)} <> {NAN}"
        samples[name] = session.one(found)[0]
    return Profile(n_rows, samples, with_nan, gaps | set(with_nan))


def _sample(session: Session, tables: Tables, info: TableInfo, name: str) -> Any:
    """Some value of a column, as it is read into memory."""
    column = sa.column(always_quoted(name), info.columns[name])
    table = sa.table(always_quoted(info.name), schema=tables.schema)
    return session.scalar(sa.select(column).select_from(table).where(column.is_not(None)).limit(1))


def _too_large(name: str, value: float | Decimal, is_float: bool) -> str:
    """How many values of a column are infinite, or too large for a float to tell apart."""
    text = identifier(name)
    bound = str(LARGEST_WHOLE) if isinstance(value, int) else LARGEST_FLOAT
    known = f"{text} <> {NAN} AND " if is_float else ""
    return f"COUNT(CASE WHEN {known}({text} > {bound} OR {text} < -{bound}) THEN 1 END)"


def _refuse_large(table: str, name: str, value: float | Decimal) -> None:
    place = place_text(table, (name,))
    what = "whole numbers beyond 2**53, which only keys may hold" if isinstance(value, int) else "infinite numbers"
    raise ValueError(f"Column {place!r} holds {what}; go on without it: leave_out={[place]!r}.")


def _refuse_kinds(session: Session, source: str, table: str, name: str, value: Any) -> None:
    """Refuse what SQL cannot compare: texts with NUL, and in SQLite dates, which are texts, and mixed types."""
    text = identifier(name)
    nul = NUL.get(session.dialect) if isinstance(value, str) else None
    if nul is not None and session.rows(f"SELECT 1 FROM {source} WHERE {nul.format(text)} LIMIT 1"):
        place = place_text(table, (name,))
        raise ValueError(
            f"Column {place!r} holds a text with a NUL character, which SQL cannot compare. Remove the character, or "
            f"go on without the column: leave_out={[place]!r}."
        )
    if session.dialect != "sqlite":
        return
    found = session.rows(f"SELECT DISTINCT typeof({text}) FROM {source} WHERE {text} IS NOT NULL")
    kinds = {kind for (kind,) in found}
    place = place_text(table, (name,))
    if isinstance(value, bool) and session.rows(f"SELECT 1 FROM {source} WHERE {text} NOT IN (0, 1) LIMIT 1"):
        raise ValueError(
            f"Column {place!r} of booleans holds a value other than 0 and 1. Correct it, or go on without the column: "
            f"leave_out={[place]!r}."
        )
    if isinstance(value, date):
        raise ValueError(
            f"Column {place!r} holds dates, which SQLite keeps as texts; copy the tables to DuckDB, read them into "
            f"memory (without in_database), or go on without the column: leave_out={[place]!r}."
        )
    if len(kinds) > 1 and not kinds <= {"integer", "real"}:
        raise ValueError(
            f"Column {place!r} holds values of several types ({', '.join(sorted(kinds))}); convert them, or go on "
            f"without it: leave_out={[place]!r}."
        )


# -- keys ------------------------------------------------------------------------------------------------------


def check_key(session: Session, tables: Tables, table: str, key: Sequence[str]) -> None:
    """Refuse a key that two rows share."""
    columns = ", ".join(map(identifier, key))
    known = " AND ".join(f"{identifier(one)} IS NOT NULL" for one in key)
    source = f"{tables.text(table)} AS {tables.own('s')}"
    query = f"SELECT {columns} FROM {source} WHERE {known} GROUP BY {columns} HAVING COUNT(*) > 1 LIMIT 1"
    for found in session.rows(query):
        value = repr(found[0] if len(found) == 1 else found)
        raise ValueError(
            f"The key {place_text(table, key)!r} does not tell rows apart: {value} is repeated; remove the row, or "
            "name another key."
        )


def check_link(session: Session, tables: Tables, link: ForeignKey) -> LinkCheck:
    """What is found along a link; warns where it dangles."""
    here = tables.own("s")
    is_missing = " OR ".join(f"{here}.{identifier(one)} IS NULL" for one in link.columns)
    source = f"FROM {tables.plain(link.table)} AS {here}"
    dangles = tables.dangles(link, here)
    n_rows, n_missing = session.one(f"SELECT COUNT(*), COUNT(CASE WHEN {is_missing} THEN 1 END) {source}")
    n_dangling = int(session.one(f"SELECT COUNT(*) {source} WHERE {dangles}")[0])
    example = None
    if n_dangling:
        columns = ", ".join(f"{here}.{identifier(one)}" for one in link.columns)
        found = session.one(f"SELECT {columns} {source} WHERE {dangles} LIMIT 1")
        example = repr(found[0] if len(found) == 1 else found)
    check = LinkCheck(link, int(n_rows), int(n_missing), n_dangling, example)
    if n_dangling:
        warnings.warn(dangling_warning(check), stacklevel=5)
    return check
