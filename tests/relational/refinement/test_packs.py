"""Answers that several refinements begin with."""

from __future__ import annotations

import numpy as np

from petree.relational import Database
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.refinement.packs import Pack


def first_answers(most: int = 100) -> Answers:
    """Those of the empty query."""
    pairs = {"row": [0, 1, 1], "low": [1, 5, 3], "high": [5, 1, 1]}
    database = Database({"row": {"id": [0, 1]}, "pair": pairs}, links=["pair.row -> row.id"])
    return Answers.of_examples(Scope.of_target(database, "row"), np.arange(2, dtype=np.int32), most)


def check_packs(texts: list[str]) -> int:
    """Each query has the answers that it has by itself; how many literals were joined."""
    first = first_answers()
    queries = list(enumerate(map(parse_literals, texts)))
    walk = list(Pack.of(first.scope, queries).walk(first))
    ends = {number: (found, scope) for pack, _, found in walk for number, scope in pack.ends}
    for number, literals in queries:
        found, scope = ends[number]
        alone = first.extend(literals)
        assert found is not None
        assert scope.signature == alone.scope.signature
        assert [one.tolist() for one in found.rows] == [one.tolist() for one in alone.rows]
    return len(walk) - 1


def test_packs_tell_variables_of_one_name_apart() -> None:
    assert check_packs(["pair(A, B, _, _), B < 3", "pair(A, _, B, _), B < 3"]) == 3


def test_queries_that_begin_alike_share_what_they_begin_with() -> None:
    assert check_packs(["pair(A, B, _, _)", "pair(A, B, _, _), B < 4", "pair(A, C, _, _), C < 2", ""]) == 3


def test_nothing_is_found_behind_what_has_too_many_answers() -> None:
    first = first_answers(most=2)
    pack = Pack.of(first.scope, [(0, parse_literals("pair(A, B, _, _), B < 3")), (1, ())])
    walk = [(one, found) for one, _, found in pack.walk(first)]
    assert [found is None for _, found in walk] == [False, True]
    assert [[number for one in pack.every for number, _ in one.ends] for pack, _ in walk] == [[1, 0], [0]]
