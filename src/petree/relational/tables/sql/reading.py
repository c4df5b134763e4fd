"""Tables of a database server, read through SQLAlchemy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, TypedDict, Unpack
from uuid import UUID

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from petree.inputs.moments import plain_moment
from petree.relational.dates import is_moments
from petree.relational.tables.building import DeclaredKeys, check_left_out
from petree.relational.tables.schema import ForeignKey, Link, Place, check_sequence, place_text, read_left_out
from petree.relational.tables.sql.catalogue import TableInfo, read_catalogue, usable
from petree.relational.tables.sql.connections import Address, always_quoted, connect
from petree.relational.tables.undirected import directed_links, is_undirected

# Rows that are Python objects at one time.
CHUNK_ROWS = 65_536


class Declarations(TypedDict, total=False):
    """What a user may say of the tables of a database; `Database` tells what it means."""

    links: Iterable[Link] | None
    keys: DeclaredKeys | None
    time: Mapping[str, str] | None
    leave_out: Iterable[Place]


class Told:
    """Which tables a user names, and what is said of them that the database does not say itself."""

    def __init__(self, tables: Iterable[str] | None, schema: str | None, **declared: Unpack[Declarations]) -> None:
        if unknown := declared.keys() - Declarations.__annotations__:
            raise TypeError(f"from_url() got an unexpected keyword argument {min(unknown)!r}")
        if tables is not None:
            check_sequence("tables", tables, "names")
        self.tables = tables
        self.schema = schema
        self.links = list(declared.get("links") or [])
        self.keys = declared.get("keys") or {}
        self.time = declared.get("time") or {}
        self.leave_out = declared.get("leave_out", ())


@dataclass(frozen=True)
class SqlTables:
    """Tables as dicts of arrays, with the links and keys that the database declares, and the columns left out."""

    tables: dict[str, dict[str, NDArray[Any]]]
    links: list[ForeignKey]
    keys: dict[str, tuple[str, ...]]
    left_out: dict[str, set[str]]

    @property
    def names(self) -> dict[str, list[str]]:
        """The columns of each table, those left out among them."""
        return {table: [*columns, *sorted(self.left_out[table])] for table, columns in self.tables.items()}

    def with_told(
        self, told: Told
    ) -> tuple[dict[str, dict[str, NDArray[Any]]], list[Link], DeclaredKeys, Mapping[str, str]]:
        """Tables, links, keys and times, with what a user says of them, in the place of declared links."""
        check_left_out(self.left_out, directed_links(told.links, self.names), told.keys, told.time)
        declared = self.links if all(map(is_undirected, told.links)) else []
        return self.tables, [*declared, *told.links], self.keys | dict(told.keys), told.time


def read_sql(source: Address, told: Told) -> SqlTables:
    """The named tables of a database, or all of them."""
    with connect(source) as connection:
        infos = read_catalogue(connection, told.tables, told.schema)
        left_out = read_left_out(told.leave_out, {info.name: [*info.columns, *info.others] for info in infos})
        infos = [info.without(left_out[info.name]) for info in infos]
        links, keys = usable(infos)
        read = {info.name: read_columns(connection, info, told.schema) for info in infos}
        return SqlTables(read, links, keys, left_out)


def read_columns(
    connection: sa.Connection, info: TableInfo, schema: str | None, order: str | None = None
) -> dict[str, NDArray[Any]]:
    """All columns of a table, its rows in the order of a column or as they come."""
    if not info.columns:
        raise ValueError(f"Table {info.name!r} has no columns that can be read; name the others in tables=.")
    try:
        return _read_values(connection, info, list(info.columns), schema, order)
    except (TypeError, ValueError) as error:  # SQLite keeps any text in a column of dates
        place = place_text(info.name, (_unreadable(connection, info, schema),))
        raise ValueError(
            f"Column {place!r} holds a value that is not of its type: {error}. Correct it, or go on without the "
            f"column: leave_out={[place]!r}."
        ) from error


def _unreadable(connection: sa.Connection, info: TableInfo, schema: str | None) -> str:
    """The first column of a table that cannot be read by itself."""
    for name in info.columns:
        try:
            _read_values(connection, info, [name], schema)
        except (TypeError, ValueError):
            return name
    raise AssertionError("Each column can be read by itself.")


def _read_values(
    connection: sa.Connection, info: TableInfo, names: list[str], schema: str | None, order: str | None = None
) -> dict[str, NDArray[Any]]:
    """Some columns of a table."""
    columns = [sa.column(always_quoted(name), info.columns[name]) for name in names]
    query = sa.select(*columns).select_from(sa.table(always_quoted(info.name), schema=schema))
    query = query if order is None else query.order_by(sa.column(always_quoted(order)))
    chunks: list[list[NDArray[Any]]] = [[np.zeros(0, object)] for _ in columns]
    options = {"stream_results": True}  # of this query alone
    for rows in connection.execute(query, execution_options=options).partitions(CHUNK_ROWS):
        for chunk, values in zip(chunks, zip(*rows, strict=True), strict=True):
            chunk.append(compact(values))
    return {name: _joined(chunk if len(chunk) == 1 else chunk[1:]) for name, chunk in zip(names, chunks, strict=True)}


def _joined(chunks: list[NDArray[Any]]) -> NDArray[Any]:
    """All rows of a column; a chunk of dates without any looks like one of numbers."""
    if any(map(is_moments, chunks)):
        chunks = [np.full(len(one), "NaT", "datetime64[us]") if one.dtype.kind == "f" else one for one in chunks]
    return np.concatenate(chunks)


def compact(values: tuple[Any, ...]) -> NDArray[Any]:
    """Values of a column as an array, as small as their types allow."""
    kinds = set(map(type, values))
    if kinds == {int} and max(map(abs, values)) < 2**63:
        return np.array(values, np.int64)
    if kinds <= {float, type(None)}:
        return np.array(values, np.float64)
    if Decimal in kinds:  # NaN of PostgreSQL's NUMERIC does not compare with other decimals
        values = tuple(None if isinstance(value, Decimal) and value.is_nan() else value for value in values)
    if kinds <= {UUID, type(None)}:
        values = tuple(None if value is None else str(value) for value in values)
    if all(issubclass(kind, (date, type(None))) for kind in kinds):
        return np.array(list(map(plain_moment, values)), "datetime64[us]")
    objects = np.empty(len(values), object)
    objects[:] = values
    return objects
