"""One connection that stays open, with tables of its own that are gone when it is closed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import RLock
from typing import Any, TypeVar
from weakref import finalize

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from petree.relational.reading.sql_values import DIALECTS
from petree.relational.tables.sql.connections import Address, engine_of, told_in_a_sentence

Found = TypeVar("Found")
# How whole numbers become a table of values, in each of the databases.
NUMBERS = {
    "sqlite": "SELECT value FROM json_each(:numbers)",
    "postgresql": "SELECT unnest(CAST(:numbers AS BIGINT[])) AS value",
    "duckdb": "SELECT unnest(:numbers) AS value",
}
# Settings of a connection: moments with a time zone are compared in UTC, as in memory; no bar in the terminal, and no
# machine code for queries that are run once.
SETTINGS = {
    "sqlite": (),
    "postgresql": ("SET TIME ZONE 'UTC'", "SET jit = off"),
    "duckdb": ("SET TimeZone = 'UTC'", "SET enable_progress_bar = false"),
}


def _end(connection: sa.Connection, engine: sa.Engine) -> None:
    connection.close()
    engine.dispose()


class Session:
    """A connection to a database, opened when it is first needed, and again by every copy that was pickled.

    Parameters
    ----------
    source : str or Engine
    """

    def __init__(self, source: Address) -> None:
        self._open(source if isinstance(source, sa.Engine) else engine_of(source))
        if self.dialect not in DIALECTS:
            raise ValueError(
                f"in_database=True knows {', '.join(DIALECTS)}, not {self.dialect}; read the tables into memory."
            )

    def _open(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._connection: sa.Connection | None = None
        self._ending: finalize[..., Session] | None = None
        self._lock = RLock()
        self._generation = 0

    def __getstate__(self) -> dict[str, Any]:
        return {"url": self._engine.url}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._open(engine_of(state["url"]))

    @property
    def dialect(self) -> str:
        """Name of the database's dialect."""
        return self._engine.dialect.name

    def close(self) -> None:
        """End the connection; the next question opens another one."""
        with self._lock:
            if self._ending is not None:
                self._ending()
            self._connection = None

    @property
    def connection(self) -> sa.Connection:
        """The open connection."""
        if self._connection is None:
            connection = self._engine.connect()
            # nobody has to close a database that is no longer needed
            self._ending = finalize(self, _end, connection, self._engine)
            for setting in SETTINGS[self.dialect]:
                connection.exec_driver_sql(setting)
            connection.commit()
            self._connection = connection
            self._generation += 1
        return self._connection

    @property
    def generation(self) -> int:
        """The number of the open connection; tables of its own are gone with it."""
        with self._lock, told_in_a_sentence(self._engine):
            return self._generation if self.connection else 0

    @contextmanager
    def _asking(self) -> Iterator[sa.Connection]:
        """The open connection for one transaction; after an error or an interrupt the session can be used again."""
        with self._lock, told_in_a_sentence(self._engine):
            try:
                yield self.connection
                self.connection.commit()
            except BaseException:
                self._recover()
                raise

    def _recover(self) -> None:
        """Roll back, and give up a connection that is broken or was interrupted."""
        connection = self._connection
        if connection is None:
            return
        try:
            is_broken = connection.invalidated
            connection.rollback()
            connection.exec_driver_sql("SELECT 1")
            connection.rollback()
        except Exception:
            is_broken = True
            connection.invalidate()
        if is_broken:
            connection.close()
            self._connection = None

    # -- questions ------------------------------------------------------------------------------------------

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """All rows that a query finds."""
        with self._asking():
            return [tuple(row) for row in self._execute(query).all()]

    def one(self, query: str) -> tuple[Any, ...]:
        """The one row that a query finds."""
        return self.rows(query)[0]

    def using(self, ask: Callable[[sa.Connection], Found]) -> Found:
        """What is answered with the open connection."""
        with self._asking() as connection:
            return ask(connection)

    def scalar(self, query: sa.Select[Any]) -> Any:
        """The first value that a query finds, of the type that its column has, or None."""
        return self.using(lambda connection: connection.execute(query).scalar())

    def numbers(self, query: str) -> list[NDArray[np.float64]]:
        """The columns that a query finds, all numbers, NaN where missing."""
        with self._asking():
            result = self._execute(query)
            if self.dialect == "duckdb":  # which has arrays of its own
                columns = list(result.cursor.fetchnumpy().values())
                return [np.ma.filled(np.ma.asarray(one, np.float64), np.nan) for one in columns]
            width = len(result.keys())
            table = np.array([tuple(row) for row in result.all()], np.float64).reshape(-1, width)
            return list(np.ascontiguousarray(table.T))

    def _execute(self, query: str) -> Any:
        # Without parameters, since what stands in a text may look like one.
        return self.connection.exec_driver_sql(query, execution_options={"no_parameters": True})

    # -- tables of its own ----------------------------------------------------------------------------------

    def make(self, name: str, query: str) -> None:
        """Make a table of what a query finds."""
        with self._asking():
            self._execute(f"CREATE TEMPORARY TABLE {name} AS {query}")

    def drop(self, name: str) -> None:
        """Drop a table, if it is still there."""
        with self._asking():
            self._execute(f"DROP TABLE IF EXISTS {name}")

    def fill(self, name: str, columns: Mapping[str, NDArray[np.integer[Any]]]) -> None:
        """Make a table with two columns of whole numbers, in the place of the one that had its name."""
        (first, numbers), (second, nodes) = columns.items()
        n_nodes = int(nodes.max(initial=0)) + 1
        listed = (numbers.astype(np.int64) * n_nodes + nodes).tolist()  # both in one, since each list is slow
        given = {"numbers": json.dumps(listed) if self.dialect == "sqlite" else listed}
        node = f"value % {n_nodes}"
        values = f"CAST((value - {node}) / {n_nodes} AS BIGINT), {node}"
        with self._asking() as connection:
            self._execute(f"DROP TABLE IF EXISTS {name}")
            self._execute(f"CREATE TEMPORARY TABLE {name} ({first} BIGINT, {second} BIGINT)")
            if listed:
                query = f"INSERT INTO {name} SELECT {values} FROM ({NUMBERS[self.dialect]}) AS given"
                connection.execute(sa.text(query), given)
