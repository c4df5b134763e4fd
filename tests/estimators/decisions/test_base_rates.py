"""Other base rates: Bayes' rule on counts and on answers, wherever probabilities are answered or shown."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from tests.estimators.decisions.made import KINDS, made_case, random_rates
from tests.estimators.tuning.tuned import make_data
from tests.plain import plain_classifier

from petree import ProbabilityTreeClassifier
from petree.storage import dumps, loads


def bayes(given: Any, old: Any, new: Any) -> list[float]:
    """Probabilities at new base rates in exact numbers."""
    odds = [Fraction(p) * Fraction(b) / Fraction(a) for p, a, b in zip(given, old, new, strict=True)]
    return [float(one / sum(odds)) for one in odds]


def moved(given: NDArray[np.float64], model: Any, rates: dict[Any, float]) -> NDArray[np.float64]:
    counts = model.tree_.counts[0].tolist()
    new = [rates[label] for label in model.classes_.tolist()]
    return np.array([bayes(row, counts, new) for row in given.tolist()])


# -- what is answered ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_leaves_are_those_of_counts_in_other_proportions(seed: int) -> None:
    """With plain frequencies a leaf says what its cases would, were there as many of each class as the rates want."""
    random = np.random.default_rng(seed)
    X = random.integers(0, 4, (60, 2)).astype(float)
    y = random.integers(0, 3, 60)
    weights = random.integers(1, 4, 60)
    model = plain_classifier(smoothing="none", max_depth=2).fit(X, y, weights)
    rates = random_rates(model, seed)
    leaves = model.apply(X)
    for leaf, answer in zip(leaves, model.set_base_rates(rates).predict_proba(X), strict=True):
        there = leaves == leaf
        cases = [Fraction(int(weights[there & (y == c)].sum()), int(weights[y == c].sum())) for c in range(3)]
        wanted = [own * Fraction(rates[c]) for c, own in enumerate(cases)]
        np.testing.assert_allclose(answer, [float(one / sum(wanted)) for one in wanted], rtol=1e-12)


@pytest.mark.parametrize(("kind", "seed"), [*product(KINDS[:-1], range(3)), ("related", 0)])
def test_answers_move_by_the_rule_of_bayes_also_those_of_several_leaves(kind: str, seed: int) -> None:
    model, X = made_case(kind, seed)
    before = model.predict_proba(X)
    rates = random_rates(model, seed)
    assert model.set_base_rates(rates) is model
    np.testing.assert_allclose(model.predict_proba(X), moved(before, model, rates), rtol=1e-12)
    np.testing.assert_allclose(model.base_rates_, list(rates.values()), rtol=1e-12)
    assert model.predict(X).tolist() == model.classes_[model.predict_proba(X).argmax(axis=1)].tolist()
    np.testing.assert_array_equal(model.set_base_rates(None).predict_proba(X), before)
    counts = model.tree_.counts[0]
    np.testing.assert_allclose(model.base_rates_, counts / counts.sum())


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_move_with_their_answers(kind: str) -> None:
    model, X = made_case(kind)
    before = model.predict_proba(X)
    intervals = model.predict_interval(X, 0.8)
    rates = random_rates(model, 1)
    after = model.set_base_rates(rates).predict_interval(X, 0.8)
    answer = model.predict_proba(X)
    assert (after.lower <= answer).all()
    assert (answer <= after.upper).all()
    np.testing.assert_array_equal(after.n, intervals.n)
    for bound, found in ((intervals.lower, after.lower), (intervals.upper, after.upper)):
        for place in range(len(model.classes_)):
            # the other classes share what the bound leaves, in their proportions
            rest = (1 - bound[:, place]) / (1 - before[:, place])
            whole = before * rest[:, None]
            whole[:, place] = bound[:, place]
            np.testing.assert_allclose(found[:, place], moved(whole, model, rates)[:, place], rtol=1e-9, atol=1e-12)


def test_intervals_of_certain_answers() -> None:
    X = np.array([[0.0], [0.0], [1.0], [1.0], [2.0]])
    model = plain_classifier(smoothing="none").fit(X, [0, 0, 1, 1, 2]).set_base_rates({0: 0.9, 1: 0.05, 2: 0.05})
    lower, upper, _ = model.predict_interval(X)
    np.testing.assert_array_equal(lower, model.predict_proba(X))
    np.testing.assert_array_equal(upper, np.eye(3)[[0, 0, 1, 1, 2]])


def test_class_weights_and_costs_decide_on_what_was_moved() -> None:
    X, y = np.zeros((40, 1)), np.repeat(["a", "b"], [30, 10])
    model = plain_classifier(smoothing="none", class_weight={"a": 1.0, "b": 2.0}).fit(X, y)
    rates = {"a": 0.6, "b": 0.4}
    assert model.predict(X[:1]).tolist() == ["a"]
    assert model.set_base_rates(rates).predict(X[:1]).tolist() == ["b"]  # 0.6 against twice 0.4
    assert model.predict(X[:1], {"a": {"b": 1}, "b": {"a": 1}}).tolist() == ["a"]
    np.testing.assert_allclose(model.predict_proba(X[:1]), [[0.6, 0.4]])


# -- what is shown ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_everything_that_shows_probabilities_shows_those(kind: str) -> None:
    model, _ = made_case(kind)
    before = model.to_frame(0.9)
    shares = before[[f"count_{label}" for label in model.classes_]]
    rates = random_rates(model, 2)
    after = model.set_base_rates(rates).to_frame(0.9)
    names = [f"probability_{label}" for label in model.classes_]
    expected = moved(before[names].to_numpy(), model, rates)
    np.testing.assert_allclose(after[names], expected, rtol=1e-12)
    assert (after[[f"lower_{label}" for label in model.classes_]].to_numpy() <= expected + 1e-12).all()
    assert after[shares.columns].equals(shares)
    leaves = np.flatnonzero(after["condition"].isna())
    best = f"{expected[leaves].max(axis=1)[0]:.2f}"
    assert all(best in text for text in (model.export_text(), "\n".join(model.rules()), model.export("html")))


def test_programs_of_related_tables_have_them() -> None:
    model, X = made_case("related")
    model.set_base_rates({"ill": 0.999, "well": 0.001})
    sql, prolog, text = model.to_sql(), model.to_prolog(), model.export_text("prolog")
    for share in np.unique(model.predict_proba(X)[:, 0]).tolist():
        assert f"{share!r}e0" in sql
    assert ":-" in prolog
    assert ", well)" not in prolog
    assert "P(well)" not in text
    other = model.predict_proba(X, database=model.database)
    np.testing.assert_array_equal(other, model.predict_proba(X))


def test_what_was_learnt_stays() -> None:
    model, _ = made_case("leaf")
    learnt = model.node_probabilities_.copy()
    tree = model.tree_
    importances = model.feature_importances_
    model.set_base_rates(random_rates(model))
    np.testing.assert_array_equal(model.node_probabilities_, learnt)
    np.testing.assert_array_equal(model.feature_importances_, importances)
    assert model.tree_ is tree


# -- where they are kept ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_files_and_pickles_keep_them(kind: str) -> None:
    model, X = made_case(kind)
    assert "base_rates" not in dumps(model)
    model.set_base_rates(random_rates(model))
    again = loads(dumps(model))
    assert dumps(again) == dumps(model)
    if kind == "related":
        again.database = model.database
    for other in (again, pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(other.base_rates_, model.base_rates_)
        np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))
    np.testing.assert_allclose(again.set_base_rates(None).base_rates_.sum(), 1)


def test_a_new_fit_forgets_them_and_another_size_does_not() -> None:
    X, y = make_data(300)
    model = ProbabilityTreeClassifier().fit(X, y)
    fresh = model.predict_proba(X)
    rates = random_rates(model)
    small = model.resized(2).predict_proba(X)
    model.set_base_rates(rates)
    np.testing.assert_allclose(model.resized(2).predict_proba(X), moved(small, model, rates), rtol=1e-12)
    assert "base_rates_" not in vars(clone(model))
    np.testing.assert_array_equal(model.fit(X, y).predict_proba(X), fresh)


def test_a_summary_has_those_of_its_option_tree() -> None:
    model, _ = made_case("options")
    before = model.summary().node_probabilities_
    rates = random_rates(model)
    summary = model.set_base_rates(rates).summary()
    np.testing.assert_array_equal(summary.base_rates_, model.base_rates_)
    np.testing.assert_array_equal(summary.node_probabilities_, before)


# -- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rates", "sentence"),
    [
        ([0.5, 0.5], r"must be a dict \{class: rate\}, or None. Got \[0.5, 0.5\] instead"),
        ({"a": 1.0}, "The base rates lack the class 'b'; name every class"),
        ({"a": 0.5, "b": 0.4, "c": 0.1}, "there is no 'c'; the classes are 'a', 'b'"),
        ({"a": 0.5, "b": 0.4}, "The base rates sum to 0.9; they must sum to 1"),
        ({"a": 30, "b": 70}, "base rate of class 'a' must be a number above 0 and at most 1. Got 30"),
        ({"a": 0, "b": 1}, "base rate of class 'a' must be a number above 0"),
        ({"a": 1.5, "b": -0.5}, "base rate of class 'a'"),
        ({"a": np.nan, "b": 0.5}, "base rate of class 'a' .* Got nan"),
        ({"a": "0.5", "b": 0.5}, "base rate of class 'a' .* Got '0.5'"),
        ({"a": 0.3334, "b": 0.6667}, "sum to 1.0001"),
    ],
)
def test_refused(rates: Any, sentence: str) -> None:
    model = plain_classifier().fit([[0], [1]], ["a", "b"])
    with pytest.raises(ValueError, match=sentence):
        model.set_base_rates(rates)
    np.testing.assert_array_equal(model.base_rates_, [0.5, 0.5])


def test_rates_sum_to_one_within_rounding() -> None:
    model = plain_classifier().fit([[0], [1], [2]], ["a", "b", "c"])
    model.set_base_rates({"a": 0.333333, "b": 0.333333, "c": 0.333333})
    assert model.base_rates_.sum() == 1
    tiny = model.set_base_rates({"a": 1e-300, "b": 0.5, "c": 0.5}).predict_proba([[0], [1]])
    np.testing.assert_allclose(tiny.sum(axis=1), 1)


def test_a_class_without_cases_has_no_rate_to_move_from() -> None:
    model = plain_classifier().fit([[0], [1]], ["a", "b"], classes=["a", "b", "c"])
    with pytest.raises(ValueError, match="'c' has no training cases, so that there is no rate from which to move"):
        model.set_base_rates({"a": 0.4, "b": 0.4, "c": 0.2})
    np.testing.assert_allclose(model.predict_proba([[0]]).sum(), 1)


def test_a_model_must_be_fitted_first() -> None:
    with pytest.raises(NotFittedError):
        plain_classifier().set_base_rates({"a": 0.5, "b": 0.5})
