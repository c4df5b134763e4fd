"""Thresholds of the binning members against their definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.oracles.binning import (
    Sample,
    cuts_between_all,
    entropy_order,
    entropy_thresholds,
    midpoint,
    shortest_between,
)
from tests.strategies import FEW, HUGE, NEAR

from lab.papers.cw488.thresholds import ByGain
from petree.binning import Entropy, Exact, Quantile, cuts_away, cuts_between

often = settings(max_examples=13, deadline=None)

LETTERS = "aaabbbaabbbb"
ORDER = [4, 9, 7]
numbers = st.one_of(
    st.sampled_from(FEW), st.sampled_from(NEAR), st.sampled_from(HUGE), st.floats(allow_nan=False, allow_infinity=False)
)


@st.composite
def samples(draw: Any, cells: Any = numbers, weights: Any = None, max_rows: int = 20) -> tuple[Any, Any, Any, int]:
    """Arguments of `thresholds`: values, classes, weights, number of classes."""
    n_rows, n_classes = draw(st.integers(1, max_rows)), draw(st.integers(2, 4))

    def column(cell: Any) -> Any:
        return np.array(draw(st.lists(cell, min_size=n_rows, max_size=n_rows)))

    drawn = None if weights is None else column(weights).astype(np.float64)
    return column(cells).astype(np.float64), column(st.integers(0, n_classes - 1)), drawn, n_classes


def copied(sample: tuple[Any, Any, Any, int]) -> tuple[Any, Any, None, int]:
    """The same sample with each row given as often as its weight says."""
    values, classes, weights, n_classes = sample
    times = weights.astype(int)
    return np.repeat(values, times), np.repeat(classes, times), None, n_classes


def worked_sample() -> tuple[Any, Any, None, int]:
    return np.arange(1.0, 13.0), np.array([letter == "b" for letter in LETTERS]).astype(int), None, 2


def assert_thresholds(binning: Any, sample: tuple[Any, Any, Any, int], expected: Any) -> None:
    found = binning.thresholds(*sample)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, expected)


def test_the_oracle_finds_the_worked_order() -> None:
    values, classes, _, _ = worked_sample()
    sample = Sample(values, classes, np.ones(12), 2)
    assert entropy_order(sample, 7) == ORDER
    first = sample.best_cut()
    assert first is not None
    assert 12 * first.gain == pytest.approx(4.880585, abs=5e-7)
    assert entropy_order(sample, 7, stop="mdl") == []


def test_a_midpoint_lies_above_the_lower_value() -> None:
    one = 1.0
    above = float(np.nextafter(one, 2.0))
    assert midpoint(one, above) == above
    assert midpoint(1.5e308, 1.7e308) == 1.6e308
    assert midpoint(0.0, 5e-324) == 5e-324


@pytest.mark.parametrize(
    ("lower", "upper", "cut"),
    [
        (39, 40, 40),
        (37, 44, 40),
        (41_237, 52_870, 50_000),
        (-44, -37, -40),
        (-5, 40, 0),
        (3, 10, 6),
        (8, 30, 20),
        (-1, 0, 0),
        (-0.02, 0.013, 0),
        (1.9, 3.0, 2),
        (1.6, 1.7, 1.7),
        (0.6, 0.7, 0.65),  # 0.7 in 32 bits is below 0.7
        (0.6, 0.7000000000000001, 0.65),
        (0.45, 0.5, 0.5),
        (0.05, 1.5, 1),
        (0, 1, 1),
        (-0.15, -0.03, -0.1),
        (2**24, 2**24 + 1, 2**24 + 1),
        (1e15 + 1, 1e15 + 1.5, 1e15 + 1.25),
        (1.0, 1 + 2**-52, 1 + 2**-52),
        (0.0, 5e-324, 5e-324),
        (-1.7e308, 1.7e308, 0.0),
        (0.0, 1.6e-22, 1e-22),
    ],
)
def test_the_shortest_number_of_worked_gaps(lower: float, upper: float, cut: float) -> None:
    assert shortest_between(float(lower), float(upper)) == cut
    assert cuts_between(np.array([float(lower)]), np.array([float(upper)])).tolist() == [cut]
    assert cuts_between(np.array([lower], float), np.array([upper], float)).tolist() == [cut]


GAPS = st.one_of(
    st.tuples(numbers, numbers),
    st.tuples(numbers, st.integers(1, 9)).map(lambda pair: (pair[0], float(np.nextafter(pair[0], np.inf)) * pair[1])),
    st.tuples(st.integers(-(10**6), 10**6), st.integers(1, 2000), st.integers(0, 8)).map(
        lambda gap: (gap[0] / 10 ** gap[2], (gap[0] + gap[1]) / 10 ** gap[2])
    ),
    st.tuples(st.floats(width=32, allow_nan=False), st.floats(width=32, allow_nan=False, allow_infinity=False)),
)


@settings(max_examples=125, deadline=None)
@given(gap=GAPS)
def test_a_cut_is_the_shortest_number_in_its_gap(gap: tuple[float, float]) -> None:
    lower = float(min(gap))
    upper = float(max(gap))
    assume(np.isfinite([lower, upper]).all() and lower < upper)
    (cut,) = cuts_between(np.array([lower]), np.array([upper])).tolist()
    assert lower < cut <= upper
    assert repr(cut) == repr(shortest_between(lower, upper) + 0.0)
    with np.errstate(over="ignore"):
        single = np.array([lower, upper], np.float32).astype(float)
    assert single[0] < cut <= single[1] or single[0] == single[1] or not single[0] < upper


def test_cuts_of_computed_values_keep_away_from_them() -> None:
    values = np.array([0.0, 0.1, 0.1 + 2**-54, 1 / 3, 2 / 3, 4.0])
    cuts = np.array([0.05, 0.1 + 2**-54, 0.2, 0.5, 1.0])
    away = cuts_away(cuts, values)
    np.testing.assert_array_equal(np.searchsorted(away, values, side="right"), np.arange(6))
    assert away[[0, 2, 3, 4]].tolist() == [0.05, 0.2, 0.5, 2.0]


@pytest.mark.parametrize("max_thresholds", range(1, 8))
def test_minimal_entropy_of_the_worked_sample(max_thresholds: int) -> None:
    assert_thresholds(Entropy(max_thresholds=max_thresholds), worked_sample(), sorted(ORDER[:max_thresholds]))


def test_the_most_impure_interval_is_cut_before_the_one_that_gains_most() -> None:
    """Two of 28 are of the other class, and two of the last six."""
    classes = np.array([0] * 6 + [1] * 2 + [0] * 20 + [1, 1, 0, 1, 1, 0])
    sample = (np.arange(1.0, 35.0), classes, None, 2)
    assert_thresholds(Entropy(max_thresholds=2), sample, [29, 34])
    assert_thresholds(ByGain(max_thresholds=2), sample, [9, 29])


def test_intervals_of_one_class_stay_whole() -> None:
    assert_thresholds(Entropy(), (np.arange(1.0, 9.0), np.zeros(8, int), None, 2), [])
    assert_thresholds(Entropy(), (np.arange(1.0, 9.0), (np.arange(8) >= 5).astype(int), None, 2), [6])


def test_the_mdl_stop_of_the_worked_samples() -> None:
    assert_thresholds(Entropy(stop="mdl"), worked_sample(), [])
    values = np.repeat(np.arange(1.0, 9.0), 2)
    assert_thresholds(Entropy(stop="mdl"), (values, (values > 4).astype(int), None, 2), [5])


@pytest.mark.parametrize("binning", [Exact(), Quantile()])
@often
@given(sample=samples())
def test_few_values_are_cut_between_all_neighbours(binning: Any, sample: tuple[Any, Any, Any, int]) -> None:
    assert_thresholds(binning, sample, cuts_between_all(sample[0]))


@pytest.mark.parametrize("stop", [None, "mdl"])
@pytest.mark.parametrize("weights", [None, st.integers(1, 4)], ids=["rows", "copies"])
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_minimal_entropy_is_its_definition(weights: Any, stop: str | None, data: Any) -> None:
    cells = st.one_of(st.integers(0, 9), st.sampled_from(FEW))
    sample = data.draw(samples(cells, weights, max_rows=30))
    max_thresholds = data.draw(st.integers(1, 8))
    expected = entropy_thresholds(*sample, max_thresholds=max_thresholds, stop=stop)
    assert_thresholds(Entropy(max_thresholds=max_thresholds, stop=stop), sample, expected)


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("stop", [None, "mdl"])
def test_minimal_entropy_of_a_longer_sample(stop: str | None, n_classes: int) -> None:
    random = np.random.default_rng(n_classes)
    values = random.normal(size=400).round(2)
    classes = np.digitize(values + random.normal(size=400) / 4, np.linspace(-1.5, 1.5, 5)) % n_classes
    expected = entropy_thresholds(values, classes, None, n_classes, max_thresholds=7, stop=stop)
    assert len(expected) > 2
    assert_thresholds(Entropy(max_thresholds=7, stop=stop), (values, classes, None, n_classes), expected)


@often
@given(sample=samples(weights=st.integers(1, 3)), max_bins=st.integers(3, 8))
def test_quantiles_are_some_of_the_cuts_between_all(sample: tuple[Any, Any, Any, int], max_bins: int) -> None:
    found = Quantile(max_bins=max_bins).thresholds(*sample)
    every = cuts_between_all(sample[0])
    assert len(found) == len(every) if len(every) < max_bins else 0 < len(found) < max_bins
    assert np.isin(found, every).all()
    assert (np.diff(found) > 0).all()


@pytest.mark.parametrize("binning", [Quantile(max_bins=3), Exact(), Entropy(max_thresholds=2), Entropy(stop="mdl")])
@often
@given(sample=samples(weights=st.integers(1, 3)), data=st.data())
def test_copies_and_the_order_of_rows_do_not_matter(binning: Any, sample: Any, data: Any) -> None:
    expected = binning.thresholds(*sample)
    copies = copied(sample)
    order = data.draw(st.permutations(range(len(copies[0]))))
    assert_thresholds(binning, (copies[0][order], copies[1][order], None, sample[3]), expected)


@pytest.mark.parametrize(("n_rows", "max_bins"), [(1_000, 10), (5_000, 255), (300_000, 255), (300, 255)])
def test_quantile_bins_are_about_equally_full(n_rows: int, max_bins: int) -> None:
    values = np.random.default_rng(n_rows).normal(size=n_rows)
    found = Quantile(max_bins=max_bins).thresholds(values, np.arange(n_rows) % 2, None, 2)
    sizes = np.bincount(np.searchsorted(found, values, side="right"))
    assert len(sizes) == max_bins
    # A bin may be off by the share of its neighbours, and by a row where shares are not whole.
    assert sizes.max() <= 2 * n_rows / max_bins + 1


@pytest.mark.parametrize("sort", [False, True])
@pytest.mark.parametrize("weights", ["none", "whole"])
@pytest.mark.parametrize("digits", [2, 4, 15])
def test_quantiles_of_many_values_depend_on_their_ranks_alone(digits: int, weights: str, sort: bool) -> None:
    random = np.random.default_rng(digits)
    values = random.normal(size=50_000).round(digits)
    drawn = random.integers(1, 4, len(values)).astype(np.float64) if weights == "whole" else None
    distinct, ranks = np.unique(values, return_inverse=True)
    order = np.argsort(values) if sort else np.arange(len(values))
    bins = []
    for stretched in (distinct, np.arange(len(distinct)), np.sinh(5 * distinct), np.exp(40 * distinct)):
        column = stretched.astype(np.float64)[ranks]
        given = None if drawn is None else drawn[order]
        found = Quantile().thresholds(column[order], np.zeros(len(values), int), given, 2)
        bins.append(np.searchsorted(found, column, side="right"))
        above = np.searchsorted(stretched, found)
        np.testing.assert_array_equal(found, cuts_between(stretched[above - 1] * 1.0, stretched[above] * 1.0))
    assert bins[0].max() > 200
    for other in bins[1:]:
        np.testing.assert_array_equal(other, bins[0])


def test_a_common_value_does_not_take_the_bins_of_the_others() -> None:
    values = np.concatenate((np.zeros(9_000), np.arange(1, 1_001)))
    found = Quantile(max_bins=20).thresholds(values, np.arange(10_000) % 2, None, 2)
    assert 1 in found


def test_two_bins_part_a_heavy_lowest_value_from_the_others() -> None:
    sample = np.array([-2.0, -2.0, -2.0, -0.5, 0.0]), np.zeros(5, int), None, 2
    assert_thresholds(Quantile(max_bins=2), sample, [-1])


@pytest.mark.parametrize("binning", [Quantile(), Quantile(max_bins=8), Exact(), Entropy()])
@pytest.mark.parametrize("digits", [0, 1, 2, 15])
def test_rows_go_where_the_middle_sends_them_in_64_bits_and_in_32(binning: Any, digits: int) -> None:
    random = np.random.default_rng(digits)
    values = (random.normal(size=300) * 10).round(digits)
    cuts = binning.thresholds(values, random.integers(0, 2, 300), None, 2)
    distinct = np.unique(values)
    above = np.searchsorted(distinct, cuts)
    middles = (distinct[above - 1] + distinct[above]) / 2
    codes = np.searchsorted(middles, values, side="right")
    np.testing.assert_array_equal(np.searchsorted(cuts, values, side="right"), codes)
    short = values.astype(np.float32).astype(np.float64)
    np.testing.assert_array_equal(np.searchsorted(cuts, short, side="right"), codes)
