"""Paired tests from their definitions, beside those of scipy, and on a worked example."""

from __future__ import annotations

import math
import statistics
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from scipy import stats

from lab.statistics.significance import TTest, WinsTiesLosses, corrected_t_test, paired_t_test, sorted_runs_test

# Three runs of five folds; sorted, their averages are -.013333, .003333, .013333, .02 and .033333.
WORKED = np.array([[2, -2, 3, 1, 2], [0, 4, -1, 2, 1], [3, 1, 0, 2, -1]]) / 100

WHOLE = st.integers(-30, 30)
SHAPES = st.tuples(st.integers(1, 5), st.integers(2, 6))
DIFFERENCES = SHAPES.flatmap(lambda shape: arrays.arrays(np.int64, shape, elements=WHOLE)).map(lambda made: made / 100)


def test_worked_example_of_sorted_runs() -> None:
    t, p = sorted_runs_test(WORKED)
    assert t == pytest.approx(1.441921, abs=1e-6)
    assert p == pytest.approx(0.222781, abs=1e-6)


def test_worked_example_of_the_other_tests() -> None:
    assert paired_t_test(WORKED).t == pytest.approx(2.605, abs=5e-4)
    assert paired_t_test(WORKED.mean(axis=1)).t == pytest.approx(17.0)
    t, p = corrected_t_test(WORKED, test_share=1 / 5)
    assert t == pytest.approx(1.195482, abs=1e-6)
    assert p == pytest.approx(0.251756, abs=1e-6)


@given(DIFFERENCES)
def test_sorted_runs_from_the_definition(differences: NDArray[Any]) -> None:
    averages = [statistics.fmean(column) for column in zip(*map(sorted, differences.tolist()), strict=True)]
    assume(statistics.stdev(averages) > 1e-9)
    t, p = sorted_runs_test(differences)
    assert t == pytest.approx(statistics.fmean(averages) / (statistics.stdev(averages) / math.sqrt(len(averages))))
    assert p == pytest.approx(stats.ttest_1samp(averages, 0).pvalue)


@given(DIFFERENCES, st.randoms())
def test_the_order_of_folds_and_runs_does_not_matter(differences: NDArray[Any], random: Any) -> None:
    shuffled = [random.sample(run, len(run)) for run in random.sample(differences.tolist(), len(differences))]
    assert sorted_runs_test(shuffled) == pytest.approx(sorted_runs_test(differences))


@given(DIFFERENCES)
def test_the_other_tests_know_no_runs(differences: NDArray[Any]) -> None:
    mixed = np.sort(differences, axis=None).reshape(differences.shape)
    assert paired_t_test(mixed) == pytest.approx(paired_t_test(differences))
    assert corrected_t_test(mixed, 0.2) == pytest.approx(corrected_t_test(differences, 0.2))


@given(DIFFERENCES)
def test_methods_that_change_places_change_the_sign(differences: NDArray[Any]) -> None:
    for test in (sorted_runs_test, paired_t_test, lambda gains: corrected_t_test(gains, 0.1)):
        there, back = test(differences), test(-differences)
        assert back == pytest.approx((-there.t, there.p))


@given(DIFFERENCES)
def test_runs_done_twice_add_nothing_to_sorted_runs(differences: NDArray[Any]) -> None:
    assert sorted_runs_test(np.tile(differences, (2, 1))) == pytest.approx(sorted_runs_test(differences))


@given(DIFFERENCES)
def test_one_run_is_a_plain_test(differences: NDArray[Any]) -> None:
    assert sorted_runs_test(differences[:1]) == pytest.approx(paired_t_test(differences[0]))


@given(DIFFERENCES)
def test_the_plain_test_is_that_of_scipy(differences: NDArray[Any]) -> None:
    assume(np.ptp(differences) > 0)
    expected = stats.ttest_rel(differences.ravel(), np.zeros(differences.size))
    assert paired_t_test(differences) == pytest.approx((expected.statistic, expected.pvalue))


@given(DIFFERENCES, st.sampled_from([0.1, 0.2, 0.5]))
def test_the_correction_from_its_definition(differences: NDArray[Any], test_share: float) -> None:
    assume(np.ptp(differences) > 0)
    values = differences.ravel().tolist()
    n_test, n_train = 100 * test_share, 100 * (1 - test_share)
    error = math.sqrt((1 / len(values) + n_test / n_train) * statistics.variance(values))
    t, p = corrected_t_test(differences, test_share)
    assert t == pytest.approx(statistics.fmean(values) / error)
    assert p == pytest.approx(2 * stats.t.sf(abs(t), len(values) - 1))
    assert p >= paired_t_test(differences).p


@pytest.mark.parametrize("test", [sorted_runs_test, paired_t_test, lambda gains: corrected_t_test(gains, 0.2)])
@pytest.mark.parametrize(("gain", "expected"), [(0, (0, 1)), (0.1, (math.inf, 0)), (-0.1, (-math.inf, 0))])
def test_values_that_do_not_vary(test: Any, gain: float, expected: tuple[float, float]) -> None:
    assert test(np.full((3, 5), gain)) == expected


def test_rounding_makes_no_significance() -> None:
    runs = np.array([[0.1], [0.2], [-0.3]])  # they sum to 5.6e-17
    assert sorted_runs_test(np.tile(runs, 5)) == (0, 1)
    assert paired_t_test(np.full(10, 0.3 - (0.1 + 0.2))) == (0, 1)


def test_critical_value_of_five_folds() -> None:
    critical = 2.776  # of 4 degrees of freedom, level .05
    for factor, is_beyond in ((0.99, False), (1.01, True)):
        spread = np.array([-2, -1, 0, 1, 2]) / math.sqrt(2.5)  # deviation 1
        test = sorted_runs_test([spread + factor * critical / math.sqrt(5)])
        assert test.t == pytest.approx(factor * critical)
        assert test.is_significant() == is_beyond


@given(DIFFERENCES)
def test_direct_wins_ties_and_losses(gains: NDArray[Any]) -> None:
    values = gains.ravel().tolist()
    counted = WinsTiesLosses.direct(gains.ravel())
    assert counted == (sum(v > 0 for v in values), sum(v == 0 for v in values), sum(v < 0 for v in values))


def test_wins_ties_and_losses_beyond_numbers() -> None:
    assert WinsTiesLosses.direct([math.inf, -math.inf, -math.inf, 0.3 - (0.1 + 0.2)]) == (1, 1, 2)
    with pytest.raises(ValueError, match="The gain on data set 1 is nan"):
        WinsTiesLosses.direct([0.0, math.nan])


def test_significant_wins_ties_and_losses() -> None:
    tests = [TTest(3.0, 0.04), TTest(2.0, 0.1), TTest(-2.0, 0.1), TTest(-9.0, 0.001), TTest(math.inf, 0.0), TTest(0, 1)]
    assert WinsTiesLosses.significant(tests) == (2, 3, 1)
    assert WinsTiesLosses.significant(tests, level=0.01) == (1, 4, 1)
    assert WinsTiesLosses.significant(tests, level=0.2) == (3, 1, 2)
    assert str(WinsTiesLosses(22, 4, 0)) == "22/4/0"


@pytest.mark.parametrize("bad", [[0.1, 0.2], [[0.1], [0.2]], [[[0.1, 0.2]]]])
def test_sorted_runs_need_runs_of_folds(bad: Any) -> None:
    with pytest.raises(ValueError, match="must be runs x folds with at least 2 folds, but their shape is"):
        sorted_runs_test(bad)


@pytest.mark.parametrize("test", [sorted_runs_test, paired_t_test, lambda gains: corrected_t_test(gains, 0.2)])
def test_results_that_are_missing_are_named(test: Any) -> None:
    with pytest.raises(ValueError, match=r"the one at \[1, 0\] is nan: a result is missing or infinite"):
        test([[0.1, 0.2], [math.nan, 0.1]])
    with pytest.raises(ValueError, match=r"the one at \[0, 1\] is -inf"):
        test([[0.1, -math.inf], [0.3, 0.1]])
    with pytest.raises(ValueError, match="at least 2 differences, but got 1"):
        test([[0.1]])


@pytest.mark.parametrize("share", [0, 1, -0.2, math.nan])
def test_the_share_of_test_rows_is_a_share(share: float) -> None:
    with pytest.raises(ValueError, match="'test_share' of corrected_t_test must be between 0 and 1"):
        corrected_t_test(WORKED, share)
