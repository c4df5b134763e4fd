"""Numbers of rows against tuples of what they have."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from petree.relational import Database
from petree.relational.groups import Groups
from petree.relational.relations import MISSING
from petree.relational.row_keys import MOST_EACH, RowKeys, joint_keys, row_keys

# Few values, so that rows agree, and some far from the others, so that there are gaps.
codes = st.sampled_from([MISSING, 0, 1, 2, 3, 50, 90_000, 2**31 - 2])


@st.composite
def tables(draw: st.DrawFn, n_columns: int) -> list[np.ndarray]:
    rows = draw(st.lists(st.tuples(*[codes] * n_columns), max_size=12))
    return [np.array([row[place] for row in rows], np.int32) for place in range(n_columns)]


def has(columns: list[np.ndarray]) -> list[tuple[int, ...] | None]:
    """What each row has, None if anything is missing."""
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    return [None if MISSING in row else row for row in rows]


def check(keys: RowKeys, rows: list[tuple[int, ...] | None]) -> None:
    numbers = keys.of_rows.tolist()
    assert [number == MISSING for number in numbers] == [row is None for row in rows]
    known = [(row, number) for row, number in zip(rows, numbers, strict=True) if row is not None]
    assert len(set(known)) == len({row for row, _ in known}) == len({number for _, number in known})
    assert [row for row, _ in sorted(known)] == [row for row, _ in sorted(known, key=lambda one: one[1])]
    assert max(numbers, default=-1) < keys.n
    bounds, order = keys.index()
    expected = sorted((number, place) for place, number in enumerate(numbers) if number != MISSING)
    assert order.tolist() == [place for _, place in expected]
    for number in {MISSING, *numbers}:
        own = order[bounds[number + 1] : bounds[number + 2]].tolist()
        assert own == [place for one, place in expected if one == number]


@given(st.integers(1, 3).flatmap(tables))
def test_rows_have_one_number_if_they_agree(columns: list[np.ndarray]) -> None:
    keys = row_keys(columns)
    check(keys, has(columns))
    assert keys.n <= max(MOST_EACH * len(columns[0]), 1)
    alone = keys.without_gaps()
    check(alone, has(columns))
    assert set(alone.of_rows.tolist()) - {MISSING} == set(range(alone.n))


@given(st.integers(1, 2).flatmap(lambda n: st.tuples(tables(n), tables(n))))
def test_rows_of_two_tables(both: tuple[list[np.ndarray], list[np.ndarray]]) -> None:
    left, right = joint_keys(*both)
    whole = RowKeys(np.concatenate((left.of_rows, right.of_rows)), left.n)
    check(whole, has(both[0]) + has(both[1]))
    check(right, has(both[1]))


def test_rows_are_in_no_more_groups_than_there_are_values() -> None:
    """However many values the domain of a key has that other tables share."""
    tables = {"a": {"id": np.arange(5000), "class": ["x", "y"] * 2500}, "b": {"a": [4000, 4999, 4000]}}
    relation = Database(tables, ["b.a -> a.id"]).relation("b")
    groups = Groups.of(relation, (0,))
    assert groups.of_rows.tolist() == [0, 1, 0]
    assert len(groups.a_row) == 2
