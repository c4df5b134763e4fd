"""Attribute values dealt anew among the objects of a type, while links and classes stay (Neville et al. 2003).

Where examples share objects, or have many of them, labels that are permuted forget the links, and tests of chance look
better than they should. What a node's queries reach of a table is one set of objects; the columns that describe them
move together, row by row.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.relations import KEY, Relation

ReachedRows = dict[str, NDArray[np.int32]]


def reached_rows(answers: Iterable[Answers]) -> ReachedRows:
    """The different rows of each relation that some answers have."""
    found: dict[str, list[NDArray[np.int32]]] = {}
    for one in answers:
        for relation, rows in zip(one.scope.relations, one.rows, strict=True):
            found.setdefault(relation, []).append(rows)
    return {relation: np.unique(np.concatenate(rows)) for relation, rows in found.items()}


def shuffle(answers: Answers, reached: ReachedRows, random: np.random.Generator) -> Answers:
    """The same answers over tables whose descriptions are dealt anew among the rows that were reached."""
    database = answers.scope.database
    relations = dict(database.relations)
    for name in sorted(reached):
        relations[name] = _shuffle_rows(database.relation(name), reached[name], random)
    dealt, before = database.with_relations(relations), answers.scope
    scope = Scope(dealt, before.relations, before.places, lookups=before.lookups)  # values mean what they did
    return answers.renamed(scope, answers)


def _shuffle_rows(relation: Relation, rows: NDArray[np.int32], random: np.random.Generator) -> Relation:
    order = random.permutation(len(rows))
    columns = []
    for place, column in enumerate(relation.columns):
        if column.kind != KEY and place != relation.time:
            codes = column.codes.copy()
            codes[rows] = column.codes[rows[order]]
            column = replace(column, codes=codes)
        columns.append(column)
    return replace(relation, columns=tuple(columns))
