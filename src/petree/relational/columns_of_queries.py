"""Queries as columns: for each example, whether each of some queries has an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from petree.caching import cached_property
from petree.relational.alignment import align
from petree.relational.database import Database
from petree.relational.in_database import refuse
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Variable, text_of
from petree.relational.reading.sentences import sentence_of
from petree.relational.refinement.families import Family
from petree.relational.refinement.grouping import GroupedQueries, Query
from petree.relational.routing import RelationalRouter, asked_columns, asked_in_pieces
from petree.relational.source import RelationalSource
from petree.threads import Threads


@dataclass(frozen=True, eq=False)
class QueryColumns:
    """Queries, each by itself, and the scope of the empty query."""

    scope: Scope
    queries: tuple[Query, ...]

    @cached_property
    def grouped(self) -> GroupedQueries:
        """The queries in families."""
        return GroupedQueries.of(self.scope, self.queries)

    def codes(self, rows: NDArray[np.int32], threads: Threads) -> NDArray[np.uint8]:
        """The codes of some examples, rows of the target table, in the columns of `grouped`."""
        refuse(self.scope.database, "Asking many tests at once")
        nothing = np.empty((0, self.grouped.n_columns), np.uint8)
        return np.concatenate([nothing, *asked_in_pieces(self._ask, rows, threads)])

    def _ask(self, rows: NDArray[np.int32], most: int) -> NDArray[np.uint8]:
        return self.grouped.codes(Answers.of_examples(self.scope, rows, most))

    def holds(self, rows: NDArray[np.int32], threads: Threads) -> NDArray[np.bool_]:
        """Whether each query has an answer for each example, a row of the target table."""
        found: NDArray[np.bool_] = self.codes(rows, threads)[:, self.grouped.columns] <= self.grouped.cuts
        return found

    def names(self) -> list[str]:
        """What each query asks, in a sentence; where two read alike, with the query itself."""
        sentences = [sentence_of(self.scope, query).success for query in self.queries]
        times = Counter(sentences)
        pairs = zip(sentences, self.queries, strict=True)
        return [one if times[one] == 1 else f"{one}: {text_of(query)}" for one, query in pairs]

    def asked_columns(self) -> dict[str, set[int]]:
        """The tables that the queries ask about, and the places of the columns on which their answers depend."""
        asked: dict[str, set[int]] = {}
        for query in self.queries or ((),):
            for table, places in asked_columns(self.scope, query).items():
                asked.setdefault(table, set()).update(places)
        return asked

    def of_database(self, database: Database) -> QueryColumns:
        """The same queries about another database with the columns and links of this one."""
        aligned = align(self.scope.database, database, self.asked_columns())
        return replace(self, scope=Scope.of_target(aligned, self.scope.relations[0]))


def queries_of_tree(router: RelationalRouter) -> tuple[Query, ...]:
    """The test of each node together with all that holds on the way to it."""
    found = ((*router.query(node), *literals) for node, literals in router.literals.items())
    return tuple(dict.fromkeys(found))


def best_queries(source: RelationalSource, most: int) -> tuple[Query, ...]:
    """The tests of all examples with the highest scores above 0; of those that hold for the same ones the first."""
    table = source.table(0)
    chosen: dict[bytes, Query] = {}
    for column, cut in by_score(source):
        if len(chosen) == most:
            break
        literals = table.layout.test(column, cut)[1]
        chosen.setdefault(np.packbits(table.holds(column, cut)).tobytes(), literals)
    return tuple(chosen.values())


def by_score(source: RelationalSource) -> Iterator[tuple[int, int]]:
    """Column and cut of the tests of the root, the best first."""
    splits = [found.splits for found in source.candidates(source.root())]
    gains = np.concatenate([np.empty(0), *(one.gain for one in splits)])
    tests = [test for one in splits for test in one.tests[["column", "cut"]].tolist()]
    for place in np.argsort(-gains, kind="stable").tolist():
        if gains[place] > 0:
            yield tests[place]


def best_tests(source: RelationalSource, most: int) -> list[tuple[int, int]]:
    """Column and cut of the tests of the root with the highest scores.

    Only tests that find rows are taken, and of those that hold for the same examples the first.
    """
    table = source.table(0)
    scope = source.states[0].scope
    found: dict[bytes, tuple[int, int]] = {}
    for test in by_score(source) if most else ():
        if len(found) == most:
            break
        if len(scope.extend(table.layout.test(*test)[1]).relations) > 1:
            found.setdefault(np.packbits(table.holds(*test)).tobytes(), test)
    return list(found.values())


def refined_families(source: RelationalSource, tests: Iterable[tuple[int, int]]) -> list[Family]:
    """What may be asked further about the rows that some tests of the root find, together with these."""
    first = source.states[0].scope
    found: list[Family] = []
    for test in tests:
        family, literals = source.table(0).layout.test(*test)
        scope = first.extend(literals)
        rows = set(scope.variables).difference(first.variables)
        further = source.refiner.families(scope, literals, {family.mode: 1})
        found += [replace(one, literals=(*literals, *one.literals)) for one in further if _is_about(one, rows)]
    return found


def _is_about(family: Family, variables: set[Variable]) -> bool:
    """Whether a family asks something of the rows that have some variables."""
    named = {one for literal in family.literals for one in literal.named}
    return not variables.isdisjoint({*named, family.slot})
