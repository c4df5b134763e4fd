"""The tables as queries read them: what counts as missing in memory is NULL here, too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from petree.caching import cached_property
from petree.relational.reading.sql_text import identifier
from petree.relational.reading.sql_trees import unused
from petree.relational.tables.schema import ForeignKey

# A float that is no number; no table of SQLite can hold one.
NAN = "CAST('NaN' AS DOUBLE PRECISION)"


@dataclass(frozen=True)
class Tables:
    """The texts by which queries name tables.

    Parameters
    ----------
    columns : dict
        The columns of each table that are read.
    schema : str or None
    names : dict
        All columns of each table, also those that are not read.
    floats : dict
        The columns of each table that hold floats which are no numbers.
    binary : dict
        For columns whose texts the database does not compare by their characters, the format of a text that it does.
    dangling : dict
        For columns whose keys point nowhere along all their links, these links.
    """

    columns: Mapping[str, Sequence[str]]
    schema: str | None
    names: Mapping[str, Sequence[str]]
    floats: Mapping[str, Sequence[str]] = field(default_factory=dict)
    binary: Mapping[tuple[str, str], str] = field(default_factory=dict)
    dangling: Mapping[tuple[str, str], Sequence[ForeignKey]] = field(default_factory=dict)

    @cached_property
    def prefix(self) -> str:
        """How all names begin that are not the user's: no table and no column begins with it."""
        return unused("petree_", [*self.names, *(column for columns in self.names.values() for column in columns)])

    def own(self, name: str) -> str:
        """A name of petree's own, for an alias, a column or a table."""
        return f"{self.prefix}{name}"

    def plain(self, name: str) -> str:
        """A table as it is."""
        return identifier(name) if self.schema is None else f"{identifier(self.schema)}.{identifier(name)}"

    def text(self, name: str) -> str:
        """A table with NULL where nothing is known."""
        return f"({self.query(name)})" if self._is_changed(name) else self.plain(name)

    def query(self, name: str, more: Iterable[str] = ()) -> str:
        """A query for all columns of a table, and more."""
        columns = [f"{self._value(name, one)} AS {identifier(one)}" for one in self.columns[name]]
        return f"SELECT {', '.join([*more, *columns])} FROM {self.plain(name)} AS {self.own('s')}"

    def _is_changed(self, name: str) -> bool:
        return bool(self.floats.get(name)) or any(table == name for table, _ in (*self.binary, *self.dangling))

    def _value(self, table: str, column: str) -> str:
        text = self.compared(table, column, self.own("s"))
        if column in self.floats.get(table, ()):
            text = f"NULLIF({text}, {NAN})"
        if links := self.dangling.get((table, column)):
            text = (
                f"CASE WHEN NOT ({' AND '.join(self.dangles(link, self.own('s')) for link in links)}) THEN {text} END"
            )
        return text

    def compared(self, table: str, column: str, alias: str) -> str:
        """A column of a table, as an expression that compares as in memory."""
        return self.binary.get((table, column), "{}").format(f"{alias}.{identifier(column)}")

    def dangles(self, link: ForeignKey, alias: str) -> str:
        """That a row has a key along a link, and no row with that key is there."""
        known = [f"{alias}.{identifier(one)} IS NOT NULL" for one in link.columns]
        pairs = zip(link.columns, link.to_columns, strict=True)
        there = self.own("p")
        equal = " AND ".join(
            f"{self.compared(link.to_table, other, there)} = {self.compared(link.table, one, alias)}"
            for one, other in pairs
        )
        found = f"SELECT 1 FROM {self.plain(link.to_table)} AS {there} WHERE {equal}"
        return f"({' AND '.join(known)} AND NOT EXISTS ({found}))"
