"""Weights of classes steer the tree but not its probabilities."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, VotingClassifier
from tests.estimators.same_models import PARAMETERS, assert_same_model, fit, seldom, structure
from tests.plain import plain_classifier
from tests.strategies import RawTable, tables

from petree import ProbabilityTreeClassifier
from petree.binning import Exact


@seldom
@given(tables(weights="classes", max_rows=25), PARAMETERS)
def test_raw_and_weighted_counts_stand_side_by_side(table: RawTable, parameters: Any) -> None:
    used = {label: weight for label, weight in table.class_weight.items() if label in table.labels}
    model = fit(table, **{**parameters, "class_weight": used})
    tree, leaves = model.tree_, model.apply(table.frame)
    raw = np.zeros_like(tree.counts)
    np.add.at(raw, (leaves, np.searchsorted(model.classes_, table.y)), 1)
    np.testing.assert_array_equal(tree.counts[tree.is_leaf], raw[tree.is_leaf])
    factors = np.array([used[label] for label in model.classes_.tolist()])
    scale = len(table.y) / (tree.counts[0] @ factors)  # all rows together weigh what they did
    np.testing.assert_allclose(tree.weighted_counts, tree.counts * factors * scale)


@seldom
@given(tables(weights="classes", max_rows=25), PARAMETERS)
def test_probabilities_stay_on_the_scale_of_the_data(table: RawTable, parameters: Any) -> None:
    used = {label: weight for label, weight in table.class_weight.items() if label in table.labels}
    model = fit(table, **{**parameters, "class_weight": used, "smoothing": "none"})
    counts = model.tree_.counts[model.apply(table.frame)]
    shares = counts / counts.sum(axis=1, keepdims=True)
    np.testing.assert_array_equal(model.predict_proba(table.frame), shares)
    factors = np.array([used[label] for label in model.classes_.tolist()])
    weighted = [
        [Fraction(int(n)) * Fraction(f) for n, f in zip(line, factors, strict=True)] for line in counts.tolist()
    ]
    expected = [line.index(max(line)) for line in weighted]  # the first of those that are equal, without rounding
    np.testing.assert_array_equal(model.predict(table.frame), model.classes_[expected])


@seldom
@given(tables(max_rows=25), PARAMETERS, st.sampled_from([2, 3]))
def test_a_class_weight_grows_the_tree_of_that_row_weight(table: RawTable, parameters: Any, factor: int) -> None:
    # Copies would change the bins and what a large enough leaf is, so these two are left out.
    parameters = {**parameters, "binning": Exact(), "min_samples_leaf": 1}
    heavy = table.labels[0]
    by_class = fit(table, **{**parameters, "class_weight": {heavy: factor}})
    by_row = plain_classifier(**parameters)
    by_row.fit(table.frame, table.y, np.where(table.y == heavy, factor, 1))
    assert structure(by_class.tree_) == structure(by_row.tree_)
    scale = len(table.y) / by_row.tree_.counts[0].sum()
    np.testing.assert_allclose(by_class.tree_.weighted_counts, by_row.tree_.counts * scale)
    np.testing.assert_allclose(by_class.tree_.annotations["gain"], by_row.tree_.annotations["gain"], atol=1e-12)


@seldom
@given(tables(weights="whole", max_rows=25), PARAMETERS)
def test_balanced_is_a_dict_of_weights(table: RawTable, parameters: Any) -> None:
    weights = table.sample_weight
    totals = {label: weights[table.y == label].sum() for label in set(table.labels)}
    balanced = {label: weights.sum() / (len(totals) * total) for label, total in totals.items()}
    assert_same_model(
        fit(table, class_weight="balanced", **parameters), fit(table, class_weight=balanced, **parameters)
    )


@seldom
@given(tables(weights="whole", max_rows=25), PARAMETERS, st.sampled_from([0.5, 1, 3]))
def test_whole_weights_and_class_weights_together(table: RawTable, parameters: Any, factor: float) -> None:
    rows = [row for row, weight in enumerate(table.weights) for _ in range(int(weight))]
    parameters = {**parameters, "class_weight": {table.labels[0]: factor}}
    weighted, copied = fit(table, **parameters), fit(table.take(rows), **parameters)
    assert_same_model(weighted, copied)
    np.testing.assert_array_equal(weighted.tree_.weighted_counts, copied.tree_.weighted_counts)
    np.testing.assert_array_equal(weighted.predict(table.frame), copied.predict(table.frame))


def test_class_weight_steers_predict_and_not_the_probabilities() -> None:
    X, y = np.zeros((10, 1)), ["rare"] * 3 + ["usual"] * 7
    plain = plain_classifier(smoothing="none").fit(X, y)
    steered = plain_classifier(smoothing="none", class_weight={"rare": 3}).fit(X, y)
    assert plain.predict(X)[0] == "usual"
    assert steered.predict(X)[0] == "rare"
    assert plain.predict_proba(X)[0].tolist() == steered.predict_proba(X)[0].tolist() == [0.3, 0.7]


@pytest.mark.parametrize("pruning", ["chi", "mdl", "bic", "error_based", "rand", "minimum_error"])
def test_only_the_ratios_of_class_weights_count(pruning: str) -> None:
    """As in a test of significance, where ten times the weight would be ten times the cases."""
    random = np.random.default_rng(0)
    X, y = random.normal(size=(300, 3)), np.where(random.random(300) < 0.2, "bad", "good")
    models = [
        plain_classifier(pruning=pruning, class_weight={"bad": 4 * scale, "good": scale}).fit(X, y)
        for scale in (1e-100, 0.01, 1, 7, 1e100)
    ]
    for model in models:
        assert_same_model(model, models[0])
        assert model.tree_.weighted_counts[0].sum() == pytest.approx(300)


def test_class_weight_steers_growing() -> None:
    y = np.array(["a"] * 10 + ["b"] * 10 + ["rare"] * 2)
    X = {"a or b": [0] * 10 + [1] * 10 + [0, 1], "rare": [0] * 20 + [1, 1]}
    plain = plain_classifier(max_depth=1).fit(X, y)
    steered = plain_classifier(max_depth=1, class_weight={"rare": 50}).fit(X, y)
    assert plain.rules()[0].startswith('if "a or b" < 1')
    assert steered.rules()[0].startswith("if rare < 1")


def test_a_weight_for_a_class_that_does_not_occur() -> None:
    sentence = r"class_weight names the classes 'rare', 'b', of which there is no 'rare'; the classes are 'a', 'b'\."
    model = plain_classifier(class_weight={"rare": 5, "b": 2})
    with pytest.raises(ValueError, match=sentence):
        model.fit([[0], [1]], ["a", "b"])
    model.fit([[0], [1]], ["a", "b"], classes=["a", "b", "rare"])
    np.testing.assert_allclose(model.tree_.class_weight[:2], [2 / 3, 4 / 3])
    with pytest.raises(ValueError, match="there is no 'b'; the classes are 'a', 'c'"):
        plain_classifier(class_weight={"b": 2}).fit([[0], [1], [2]], ["a", "b", "c"], [1, 0, 1])


def test_a_class_without_a_weight_weighs_one() -> None:
    model = plain_classifier(class_weight={"b": 3}).fit([[0], [1], [2]], ["a", "b", "c"])
    np.testing.assert_allclose(model.tree_.class_weight, np.array([1, 3, 1]) * 3 / 5)


def by_name(**weights: float) -> tuple[ProbabilityTreeClassifier, Any, Any]:
    """A classifier with weights of classes, and a table of them."""
    X = np.arange(60.0)[:, None] % 7
    y = np.where((X[:, 0] < 3) ^ (np.arange(60) % 9 == 0), "yes", "no")
    return plain_classifier(max_depth=2, smoothing="none", class_weight=weights), X, y


@pytest.mark.parametrize(
    "around", [lambda own: VotingClassifier([("tree", own)]), lambda own: BaggingClassifier(own, n_estimators=2)]
)
def test_weights_are_not_lost_where_another_estimator_encodes_the_labels(around: Any) -> None:
    own, X, y = by_name(yes=5.0, no=1.0)
    with pytest.raises(ValueError, match=r"'yes', 'no', of which there is no 'yes', 'no'; the classes are 0, 1\. Some"):
        around(own).fit(X, y)
    around(own.set_params(class_weight={1: 5.0})).fit(X, y)


# The weights of AdaBoost add up to 1.
@pytest.mark.filterwarnings("ignore:The weights of .* rows add up to 1, and count")
@pytest.mark.parametrize("around", [AdaBoostClassifier, CalibratedClassifierCV])
def test_weights_reach_a_tree_in_another_estimator(around: Any) -> None:
    own, X, y = by_name(yes=1.5)
    around(own).fit(X, y)
