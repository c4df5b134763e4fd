"""Columns that name rows without having been declared as keys.

A value that one row alone has says which row it is, not what it is like. In a table of few rows, such as one of kinds,
it is a name that many examples share; in one of many rows it is an identifier.
"""

from __future__ import annotations

import numpy as np

from petree.relational.database import Database
from petree.relational.links import distinct, joint_keys
from petree.relational.relations import MISSING, NOMINAL, Relation

# In a smaller table all values may differ by chance.
FEWEST_ROWS = 20
# A name is one that, on average, at least so many examples could share.
EXAMPLES_EACH = 2


def identifiers(database: Database, target: str) -> list[tuple[str, str]]:
    """The tables and columns of values that differ in every row, where these are many for the rows of the target."""
    n_examples = database.relation(target).n_rows
    found = []
    for name, relation in database.relations.items():
        if relation.n_rows >= FEWEST_ROWS and relation.n_rows * EXAMPLES_EACH > n_examples:
            found += [(name, relation.names[place]) for place in differing_columns(relation)]
    return found


def differing_columns(relation: Relation) -> list[int]:
    """Places of the nominal columns that have another value in every row."""
    columns = enumerate(relation.columns)
    return [place for place, one in columns if one.kind == NOMINAL and tells_apart(relation, (place,))]


def tells_apart(relation: Relation, places: tuple[int, ...]) -> bool:
    """Whether no two rows of a relation have the same values, none of them missing, in some columns."""
    codes = [relation.columns[place].codes for place in places]
    if len(codes) == 1:
        return int(np.bincount(codes[0][codes[0] != MISSING]).max(initial=0)) <= 1
    keys = joint_keys(codes, [one[:0] for one in codes])[0]
    known = keys[keys != MISSING]
    return len(distinct(known)) == len(known)
