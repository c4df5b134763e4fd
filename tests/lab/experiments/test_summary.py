"""Summaries beside direct computation: means, ranks, marks, wins, ties and losses."""

from __future__ import annotations

import math
import statistics
from typing import Any

import numpy as np
import pytest
from scipy.stats import rankdata
from tests.lab.experiments.made import made_results, made_summary

from lab.experiments.measuring import MEASURES
from lab.experiments.summary import Summary
from lab.statistics.significance import paired_t_test, sorted_runs_test

SETS, METHODS = ("a", "b", "c", "d"), ("one", "two", "three")
RNG = np.random.default_rng(0)
# Three runs of four folds; the second method is better than the first on most sets, and equal to it on the last.
AUC: dict[tuple[str, str], Any] = {
    (name, method): RNG.normal(0.8 + 0.05 * place * (name != "c"), 0.03, (3, 4)).round(3)
    for name in SETS
    for place, method in enumerate(METHODS)
}
AUC["d", "two"] = AUC["d", "one"]
BRIER = {pair: 1 - values for pair, values in AUC.items()}


def filled() -> Summary:
    return made_summary({pair: {"auc": AUC[pair], "brier": BRIER[pair]} for pair in AUC})


def mean(values: Any) -> float:
    return statistics.fmean(np.ravel(values).tolist())


# -- means and ranks -----------------------------------------------------------------------------------------


def test_order_and_values() -> None:
    summary = filled()
    assert (summary.methods, summary.data_sets, summary.incomplete) == (METHODS, SETS, ())
    for name, method in AUC:
        np.testing.assert_array_equal(summary.folds("auc", name, method), AUC[name, method])
        np.testing.assert_array_equal(summary.folds("accuracy", name, method), np.full((3, 4), 0.5))


def test_the_order_of_results_does_not_matter() -> None:
    results = made_results({pair: {"auc": AUC[pair]} for pair in AUC})
    mixed = dict(sorted(results.items(), key=lambda item: (item[0].fold, item[0].method, -item[0].run)))
    summary = Summary.of(mixed, METHODS, SETS)
    for name, method in AUC:
        np.testing.assert_array_equal(summary.folds("auc", name, method), AUC[name, method])


def test_means() -> None:
    summary = filled()
    expected = [[mean(AUC[name, method]) for method in METHODS] for name in SETS]
    np.testing.assert_allclose(summary.means("auc"), expected)
    assert summary.mean("brier", "b", "three") == pytest.approx(mean(BRIER["b", "three"]))


def test_a_mean_is_over_the_folds_in_which_the_measure_is_defined() -> None:
    summary = made_summary({("a", "one"): {"auc": [[0.5, math.nan], [0.7, 0.9]], "leaves": [[math.nan] * 2] * 2}})
    assert summary.mean("auc", "a", "one") == pytest.approx(0.7)
    assert math.isnan(summary.mean("leaves", "a", "one"))


def test_seconds_are_medians() -> None:
    summary = made_summary({("a", "one"): {"seconds": [[9.0, 0.25, 0.5]]}})
    assert summary.mean("seconds", "a", "one") == 0.5


def test_average_ranks() -> None:
    summary, means = filled(), np.array([[mean(AUC[name, method]) for method in METHODS] for name in SETS])
    expected = rankdata(-means, axis=1).mean(axis=0)
    assert summary.ranks["auc"] == pytest.approx(dict(zip(METHODS, expected.tolist(), strict=True)))
    assert summary.ranks["brier"] == pytest.approx(summary.ranks["auc"])  # less is better there
    assert set(summary.ranks["accuracy"].values()) == {2.0}


def test_measures_without_ranks() -> None:
    summary = made_summary(
        {("a", "tree"): {"leaves": [[3.0, 4.0]]}, ("a", "forest"): {"leaves": [[math.nan, math.nan]]}}
    )
    assert set(summary.ranks) == set(MEASURES) - {"leaves", "expected_accuracy"}


# -- one against another -------------------------------------------------------------------------------------


def test_gains_are_above_zero_where_the_first_is_better() -> None:
    summary = filled()
    expected = AUC["a", "two"] - AUC["a", "one"]
    np.testing.assert_allclose(summary.gains("auc", "a", "two", "one"), expected)
    np.testing.assert_allclose(summary.gains("brier", "a", "two", "one"), expected)
    np.testing.assert_allclose(summary.gains("brier", "a", "one", "two"), -expected)


def test_a_fold_without_a_value_is_no_gain() -> None:
    summary = made_summary(
        {("a", "one"): {"auc": [[0.5, math.nan, 0.7]]}, ("a", "two"): {"auc": [[0.4, math.nan, 0.9]]}}
    )
    np.testing.assert_allclose(summary.gains("auc", "a", "one", "two"), [[0.1, 0, -0.2]])


def test_folds_are_tested_over_sorted_runs_and_splits_over_all() -> None:
    difference = AUC["a", "two"] - AUC["a", "one"]
    assert filled().test("auc", "a", "two", "one") == pytest.approx(sorted_runs_test(difference))
    column = difference.reshape(-1, 1)
    splits = made_summary({("a", "two"): {"auc": column + 0.5}, ("a", "one"): {"auc": np.full_like(column, 0.5)}})
    assert splits.test("auc", "a", "two", "one") == pytest.approx(paired_t_test(column))


@pytest.mark.parametrize("measure", ["auc", "brier"])
def test_wins_ties_and_losses(measure: str) -> None:
    summary = filled()
    for one in METHODS:
        for other in METHODS:
            gains = [round(mean(AUC[name, one]) - mean(AUC[name, other]), 12) for name in SETS]
            wins, losses = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
            assert summary.direct(measure, one, other) == (wins, 4 - wins - losses, losses)
            tests = [sorted_runs_test(AUC[name, one] - AUC[name, other]) for name in SETS]
            better, worse = (sum(test.p < 0.05 and sign * test.t > 0 for test in tests) for sign in (1, -1))
            assert summary.significant(measure, one, other) == (better, 4 - better - worse, worse)
    assert summary.direct(measure, "two", "one").ties == 1
    assert summary.significant(measure, "three", "one").wins >= 2


def test_a_stricter_level() -> None:
    summary = filled()
    strict = summary.significant("auc", "three", "one", level=1e-6)
    assert strict.ties > summary.significant("auc", "three", "one").ties


def test_wins_of_seconds_are_those_of_the_medians_shown() -> None:
    """A first fit that also loads the compiled loops decides nothing."""
    summary = made_summary({("a", "quick"): {"seconds": [[9.0, 0.1, 0.1]]}, ("a", "slow"): {"seconds": [[0.2] * 3]}})
    assert summary.direct("seconds", "quick", "slow") == (1, 0, 0)
    assert summary.ranks["seconds"] == {"quick": 1, "slow": 2}


def test_a_mean_that_is_not_defined_is_a_tie() -> None:
    summary = made_summary({("a", "tree"): {"leaves": [[3.0, 4.0]]}, ("a", "forest"): {"leaves": [[math.nan] * 2]}})
    assert summary.direct("leaves", "tree", "forest") == (0, 1, 0)
    assert summary.significant("leaves", "tree", "forest") == (0, 1, 0)
    assert summary.mark("leaves", "a", "tree", "forest") == ""


def test_marks() -> None:
    summary = filled()
    for name in SETS:
        for one, other in (("three", "one"), ("two", "one")):
            test = sorted_runs_test(AUC[name, one] - AUC[name, other])
            marks = {True: "●", False: "○"} if test.p < 0.05 else {True: "", False: ""}
            assert summary.mark("auc", name, one, other) == marks[test.t > 0]
            assert summary.mark("brier", name, other, one) == marks[test.t < 0]
    assert summary.mark("auc", "a", "three", "one") == "●"
    assert summary.mark("auc", "a", "one", "three") == "○"
    assert summary.mark("auc", "d", "two", "one") == ""


def test_no_marks_where_nothing_is_better() -> None:
    values = {("a", "one"): {"expected_accuracy": [[0.9, 0.8]]}, ("a", "two"): {"expected_accuracy": [[0.4, 0.3]]}}
    assert made_summary(values).mark("expected_accuracy", "a", "one", "two") == ""


# -- what is not whole ---------------------------------------------------------------------------------------


def test_sets_without_all_results_are_left_out_and_named() -> None:
    results = made_results({pair: {"auc": AUC[pair]} for pair in AUC})
    gone = [key for key in results if (key.data_set, key.method) == ("b", "two") or key[:2] == ("d", "one")]
    for key in gone[1:]:  # one fold of b is left, and none of d
        del results[key]
    summary = Summary.of(results, METHODS, (*SETS, "never run"))
    assert summary.data_sets == ("a", "c")
    assert summary.incomplete == ("b", "d", "never run")
    assert summary.means("auc").shape == (2, 3)


def test_nothing_at_all() -> None:
    for summary in (Summary.of({}, METHODS, SETS), Summary.of({}, (), SETS), Summary.of({}, METHODS, ())):
        assert summary.data_sets == ()
        assert summary.ranks == {}
    assert Summary.of({}, (), SETS).incomplete == SETS


def test_sets_of_different_numbers_of_folds() -> None:
    summary = made_summary({("a", "one"): {"auc": [[0.5, 0.7]]}, ("b", "one"): {"auc": [[0.5], [0.6], [0.7]]}})
    assert summary.data_sets == ("a", "b")
    np.testing.assert_allclose(summary.means("auc"), [[0.6], [0.6]])


def test_some_sets_only() -> None:
    summary = filled().of_sets(["c", "a"])
    assert summary.data_sets == ("c", "a")
    np.testing.assert_array_equal(summary.means("auc"), filled().means("auc")[[2, 0]])
    assert summary.ranks["auc"] != filled().ranks["auc"]
