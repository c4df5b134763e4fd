"""Tables so small that they are read after all: in memory the same tree grows many times faster."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

import numpy as np

from petree.relational.alignment import align
from petree.relational.database import Database
from petree.relational.in_database.server import Server
from petree.relational.queries.scope import Scope
from petree.relational.relations import Relation
from petree.relational.tables.building import build
from petree.relational.tables.lookups import key_values, rows_of_keys
from petree.relational.tables.sql.reading import read_columns

# So many values in the columns of all tables together take some ten megabytes, and less time than a few queries.
MOST_VALUES = 1_000_000


def in_memory(scope: Scope, asked: Mapping[str, AbstractSet[int]]) -> Scope | None:
    """The scope of the same empty query where the tables are in memory; None where they are too large for that.

    `asked` has the tables and the places of their columns that queries ask about. Examples keep their numbers.
    """
    server = scope.database.server
    if server is None or server.n_values > MOST_VALUES:
        return None
    target = scope.relation(0)
    tables = server.facts.once(("in memory", target.name), lambda: _read(server, target))
    return Scope.of_target(align(scope.database, tables, asked), target.name)


def _read(server: Server, target: Relation) -> Database:
    """All tables, the rows of the examples in the order of their numbers."""
    schema = server.tables.schema
    read = server.session.using(
        lambda connection: {name: read_columns(connection, info, schema) for name, info in server.infos.items()}
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # keys that dangle were told of when the database was opened
        built = build(read, server.declared.links, server.declared.keys, server.declared.time)
    relations = built.relations
    relations[target.name] = _in_order(relations[target.name], server.examples(target))
    return Database.from_relations(relations, built.foreign_keys)


def _in_order(relation: Relation, examples: Relation) -> Relation:
    """A relation with the rows of the examples first, as they are numbered; rows without a key are no examples."""
    first = rows_of_keys(relation, key_values(examples))
    order = np.concatenate([first, np.setdiff1d(np.arange(relation.n_rows), first)])
    return replace(relation, columns=tuple(replace(one, codes=one.codes[order]) for one in relation.columns))
