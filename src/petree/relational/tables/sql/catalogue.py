"""What a database server says of its tables: columns, primary keys, foreign keys."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from petree.relational.tables.schema import ForeignKey, place_text
from petree.words import visible

# Types of DuckDB whose values are numbers, text, booleans or dates, as they begin.
DUCKDB_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
DUCKDB_TYPES = (
    *DUCKDB_INTEGERS,
    *(f"U{name}" for name in DUCKDB_INTEGERS),
    *("FLOAT", "DOUBLE", "DECIMAL", "VARCHAR", "ENUM", "UUID", "BOOLEAN", "DATE", "TIMESTAMP"),
)


@dataclass(frozen=True)
class TableInfo:
    """A table: the types of the columns that can be read, the names of the types of the others, its keys and links."""

    name: str
    columns: dict[str, Any]
    others: dict[str, str]
    key: tuple[str, ...]
    links: tuple[ForeignKey, ...]

    def without(self, left_out: set[str]) -> TableInfo:
        """The same without some columns."""
        columns = {name: kind for name, kind in self.columns.items() if name not in left_out}
        others = {name: kind for name, kind in self.others.items() if name not in left_out}
        return replace(self, columns=columns, others=others)


def read_catalogue(connection: sa.Connection, tables: Iterable[str] | None, schema: str | None) -> list[TableInfo]:
    """The named tables, or all of the schema."""
    inspector = sa.inspect(connection)
    known = [*inspector.get_table_names(schema), *inspector.get_view_names(schema)]
    names = inspector.get_table_names(schema) if tables is None else list(tables)
    for name in names:
        if name not in known:
            listed = ", ".join(map(visible, sorted(known))) or "none"
            raise ValueError(f"The database has no table {name!r}; it has {listed}.")
    if not names:
        raise ValueError("The database has no tables; check its address, or name the schema they are in.")
    is_duckdb = connection.dialect.name == "duckdb"
    return [
        _from_duckdb(connection, name, schema) if is_duckdb else _from_inspector(inspector, name, schema)
        for name in names
    ]


def usable(infos: list[TableInfo]) -> tuple[list[ForeignKey], dict[str, tuple[str, ...]]]:
    """Links and keys whose tables and columns are read; warns of each column that is not."""
    columns = {info.name: info.columns for info in infos}
    for info in infos:
        for name, kind in info.others.items():
            place = place_text(info.name, (name,))
            warnings.warn(
                f"Column {place!r} is left out: {kind} is neither numbers, text, booleans nor dates.",
                stacklevel=4,
            )
    links = [
        link
        for info in infos
        for link in info.links
        if set(link.columns) <= set(info.columns) and set(link.to_columns) <= set(columns.get(link.to_table, ()))
    ]
    return links, {info.name: info.key for info in infos if info.key and set(info.key) <= set(info.columns)}


# -- SQLAlchemy's inspector ------------------------------------------------------------------------------------


def _from_inspector(inspector: sa.Inspector, name: str, schema: str | None) -> TableInfo:
    types = {column["name"]: column["type"] for column in inspector.get_columns(name, schema)}
    is_read = {column: _is_read(kind, inspector.dialect.name) for column, kind in types.items()}
    links = (
        ForeignKey(name, tuple(one["constrained_columns"]), one["referred_table"], tuple(one["referred_columns"]))
        for one in inspector.get_foreign_keys(name, schema)
        if one["referred_schema"] in (None, schema)
    )
    return TableInfo(
        name,
        {column: _as_stored(kind, inspector.dialect.name) for column, kind in types.items() if is_read[column]},
        {column: str(kind) for column, kind in types.items() if not is_read[column]},
        tuple(inspector.get_pk_constraint(name, schema)["constrained_columns"]),
        tuple(links),
    )


def _as_stored(kind: sa.types.TypeEngine[Any], dialect: str) -> sa.types.TypeEngine[Any]:
    """The type of a column as it is read; SQLAlchemy would round NUMERIC of SQLite to ten decimals."""
    is_rounded = dialect == "sqlite" and isinstance(kind, sa.Numeric)
    return sa.types.NullType() if is_rounded else kind


def _is_read(kind: sa.types.TypeEngine[Any], dialect: str) -> bool:
    if isinstance(kind, sa.types.NullType):
        return dialect == "sqlite"  # a column of SQLite need not have a type
    numbers = (sa.Integer, sa.Numeric, sa.Float)
    return isinstance(kind, (*numbers, sa.String, sa.Boolean, sa.Date, sa.DateTime, sa.Uuid))


# -- DuckDB's own functions: its dialect cannot answer the inspector ----------------------------------------------


def _from_duckdb(connection: sa.Connection, name: str, schema: str | None) -> TableInfo:
    place = {"name": name, "schema": schema or "main"}
    where = "WHERE table_name = :name AND schema_name = :schema AND database_name = current_database()"
    types = connection.execute(
        sa.text(f"SELECT column_name, data_type FROM duckdb_columns() {where} ORDER BY column_index"), place
    ).all()
    constraints = connection.execute(
        sa.text(
            "SELECT constraint_type, constraint_column_names, referenced_table, referenced_column_names "
            f"FROM duckdb_constraints() {where} ORDER BY constraint_index"
        ),
        place,
    ).all()
    keys = [tuple(columns) for kind, columns, *_ in constraints if kind == "PRIMARY KEY"]
    links = (
        ForeignKey(name, tuple(columns), to_table, tuple(to_columns))
        for kind, columns, to_table, to_columns in constraints
        if kind == "FOREIGN KEY"
    )
    return TableInfo(
        name,
        {column: sa.types.NullType() for column, kind in types if _is_read_by_duckdb(kind)},
        {column: kind for column, kind in types if not _is_read_by_duckdb(kind)},
        keys[0] if keys else (),
        tuple(links),
    )


def _is_read_by_duckdb(kind: str) -> bool:
    return kind.startswith(DUCKDB_TYPES) and not kind.endswith("]")
