"""Classes of training examples as something that tests may ask about other examples.

They stand in a relation of their own, which has the training examples alone and never answers for the example itself.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from petree.relational.bias.modes import CONSTANT, IGNORED, INPUT, NAMED, Argument, Bias, Lookahead, Mode
from petree.relational.database import Database
from petree.relational.queries.terms import Atom, Constant, Variable
from petree.relational.relations import KEY, NOMINAL, Domain, Relation, RelationColumn

NAME = "known_class"


def with_labels(
    database: Database, table: str, rows: NDArray[np.int32], codes: NDArray[np.intp], classes: NDArray[np.generic]
) -> Database:
    """The database with a relation that tells the classes of some rows of a table."""
    target = database.relation(table)
    if NAME in database.relations:
        raise ValueError(f"The database has a table {NAME!r}, where known classes would stand; rename it.")
    known, first = np.unique(rows, return_index=True)
    keys = target.key_columns
    columns = [replace(one, codes=one.codes[known], kind=KEY) for one in keys]
    domain = Domain(f"{table} class", classes.tolist())
    columns.append(RelationColumn("class", domain, codes[first].astype(np.int32), NOMINAL))
    if target.time is not None:  # a class is not known before its example is
        time = target.columns[target.time]
        columns.append(replace(time, codes=time.codes[known]))
    own = tuple(range(len(keys)))
    time_place = None if target.time is None else len(columns) - 1
    relation = Relation(NAME, tuple(columns), len(known), (own,), time=time_place, of_others=own)
    return database.with_relations({**database.relations, NAME: relation})


def asking_for_labels(bias: Bias, database: Database, table: str, classes: NDArray[np.generic]) -> Bias:
    """A bias that also asks for the known classes of examples that a query has found, or is about to find."""
    target = database.relation(table)
    tried = Argument(CONSTANT, "Class", tuple(Constant(label) for label in classes.tolist()))
    asked = (tried,) if target.time is None else (tried, Argument(IGNORED, "Time"))
    mode = Mode(NAME, (*(Argument(INPUT, f"Key{place}") for place in target.keys[0]), *asked))
    key = tuple(column.name for column in target.key_columns)
    lookaheads = []
    for link in database.foreign_keys:
        if link.to_table != table or link.to_columns != key:
            continue
        relation = database.relation(link.table)
        names = tuple(Variable(f"V{at}") for at in range(len(relation.columns)))
        points = (Argument(NAMED, f"V{place}") for place in relation.places(link.columns))
        lookaheads.append(Lookahead(Atom(relation.name, names), Mode(NAME, (*points, *asked)), alone=True))
    return replace(bias, modes=(*bias.modes, mode), lookaheads=(*bias.lookaheads, *lookaheads))
