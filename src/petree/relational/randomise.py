"""Attribute values dealt anew among the objects of a type, while links and classes stay (Neville et al. 2003).

Where examples share objects, or have many of them, labels that are permuted forget the links, and tests of chance look
better than they should. What a node's queries reach of a table is one set of objects; the columns that describe them
move together, row by row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from petree.pruning.engine.permutation_tests import PermutationTests
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.refinement.families import Family
from petree.relational.refinement.packs import Pack
from petree.relational.refinement.tabulation import LocalTable, asked_of, tabulate
from petree.relational.relations import KEY, Relation
from petree.sources.permutation import TOLERANCE

ReachedRows = dict[str, NDArray[np.int32]]


def shuffled_tables(answers: Answers, families: Sequence[Family], random: np.random.Generator) -> Iterator[LocalTable]:
    """The tests of a node, again and again with the values of its objects dealt anew."""
    queries = [(place, asked_of(family)) for place, family in enumerate(families)]
    walk = Pack.of(answers.scope, queries).walk(answers)
    reached = reached_rows([found for _, _, found in walk if found is not None])
    while True:
        yield tabulate(shuffle(answers, reached, random), families)


def count_exceedances(scores: Iterator[float], trials: PermutationTests) -> tuple[int, int]:
    """How many scores are at least that of a node's test, and how many were looked at until the verdict was certain."""
    found = 0
    tried = 0
    while tried < trials.n_permutations[0] and found <= trials.allowed:
        tried += 1
        found += next(scores) >= trials.scores[0] - TOLERANCE
    return found, tried


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
