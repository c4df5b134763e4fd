"""A database whose tables stay where they are: what is known of them, and the table of the examples in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.relational.in_database.cleaning import Tables
from petree.relational.in_database.facts import Facts
from petree.relational.in_database.session import Session
from petree.relational.kept import KeptArrays
from petree.relational.reading.sql_text import identifier
from petree.relational.reading.sql_trees import unused
from petree.relational.reading.sql_values import Dialect, resolve_dialect
from petree.relational.relations import ROW, Relation
from petree.relational.tables.building import build
from petree.relational.tables.lookups import named_key
from petree.relational.tables.sql.catalogue import TableInfo
from petree.relational.tables.sql.reading import read_columns

# The column that numbers the examples in a table of petree's own.
NUMBER = "#n"


@dataclass(frozen=True, eq=False)
class Server:
    """Answers questions about tables that are not in memory.

    Parameters
    ----------
    session : Session
    tables : Tables
    infos : dict
        What the database says of each table.
    """

    session: Session
    tables: Tables
    infos: Mapping[str, TableInfo]

    def __getstate__(self) -> dict[str, Any]:
        return {"session": self.session, "tables": self.tables, "infos": self.infos}

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

    @cached_property
    def prefix(self) -> str:
        """How the names of petree's own tables begin."""
        return unused("petree", self.infos)

    def named(self, query: str) -> str:
        """The name of a table of petree's own that has what a query finds; made once."""
        return self.facts.once(("table", query), lambda: self._make(query))

    def _make(self, query: str) -> str:
        name = self._make_name()
        self.session.make(name, query)
        return name

    def _make_name(self) -> str:
        """A name that no other table has."""
        numbers = self.facts.once("tables", count)
        return f"{self.prefix}_{next(numbers)}"

    def named_numbers(self, numbers: NDArray[np.int32]) -> str:
        """The name of a table of petree's own that has some numbers; made once."""
        return self.facts.once(("numbers", numbers.tobytes()), lambda: self._make_numbers(numbers))

    def _make_numbers(self, numbers: NDArray[np.int32]) -> str:
        name = self._make_name()
        self.session.fill(name, numbers, np.zeros(len(numbers), np.int64))
        return name

    def nodes(self, numbers: NDArray[np.int32], nodes: NDArray[np.intp]) -> str:
        """The name of the table that has the node of each example, until it is made of others."""
        name = f"{self.prefix}_nodes"
        self.session.fill(name, numbers, nodes)
        return name

    # -- examples -------------------------------------------------------------------------------------------

    def examples_table(self, relation: Relation) -> str:
        """The name of a copy of a table that numbers its rows by their key."""
        key = [f"s.{identifier(column.name)}" for column in named_key(relation)]
        number = f"ROW_NUMBER() OVER (ORDER BY {', '.join(key)}) - 1 AS {identifier(NUMBER)}"
        known = " AND ".join(f"{one} IS NOT NULL" for one in key)
        return self.named(f"{self.tables.query(relation.name, [number])} WHERE {known}")

    def examples(self, relation: Relation) -> Relation:
        """The rows of a table in memory, in the order of their numbers."""
        return self.facts.once(("examples", relation.name), lambda: self._read(relation))

    def _read(self, relation: Relation) -> Relation:
        info = replace(self.infos[relation.name], name=self.examples_table(relation))
        columns = self.session.using(lambda connection: read_columns(connection, info, None, NUMBER))
        key = [column.name for column in named_key(relation)]
        keys = [(relation.name, column.name) for column in relation.columns if column.kind == "key"]
        built = build(
            {relation.name: columns}, keys={relation.name: key}, identifiers=[one for one in keys if one[1] != ROW]
        )
        return built.relations[relation.name]
