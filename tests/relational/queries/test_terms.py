"""Values of queries."""

from __future__ import annotations

from itertools import combinations

from petree.relational.queries.terms import Constant


def test_constants_are_equal_where_their_texts_are() -> None:
    values = [True, 1, 1.0, False, 0, 0.0, -0.0, "1", -1, "-1", "a"]
    for one, other in combinations(map(Constant, values), 2):
        is_same = str(one) == str(other)
        assert is_same == (one == other)
        assert not is_same or hash(one) == hash(other)
