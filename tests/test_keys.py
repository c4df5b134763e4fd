"""Random keys of nodes."""

import numpy as np

from petree.columns import NOMINAL, Column
from petree.conditions import IN, THRESHOLD, UNSEEN, Conditions
from petree.keys import child_keys, condition_keys, root_key

SIZE, WEIGHT = Column("size"), Column("weight")


def test_where_a_column_stands_does_not_matter() -> None:
    kinds, cuts, missing = [THRESHOLD, THRESHOLD], [0.5, 1.5], [UNSEEN, UNSEEN]
    one = condition_keys(Conditions.from_arrays((SIZE, WEIGHT), kinds, [0, 1], cuts, missing))
    other = condition_keys(Conditions.from_arrays((WEIGHT, SIZE), kinds, [1, 0], cuts, missing))
    assert one.tolist() == other.tolist()
    assert one[0] != one[1]


def test_half_characters_have_keys() -> None:
    kind = Column("kind", NOMINAL, ("a", "\ud800", "b"))
    some = Conditions.from_arrays((kind,), [IN, IN], [0, 0], [0, 1], [UNSEEN, UNSEEN], [(0, 1), (1, 2)])
    first, second = condition_keys(some)
    assert first != second


def test_where_a_query_stands_does_not_matter() -> None:
    queries = Conditions.queries([("atom(A, c)", 2), ("atom(A, n)", 2)])
    assert condition_keys(queries.take(np.array([1]))).tolist() == condition_keys(queries)[:1].tolist()
    assert len(set(child_keys(root_key(0), queries.take(np.array([1])), np.array([2])).tolist())) == 2
