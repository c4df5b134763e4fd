"""Every kernel against a plain twin that is obviously right."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from tests.kernels.nodes import NONE, Nodes, make_rows
from tests.oracles.growing import Rules

from petree.conditions import EQUALS, IS_MISSING, MULTIWAY, THRESHOLD
from petree.kernels import best, divide, encode
from petree.kernels.bits import trailing_zeros
from petree.splitting import DKM, MAUC, MSEE, GainRatio

WEIGHTINGS = ["none", "copies", "classes"]  # one compiled kernel serves them all; fractions need one of their own
BY_VALUE = [
    *[(split, "narrow", WEIGHTINGS) for split in ("gain", "gini", "dkm", DKM("majority"), "chi_square")],
    *[(member(laplace, False), "narrow", WEIGHTINGS) for member in (MSEE, MAUC) for laplace in (False, True)],
    *[(split, "narrow", ["fractions"]) for split in ("gain", "dkm", MAUC(penalty=False))],
    ("gain", "wide", WEIGHTINGS),
    ("gain", "wide", ["fractions"]),
    (MAUC(penalty=False), "wide", WEIGHTINGS),
]
BY_RATIO = [
    *[(split, WEIGHTINGS) for split in ("gain_ratio", GainRatio(0, restrictions=False))],
    *[(member(laplace, True), WEIGHTINGS) for member in (MSEE, MAUC) for laplace in (False, True)],
    ("gain_ratio", ["fractions"]),
]
SIZES = st.lists(st.integers(2, 40), min_size=1, max_size=4)
KINDS = {"binary": [THRESHOLD, EQUALS], "multiway": [THRESHOLD, MULTIWAY]}


@st.composite
def nodes_and_rules(draw, split, weightings):
    tests = draw(st.sampled_from(["binary", "multiway"]))
    bins = draw(st.lists(st.integers(1, 9), min_size=1, max_size=3))
    nodes = Nodes.of(
        draw(st.integers(0, 10**6)), draw(SIZES), bins, KINDS[tests], draw(st.integers(2, 4)),
        draw(st.sampled_from(weightings)),
    )  # fmt: skip
    return nodes, Rules(tests, draw(st.integers(1, 3)), split=split)


@pytest.mark.parametrize(("split", "width", "weightings"), BY_VALUE, ids=str)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_best_tests_are_those_of_plain_enumeration(split, width, weightings, data):
    nodes, rules = data.draw(nodes_and_rules(split, weightings))
    values, tests = nodes.best(getattr(best, f"best_of_{width}"), rules)
    nodes.assert_best(values, tests, nodes.rankings(rules, range(len(nodes.n_bins))), split != "chi_square")


@pytest.mark.parametrize(("split", "weightings"), BY_RATIO, ids=str)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_best_tests_by_ratio_are_those_of_plain_enumeration(split, weightings, data):
    nodes, rules = data.draw(nodes_and_rules(split, weightings))
    n_columns = len(nodes.n_bins)
    places = np.array(data.draw(st.permutations(range(n_columns))))
    values, tests = nodes.best_by_ratio(rules, data.draw(st.integers(0, n_columns)), places)
    order = np.argsort(places)
    tests = [None if test is None else test._replace(column=order[test.column]) for test in tests]
    nodes.assert_best(values, tests, nodes.rankings(rules, places), True)


@pytest.mark.parametrize("n_rows", [300, 700, 5000])
def test_nodes_of_every_size_are_counted_alike(n_rows):
    """Few rows, many rows and several blocks of rows take different ways through the kernel."""
    nodes, rules = Nodes.of(n_rows, [n_rows], [255, 60], [THRESHOLD], 3, "none"), Rules()
    narrow, wide = nodes.best(best.best_of_narrow, rules), nodes.best(best.best_of_wide, rules)
    assert narrow == wide
    nodes.assert_best(*narrow, nodes.rankings(rules, range(2)), True)


@settings(max_examples=50, deadline=None)
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
    kinds = generator.choice([THRESHOLD, EQUALS, MULTIWAY, IS_MISSING], len(sizes)).astype(np.int32)
    cuts, missing_codes = generator.integers(0, 3, len(sizes)), n_bins[columns]
    sides = np.where(
        kinds == MULTIWAY, missing_codes, np.where(kinds == IS_MISSING, 0, generator.integers(0, 2, len(sizes)))
    )
    n_children = np.where(kinds == MULTIWAY, missing_codes + 1, 2)
    child_start = np.concatenate(([0], np.cumsum(n_children)))
    copies = generator.integers(1, 4, stops[-1]).astype(np.uint32) if weighting == "copies" else np.empty(0, np.uint32)
    weights = generator.random(stops[-1]) if weighting == "fractions" else NONE
    before = narrow.copy(), wide.copy(), classes.copy(), copies.copy(), weights.copy()
    order = np.arange(stops[-1], dtype=np.uint32)
    child_stops = np.zeros(child_start[-1], np.int64)
    counts, child_sizes = np.zeros((child_start[-1], 3)), np.zeros(child_start[-1], np.int64)
    divide.divide(
        narrow, wide, classes, copies, weights, order, starts, stops, columns, kinds, cuts, missing_codes, sides,
        child_start, child_stops, counts, child_sizes,
    )  # fmt: skip
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
            holds = {THRESHOLD: codes <= cuts[node], EQUALS: codes == cuts[node], IS_MISSING: is_missing}
            went = (
                codes
                if kinds[node] == MULTIWAY
                else np.where(is_missing, sides[node], np.where(holds[kinds[node]], 0, 1))
            )
            assert (went == branch).all()
            np.testing.assert_allclose(counts[child], np.bincount(before[2][rows], weight[rows], 3))
            assert child_sizes[child] == (before[3][rows].sum() if len(copies) else len(rows))
        assert begin == b


FINITE = st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=200, deadline=None)
@given(values=st.lists(FINITE | st.just(np.nan), min_size=1, max_size=30), thresholds=st.sets(FINITE, max_size=12))
def test_a_code_is_the_number_of_thresholds_not_above_the_value(values, thresholds):
    values, cuts = np.array(values), np.array(sorted(thresholds))
    codes = np.empty(len(values), np.uint8)
    encode.encode_numbers(values, cuts, codes)
    expected = np.where(np.isnan(values), len(cuts) + 1, np.searchsorted(cuts, values, side="right"))
    assert codes.tolist() == expected.tolist()


def test_codes_are_right_next_to_every_threshold():
    cuts = np.sort(np.random.default_rng(0).standard_cauchy(254))
    values = np.concatenate((cuts, np.nextafter(cuts, -np.inf), np.nextafter(cuts, np.inf)))
    codes = np.empty(len(values), np.uint8)
    encode.encode_numbers(values, cuts, codes)
    assert codes.tolist() == np.searchsorted(cuts, values, side="right").tolist()


def test_cells_of_a_grid_hold_all_the_weight():
    generator = np.random.default_rng(0)
    values, weights = generator.normal(size=1000), generator.random(1000)
    scale = encode.grid_scale(values.min(), values.max(), 64)
    totals = np.zeros(64)
    encode.weigh_cells(values, weights, values.min(), scale, totals)
    cells = np.minimum((values - values.min()) * scale, 63).astype(int)
    np.testing.assert_allclose(totals, np.bincount(cells, weights, 64))
    is_wanted, rows = np.arange(64) % 3 == 0, np.empty(1000, np.uint32)
    found = rows[: encode.rows_in_cells(values, values.min(), scale, is_wanted, rows)]
    assert found.tolist() == np.flatnonzero(is_wanted[cells]).tolist()


lowest_bit = njit(lambda word: trailing_zeros(word))


@settings(deadline=None)
@given(st.integers(1, 2**64 - 1))
def test_trailing_zeros_finds_the_lowest_bit(word):
    assert lowest_bit(np.uint64(word)) == (word & -word).bit_length() - 1
