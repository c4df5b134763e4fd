"""Queries in families hold where each does by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.relational.oracles.queries import covers
from tests.relational.random_databases import random_tables
from tests.relational.random_queries import Queries

from petree.relational.columns_of_queries import QueryColumns
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Comparison, Constant
from petree.relational.refinement.grouping import GroupedQueries
from petree.relational.refinement.tabulation import MOST_THRESHOLDS
from petree.threads import Threads


def variants(query: Any) -> list[Any]:
    """A query, and the same with other values and signs at its end."""
    *before, last = query
    others = []
    is_of_number = isinstance(last, Comparison) and last.operator not in ("=", "\\=")
    if is_of_number and isinstance(last.right, Constant):
        others = [Comparison(last.left, sign, Constant(value)) for sign in ("<", ">=", "=<") for value in (2.0, 0.5, 7)]
    return [tuple(query), *((*before, other) for other in others)]


@pytest.mark.parametrize("seed", range(6))
def test_queries_together_hold_where_a_slow_look_says(seed: int) -> None:
    made = random_tables(seed)
    database, facts = made.database(), made.facts()
    queries = Queries(database, "thing", seed)
    asked = [one for n_literals in (1, 2, 2, 3, 2, 1, 3, 2) for one in variants(queries.query(n_literals))]
    columns = QueryColumns(Scope.of_target(database, "thing"), tuple(asked))
    n = database.relation("thing").n_rows
    expected = [[covers(facts, example, query) for query in asked] for example in range(n)]
    assert columns.holds(np.arange(n, dtype=np.int32), Threads(1)).tolist() == expected


def test_more_thresholds_than_a_family_may_have_are_several_families() -> None:
    database = random_tables(0).database()
    scope = Scope.of_target(database, "thing")
    numbers = range(MOST_THRESHOLDS + 50)
    queries = [parse_literals(f"count(part(A, _, _, _)) < {number / 50}") for number in numbers]
    grouped = GroupedQueries.of(scope, queries)
    assert [len(family) for family in grouped.families] == [MOST_THRESHOLDS, 50]
    assert grouped.n_columns == 2
    assert grouped.codes(Answers.of_examples(scope, np.arange(3, dtype=np.int32), 10**6)).shape == (3, 2)
