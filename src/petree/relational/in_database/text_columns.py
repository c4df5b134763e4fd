"""Text columns that a database compares in an order or an equality of its own, and how they compare as in memory."""

from __future__ import annotations

import re
from collections.abc import Iterable

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import CITEXT

from petree.relational.in_database.session import Session
from petree.relational.tables.coding import TableColumn
from petree.relational.tables.sql.catalogue import TableInfo

# The statements that made the tables; collations stand nowhere else.
STATEMENTS = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'table'",
    "duckdb": "SELECT table_name, sql FROM duckdb_tables() WHERE database_name = current_database()",
}
BINARY = {"sqlite": "{} COLLATE BINARY", "duckdb": '{} COLLATE "binary"'}


def binary_texts(session: Session, infos: Iterable[TableInfo]) -> dict[TableColumn, str]:
    """Formats that make texts of such columns compare by their characters."""
    infos = list(infos)
    if session.dialect == "postgresql":
        found = {(info.name, name): _in_postgres(kind) for info in infos for name, kind in info.columns.items()}
        return {place: text for place, text in found.items() if text is not None}
    statements = [(name, sql) for name, sql in session.rows(STATEMENTS[session.dialect]) if sql]
    collated = {name for name, sql in statements if re.search(r"\bCOLLATE\b", sql, re.IGNORECASE)}
    texts = {
        (info.name, name): BINARY[session.dialect]
        for info in infos
        for name, kind in info.columns.items()
        if info.name in collated and (session.dialect == "duckdb" or isinstance(kind, (sa.String, sa.types.NullType)))
    }
    if session.dialect == "sqlite":
        return texts
    columns = session.rows("SELECT table_name, column_name, data_type FROM duckdb_columns()")
    kinds = {(table, name): kind for table, name, kind in columns}
    texts = {place: text for place, text in texts.items() if kinds[place].startswith("VARCHAR")}
    enums = {place: "CAST({} AS VARCHAR)" for place, kind in kinds.items() if kind.startswith("ENUM")}
    return {**texts, **enums}


def _in_postgres(kind: sa.types.TypeEngine[object]) -> str | None:
    if isinstance(kind, sa.CHAR):
        return f"RPAD(CAST({{}} AS TEXT), {kind.length or 1})"
    is_own = isinstance(kind, (sa.Enum, CITEXT))
    return "CAST({} AS TEXT)" if is_own else None
