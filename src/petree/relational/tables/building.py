"""Tables, links and keys as relations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from petree.relational.relations import ROW, Relation, RelationColumn, row_column
from petree.relational.tables.coding import TableColumn, as_numbers, code_columns, column_pairs, type_of
from petree.relational.tables.frames import Raw, Values, given_columns, read_table
from petree.relational.tables.integrity import LinkCheck, check_unique_key, settle_links
from petree.relational.tables.large_numbers import is_large
from petree.relational.tables.schema import (
    ForeignKey,
    Link,
    Place,
    as_columns,
    check_mapping,
    check_place,
    check_sequence,
    place_text,
    read_left_out,
)
from petree.relational.tables.undirected import directed_links, is_undirected, read_both_ways, read_undirected

if TYPE_CHECKING:
    from petree.relational.tables.frames import Frame


Keys = dict[str, list[tuple[str, ...]]]
# The column, or columns, of each table's key, as users write them.
DeclaredKeys = Mapping[str, str | Iterable[str]]


@dataclass(frozen=True)
class Built:
    """Relations by name, the links between them, and what was found along those."""

    relations: dict[str, Relation]
    foreign_keys: tuple[ForeignKey, ...]
    checks: tuple[LinkCheck, ...]


def build(
    tables: Mapping[str, Frame],
    links: Iterable[Link] = (),
    keys: DeclaredKeys | None = None,
    time: Mapping[str, str] | None = None,
    identifiers: Iterable[TableColumn] = (),
    leave_out: Iterable[Place] = (),
) -> Built:
    """Relations from tables; `identifiers` are columns that are keys without telling rows apart or being linked."""
    given = _given_tables(tables)
    left_out = read_left_out(leave_out, given)
    check_sequence("links", links, "links like 'atom.molecule_id -> molecule.id'")
    listed = list(links)
    foreign_keys = directed_links(listed, given)
    undirected = read_undirected(filter(is_undirected, listed), given, foreign_keys)
    check_left_out(left_out, foreign_keys, keys or {}, time or {})
    raws = _read_tables(given, left_out, needed_columns(foreign_keys, keys or {}, time or {}))
    keys_of = all_keys(raws, foreign_keys, keys or {})
    read_times(raws, time or {})
    of_keys = {(table, name) for table, ways in keys_of.items() for key in ways for name in key}
    columns = code_columns(raws, foreign_keys, [*sorted(of_keys), *identifiers])
    pointing = {(link.to_table, link.to_columns): link for link in reversed(foreign_keys)}
    for table, ways in keys_of.items():
        for place, key in enumerate(ways):
            is_declared = place == 0 and table in (keys or {})
            check_unique_key(table, key, columns, None if is_declared else pointing[table, key])
    referred = {(link.to_table, name) for link in foreign_keys for name in link.to_columns}
    alone = {(table, key[0]) for table, ways in keys_of.items() for key in ways if len(key) == 1}
    columns, checks = settle_links(foreign_keys, columns, referred | alone)
    relations = {
        table: relation_of(table, [columns[table, name] for name in raw], keys_of[table], (time or {}).get(table))
        for table, raw in raws.items()
    }
    relations, foreign_keys = read_both_ways(relations, foreign_keys, undirected)
    return Built(relations, foreign_keys, checks)


def _given_tables(tables: Mapping[str, Frame]) -> dict[str, dict[str, Values]]:
    if not isinstance(tables, Mapping):
        raise TypeError(f"tables must be a dict of names and data frames, got a {type(tables).__name__}.")
    if not tables:
        raise ValueError("The database has no tables; pass at least one, as {'name': data frame}.")
    return {str(name): given_columns(str(name), frame) for name, frame in tables.items()}


def check_left_out(
    left_out: Mapping[str, set[str]], links: Iterable[ForeignKey], keys: DeclaredKeys, time: Mapping[str, str]
) -> None:
    """Refuse to leave out what links, keys or times need."""
    check_mapping("keys", keys, "{'molecule': 'id'}")
    check_mapping("time", time, "{'visit': 'day'}")
    for (table, column), needed in needed_columns(links, keys, time).items():
        if column in left_out.get(table, ()):
            place = place_text(table, (column,))
            raise ValueError(f"Column {place!r} is left out, but {needed} needs it; take one of them back.")


def needed_columns(links: Iterable[ForeignKey], keys: DeclaredKeys, time: Mapping[str, str]) -> dict[TableColumn, str]:
    """The columns that cannot be left out, and what needs each."""
    needed: dict[TableColumn, str] = {}
    for link in links:
        for place in chain.from_iterable(column_pairs(link)):
            needed.setdefault(place, f"the link {str(link)!r}")
    for table, columns in keys.items():
        for column in as_columns(columns):
            needed.setdefault((table, column), f"the key of {table!r}")
    for table, column in time.items():
        needed.setdefault((table, column), f"the time of {table!r}")
    return needed


def _read_tables(
    given: Mapping[str, Mapping[str, Values]], left_out: Mapping[str, set[str]], needed: Mapping[TableColumn, str]
) -> dict[str, dict[str, Raw]]:
    """The columns of each table, without those that are left out."""
    raws = {}
    for name, columns in given.items():
        read = {column: one for column, one in columns.items() if column not in left_out[name]}
        raws[name] = read_table(name, read, {column: what for (table, column), what in needed.items() if table == name})
    return raws


def all_keys(raws: Mapping[str, Mapping[str, Raw]], links: Iterable[ForeignKey], keys: DeclaredKeys) -> Keys:
    """All ways to tell the rows of each table apart: the declared key, then what links point to, each once."""
    keys_of: Keys = {table: [] for table in raws}
    for table, columns in keys.items():
        check_place(table, as_columns(columns), raws)
        keys_of[table].append(as_columns(columns))
    for link in links:
        if not any(set(link.to_columns) == set(key) for key in keys_of[link.to_table]):
            keys_of[link.to_table].append(link.to_columns)
    return keys_of


def read_times(raws: Mapping[str, dict[str, Raw]], time: Mapping[str, str]) -> None:
    """Make the time columns numbers, and refuse those that are not, and dates beside plain numbers."""
    held_by: dict[str, str] = {}
    for table, column in time.items():
        check_place(table, (column,), raws)
        held = "whole numbers beyond 2**53" if is_large(raws[table][column]) else type_of(raws[table][column])
        if held not in ("numbers", "dates", None):
            raise ValueError(
                f"The time column {place_text(table, (column,))!r} holds {held}; it needs numbers or dates."
            )
        if held is not None:
            held_by.setdefault(held, place_text(table, (column,)))
        raws[table][column] = as_numbers(raws[table][column])
    if len(held_by) > 1:
        raise ValueError(
            f"The time column {held_by['numbers']!r} holds numbers and {held_by['dates']!r} dates, which do not "
            "compare; give both as dates, or both as numbers."
        )


def relation_of(
    table: str,
    columns: list[RelationColumn],
    keys: list[tuple[str, ...]],
    time: str | None,
    n_unread: int | None = None,
) -> Relation:
    """A relation of columns; where nothing tells its rows apart, they are numbered. `n_unread` rows are not read."""
    n_rows = len(columns[0].codes) if n_unread is None else n_unread
    names = [column.name for column in columns]
    places = tuple(tuple(map(names.index, key)) for key in keys)
    if ROW in names:  # it would be taken for a number that no table holds, and left out of SQL
        raise ValueError(f"Table {table!r} has a column {ROW!r}, which is the name of petree's own; rename it.")
    if not keys:
        columns = [*columns, row_column(table, n_rows, n_unread is None)]
        places = ((len(names),),)
    return Relation(table, tuple(columns), n_rows, places, time=None if time is None else names.index(time))
