"""Links without a direction, such as a bond between two atoms: a table whose rows are read both ways.

Its rows stand in a relation of their own twice, once with the two columns that point to one table changed about, so
that whoever comes from either end finds them all. The table itself keeps its other links.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from petree.relational.relations import KEY, ROW, BothWays, Relation, RelationColumn, row_column
from petree.relational.tables.schema import ForeignKey, Link, Names, read_links, read_place

SIGN = "--"
SUFFIX = "_either_way"


def is_undirected(link: Link) -> bool:
    """Whether a link is written without a direction: ``"bond.atom1 -- bond.atom2"``."""
    return isinstance(link, str) and SIGN in link and "->" not in link


def read_undirected(links: Iterable[Link], names: Names, directed: Iterable[ForeignKey]) -> list[BothWays]:
    """The tables that are read both ways; both columns must point to one place."""
    aims = {(link.table, link.columns): (link.to_table, link.to_columns) for link in directed}
    found = []
    for link in links:
        ends = [read_place(part, names) for part in str(link).split(SIGN)]
        if len(ends) != 2 or ends[0][0] != ends[1][0] or ends[0] == ends[1] or any(len(one[1]) > 1 for one in ends):
            raise ValueError(
                f"The link {link!r} must name two columns of one table; write it like 'bond.atom1 -- bond.atom2'."
            )
        if ends[0] not in aims or aims[ends[0]] != aims.get(ends[1]):
            raise ValueError(
                f"Both columns of the link {link!r} must point to the same; declare, for example, "
                f"'{ends[0][0]}.{ends[0][1][0]} -> atom.id' and '{ends[1][0]}.{ends[1][1][0]} -> atom.id'."
            )
        if ends[0][0] + SUFFIX in names:
            raise ValueError(f"The database has a table {ends[0][0] + SUFFIX!r}, which is petree's own; rename it.")
        found.append(BothWays(ends[0][0], ends[0][1][0], ends[1][1][0]))
    return list(dict.fromkeys(found))


def read_both_ways(
    relations: dict[str, Relation], links: tuple[ForeignKey, ...], undirected: Iterable[BothWays]
) -> tuple[dict[str, Relation], tuple[ForeignKey, ...]]:
    """Relations and links with those that are read both ways; the links that have a direction no more are theirs."""
    for both in undirected:
        name = both.table + SUFFIX
        relations = {**relations, name: _doubled(relations[both.table], both, links)}
        ends = [link for link in links if link.table == both.table and link.columns in ((both.one,), (both.other,))]
        moved = {link: replace(link, table=name) for link in ends}
        links = tuple(moved.get(link, link) for link in links)
    return relations, links


def _doubled(relation: Relation, both: BothWays, links: Iterable[ForeignKey]) -> Relation:
    """All rows, and once more with two columns changed about, without the keys and pointers that the table keeps."""
    swapped = {both.one: both.other, both.other: both.one}
    pointers = {name for link in links if link.table == relation.name for name in link.columns} - {*swapped}
    kept = [one for one in relation.columns if one.name != ROW and one.name not in pointers]
    kept = [one for one in kept if one.name in swapped or one.kind != KEY]
    codes = {column.name: column.codes for column in relation.columns}
    columns = [replace(one, codes=np.concatenate((one.codes, codes[swapped.get(one.name, one.name)]))) for one in kept]
    n_rows = 2 * relation.n_rows
    names = [one.name for one in kept]
    time = None if relation.time is None else relation.columns[relation.time].name
    place = names.index(time) if time in names else None
    own: tuple[RelationColumn, ...] = (*columns, row_column(relation.name + SUFFIX, n_rows))
    return Relation(relation.name + SUFFIX, own, n_rows, ((len(columns),),), time=place, both_ways=both)


def directed_links(links: Iterable[Link], names: Names) -> tuple[ForeignKey, ...]:
    """The links that have a direction."""
    return read_links([link for link in links if not is_undirected(link)], names)


def as_tables(
    relations: dict[str, Relation], links: Iterable[ForeignKey]
) -> tuple[dict[str, Relation], tuple[ForeignKey, ...]]:
    """Relations and links as tables have them, each row once."""
    tables = {name: one for name, one in relations.items() if one.both_ways is None}
    return tables, tuple(replace(link, table=relations[link.table].called) for link in links)


def hidden(relations: dict[str, Relation], table: str, column: str) -> dict[str, Relation]:
    """Relations without a column of a table, also where its rows are read both ways."""
    found = {**relations, table: relations[table].without(column)}
    for name, one in relations.items():
        if one.both_ways is not None and one.both_ways.table == table and column in one.names:
            found[name] = one.without(column)
    return found
