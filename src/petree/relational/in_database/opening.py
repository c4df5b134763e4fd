"""A database whose tables are not read: their columns, keys and links, each with a value to tell its type by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import sqlalchemy as sa

from petree.relational.database import Database
from petree.relational.in_database.cleaning import Tables
from petree.relational.in_database.profiling import Profile, check_key, check_link, profile
from petree.relational.in_database.server import Declared, Server
from petree.relational.in_database.session import Session
from petree.relational.in_database.text_columns import binary_texts
from petree.relational.relations import KEY, MISSING, Relation, RelationColumn
from petree.relational.tables.building import DeclaredKeys, Keys, all_keys, check_left_out, read_times, relation_of
from petree.relational.tables.coding import TableColumn, code_columns
from petree.relational.tables.frames import Raw, read_table
from petree.relational.tables.integrity import LinkCheck
from petree.relational.tables.schema import ForeignKey, as_columns, read_left_out, read_links
from petree.relational.tables.sql.catalogue import TableInfo, read_catalogue, usable
from petree.relational.tables.sql.connections import Address
from petree.relational.tables.sql.reading import Told, compact
from petree.relational.tables.undirected import is_undirected


def open_database(source: Address, told: Told) -> Database:
    """A database of relations without rows, and what answers questions about the rows."""
    session = Session(source)
    infos, every = _infos(session, told)
    links, declared_keys = usable(list(infos.values()))
    names = {name: list(info.columns) for name, info in infos.items()}
    foreign_keys = read_links(told.links or links, names)
    keys = declared_keys | dict(told.keys)
    columns_of_keys = {(link.table, one) for link in foreign_keys for one in link.columns}
    columns_of_keys |= {(link.to_table, one) for link in foreign_keys for one in link.to_columns}
    tables = Tables(names, told.schema, every, binary=binary_texts(session, infos.values()))
    profiles = {
        name: profile(
            session,
            tables,
            info,
            {one for table, one in columns_of_keys if table == name} | set(as_columns(keys.get(name, ()))),
        )
        for name, info in infos.items()
    }
    relations, keys_of = _relations(profiles, foreign_keys, keys, told.time)
    for table, ways in keys_of.items():
        for key in ways:
            if key != infos[table].key:
                check_key(session, tables, table, key)
    checks = tuple(check_link(session, tables, link) for link in foreign_keys)
    floats = {name: one.floats for name, one in profiles.items() if one.floats}
    tables = replace(tables, floats=floats, dangling=_dangling(checks, foreign_keys, keys_of))
    database = Database.from_relations(relations, foreign_keys, checks=checks)
    n_values = sum(one.n_rows * len(one.samples) for one in profiles.values())
    database.server = Server(session, tables, infos, Declared(foreign_keys, keys, told.time), n_values)
    return database


def _infos(session: Session, told: Told) -> tuple[dict[str, TableInfo], dict[str, list[str]]]:
    """What the database says of the tables, without the columns that are left out, and the names of all columns."""
    infos = session.using(lambda connection: read_catalogue(connection, told.tables, told.schema))
    views = session.using(lambda connection: sa.inspect(connection).get_view_names(told.schema))
    for info in infos:
        if info.name in views:
            raise ValueError(
                f"{info.name!r} is a view, whose rows nothing tells apart; with in_database name tables, such as one "
                "made of the view."
            )
    every = {info.name: [*info.columns, *info.others] for info in infos}
    left_out = read_left_out(told.leave_out, every)
    names = {info.name: [*info.columns, *sorted(left_out[info.name])] for info in infos}
    if any(map(is_undirected, told.links)):
        raise ValueError(
            "Links without a direction ('--') cannot be asked in the database; read the tables into memory (without "
            "in_database), or declare links with '->' alone."
        )
    check_left_out(left_out, read_links(told.links, names), told.keys, told.time)
    return {info.name: info.without(left_out[info.name]) for info in infos}, every


# -- relations -------------------------------------------------------------------------------------------------


def _relations(
    profiles: Mapping[str, Profile], links: tuple[ForeignKey, ...], keys: DeclaredKeys, time: Mapping[str, str]
) -> tuple[dict[str, Relation], Keys]:
    """Relations without rows, and all ways to tell the rows of each apart."""
    raws: dict[str, dict[str, Raw]] = {
        table: read_table(table, {name: compact((value,)) for name, value in one.samples.items()})
        for table, one in profiles.items()
    }
    keys_of = all_keys(raws, links, keys)
    read_times(raws, time)
    of_keys = {(table, name) for table, ways in keys_of.items() for key in ways for name in key}
    columns = code_columns(raws, links, sorted(of_keys))
    relations = {
        table: _relation(table, one, [columns[table, name] for name in raws[table]], keys_of[table], time.get(table))
        for table, one in profiles.items()
    }
    return relations, keys_of


def _relation(
    table: str, found: Profile, columns: list[RelationColumn], keys: list[tuple[str, ...]], time: str | None
) -> Relation:
    """A relation without rows; as in model files, a code says of a key that it has gaps."""
    empty = np.empty(0, np.int32)
    with_gaps = np.full(1, MISSING, np.int32)
    kept = [replace(one, codes=with_gaps if one.kind == KEY and one.name in found.gaps else empty) for one in columns]
    return relation_of(table, kept, keys, time, found.n_rows)


def _dangling(
    checks: tuple[LinkCheck, ...], links: tuple[ForeignKey, ...], keys_of: Keys
) -> dict[TableColumn, list[ForeignKey]]:
    """The columns that are kept free of keys which dangle along all links of the column, and these links."""
    kept = {(link.to_table, name) for link in links for name in link.to_columns}
    kept |= {(table, key[0]) for table, ways in keys_of.items() for key in ways if len(key) == 1}
    links_of: dict[TableColumn, list[LinkCheck]] = {}
    for check in checks:
        for name in check.link.columns:
            links_of.setdefault((check.link.table, name), []).append(check)
    return {
        place: [one.link for one in found]
        for place, found in links_of.items()
        if place not in kept and all(one.n_dangling for one in found)
    }
