"""Joins and marks of the compiled loops, against plain twins; and what they refuse."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from petree import core


def small(values):
    return np.array(values, np.int32)


@st.composite
def links(draw):
    """Rows that fit each of some rows, and rows of answers."""
    fitting = draw(st.lists(st.lists(st.integers(0, 9), max_size=4), min_size=1, max_size=6))
    return fitting, draw(st.lists(st.integers(0, len(fitting) - 1), max_size=20))


@given(links())
def test_a_join_lists_all_that_fits(drawn):
    fitting, rows = drawn
    bounds = np.cumsum([0, *map(len, fitting)]).astype(np.int64)
    linked = small([row for one in fitting for row in one])
    expected = [(place, fit) for place, row in enumerate(rows) for fit in fitting[row]]
    assert core.relations.count_matches(small(rows), bounds[:-1], bounds[1:], linked) == len(expected)
    came_from, matched = np.empty((2, len(expected)), np.int32)
    core.relations.match(small(rows), bounds[:-1], bounds[1:], linked, came_from, matched, core.NO_STOP)
    assert list(zip(came_from.tolist(), matched.tolist(), strict=True)) == expected


@given(st.lists(st.integers(-2, 5), max_size=20), st.integers(0, 3))
def test_rows_stand_in_the_order_of_their_keys(keys, n_more):
    bounds = np.full(max([-1, *keys]) + 1 + n_more + 2, 99, np.int64)
    rows = np.empty(len(keys), np.int32)
    n_known = core.relations.index_rows(small(keys), bounds, rows, core.NO_STOP)
    expected = sorted((key, row) for row, key in enumerate(keys) if key >= 0)
    assert rows[:n_known].tolist() == [row for _, row in expected]
    assert bounds.tolist() == [0] + [sum(key < end for key, _ in expected) for end in range(len(bounds) - 1)]


def test_keys_without_bounds_are_refused():
    with pytest.raises(ValueError, match="'keys' must have bounds"):
        core.relations.index_rows(small([0, 2]), np.zeros(4, np.int64), small([0, 0]), core.NO_STOP)
    with pytest.raises(ValueError, match="'rows' needs room"):
        core.relations.index_rows(small([0, 1]), np.zeros(4, np.int64), small([0]), core.NO_STOP)
    with pytest.raises(ValueError, match="'bounds' must have room"):
        core.relations.index_rows(small([]), np.zeros(1, np.int64), small([]), core.NO_STOP)


@st.composite
def marked(draw):
    """Owners, rows, codes, what the codes mean, and the column to begin with."""
    n_codes, n_rows = draw(st.integers(1, 4)), draw(st.integers(1, 6))
    answers = draw(st.lists(st.tuples(st.integers(0, 4), st.integers(0, n_rows - 1)), max_size=15))
    codes = draw(st.lists(st.integers(-1, n_codes - 1), min_size=n_rows, max_size=n_rows))
    meanings = draw(st.lists(st.integers(-1, 3), min_size=n_codes, max_size=n_codes))
    owners, rows = ([one[k] for one in answers] for k in (0, 1))
    return owners, rows, codes, meanings, draw(st.integers(0, 2))


@given(marked())
def test_marks_are_those_of_any_answer(drawn):
    owners, rows, codes, meanings, first = drawn
    known = [(owner, meanings[codes[row]]) for owner, row in zip(owners, rows, strict=True) if codes[row] >= 0]
    known = [(owner, meaning) for owner, meaning in known if meaning >= 0]
    given_arrays = small(owners), small(rows), small(codes), small(meanings), first
    values, lowest, highest = np.ones((5, 6), np.uint8), np.full((5, 6), 3, np.uint8), np.zeros((5, 6), np.uint8)
    core.relations.mark_values(*given_arrays, values, core.NO_STOP)
    core.relations.mark_lowest(*given_arrays, lowest, core.NO_STOP)
    core.relations.mark_highest(*given_arrays, highest, core.NO_STOP)
    for owner in range(5):
        own = [meaning for one, meaning in known if one == owner]
        assert values[owner].tolist() == [int(column - first not in own) for column in range(6)]
        assert lowest[owner].tolist() == [min([3, *own]) if column == first else 3 for column in range(6)]
        assert highest[owner].tolist() == [max([0, *own]) if column == first else 0 for column in range(6)]


@given(
    st.lists(st.lists(st.integers(0, 6), max_size=8), max_size=4), st.lists(st.integers(0, 4), min_size=7, max_size=7)
)
def test_groups_get_lines_in_the_order_in_which_they_come(asked, group_of):
    lines, known = np.zeros(5, np.int32), []
    for rows in asked:
        found, added = np.empty(len(rows), np.int32), np.empty(5, np.int32)
        n_added = core.relations.number_lines(
            small(rows), small(group_of), lines, len(known) + 1, found, added, core.NO_STOP
        )
        groups = [group_of[row] for row in rows]
        expected = [group for group in dict.fromkeys(groups) if group not in known]
        assert added[:n_added].tolist() == expected
        known += expected
        assert found.tolist() == [known.index(group) + 1 for group in groups]
    assert lines.tolist() == [known.index(group) + 1 if group in known else 0 for group in range(5)]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"first": 0}, "'first' must be a line behind the first one"),
        ({"groups": [2]}, "'groups' must be groups that may have lines"),
        ({"groups": [-1]}, "'groups' must be groups that may have lines"),
        ({"rows": [1]}, "'rows' must be rows that have a group"),
        ({"rows": [-1]}, "'rows' must be rows that have a group"),
        ({"found": []}, "'found' needs an element for each row"),
        ({"first": 2**31 - 1}, "'first' must leave numbers for all of 'added'"),
        ({"rows": [0, 1], "groups": [0, 1], "found": [0, 0]}, "'added' is too short"),
    ],
)
def test_lines_are_given_to_groups_that_are_there(changed, sentence):
    told = {"rows": [0], "groups": [0], "first": 1, "found": [0], "added": [0]} | changed
    rows, groups, found, added = (small(told[name]) for name in ("rows", "groups", "found", "added"))
    with pytest.raises(ValueError, match=sentence):
        core.relations.number_lines(rows, groups, small([0, 0]), told["first"], found, added, core.NO_STOP)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(1, 5)), max_size=15), st.permutations(range(4)))
def test_the_lowest_codes_of_the_lines_of_an_example_count(answers, order):
    owners, lines = ([one[k] for one in answers] for k in (0, 1))
    codes = np.arange(18, dtype=np.uint8).reshape(6, 3) * 7 % 11
    columns, flips = np.array(order[:3], np.int64), np.array([0, 255, 0], np.uint8)
    table = np.full((5, 4), 9, np.uint8)
    core.relations.mark_lines(small(owners), small(lines), codes, columns, flips, table, core.NO_STOP)
    for owner in range(5):
        own = [codes[line] for one, line in zip(owners, lines, strict=True) if one == owner]
        expected = np.full(4, 9)
        expected[columns] = np.min([9 ^ flips, *own], axis=0) ^ flips
        assert table[owner].tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"owners": [2]}, "'owners' must be examples of the table"),
        ({"owners": [0, 0]}, "'owners' and 'lines' need an element for each answer"),
        ({"lines": [0]}, "'lines' must be lines that have codes"),
        ({"lines": [2]}, "'lines' must be lines that have codes"),
        ({"columns": [0, 1, 3]}, "'columns' must be columns of the table"),
        ({"columns": [0, 1]}, "'columns' and 'flips' need an element for each code"),
    ],
)
def test_lines_refuse_what_is_not_there(changed, sentence):
    told = {"owners": [0], "lines": [1], "columns": [0, 1, 2]} | changed
    codes, flips, columns = np.zeros((2, 3), np.uint8), np.zeros(3, np.uint8), np.array(told["columns"], np.int64)
    with pytest.raises(ValueError, match=sentence):
        core.relations.mark_lines(
            small(told["owners"]), small(told["lines"]), codes, columns, flips, codes.copy(), core.NO_STOP
        )


@pytest.mark.parametrize(
    ("rows", "starts", "stops", "sentence"),
    [
        ([2], [0, 1], [1, 2], "'rows' must be rows that the link knows"),
        ([-1], [0, 1], [1, 2], "'rows' must be rows that the link knows"),
        ([0], [], [], "'rows' must be rows that the link knows"),
        ([0], [0, 1], [1], "'starts' and 'stops' must have the same length"),
        ([0], [2], [1], "'starts' and 'stops' must be places of linked rows"),
        ([0], [-1], [1], "'starts' and 'stops' must be places of linked rows"),
        ([0], [0], [3], "'starts' and 'stops' must be places of linked rows"),
    ],
)
def test_impossible_links_are_refused(rows, starts, stops, sentence):
    link = small(rows), np.array(starts, np.int64), np.array(stops, np.int64), small([0, 1])
    with pytest.raises(ValueError, match=sentence):
        core.relations.count_matches(*link)
    with pytest.raises(ValueError, match=sentence):
        core.relations.match(*link, small([0, 0]), small([0, 0]), core.NO_STOP)


@pytest.mark.parametrize(("n_came_from", "n_matched"), [(1, 2), (1, 1), (3, 3)])
def test_matches_need_their_own_number_of_places(n_came_from, n_matched):
    link = small([0]), np.array([0], np.int64), np.array([2], np.int64), small([0, 1])
    with pytest.raises(ValueError, match="matched"):
        core.relations.match(*link, small([0] * n_came_from), small([0] * n_matched), core.NO_STOP)


@pytest.mark.parametrize("name", ["mark_values", "mark_lowest", "mark_highest"])
@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"owners": [0, 1]}, "for each answer"),
        ({"owners": [2]}, "'owners' must be examples"),
        ({"owners": [-1]}, "'owners' must be examples"),
        ({"rows": [1]}, "'rows' must be rows that have a code"),
        ({"rows": [-1]}, "'rows' must be rows that have a code"),
        ({"codes": [1]}, "'codes' must be codes that have"),
        ({"column": -1}, "no such column"),
        ({"column": 4}, "no such column"),
    ],
)
def test_impossible_marks_are_refused(name, changed, sentence):
    given_values = {"owners": [0], "rows": [0], "codes": [0], "lookup": [1], "column": 0} | changed
    arrays = [small(given_values[one]) for one in ("owners", "rows", "codes", "lookup")]
    with pytest.raises(ValueError, match=sentence):
        getattr(core.relations, name)(*arrays, given_values["column"], np.ones((2, 3), np.uint8), core.NO_STOP)


def test_values_and_bins_that_do_not_fit_the_table_are_refused():
    one, table = small([0]), np.ones((1, 3), np.uint8)
    with pytest.raises(ValueError, match="no such column"):
        core.relations.mark_values(one, one, one, small([2]), 1, table, core.NO_STOP)
    with pytest.raises(ValueError, match="must fit one byte"):
        core.relations.mark_highest(one, one, one, small([256]), 0, table, core.NO_STOP)


NUMBERS = st.one_of(st.floats(-1e300, 1e300), st.sampled_from([0.1, 0.2, 0.3, 1e16, -1e16, 1.0, 2.0**-53, 2.0**-106]))


@given(st.lists(st.lists(NUMBERS, max_size=12), min_size=1, max_size=4), st.randoms())
def test_sums_are_exact_and_so_the_order_does_not_matter(groups, random):
    owners = small([owner for owner, group in enumerate(groups) for _ in group])
    for _ in range(2):
        values = np.array([value for group in groups for value in random.sample(group, len(group))], np.float64)
        sums = np.full(len(groups), np.nan)
        core.relations.sum_by_owner(owners, values, sums, core.NO_STOP)
        assert sums.tolist() == [math.fsum(group) for group in groups]


def test_what_overflows_is_no_number_less():
    sums = np.zeros(1)
    core.relations.sum_by_owner(small([0, 0]), np.array([1.7e308, 1.7e308]), sums, core.NO_STOP)
    assert sums.tolist() == [math.inf]


@pytest.mark.parametrize(
    ("owners", "values", "sentence"),
    [([0], [1.0, 2.0], "same length"), ([2], [1.0], "must be places"), ([1, 0], [1.0, 2.0], "must never fall")],
)
def test_impossible_sums_are_refused(owners, values, sentence):
    with pytest.raises(ValueError, match=sentence):
        core.relations.sum_by_owner(small(owners), np.array(values), np.zeros(2), core.NO_STOP)
