"""Every kernel against a plain twin that is obviously right."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from petree.conditions import EQUALS, IS_MISSING, MULTIWAY, THRESHOLD, UNSEEN
from petree.kernels import count, divide, encode, route
from petree.kernels.bits import trailing_zeros
from petree.sources.table import n_log_n_table
from petree.splitting.gain import entropy_bits

NONE = np.empty(0)


def make_rows(seed, n_rows, n_bins, n_classes, dtype):
    generator = np.random.default_rng(seed)
    codes = np.column_stack([generator.integers(0, bins + 1, n_rows) for bins in n_bins]).astype(dtype)
    return codes, generator.integers(0, n_classes, n_rows).astype(np.uint16), generator


def plain_candidates(codes, kind, missing_code):
    """Every test of a column, in order: (kind, cut, branch of missing values, branch of each row)."""
    is_missing = codes == missing_code
    if is_missing.any():
        yield IS_MISSING, 0, 0, np.where(is_missing, 0, 1)
    if kind == MULTIWAY:
        yield MULTIWAY, 0, missing_code if is_missing.any() else UNSEEN, codes
        return
    for cut in range(missing_code):
        holds = codes <= cut if kind == THRESHOLD else codes == cut
        for side in (1, 0) if is_missing.any() else (UNSEEN,):
            yield kind, cut, side, np.where(is_missing, side, np.where(holds, 0, 1))


def plain_best(codes, classes, weights, kinds, n_bins, n_classes, min_rows, copies):
    """The first best test of one node by trying all of them."""
    total = entropy_bits(np.bincount(classes, weights, n_classes))
    best = (-np.inf, None)
    for column, (kind, missing_code) in enumerate(zip(kinds, n_bins, strict=True)):
        for chosen, cut, side, branch in plain_candidates(codes[:, column].astype(int), kind, missing_code):
            tables = [np.bincount(classes[branch == b], weights[branch == b], n_classes) for b in np.unique(branch)]
            sizes = [copies[branch == b].sum() for b in np.unique(branch)]
            fits = sum(size >= min_rows for size in sizes) >= 2 and (chosen == MULTIWAY or min(sizes) >= min_rows)
            value = total - sum(entropy_bits(table) for table in tables)
            if len(tables) > 1 and fits and value > best[0] + 1e-9:
                best = value, (column, chosen, cut, side)
    return best


@pytest.mark.parametrize("weighting", ["none", "copies", "fractions"])
@pytest.mark.parametrize("kernel", ["best_of_narrow", "best_of_wide"])
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6), sizes=st.lists(st.integers(2, 40), min_size=1, max_size=4), n_classes=st.integers(2, 4),
    min_rows=st.integers(1, 3), bins=st.lists(st.integers(1, 9), min_size=1, max_size=3),
)  # fmt: skip
def test_best_tests_are_those_of_plain_enumeration(kernel, weighting, seed, sizes, n_classes, min_rows, bins):
    stops = np.cumsum(sizes)
    starts = stops - sizes
    n_bins = np.array(bins)
    codes, classes, generator = make_rows(
        seed, stops[-1], bins, n_classes, np.uint8 if "narrow" in kernel else np.uint32
    )
    kinds = generator.choice([THRESHOLD, EQUALS, MULTIWAY], len(bins))
    copies = generator.integers(1, 4, stops[-1]) if weighting == "copies" else np.ones(stops[-1], int)
    weights = generator.random(stops[-1]) + 0.1 if weighting == "fractions" else copies.astype(float)
    totals = np.array([np.bincount(classes[a:b], weights[a:b], n_classes) for a, b in zip(starts, stops, strict=True)])
    is_whole = weighting != "fractions"
    totals = totals.astype(np.int64) if is_whole else np.column_stack((totals, sizes))
    value, tolerance = np.empty(len(sizes)), np.empty(len(sizes))
    column, kind, cut, missing = (np.full(len(sizes), -1) for _ in range(4))
    getattr(count, kernel)(
        codes, classes, copies.astype(np.uint32) if weighting == "copies" else np.empty(0, np.uint32),
        NONE if is_whole else weights, np.empty(0, np.uint32 if is_whole else np.float64),
        starts, stops, totals, 0, len(bins), n_bins, kinds, 0, n_classes, min_rows, NONE,
        n_log_n_table() if is_whole else NONE, value, tolerance, column, kind, cut, missing,
    )  # fmt: skip
    for node, (a, b) in enumerate(zip(starts, stops, strict=True)):
        expected, test = plain_best(
            codes[a:b], classes[a:b], weights[a:b], kinds, n_bins, n_classes, min_rows, copies[a:b]
        )
        if test is None:
            assert column[node] == -1
        else:
            assert value[node] == pytest.approx(expected, abs=1e-9)
            assert (column[node], kind[node], cut[node] * (kind[node] in (THRESHOLD, EQUALS)), missing[node]) == test


@pytest.mark.parametrize("n_rows", [300, 700, 5000])
def test_nodes_of_every_size_are_counted_alike(n_rows):
    """Few rows, many rows and several blocks of rows take different ways through the kernel."""
    codes, classes, _ = make_rows(n_rows, n_rows, [255, 60], 3, np.uint8)
    totals = np.bincount(classes)[None].astype(np.int64)
    results = []
    for kernel, matrix in ((count.best_of_narrow, codes), (count.best_of_wide, codes.astype(np.uint32))):
        outputs = [np.empty(1), np.empty(1), *(np.full(1, -1) for _ in range(4))]
        kernel(
            matrix, classes, np.empty(0, np.uint32), NONE, np.empty(0, np.uint32), np.array([0]), np.array([n_rows]),
            totals, 0, 2, np.array([255, 60]), np.array([THRESHOLD, EQUALS]), 0, 3, 1, NONE, n_log_n_table(), *outputs,
        )  # fmt: skip
        results.append([output.item() for output in outputs])
    assert results[0] == results[1]
    ones = np.ones(n_rows)
    expected, test = plain_best(codes, classes, ones, [THRESHOLD, EQUALS], [255, 60], 3, 1, ones)
    assert results[0][0] == pytest.approx(expected, abs=1e-6)
    assert tuple(results[0][2:]) == test


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


def test_members_of_a_set_are_found():
    members = np.array([1.0, 4.0, 9.0, 2.0])
    found = [route.is_member.py_func(code, members, 0, 3) for code in (1.0, 4.0, 9.0, 2.0, 10.0)]
    assert found == [True, True, True, False, False]
