"""Tables of a database server, read through SQLAlchemy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from petree.relational.dates import is_moments
from petree.relational.tables.frames import dates_as_moments
from petree.relational.tables.schema import ForeignKey
from petree.relational.tables.sql.catalogue import TableInfo, read_catalogue, usable

if TYPE_CHECKING:
    import sqlalchemy as sa

# Rows that are Python objects at one time.
CHUNK_ROWS = 65_536
# Databases that are files, and that would be made anew by opening a name that is wrong.
FILES = ("sqlite", "duckdb")


@dataclass(frozen=True)
class SqlTables:
    """Tables as dicts of arrays, with the links and keys that the database declares."""

    tables: dict[str, dict[str, NDArray[Any]]]
    links: list[ForeignKey]
    keys: dict[str, tuple[str, ...]]


def read_sql(source: Any, tables: Iterable[str] | None = None, schema: str | None = None) -> SqlTables:
    """The named tables of a database, or all of them."""
    if isinstance(tables, str):
        raise TypeError(f"tables must be a sequence of names, got the text {tables!r}; put it into a list.")
    with connect(source) as connection:
        infos = read_catalogue(connection, tables, schema)
        links, keys = usable(infos)
        return SqlTables({info.name: _read_columns(connection, info, schema) for info in infos}, links, keys)


def _read_columns(connection: sa.Connection, info: TableInfo, schema: str | None) -> dict[str, NDArray[Any]]:
    import sqlalchemy as sa

    if not info.columns:
        raise ValueError(f"Table {info.name!r} has no columns that can be read; name the others in tables=.")
    columns = [sa.column(quoted(name), kind) for name, kind in info.columns.items()]
    query = sa.select(*columns).select_from(sa.table(quoted(info.name), schema=schema))
    chunks: list[list[NDArray[Any]]] = [[np.zeros(0, object)] for _ in columns]
    try:
        for rows in connection.execution_options(stream_results=True).execute(query).partitions(CHUNK_ROWS):
            for chunk, values in zip(chunks, zip(*rows, strict=True), strict=True):
                chunk.append(compact(values))
    except (TypeError, ValueError) as error:  # SQLite keeps any text in a column of dates
        raise ValueError(f"Table {info.name!r} holds a value that is not of its column's type: {error}.") from error
    return {
        name: _joined(chunk if len(chunk) == 1 else chunk[1:]) for name, chunk in zip(info.columns, chunks, strict=True)
    }


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
    if kinds <= {UUID, type(None)}:
        values = tuple(None if value is None else str(value) for value in values)
    objects = np.empty(len(values), object)
    objects[:] = values
    moments: NDArray[Any] = dates_as_moments(objects)
    return moments


def quoted(name: str) -> str:
    """A name that is quoted in all statements, since servers have more words of their own than SQLAlchemy knows."""
    import sqlalchemy as sa

    return sa.quoted_name(name, quote=True)


# -- connections -----------------------------------------------------------------------------------------------


@contextmanager
def connect(source: Any, is_new: bool = False) -> Iterator[sa.Connection]:
    """A connection to the database of a URL or an engine; what goes wrong there is told in a sentence."""
    try:
        import sqlalchemy as sa
    except ImportError as error:
        raise ImportError("Databases need SQLAlchemy: pip install 'petree[sql]'.") from error
    engine = source if isinstance(source, sa.Engine) else _engine(source, is_new)
    try:
        with engine.begin() as connection:
            yield connection
    except sa.exc.DBAPIError as error:
        raise ValueError(f"The database {_shown(engine.url)} refused: {_first_line(error.orig)}.") from error
    except (sa.exc.SQLAlchemyError, ArithmeticError, UnicodeError) as error:  # such as numbers beyond 64 bits
        raise ValueError(f"The database {_shown(engine.url)} cannot be used: {_first_line(error)}.") from error
    finally:
        if engine is not source:
            engine.dispose()


def _engine(url: Any, is_new: bool) -> sa.Engine:
    import sqlalchemy as sa

    try:
        made = sa.make_url(url)
        engine = sa.create_engine(made)
    except sa.exc.ArgumentError as error:
        raise ValueError(
            f"{url!r} is no address of a database that SQLAlchemy knows; write it like 'sqlite:///file.db' or "
            "'postgresql+psycopg://user@host/name'."
        ) from error
    except ImportError as error:
        needed = f"the Python package {error.name!r}" if error.name else "a Python package that is not there"
        raise ImportError(f"The database {_shown(made)} needs {needed}; install it ({_first_line(error)}).") from error
    is_file = made.get_backend_name() in FILES and made.database not in (None, "", ":memory:")
    if is_file and not is_new and not str(made.database).startswith("file:") and not Path(str(made.database)).exists():
        raise ValueError(f"There is no database file {made.database!r}; check the address {_shown(made)}.")
    return engine


def _shown(url: sa.URL) -> str:
    return repr(url.render_as_string(hide_password=True))


def _first_line(error: BaseException | None) -> str:
    return (str(error).strip().splitlines() or ["no reason given"])[0].rstrip(".")
