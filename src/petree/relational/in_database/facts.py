"""What a database says of its tables as wholes, each asked once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

from petree.relational.in_database.cleaning import Tables
from petree.relational.in_database.session import Session
from petree.relational.reading.sql_text import identifier
from petree.relational.relations import Relation
from petree.relational.tables.schema import ForeignKey

Found = TypeVar("Found")
# In so many rows most columns that do not tell rows apart have a value twice.
FIRST_ROWS = 10_000


@dataclass(frozen=True, eq=False)
class Facts:
    """Answers about whole tables."""

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
        every = f"SELECT {columns} FROM {self.tables.text(table)} AS s WHERE {known}"
        for some in (f"{every} LIMIT {FIRST_ROWS}", every):
            repeated = f"SELECT 1 FROM ({some}) AS known GROUP BY {columns} HAVING COUNT(*) > 1 LIMIT 1"
            if self.session.rows(repeated):
                return False
        return True

    def agrees(self, join: tuple[str, str, Sequence[tuple[str, str]]], pairs: Sequence[tuple[str, str]]) -> bool:
        """Whether rows of two tables that are joined by some pairs of columns are equal in other pairs, too."""
        left, right, on = join
        return self.once(("agrees", left, right, tuple(on), tuple(pairs)), lambda: self._agrees(join, pairs))

    def _agrees(self, join: tuple[str, str, Sequence[tuple[str, str]]], pairs: Sequence[tuple[str, str]]) -> bool:
        left, right, on = join
        joined = " AND ".join(f"r.{identifier(other)} = l.{identifier(one)}" for one, other in on)
        differ = " OR ".join(f"l.{identifier(one)} IS DISTINCT FROM r.{identifier(other)}" for one, other in pairs)
        source = f"{self.tables.text(left)} AS l JOIN {self.tables.text(right)} AS r ON {joined}"
        return not self.session.rows(f"SELECT 1 FROM {source} WHERE {differ} LIMIT 1")

    def leads_always(self, link: ForeignKey) -> bool:
        """Whether a link leads from each row to one."""
        return self.once(("leads always", link), lambda: self._leads_always(link))

    def _leads_always(self, link: ForeignKey) -> bool:
        pairs = zip(link.columns, link.to_columns, strict=True)
        joined = " AND ".join(f"r.{identifier(other)} = l.{identifier(one)}" for one, other in pairs)
        found = f"EXISTS (SELECT 1 FROM {self.tables.text(link.to_table)} AS r WHERE {joined})"
        return not self.session.rows(f"SELECT 1 FROM {self.tables.text(link.table)} AS l WHERE NOT {found} LIMIT 1")

    def most_alike(self, table: str, names: Sequence[str]) -> int:
        """The most rows that have the same values in some columns; all rows where there are no columns."""
        return self.once(("most alike", table, tuple(names)), lambda: self._most_alike(table, names))

    def _most_alike(self, table: str, names: Sequence[str]) -> int:
        if not names:
            return int(self.session.one(f"SELECT COUNT(*) FROM {self.tables.plain(table)}")[0])
        found = self.session.one(f"SELECT MAX(n) FROM {self.alike(table, names)} AS alike")[0]
        return int(found or 0)

    def alike(self, table: str, names: Sequence[str]) -> str:
        """A query for the values that rows have in some columns, and how many (``n``) have them."""
        columns = [identifier(name) for name in names]
        grouped = f" GROUP BY {', '.join(columns)}" if columns else ""
        return f"(SELECT {', '.join([*columns, 'COUNT(*) AS n'])} FROM {self.tables.text(table)} AS s{grouped})"
