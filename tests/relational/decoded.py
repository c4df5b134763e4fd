"""Relations as plain Python rows, for comparing."""

from __future__ import annotations

from typing import Any

from petree.relational.database import ROW, Database
from petree.relational.relations import MISSING


def rows(database: Database, table: str) -> list[tuple[Any, ...]]:
    """The rows of a table, None where a value is missing, without the numbers of rows."""
    columns = [column for column in database.relation(table).columns if column.name != ROW]
    decoded = [
        [None if code == MISSING else column.domain.values[code] for code in column.codes.tolist()]
        for column in columns
    ]
    return list(zip(*decoded, strict=True))


def partners(database: Database, left: str, right: str) -> list[list[int]]:
    """For each row of the left table the rows of the right one that its first foreign key points to."""
    key = next(key for key in database.foreign_keys if (key.table, key.to_table) == (left, right))
    one, other = database.relation(left), database.relation(right)
    link = database.link(left, [*map(one.place, key.columns)], right, [*map(other.place, key.to_columns)])
    return [link.rows[start:stop].tolist() for start, stop in zip(link.starts, link.stops, strict=True)]
