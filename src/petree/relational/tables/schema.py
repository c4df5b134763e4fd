"""Names of tables, columns, keys and links, as users write them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from petree.words import visible

# What each table has: its columns by name.
Names = Mapping[str, Collection[str]]

WITH_COLUMNS = re.compile(r"\s*(.+?)\s*\(([^()]*)\)\s*\Z")


@dataclass(frozen=True)
class ForeignKey:
    """Columns of one table that point to columns of another, or of itself."""

    table: str
    columns: tuple[str, ...]
    to_table: str
    to_columns: tuple[str, ...]

    def __str__(self) -> str:
        return f"{place_text(self.table, self.columns)} -> {place_text(self.to_table, self.to_columns)}"


# Columns of a table, and a link between two such, as users may write them.
Place = str | tuple[str, str | Iterable[str]]
Link = ForeignKey | str | tuple[Place, Place]


def place_text(table: str, columns: Sequence[str]) -> str:
    """``table.column``, or ``table(column, column)`` where there are several."""
    return f"{table}.{columns[0]}" if len(columns) == 1 else f"{table}({', '.join(columns)})"


def read_links(links: Iterable[Link], names: Names) -> tuple[ForeignKey, ...]:
    """Links as foreign keys, each once."""
    check_sequence("links", links, "links like 'atom.molecule_id -> molecule.id'")
    return tuple(dict.fromkeys(_read_link(link, names) for link in links))


def _read_link(link: Link, names: Names) -> ForeignKey:
    if isinstance(link, ForeignKey):
        link = ((link.table, link.columns), (link.to_table, link.to_columns))
    sides = link.split("->") if isinstance(link, str) else link
    if not isinstance(sides, (tuple, list)) or len(sides) != 2:
        raise ValueError(f"The link {link!r} must name two places; write it like 'atom.molecule_id -> molecule.id'.")
    (table, columns), (to_table, to_columns) = (read_place(side, names) for side in sides)
    if len(columns) != len(to_columns):
        raise ValueError(f"The link {link!r} has {len(columns)} and {len(to_columns)} columns; it needs equally many.")
    if (table, columns) == (to_table, to_columns):
        place = place_text(table, columns)
        raise ValueError(f"The link {link!r} points from {place!r} to itself; name what it points to.")
    return ForeignKey(table, columns, to_table, to_columns)


def read_place(place: Place, names: Names) -> tuple[str, tuple[str, ...]]:
    """A table and some of its columns, from ``"t.a"``, ``"t(a, b)"``, ``("t", "a")`` or ``("t", ("a", "b"))``."""
    if isinstance(place, str):
        table, columns = split_place(place, names)
    elif isinstance(place, (tuple, list)) and len(place) == 2:
        table = place[0]
        columns = as_columns(place[1])
    else:
        raise ValueError(f"{place!r} is no place in a database; write 'table.column' or ('table', ('column', ...)).")
    check_place(table, columns, names)
    return table, columns


def split_place(text: str, names: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """The parts of ``"t.a"`` or ``"t(a, b)"``; `names` are the known tables."""
    if match := WITH_COLUMNS.match(text):
        return match[1], tuple(column.strip() for column in match[2].split(","))
    table, column = table_and_column(text.strip(), names)
    if not column:
        raise ValueError(f"{text.strip()!r} names no column; write 'table.column'.")
    return table, (column,)


def table_and_column(text: str, names: Collection[str]) -> tuple[str, str]:
    """The parts of ``"table.column"``; names may hold dots themselves, and the first cut at a known table is meant."""
    dots = [place for place, letter in enumerate(text) if letter == "."]
    dot = next((dot for dot in dots if text[:dot] in names), dots[-1] if dots else len(text))
    return text[:dot], text[dot + 1 :]


def as_columns(columns: str | Iterable[str]) -> tuple[str, ...]:
    """One name or several, as a tuple."""
    return (columns,) if isinstance(columns, str) else tuple(columns)


def check_place(table: str, columns: Sequence[str], names: Names) -> None:
    """Refuse a table or a column that is not there."""
    if table not in names:
        raise ValueError(f"The database has no table {table!r}; it has {', '.join(map(visible, names))}.")
    if not columns:
        raise ValueError(f"No column of table {table!r} is named where one is needed.")
    for column in columns:
        if column not in names[table]:
            known = ", ".join(map(visible, names[table]))
            raise ValueError(f"Table {table!r} has no column {column!r}; its columns are {known}.")


def check_sequence(name: str, given: object, what: str) -> None:
    """Refuse what is no sequence of things."""
    if isinstance(given, str):
        raise TypeError(f"{name} must be a sequence of {what}, got the text {given!r}; put it into a list.")
    if not isinstance(given, Iterable):
        raise TypeError(f"{name} must be a sequence of {what}, got {given!r}; pass () for none.")


def check_mapping(name: str, given: object, example: str) -> None:
    """Refuse what names nothing by table."""
    if not isinstance(given, Mapping):
        raise TypeError(f"{name} must be a dict like {example}, got {given!r}.")


def read_left_out(places: Iterable[Place], names: Names) -> dict[str, set[str]]:
    """The columns of each table that are not to be read."""
    check_sequence("leave_out", places, "columns like 'atom.note'")
    left_out: dict[str, set[str]] = {table: set() for table in names}
    for place in places:
        table, columns = read_place(place, names)
        left_out[table].update(columns)
    return left_out
