"""Answers that several refinements begin with."""

from __future__ import annotations

import numpy as np
import pytest

from petree.relational import Database
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.refinement.packs import Packs


def test_packs_tell_variables_of_one_name_apart() -> None:
    database = Database(
        {"row": {"id": [0, 1]}, "pair": {"row": [0, 1], "low": [1, 5], "high": [5, 1]}}, links=["pair.row -> row.id"]
    )
    first = Answers.of_examples(Scope.of_target(database, "row"), np.arange(2, dtype=np.int32), 100)
    packs = Packs(first, 100)
    for text, expected in (("pair(A, B, _, _), B < 3", [True, False]), ("pair(A, _, B, _), B < 3", [False, True])):
        assert packs.extend(parse_literals(text)).covered.tolist() == expected


@pytest.mark.parametrize("most", [0, 3, 6])
def test_what_was_dropped_for_want_of_room_is_found_again(most: int) -> None:
    database = Database(
        {"row": {"id": [0, 1]}, "pair": {"row": [0, 1, 1], "low": [1, 5, 3]}}, links=["pair.row -> row.id"]
    )
    first = Answers.of_examples(Scope.of_target(database, "row"), np.arange(2, dtype=np.int32), 100)
    packs = Packs(first, most)
    for text in ("pair(A, B, _)", "pair(A, B, _), B < 4", "pair(A, B, _), B < 2", "pair(A, B, _), B < 4"):
        literals = parse_literals(text)
        assert packs.extend(literals).rows[1].tolist() == first.extend(literals).rows[1].tolist()
        assert sum(map(len, packs.found[1:])) <= max(most, 3)
