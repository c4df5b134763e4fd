"""A database whose tables stay where they are: what is known of them, and the table of the examples in memory."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from itertools import count
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from petree.caching import cached_property
from petree.inputs.values import LARGEST_WHOLE
from petree.relational.in_database.cleaning import Tables
from petree.relational.in_database.session import Session
from petree.relational.kept import KeptArrays
from petree.relational.reading.sql_text import identifier
from petree.relational.reading.sql_values import Dialect, resolve_dialect
from petree.relational.relations import ROW, Relation
from petree.relational.tables.building import DeclaredKeys, build
from petree.relational.tables.lookups import named_key
from petree.relational.tables.schema import ForeignKey
from petree.relational.tables.sql.catalogue import TableInfo
from petree.relational.tables.sql.reading import read_columns

Found = TypeVar("Found")
# What tells the rows of a table apart, in each of the databases.
ROW_IDENTITIES = {"sqlite": ("rowid", "_rowid_", "oid"), "postgresql": ("ctid",), "duckdb": ("rowid",)}
# In so many rows most columns that do not tell rows apart have a value twice.
FIRST_ROWS = 10_000


@dataclass(frozen=True, eq=False)
class Facts:
    """What a database says of its tables as wholes, each asked once."""

    session: Session
    tables: Tables
    _known: dict[Hashable, object] = field(default_factory=dict, repr=False)

    def once(self, key: Hashable, find: Callable[[], Found]) -> Found:
        """What was found under a key, or is found now."""
        if key not in self._known:
            self._known[key] = find()
        return cast(Found, self._known[key])

    def tells_apart(self, relation: Relation, places: Sequence[int]) -> bool:
        """Whether no two rows of a relation have the same values, none of them missing, in some columns."""
        names = tuple(relation.columns[place].name for place in places)
        return self.once(("tells apart", relation.name, names), lambda: self._tells_apart(relation.name, names))

    def _tells_apart(self, table: str, names: Sequence[str]) -> bool:
        columns = ", ".join(map(identifier, names))
        known = " AND ".join(f"{identifier(name)} IS NOT NULL" for name in names)
        every = f"SELECT {columns} FROM {self.tables.text(table)} AS {self.tables.own('s')} WHERE {known}"
        for some in (f"{every} LIMIT {FIRST_ROWS}", every):
            repeated = (
                f"SELECT 1 FROM ({some}) AS {self.tables.own('known')} GROUP BY {columns} HAVING COUNT(*) > 1 LIMIT 1"
            )
            if self.session.rows(repeated):
                return False
        return True

    def are_close(self, relation: Relation, place: int, most_each: int) -> bool:
        """Whether the values of a column are whole numbers that lie within so many times as many as there are."""
        name = relation.columns[place].name
        return self.once(("close", relation.name, name), lambda: self._are_close(relation.name, name, most_each))

    def _are_close(self, table: str, name: str, most_each: int) -> bool:
        column, source = identifier(name), f"{self.tables.text(table)} AS {self.tables.own('s')}"
        n_known, low, high = self.session.one(f"SELECT COUNT({column}), MIN({column}), MAX({column}) FROM {source}")
        if not n_known or high - low >= most_each * n_known or max(abs(low), abs(high)) > LARGEST_WHOLE:
            return False
        return not self.session.rows(f"SELECT 1 FROM {source} WHERE {column} <> CAST({column} AS BIGINT) LIMIT 1")

    def agrees(self, join: tuple[str, str, Sequence[tuple[str, str]]], pairs: Sequence[tuple[str, str]]) -> bool:
        """Whether rows of two tables that are joined by some pairs of columns are equal in other pairs, too."""
        left, right, on = join
        return self.once(("agrees", left, right, tuple(on), tuple(pairs)), lambda: self._agrees(join, pairs))

    def _agrees(self, join: tuple[str, str, Sequence[tuple[str, str]]], pairs: Sequence[tuple[str, str]]) -> bool:
        left, right, on = join
        here, there = self.tables.own("l"), self.tables.own("r")
        joined = " AND ".join(f"{there}.{identifier(other)} = {here}.{identifier(one)}" for one, other in on)
        differ = " OR ".join(
            f"{here}.{identifier(one)} IS DISTINCT FROM {there}.{identifier(other)}" for one, other in pairs
        )
        source = f"{self.tables.text(left)} AS {here} JOIN {self.tables.text(right)} AS {there} ON {joined}"
        return not self.session.rows(f"SELECT 1 FROM {source} WHERE {differ} LIMIT 1")

    def leads_always(self, link: ForeignKey) -> bool:
        """Whether a link leads from each row to one."""
        return self.once(("leads always", link), lambda: self._leads_always(link))

    def _leads_always(self, link: ForeignKey) -> bool:
        pairs = zip(link.columns, link.to_columns, strict=True)
        here, there = self.tables.own("l"), self.tables.own("r")
        joined = " AND ".join(f"{there}.{identifier(other)} = {here}.{identifier(one)}" for one, other in pairs)
        found = f"EXISTS (SELECT 1 FROM {self.tables.text(link.to_table)} AS {there} WHERE {joined})"
        return not self.session.rows(
            f"SELECT 1 FROM {self.tables.text(link.table)} AS {here} WHERE NOT {found} LIMIT 1"
        )

    def most_alike(self, table: str, names: Sequence[str]) -> int:
        """The most rows that have the same values in some columns; all rows where there are no columns."""
        return self.once(("most alike", table, tuple(names)), lambda: self._most_alike(table, names))

    def _most_alike(self, table: str, names: Sequence[str]) -> int:
        if not names:
            return int(self.session.one(f"SELECT COUNT(*) FROM {self.tables.plain(table)}")[0])
        n, rows = self.tables.own("n"), self.tables.own("alike")
        found = self.session.one(f"SELECT MAX({n}) FROM {self.alike(table, names)} AS {rows}")[0]
        return int(found or 0)

    def alike(self, table: str, names: Sequence[str]) -> str:
        """A query for the values that rows have in some columns, and how many (`own("n")`) have them."""
        columns = [identifier(name) for name in names]
        grouped = f" GROUP BY {', '.join(columns)}" if columns else ""
        n, rows = self.tables.own("n"), self.tables.own("s")
        return f"(SELECT {', '.join([*columns, f'COUNT(*) AS {n}'])} FROM {self.tables.text(table)} AS {rows}{grouped})"


@dataclass(frozen=True)
class Declared:
    """The links, keys and times of tables, whoever declares them."""

    links: Sequence[ForeignKey]
    keys: DeclaredKeys
    time: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Server:
    """Answers questions about tables that are not in memory.

    Parameters
    ----------
    session : Session
    tables : Tables
    infos : dict
        What the database says of each table.
    declared : Declared
    n_values : int
        How many values there are in the columns of all tables together.
    """

    session: Session
    tables: Tables
    infos: Mapping[str, TableInfo]
    declared: Declared
    n_values: int

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @cached_property
    def facts(self) -> Facts:
        """What is known of whole tables."""
        return Facts(self.session, self.tables)

    @cached_property
    def arrays(self) -> KeptArrays:
        """What was found out about examples, up to 500 MB."""
        return KeptArrays()

    @property
    def dialect(self) -> Dialect:
        """How the database writes values."""
        return resolve_dialect(self.session.dialect)

    def own(self, name: str) -> str:
        """A name of petree's own in queries."""
        return self.tables.own(name)

    def numbered_name(self, letter: str, what: Hashable) -> str:
        """The name of something inside of queries: a letter and a number, the same whenever it is asked for."""
        numbers = self.facts.once(letter, count)
        return self.facts.once((letter, what), lambda: self.own(f"{letter}{next(numbers)}"))

    def named(self, query: str) -> str:
        """The name of a table of petree's own that has what a query finds; made once."""
        return self.facts.once(("table", self.session.generation, query), lambda: self._make(query))

    def _make(self, query: str) -> str:
        name = self._make_name()
        self.session.make(name, query)
        return name

    def _make_name(self) -> str:
        """A name that no other table has."""
        numbers = self.facts.once("tables", count)
        return self.own(str(next(numbers)))

    @contextmanager
    def numbers(self, numbers: NDArray[np.int32]) -> Iterator[str]:
        """The name of a table of petree's own that has some numbers, until it is dropped."""
        name = self._make_name()
        self._fill(name, numbers, np.zeros(len(numbers), np.intp))
        try:
            yield name
        finally:
            self.session.drop(name)

    def nodes(self, numbers: NDArray[np.int32], nodes: NDArray[np.intp]) -> str:
        """The name of the table that has the node of each example, until it is made of others."""
        name = self.own("nodes")
        self._fill(name, numbers, nodes)
        return name

    def _fill(self, name: str, numbers: NDArray[np.int32], nodes: NDArray[np.intp]) -> None:
        self.session.fill(name, {self.own("n"): numbers, self.own("node"): nodes})

    def numbered(self, name: str) -> str:
        """A table with the identity of each row, or a numbered copy where the rows have none."""
        row, source = self.own("row"), self.own("s")
        identity = self.facts.once(("identity", name), lambda: self._identity(name))
        if identity is None:
            return self.named(self.tables.query(name, [f"ROW_NUMBER() OVER () AS {row}"]))
        return f"({self.tables.query(name, [f'{source}.{identity} AS {row}'])})"

    def _identity(self, name: str) -> str | None:
        """What tells the rows of a table apart, unless columns have all of its names."""
        taken = {column.lower() for column in self.tables.names[name]}
        for identity in ROW_IDENTITIES[self.session.dialect]:
            if identity not in taken:
                try:
                    self.session.rows(f"SELECT {identity} FROM {self.tables.plain(name)} LIMIT 0")
                    return identity
                except ValueError:  # a table of SQLite may be without
                    continue
        return None

    # -- examples -------------------------------------------------------------------------------------------

    def examples_table(self, relation: Relation) -> str:
        """The name of a copy of a table that numbers its rows by their key."""
        key = [f"{self.own('s')}.{identifier(column.name)}" for column in named_key(relation)]
        number = f"ROW_NUMBER() OVER (ORDER BY {', '.join(key)}) - 1 AS {self.own('n')}"
        known = " AND ".join(f"{one} IS NOT NULL" for one in key)
        return self.named(f"{self.tables.query(relation.name, [number])} WHERE {known}")

    def examples(self, relation: Relation) -> Relation:
        """The rows of a table in memory, in the order of their numbers."""
        return self.facts.once(("examples", relation.name), lambda: self._read(relation))

    def _read(self, relation: Relation) -> Relation:
        info = replace(self.infos[relation.name], name=self.examples_table(relation))
        columns = self.session.using(lambda connection: read_columns(connection, info, None, self.own("n")))
        key = [column.name for column in named_key(relation)]
        keys = [(relation.name, column.name) for column in relation.columns if column.kind == "key"]
        built = build(
            {relation.name: columns}, keys={relation.name: key}, identifiers=[one for one in keys if one[1] != ROW]
        )
        return built.relations[relation.name]
