"""Credible intervals: the Beta posterior of the leaf, always around the estimate."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import beta
from sklearn.base import BaseEstimator
from tests.plain import plain_classifier
from tests.strategies import RawTable, tables

from petree import ProbabilityTreeClassifier, smoothing
from petree.estimators.intervals.bounds import node_bounds
from petree.estimators.intervals.certainty import Certainty
from petree.smoothing import Frequency, Laplace
from petree.tree import Tree

ALIASES = sorted(smoothing.MEMBERS)
LEVELS = st.sampled_from((0.05, 0.5, 0.9, 0.999))


class Believed(BaseEstimator):
    """Given estimates of a given strength."""

    def __init__(self, probabilities: Any, cases: Any) -> None:
        self.probabilities = probabilities
        self.cases = cases

    def estimate(self, tree: Any) -> Any:
        return np.array(self.probabilities)

    def strength(self, tree: Any) -> Any:
        return np.array(self.cases)


def bounds_of(member: Any, tree: Tree, level: float = 0.9) -> tuple[Any, Any]:
    return node_bounds(tree, member, member.estimate(tree), level)


def test_bounds_are_quantiles_of_the_beta_posterior() -> None:
    tree = Tree.from_counts([[3, 0, 1], [20, 30, 50]])
    lower, upper = bounds_of(Laplace(), tree, 0.8)
    for node, counts in enumerate(tree.counts):
        for place, count in enumerate(counts):
            posterior = beta(count + 1, counts.sum() - count + 2)
            np.testing.assert_allclose(lower[node, place], posterior.ppf(0.1), rtol=1e-9)
            np.testing.assert_allclose(upper[node, place], posterior.ppf(0.9), rtol=1e-9)


def test_a_skewed_posterior_is_widened_to_the_estimate() -> None:
    tree = Tree.from_counts([1, 0])
    lower, upper = bounds_of(Believed([[0.999, 0.001]], [1.0]), tree)
    assert beta(0.001, 0.999).ppf(0.95) < 0.001
    assert upper[0, 1] == 0.001
    assert lower[0, 0] == 0.999


def test_strength_nothing_everything_and_certain_estimates() -> None:
    tree = Tree.from_counts([[1, 0], [1, 1], [0, 0]])
    lower, upper = bounds_of(Believed([[0.3, 0.7], [0.0, 1.0], [0.3, 0.7], [0.0, 1.0]], [np.inf, 8, 0, 0]), tree)
    assert lower.tolist() == [[0.3, 0.7], [0, 1], [0, 0], [0, 0]]
    assert upper.tolist() == [[0.3, 0.7], [0, 1], [1, 1], [1, 1]]


def test_an_estimate_of_more_cases_than_can_be_counted_is_certain() -> None:
    tree = Tree.from_counts([1, 0])
    lower, upper = bounds_of(Believed([[0.3, 0.7]], [1e299]), tree)
    assert lower.tolist() == upper.tolist() == [[0.3, 0.7]]
    lower, upper = bounds_of(Believed([[0.3, 0.7]], [2.0**53]), tree)
    assert 0 < upper[0, 0] - lower[0, 0] < 1e-7


def test_an_estimate_that_does_not_tell_its_strength_has_the_cases_of_the_node() -> None:
    class Mine:
        def estimate(self, tree: Any) -> Any:
            return Frequency().estimate(tree)

    tree = Tree.from_counts([[3, 2], [20, 30]])
    for mine, known in zip(
        bounds_of(Mine(), tree), bounds_of(Believed(Mine().estimate(tree), [55, 5, 50]), tree), strict=True
    ):
        np.testing.assert_array_equal(mine, known)


def unknown_rows(table: RawTable) -> pd.DataFrame:
    """The rows of the table, and one with every value missing."""
    return pd.concat([table.frame, table.frame.iloc[:1].map(lambda _: None)], ignore_index=True).astype(
        table.frame.dtypes.map(lambda dtype: {"int64": "Int64", "bool": "boolean"}.get(str(dtype), dtype)).to_dict()
    )


@pytest.mark.parametrize("alias", ALIASES)
@settings(max_examples=6, deadline=None)
@given(table=tables(), tests=st.sampled_from(["binary", "multiway"]), level=LEVELS)
def test_every_interval_contains_the_estimate_and_grows_with_the_level(
    alias: str, table: RawTable, tests: str, level: float
) -> None:
    model = plain_classifier(smoothing=alias, tests=tests).fit(table.frame, table.y)
    X = unknown_rows(table)
    answers, intervals = model.predict_proba(X), model.predict_interval(X, level)
    assert intervals.lower.shape == intervals.upper.shape == answers.shape
    assert (intervals.lower >= 0).all()
    assert (intervals.lower <= answers).all()
    assert (answers <= intervals.upper).all()
    assert (intervals.upper <= 1 + 1e-12).all()
    wider = model.predict_interval(X, (1 + level) / 2)
    assert (wider.lower <= intervals.lower).all()
    assert (wider.upper >= intervals.upper).all()
    np.testing.assert_array_equal(intervals.n, model.tree_.sizes[model.apply(X)])


@pytest.mark.parametrize("alias", ALIASES)
def test_more_cases_make_the_interval_narrower(alias: str) -> None:
    rng = np.random.default_rng(0)
    X = np.repeat(np.arange(4.0), 25)[:, None]
    y = (rng.random(100) < 0.2 + 0.2 * X[:, 0]).astype(int)
    widths = []
    for copies in (1, 4, 16):
        model = plain_classifier(smoothing=alias).fit(np.repeat(X, copies, axis=0), np.repeat(y, copies))
        interval = model.predict_interval(X)
        widths.append(interval.upper - interval.lower)
        assert (interval.n == 25 * copies).all()
    assert (widths[0] > widths[1]).all()
    assert (widths[1] > widths[2]).all()


def test_a_blend_has_the_blend_of_the_bounds() -> None:
    model = plain_classifier().fit({"tone": ["red"] * 3 + ["blue"] * 5}, [0] * 3 + [1] * 5)
    red, blue, mauve = (model.predict_interval({"tone": [tone]}) for tone in ("red", "blue", "mauve"))
    np.testing.assert_allclose(mauve.lower, (3 * red.lower + 5 * blue.lower) / 8)
    np.testing.assert_allclose(mauve.upper, (3 * red.upper + 5 * blue.upper) / 8)
    assert mauve.n.tolist() == [5]


def test_an_answer_row_by_row_is_contained() -> None:
    class Sure(Laplace):
        by_row: ClassVar[bool] = True

        def answer(self, tree: Any, router: Any, table: Any, threads: Any) -> Any:
            return np.tile([1.0, 0.0], (table.n_rows, 1))

    X, y = np.arange(8.0)[:, None], [0, 1] * 4
    model = plain_classifier(smoothing=Sure(), max_depth=1).fit(X, y)
    plain = plain_classifier(max_depth=1).fit(X, y).predict_interval(X)
    assert model.predict_proba(X).tolist() == [[1, 0]] * 8
    lower, upper, _ = model.predict_interval(X)
    np.testing.assert_array_equal(upper, np.column_stack((np.ones(8), plain.upper[:, 1])))
    np.testing.assert_array_equal(lower, np.column_stack((plain.lower[:, 0], np.zeros(8))))


@pytest.mark.parametrize("level", [0, 1, 90, -0.1, np.nan, "0.9", None, True])
def test_other_levels_are_refused(level: Any) -> None:
    model = plain_classifier().fit([[0], [1]], [0, 1])
    with pytest.raises(ValueError, match=r"level of an interval must be a number between 0 and 1\. Got"):
        model.predict_interval([[0]], level)
    if level is not None:
        with pytest.raises(ValueError, match="level of an interval"):
            model.rules(level)


# -- measured --------------------------------------------------------------------------------------------------------


def measured(member: Any, tree: Tree, certainty: Certainty, level: float = 0.9) -> tuple[Any, Any]:
    return node_bounds(tree, member, member.estimate(tree), level, certainty)


def test_measured_bounds_are_quantiles_of_what_a_leaf_is_worth() -> None:
    tree, certainty = Tree.from_counts([[3, 2, 1], [20, 30, 50]]), Certainty(0.5, 40.0)
    lower, upper = measured(Laplace(), tree, certainty, 0.8)
    for node, counts in enumerate(tree.counts):
        s = 1 / (1 / (0.5 * counts.sum()) + 1 / 40)
        for place, p in enumerate(Laplace().estimate(tree)[node]):
            np.testing.assert_allclose(lower[node, place], min(beta(s * p, s - s * p).ppf(0.1), p), rtol=1e-9)
            np.testing.assert_allclose(upper[node, place], max(beta(s * p, s - s * p).ppf(0.9), p), rtol=1e-9)


def test_what_a_leaf_has_not_seen_may_be_impossible_and_what_it_has_seen_alone_certain() -> None:
    """A leaf of 65 of 65 cases that is answered by .931 does not exclude .997."""
    tree = Tree.from_counts([[65, 0], [40, 60]])
    pulled = Believed([[0.6, 0.4], [0.931, 0.069], [0.4, 0.6]], [1, 1, 1])
    lower, upper = measured(pulled, tree, Certainty(1.0, 500.0))
    worth = 1 / (1 / 65 + 1 / 500)
    posterior = beta(0.931 * worth, 0.069 * worth)
    np.testing.assert_allclose([lower[1, 0], upper[1, 0]], [posterior.ppf(0.1), 1])
    np.testing.assert_allclose([lower[1, 1], upper[1, 1]], [0, 1 - posterior.ppf(0.1)])
    assert (lower[[0, 2]] > 0).all()
    assert (upper[[0, 2]] < 1).all()


def test_a_node_without_cases_may_be_anything_and_a_certain_estimate_is_a_point() -> None:
    tree = Tree.from_counts([[0, 0], [3, 0]])
    lower, upper = measured(Frequency(), tree, Certainty())
    assert (lower[1].tolist(), upper[1].tolist()) == ([0, 0], [1, 1])
    assert (lower[2].tolist(), upper[2].tolist()) == ([1, 0], [1, 0])


@settings(max_examples=6, deadline=None)
@given(table=tables(), level=LEVELS, is_honest=st.booleans(), smoothing=st.sampled_from(["default", "none"]))
def test_measured_intervals_contain_the_estimate_and_grow_with_the_level(
    table: RawTable, level: float, is_honest: bool, smoothing: str
) -> None:
    assume(len(table.y) > 3)
    model = ProbabilityTreeClassifier(honest=is_honest, smoothing=smoothing).fit(table.frame, table.y)
    X = unknown_rows(table)
    answers, intervals = model.predict_proba(X), model.predict_interval(X, level)
    wider = model.predict_interval(X, (1 + level) / 2)
    assert hasattr(model, "certainty_")
    for lower, upper in (intervals[:2], wider[:2]):
        assert (lower >= 0).all()
        assert (lower <= answers + 1e-12).all()
        assert (answers <= upper + 1e-12).all()
        assert (upper <= 1 + 1e-12).all()
    assert (wider.lower <= intervals.lower + 1e-12).all()
    assert (wider.upper >= intervals.upper - 1e-12).all()


def covered(seed: int) -> Any:
    """Leaves of a tree whose plain and whose measured interval contains the truth, on a board with sixteen squares."""
    random = np.random.default_rng(seed)
    X = random.random((21_000, 2))
    truth = np.where(np.floor(4 * X).sum(axis=1) % 2 == 1, 0.85, 0.25)
    model = ProbabilityTreeClassifier().fit(X[:1000], random.random(1000) < truth[:1000])
    _, first, leaves = np.unique(model.apply(X[1000:]), return_index=True, return_inverse=True)
    rates = np.bincount(leaves, truth[1000:]) / np.bincount(leaves)
    measured = model.predict_interval(X[1000:][first])
    del model.certainty_
    bounds = (model.predict_interval(X[1000:][first]), measured)
    return np.array([(lower[:, 1] <= rates) & (rates <= upper[:, 1]) for lower, upper, _ in bounds])


def test_leaves_that_were_searched_for_have_wider_intervals() -> None:
    plain, measured = np.hstack([covered(seed) for seed in range(6)]).mean(axis=1)
    assert plain < 0.75
    assert 0.83 < measured < 0.97


# -- reading ---------------------------------------------------------------------------------------------------------


def test_rules_and_frame_show_the_intervals() -> None:
    X, y = {"income": [20, 21, 22, 23, 24, 25, 80, 81]}, ["no"] * 6 + ["yes", "no"]
    model = plain_classifier(max_depth=1).fit(X, y)
    lower, upper = beta(7, 1).ppf([0.05, 0.95])
    assert (model.rules()[0], model.rules(0.9)[0]) == (
        "if income < 50 then P(no)=0.88 (n=6)",
        f"if income < 50 then P(no)=0.88 [{lower:.2f}, {upper:.2f}] (n=6)",
    )
    frame = model.to_frame(0.9)
    assert list(frame.columns) == [
        *("node", "parent", "level", "branch", "condition", "size", "n_tests", "count_no", "count_yes"),
        *("probability_no", "probability_yes", "lower_no", "lower_yes", "upper_no", "upper_yes", "gain"),
    ]
    leaves = model.apply(X)
    intervals = model.predict_interval(X)
    np.testing.assert_array_equal(frame[["lower_no", "lower_yes"]].to_numpy()[leaves], intervals.lower)
    np.testing.assert_array_equal(frame[["upper_no", "upper_yes"]].to_numpy()[leaves], intervals.upper)
    assert "lower_no" not in model.to_frame().columns


def test_so_many_cases_that_no_beta_can_be_computed_leave_the_estimate():
    X = np.arange(8.0)[:, None]
    model = plain_classifier(smoothing=smoothing.Hierarchical(1e20)).fit(X, [0, 1, 0, 1, 1, 1, 0, 1])
    lower, upper, _ = model.predict_interval(X)
    answers = model.predict_proba(X)
    assert (lower <= answers).all()
    assert (answers <= upper).all()
