"""The kernels that cut and code the columns of a table, against plain twins."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from petree.binning import midpoints
from petree.kernels import cuts, encode

FINITE = st.floats(allow_nan=False, allow_infinity=False)
FEW = st.sampled_from([-1.5, -0.0, 0.0, 1.0, 2.0, 1e300, -1.7e308, 1.7e308])
COLUMNS = st.lists(FINITE | FEW, min_size=1, max_size=60).map(np.array)


@settings(max_examples=100, deadline=None)
@given(values=COLUMNS, most=st.integers(1, 70))
def test_few_distinct_values_are_listed_and_more_are_not(values, most):
    expected = np.unique(values)
    found = np.sort(cuts.list_few(values, values.view(np.uint64), most))
    np.testing.assert_array_equal(found, expected if len(expected) <= most else [])


@settings(max_examples=100, deadline=None)
@given(values=COLUMNS)
def test_distinct_values_come_with_the_number_of_values_up_to_them(values):
    expected, counts = np.unique(values, return_counts=True)
    ordered, up_to = np.sort(values), np.empty(len(values))
    n_distinct = cuts.keep_distinct(ordered, up_to)
    np.testing.assert_array_equal(ordered[:n_distinct], expected)
    np.testing.assert_array_equal(up_to[:n_distinct], np.cumsum(counts))


@settings(max_examples=100, deadline=None)
@given(values=COLUMNS)
def test_cuts_everywhere_are_the_midpoints(values):
    distinct = np.unique(values)
    np.testing.assert_array_equal(cuts.cut_everywhere(distinct), midpoints(distinct[:-1], distinct[1:]))


@settings(max_examples=200, deadline=None)
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
    expected = midpoints(distinct[places - 1], distinct[places])
    np.testing.assert_array_equal(cuts.cut_at_quantiles(distinct, up_to, up_to[-1], max_bins), expected)


@pytest.mark.parametrize("n_bins", [3, 300])
def test_missing_categories_get_the_code_behind_the_last(n_bins):
    given_codes = np.random.default_rng(0).integers(-2, n_bins, 500).astype(np.int32)
    codes = np.empty(500, np.uint16)
    assert encode.encode_categories(given_codes, n_bins, codes) == (given_codes < 0).sum()
    np.testing.assert_array_equal(codes, np.where(given_codes < 0, n_bins, given_codes))
