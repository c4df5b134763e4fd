"""Other tables in the place of those that a tree was fitted to.

Queries know columns by their places and join them by their codes. Tables with their columns in another order, of other
types or without their links would be asked something else without a word, so they are put in order here, or refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

import numpy as np

from petree.relational.database import Database
from petree.relational.relations import KEY, MISSING, ROW, Domain, Relation, RelationColumn, kind_of, row_column
from petree.relational.tables.schema import ForeignKey, place_text


def align(known: Database, other: Database, asked: Mapping[str, AbstractSet[int]]) -> Database:
    """Some tables of another database, with the columns, keys and links that they have in the known one.

    `asked` has the places of the columns that must be there; in the place of another that is not there is an empty one.
    """
    relations = {name: _align(known.relation(name), other.relation(name), asked[name]) for name in asked}
    for link in known.foreign_keys:
        is_asked = all(
            table in asked and asked[table] & {*known.relation(table).places(columns)}
            for table, columns in ((link.table, link.columns), (link.to_table, link.to_columns))
        )
        if is_asked:
            _check_link(link, other)
    aligned = Database.from_relations(relations, known.foreign_keys)
    aligned.server = other.server
    return aligned


def _align(known: Relation, other: Relation, asked: AbstractSet[int]) -> Relation:
    if _time_name(known) != _time_name(other):
        raise ValueError(
            f"The time column of table {known.name!r} was {_time_name(known)} when the tree was fitted, and is "
            f"{_time_name(other)}; declare the same."
        )
    columns = tuple(
        _aligned_column(column, other) if place in asked else _shown_column(column, other)
        for place, column in enumerate(known.columns)
    )
    return replace(known, columns=columns, n_rows=other.n_rows)


def _shown_column(known: RelationColumn, other: Relation) -> RelationColumn:
    """A column that nothing asks for: as it is, or without values where there is none."""
    found = next((column for column in other.columns if column.name == known.name), None)
    if found is None and known.name == ROW:
        return row_column(other.name, other.n_rows)
    return found or replace(known, codes=np.full(other.n_rows, MISSING, np.int32))


def _time_name(relation: Relation) -> str | None:
    return None if relation.time is None else relation.columns[relation.time].name


def _aligned_column(known: RelationColumn, other: Relation) -> RelationColumn:
    found = next((column for column in other.columns if column.name == known.name), None)
    if found is None and known.name == ROW:
        return row_column(other.name, other.n_rows)
    if found is None:
        raise ValueError(f"Table {other.name!r} has no column {known.name!r}, which the tree was fitted with.")
    if known.kind != KEY and not len(found.domain):  # of what holds nothing the type is not known
        domain = Domain(found.domain.name, (), known.domain.is_number)
        return replace(found, domain=domain, is_date=known.is_date)
    if known.domain.is_ordered:
        return _in_order(known, found, other)
    if not _fits(known, found):
        raise ValueError(
            f"Column {place_text(other.name, (found.name,))!r} is of type {_type(found)}, but was of type "
            f"{_type(known)} when the tree was fitted; convert it."
        )
    return found


def _in_order(known: RelationColumn, found: RelationColumn, other: Relation) -> RelationColumn:
    """A column with its values in the order that they had at fit."""
    codes = np.array([*(known.domain.code(value) for value in found.domain.values), MISSING], np.int32)
    strange = [value for value, code in zip(found.domain.values, codes.tolist(), strict=False) if code == MISSING]
    if strange:
        raise ValueError(
            f"Column {place_text(other.name, (found.name,))!r} holds {strange[0]!r}, which is not among the values in "
            f"order when the tree was fitted: {', '.join(map(str, known.domain.values))}; convert it."
        )
    return replace(found, domain=known.domain, codes=codes[found.codes])


def _fits(known: RelationColumn, found: RelationColumn) -> bool:
    """Whether a column holds what the known one held; a key may be of another type, but dates are no numbers."""
    was = kind_of(known.domain)
    now = kind_of(found.domain)
    if was == now == "number":
        return known.is_date == found.is_date or None in (known.is_date, found.is_date)
    is_known = len(known.domain) > 0 or known.domain.is_number
    return known.kind == KEY or not is_known or was == now


def _type(column: RelationColumn) -> str:
    return "date" if column.is_date else kind_of(column.domain)


def _check_link(link: ForeignKey, other: Database) -> None:
    """Refuse columns that are not linked, whose codes say nothing of each other."""
    (table, places), (to_table, to_places) = other.ends(link)
    for place, to_place in zip(places, to_places, strict=True):
        if other.relation(table).columns[place].domain is not other.relation(to_table).columns[to_place].domain:
            raise ValueError(f"The database lacks the link {str(link)!r}, which the tree was fitted with; declare it.")
