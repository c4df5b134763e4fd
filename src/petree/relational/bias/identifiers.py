"""Columns that name rows without having been declared as keys.

A value that one row alone has says which row it is, not what it is like. In a table of few rows, such as one of kinds,
it is a name that many examples share; in one of many rows it is an identifier. Numbers may all differ and yet say how
much there is of something, but not if they are whole and close together: then they number the rows.
"""

from __future__ import annotations

import numpy as np

from petree.inputs.identifiers import CLOSE, are_row_numbers
from petree.relational.database import Database, ForeignKey
from petree.relational.relations import MISSING, NOMINAL, NUMBER, Relation
from petree.relational.row_keys import row_keys

# In a smaller table all values may differ by chance.
FEWEST_ROWS = 20
# A name is one that, on average, at least so many examples could share.
EXAMPLES_EACH = 2


def identifiers(database: Database, target: str) -> list[tuple[str, str]]:
    """The tables and columns of values that differ in every row, where these are many for the rows of the target."""
    key = ("identifiers", target)
    if key not in database.kept:
        database.kept[key] = _identifiers(database, target)
    known: list[tuple[str, str]] = database.kept[key]
    return known


def _identifiers(database: Database, target: str) -> list[tuple[str, str]]:
    n_examples = database.relation(target).n_rows
    found = []
    for name, relation in database.relations.items():
        if relation.n_rows >= FEWEST_ROWS and relation.n_rows * EXAMPLES_EACH > n_examples:
            found += [(name, relation.names[place]) for place in _differing_columns(database, target, relation)]
    return found


def _differing_columns(database: Database, target: str, relation: Relation) -> list[int]:
    """Places of the columns that have another value in every row: of names, and of numbers of rows of other tables."""
    may_number = range(len(relation.columns)) if relation.name != target else ()
    named = [
        place
        for place, column in enumerate(relation.columns)
        if column.kind == NOMINAL or (place in may_number and _may_number(database, relation, place))
    ]
    return [place for place in named if tells_apart(database, relation, (place,))]


def _may_number(database: Database, relation: Relation, place: int) -> bool:
    """Whether the values of a column are whole numbers close together, as those that number rows are."""
    column = relation.columns[place]
    if column.kind != NUMBER or column.is_date or column.domain.is_ordered or place == relation.time:
        return False
    if database.server is not None:
        return database.server.facts.are_close(relation, place, CLOSE)
    return are_row_numbers(column.domain.numbers[column.codes[column.codes != MISSING]], FEWEST_ROWS)


def tells_apart(database: Database, relation: Relation, places: tuple[int, ...]) -> bool:
    """Whether no two rows of a relation have the same values, none of them missing, in some columns."""
    if database.server is not None:
        return database.server.facts.tells_apart(relation, places)
    codes = [relation.columns[place].codes for place in places]
    bounds = row_keys(codes).index()[0]
    return int(np.diff(bounds).max(initial=0)) <= 1


def says_twice(database: Database, link: ForeignKey, pairs: tuple[tuple[str, str], ...]) -> bool:
    """Whether rows have in some columns what the row that a link leads to has in others."""
    if database.server is not None:
        joined = tuple(zip(link.columns, link.to_columns, strict=True))
        return database.server.facts.agrees((link.table, link.to_table, joined), pairs)
    here, there = database.ends(link)
    forward = database.link(*here, *there)
    has_one = forward.sizes == 1
    rows = forward.rows[forward.starts[has_one]]
    left = database.relation(link.table)
    right = database.relation(link.to_table)
    places = ((left.place(one), right.place(other)) for one, other in pairs)
    return all((left.columns[one].codes[has_one] == right.columns[other].codes[rows]).all() for one, other in places)


def leads_always(database: Database, link: ForeignKey) -> bool:
    """Whether a link leads from each row to one: no pointer is missing, and none dangles."""
    if database.server is not None:
        return database.server.facts.leads_always(link)
    here, there = database.ends(link)
    return bool(database.link(*here, *there).sizes.all())
