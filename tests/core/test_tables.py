"""The compiled loops that cut, code and divide the rows of a table, against plain twins."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.nodes import NO_COPIES, NONE, make_rows

from petree import core
from petree.binning import cuts_between
from petree.conditions import EQUALS, IN, IS_MISSING, MULTIWAY, THRESHOLD, UNSEEN
from petree.sources.found import as_bits

FINITE = st.floats(allow_nan=False, allow_infinity=False)
FEW = st.sampled_from([-1.5, -0.0, 0.0, 1.0, 2.0, 1e300, -1.7e308, 1.7e308])
COLUMNS = st.lists(FINITE | FEW, min_size=1, max_size=60).map(np.array)


@settings(max_examples=50, deadline=None)
@given(values=COLUMNS, most=st.integers(1, 70))
def test_few_distinct_values_are_cut_everywhere_and_more_are_not(values, most):
    distinct = np.unique(values)
    are_few, cuts = core.tables.cut_between_few(values, most)
    assert are_few == (len(distinct) <= most)
    np.testing.assert_array_equal(cuts, cuts_between(distinct[:-1], distinct[1:]) if are_few else [])


@settings(max_examples=50, deadline=None)
@given(values=COLUMNS)
def test_distinct_values_come_with_the_number_of_values_up_to_them(values):
    expected, counts = np.unique(values, return_counts=True)
    ordered, up_to = np.sort(values), np.empty(len(values))
    n_distinct = core.tables.keep_distinct(ordered, up_to)
    np.testing.assert_array_equal(ordered[:n_distinct], expected)
    np.testing.assert_array_equal(up_to[:n_distinct], np.cumsum(counts))


@settings(max_examples=50, deadline=None)
@given(values=COLUMNS, max_bins=st.integers(2, 20), seed=st.none() | st.integers(0, 9))
def test_cuts_at_quantiles_follow_the_cumulated_weight(values, max_bins, seed):
    distinct, place = np.unique(values, return_inverse=True)
    weights = np.ones(len(values)) if seed is None else np.random.default_rng(seed).exponential(size=len(values))
    up_to = np.cumsum(np.bincount(place, weights))
    targets = np.arange(1, max_bins) / max_bins * up_to[-1]
    hits = [int((up_to <= target).sum()) for target in targets]
    below = {hit for hit in hits if hit > 0}
    above = {hit + 1 for hit in hits if hit == 0 or hits.count(hit) > 1}
    places = np.array(sorted(place for place in below | above if place < len(distinct)), np.intp)
    expected = cuts_between(distinct[places - 1], distinct[places])
    np.testing.assert_array_equal(core.tables.cut_at_quantiles(distinct, up_to, float(up_to[-1]), max_bins), expected)


@pytest.mark.parametrize(("n_bins", "dtype"), [(3, np.uint8), (255, np.uint8), (300, np.uint32)])
def test_missing_categories_get_the_code_behind_the_last(n_bins, dtype):
    categories = np.random.default_rng(0).integers(-2, n_bins, 500, np.int32)
    codes = np.zeros((500, 2), dtype)
    encode = core.tables.encode_categories if dtype is np.uint8 else core.tables.encode_categories_wide
    assert encode(categories, n_bins, codes, 1) == (categories < 0).sum()
    np.testing.assert_array_equal(codes[:, 1], np.where(categories < 0, n_bins, categories))
    assert not codes[:, 0].any()


@settings(max_examples=50, deadline=None)
@given(values=st.lists(FINITE | st.just(np.nan), min_size=1, max_size=30), thresholds=st.sets(FINITE, max_size=12))
def test_a_code_is_the_number_of_thresholds_not_above_the_value(values, thresholds):
    values, cuts = np.array(values), np.array(sorted(thresholds))
    expected = np.where(np.isnan(values), len(cuts) + 1, np.searchsorted(cuts, values, side="right"))
    narrow, wide = np.zeros((len(values), 3), np.uint8), np.zeros((len(values), 1), np.uint32)
    core.tables.encode_numbers(values, cuts, narrow, 1)
    core.tables.encode_numbers_wide(values, cuts, wide, 0)
    assert narrow[:, 1].tolist() == wide[:, 0].tolist() == expected.tolist()
    assert not narrow[:, [0, 2]].any()


def test_codes_are_right_next_to_every_threshold():
    cuts = np.sort(np.random.default_rng(0).standard_cauchy(254))
    values = np.concatenate((cuts, np.nextafter(cuts, -np.inf), np.nextafter(cuts, np.inf)))
    codes = np.empty((len(values), 1), np.uint8)
    core.tables.encode_numbers(values, cuts, codes, 0)
    assert codes[:, 0].tolist() == np.searchsorted(cuts, values, side="right").tolist()


def test_cells_of_a_grid_hold_all_the_weight():
    generator = np.random.default_rng(0)
    values, weights = generator.normal(size=1000), generator.random(1000)
    scale = core.tables.grid_scale(float(values.min()), float(values.max()), 64)
    totals = np.zeros(64)
    core.tables.weigh_cells(values, weights, float(values.min()), scale, totals)
    cells = np.minimum((values - values.min()) * scale, 63).astype(int)
    np.testing.assert_allclose(totals, np.bincount(cells, weights, 64))
    is_wanted, rows = np.arange(64) % 3 == 0, np.empty(1000, np.uint32)
    found = rows[: core.tables.rows_in_cells(values, float(values.min()), scale, is_wanted, rows)]
    assert found.tolist() == np.flatnonzero(is_wanted[cells]).tolist()


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6), sizes=st.lists(st.integers(2, 60), min_size=1, max_size=4),
    weighting=st.sampled_from(["none", "copies", "fractions"]),
)  # fmt: skip
def test_divide_sends_every_row_to_its_child_and_counts_it(seed, sizes, weighting):
    stops = np.cumsum(sizes)
    starts = stops - sizes
    narrow, classes, generator = make_rows(seed, stops[-1], [5, 3], 3, np.uint8)
    wide = generator.integers(0, 7, (stops[-1], 1)).astype(np.uint32)
    n_bins = np.array([5, 3, 6])
    columns = generator.integers(0, 3, len(sizes))
    kinds = generator.choice([THRESHOLD, EQUALS, IN, MULTIWAY, IS_MISSING], len(sizes))
    inside = generator.random((len(sizes), 8)) < 0.5
    cuts, missing_codes = generator.integers(0, 3, len(sizes)), n_bins[columns]
    sides = np.where(
        kinds == MULTIWAY, missing_codes, np.where(kinds == IS_MISSING, 0, generator.integers(0, 2, len(sizes)))
    )
    n_children = np.where(kinds == MULTIWAY, missing_codes + 1, 2)
    child_start = np.concatenate(([0], np.cumsum(n_children)))
    copies = generator.integers(1, 4, stops[-1]).astype(np.uint32) if weighting == "copies" else NO_COPIES
    weights = generator.random(stops[-1]) if weighting == "fractions" else NONE
    before = narrow.copy(), wide.copy(), classes.copy(), copies.copy(), weights.copy()
    order = np.arange(stops[-1], dtype=np.uint32)
    child_stops = np.zeros(child_start[-1], np.int64)
    counts, child_sizes = np.zeros((child_start[-1], 3)), np.zeros(child_start[-1], np.int64)
    coding = core.tables.Columns(
        n_bins, np.full(3, THRESHOLD), np.arange(3, dtype=np.int32), np.zeros(3, np.int64), NONE
    )
    rows = core.tables.Rows(coding, 3, narrow, wide, classes, copies, weights, NONE, order)
    sets = as_bits(inside).view(np.int64)
    tests, slices = np.column_stack((columns, kinds, cuts, sides, sets)), np.column_stack((starts, stops))
    filled = child_stops, counts, child_sizes
    core.tables.divide(rows, slices, tests, child_start, *filled, False, core.NO_STOP)
    assert order.tolist() == list(range(stops[-1]))
    counted = [array.copy() for array in filled]
    core.tables.divide(rows, slices, tests, child_start, *filled, True, core.NO_STOP)
    for array, same in zip(filled, counted, strict=True):
        np.testing.assert_array_equal(array, same)
    for array, old in zip((narrow, wide, classes, copies, weights), before, strict=True):
        if len(old):
            np.testing.assert_array_equal(array, old[order])  # all that is known of a row moved with it
    everything = np.column_stack((before[0], before[1])).astype(int)
    weight = before[4] if len(weights) else before[3].astype(float) if len(copies) else np.ones(stops[-1])
    for node, (a, b) in enumerate(zip(starts, stops, strict=True)):
        assert sorted(order[a:b]) == list(range(a, b))
        begin = a
        for branch, child in enumerate(range(child_start[node], child_start[node + 1])):
            rows = order[begin : child_stops[child]]
            begin = child_stops[child]
            codes = everything[rows, columns[node]]
            is_missing = codes == missing_codes[node]
            holds = {
                THRESHOLD: codes <= cuts[node],
                EQUALS: codes == cuts[node],
                IN: inside[node, codes],
                IS_MISSING: is_missing,
            }
            went = (
                codes
                if kinds[node] == MULTIWAY
                else np.where(is_missing, sides[node], np.where(holds[kinds[node]], 0, 1))
            )
            assert (went == branch).all()
            np.testing.assert_allclose(counts[child], np.bincount(before[2][rows], weight[rows], 3))
            assert child_sizes[child] == (before[3][rows].sum() if len(copies) else len(rows))
        assert begin == b


def test_slices_that_are_overwritten_while_rows_are_divided_are_refused():
    """Sizes of children written into the slices of the nodes that come later."""
    rows = core.tables.Rows(
        core.tables.Columns(np.array([3]), np.array([THRESHOLD]), np.zeros(1, np.int32), np.zeros(1, np.int64), NONE),
        2,
        np.arange(8, dtype=np.uint8).reshape(8, 1) % 3, np.empty((8, 0), np.uint32), np.zeros(8, np.uint16), NO_COPIES,
        NONE, NONE, np.arange(8, dtype=np.uint32),
    )  # fmt: skip
    slices = np.array([[0, 8], [0, 8]])
    tests = np.tile([0, THRESHOLD, 0, UNSEEN, 0, 0, 0, 0], (2, 1))
    stops, counts, start = np.zeros(4, np.int64), np.zeros((4, 2)), np.array([2, 4, 4])
    with pytest.raises(ValueError, match="a branch that its test does not have"):
        core.tables.divide(rows, slices, tests, start, stops, counts, slices.reshape(-1), True, core.NO_STOP)


def test_sampled_rows_are_those_of_the_bands():
    random = np.random.default_rng(0)
    order = random.permutation(50).astype(np.uint32)
    bands = random.integers(0, 4, 50).astype(np.uint8)
    slices = np.array([[3, 20], [20, 20], [30, 50]])
    n_sampled = np.empty(3, np.int64)
    places = core.tables.list_sampled(order, bands, slices, 2, n_sampled, core.NO_STOP)
    expected = [[place for place in range(*ends) if bands[order[place]] >= 2] for ends in slices.tolist()]
    assert places.tolist() == [place for part in expected for place in part]
    assert n_sampled.tolist() == list(map(len, expected))
    with pytest.raises(ValueError, match="no such slice"):
        core.tables.list_sampled(order, bands, np.array([[0, 51]]), 2, n_sampled[:1], core.NO_STOP)
    with pytest.raises(ValueError, match="one for each row"):
        core.tables.list_sampled(order, bands[:20], slices, 2, n_sampled, core.NO_STOP)
