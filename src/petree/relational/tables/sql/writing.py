"""Relations as tables of a database server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from petree.relational.dates import are_whole
from petree.relational.relations import MISSING, ROW, Relation, RelationColumn
from petree.relational.tables.integrity import dangling_rows
from petree.relational.tables.schema import ForeignKey
from petree.relational.tables.sql.connections import Address, always_quoted, connect
from petree.relational.tables.sql.reading import CHUNK_ROWS

# The column that says to which example a fact belongs.
MODEL = "model"
# Where links may be declared: rows come in any order, so that only the end of all can be checked.
DEFERRING = ("sqlite", "postgresql")


def write_sql(relations: Mapping[str, Relation], links: Sequence[ForeignKey], target: Address) -> None:
    """Make a table of every relation, with its keys and links, in the database of a URL or an engine."""
    with connect(target, is_new=True) as connection:
        known = sa.inspect(connection).get_table_names()
        for name in relations:
            if name in known:
                raise ValueError(f"The database has a table {name!r} already; drop it, or write to an empty database.")
        metadata = sa.MetaData()
        tables = {name: _table(relation, metadata) for name, relation in relations.items()}
        if connection.dialect.name in DEFERRING:
            for number, link in enumerate(links):
                _declare_link(tables, link, relations, number)
        for number, link in enumerate(links):  # before the rows: they are few, and queries would crawl without
            columns = [tables[link.table].c[name] for name in link.columns]
            sa.Index(f"{link.table}_index_{number}", *columns)
        metadata.create_all(connection)
        for name, relation in relations.items():
            for rows in _rows(relation):
                connection.execute(tables[name].insert(), rows)


def written_columns(relation: Relation) -> list[tuple[str, RelationColumn]]:
    """The columns that are written, with their names."""
    named = [(column.name, column) for column in relation.columns if column.name != ROW]
    return [(MODEL, named[0][1]), *named[1:]] if relation.of_examples else named


def _table(relation: Relation, metadata: sa.MetaData) -> sa.Table:
    named = written_columns(relation)
    columns = [sa.Column(always_quoted(name), _type(column), autoincrement=False) for name, column in named]
    table = sa.Table(always_quoted(relation.name), metadata, *columns)
    for number, key in enumerate(relation.keys):
        if any(place >= len(named) for place in key):
            continue
        is_whole = all((relation.columns[place].codes != MISSING).all() for place in key)
        constraint = sa.PrimaryKeyConstraint if number == 0 and is_whole else sa.UniqueConstraint
        table.append_constraint(constraint(*(named[place][0] for place in key)))
    return table


def _type(column: RelationColumn) -> sa.types.TypeEngine[Any]:
    if column.is_date:
        return sa.Date() if are_whole(column.domain.numbers[:-1]) else sa.DateTime()
    kinds = set(map(type, column.domain.values))
    if kinds == {bool}:
        return sa.Boolean()
    if kinds == {int}:
        return sa.BigInteger()
    return sa.Double() if kinds and kinds <= {int, float} else sa.Text()


def _declare_link(
    tables: Mapping[str, sa.Table], link: ForeignKey, relations: Mapping[str, Relation], number: int
) -> None:
    """A foreign key, unless some rows dangle."""
    pointing = _codes(relations[link.table], link.columns)
    referred = _codes(relations[link.to_table], link.to_columns)
    if not dangling_rows(pointing, referred).any():
        places = [tables[link.to_table].c[name] for name in link.to_columns]
        name = f"{link.table}_link_{number}"
        tables[link.table].append_constraint(
            sa.ForeignKeyConstraint(list(link.columns), places, name=name, deferrable=True, initially="DEFERRED")
        )


def _codes(relation: Relation, names: Sequence[str]) -> list[NDArray[np.int32]]:
    return [relation.columns[place].codes for place in relation.places(names)]


def _rows(relation: Relation) -> Iterator[list[dict[str, Any]]]:
    """The rows as dicts, a chunk at a time."""
    named = written_columns(relation)
    # The code of a missing value is -1, which finds the last.
    values = [np.array([*column.values, None], object) for _, column in named]
    names = [name for name, _ in named]
    for start in range(0, relation.n_rows, CHUNK_ROWS):
        rows = slice(start, start + CHUNK_ROWS)
        chunk = (one[column.codes[rows]].tolist() for one, (_, column) in zip(values, named, strict=True))
        yield [dict(zip(names, row, strict=True)) for row in zip(*chunk, strict=True)]
