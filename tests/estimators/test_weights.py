"""Weights of rows are copies of rows; weights of classes steer the tree but not its probabilities."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, VotingClassifier
from tests.plain import plain_classifier
from tests.strategies import RawTable, tables

from petree import ProbabilityTreeClassifier
from petree.binning import Entropy, Exact, Quantile
from petree.tree import Tree

often = settings(max_examples=20, deadline=None)
seldom = settings(max_examples=15, deadline=None)

PARAMETERS = st.fixed_dictionaries(
    {
        "tests": st.sampled_from(["binary", "multiway"]),
        "binning": st.sampled_from([Quantile(), Quantile(max_bins=3), Exact(), Entropy(max_thresholds=2)]),
        "min_samples_leaf": st.sampled_from([1, 1, 2, 5]),
        "max_depth": st.sampled_from([None, None, 2]),
        "smoothing": st.sampled_from(["none", "laplace"]),
    }
)


def structure(tree: Tree) -> list[tuple[Any, ...]]:
    """Tests and wiring of a tree, comparable by ==."""
    conditions = tree.conditions
    arrays = (tree.split_start, tree.children, conditions.kind, conditions.column, conditions.value, conditions.missing)
    return [tuple(array.tolist()) for array in arrays]


def assert_same_model(model: Any, other: Any) -> None:
    assert structure(model.tree_) == structure(other.tree_)
    assert model.columns_ == other.columns_
    assert model.classes_.tolist() == other.classes_.tolist()
    np.testing.assert_allclose(model.tree_.counts, other.tree_.counts, rtol=1e-12)
    np.testing.assert_array_equal(model.tree_.sizes, other.tree_.sizes)
    np.testing.assert_array_equal(model.tree_.n_tests, other.tree_.n_tests)
    np.testing.assert_allclose(model.node_probabilities_, other.node_probabilities_, rtol=1e-12)
    np.testing.assert_allclose(model.tree_.annotations["gain"], other.tree_.annotations["gain"], atol=1e-12)


def fit(table: RawTable, **parameters: Any) -> ProbabilityTreeClassifier:
    model = plain_classifier(**{"class_weight": table.class_weight, **parameters})
    return model.fit(table.frame, table.y, table.sample_weight)


# -- rows ----------------------------------------------------------------------------------------------------


@often
@given(tables(weights="whole", max_rows=25), PARAMETERS, st.booleans())
def test_a_whole_weight_is_that_many_copies(table: RawTable, parameters: Any, is_balanced: bool) -> None:
    assert table.weights is not None
    rows = [row for row, weight in enumerate(table.weights) for _ in range(int(weight))]
    class_weight = "balanced" if is_balanced else None
    weighted = fit(table, class_weight=class_weight, **parameters)
    assert_same_model(weighted, fit(table.take(rows), class_weight=class_weight, **parameters))


def test_copies_of_very_many_values() -> None:
    rng = np.random.default_rng(0)
    X, weights = rng.normal(size=(25_000, 2)).round(3), rng.integers(0, 4, 25_000)
    y = (X.sum(axis=1) + rng.normal(size=25_000) > 0).astype(int)
    rows = np.repeat(np.arange(25_000), weights)
    weighted = plain_classifier(max_depth=6).fit(X, y, weights)
    assert_same_model(weighted, plain_classifier(max_depth=6).fit(X[rows], y[rows]))


@seldom
@given(tables(weights="fractions", max_rows=25), PARAMETERS)
def test_a_row_without_weight_is_not_there(table: RawTable, parameters: Any) -> None:
    keep = table.keep
    model = plain_classifier(**parameters).fit(table.frame[keep], table.y[keep], table.sample_weight[keep])
    assert_same_model(fit(table, **parameters), model)


TONES = {"tone": ["red", "red", "blue", "blue", "mauve", "red"], "size": [1, 2, 3, 4, 5, None]}
TONE_WEIGHTS = [1, 2, 1, 1, 0, 0]


@pytest.mark.parametrize(
    "library", [dict, pd.DataFrame, pl.DataFrame, pa.table], ids=["dict", "pandas", "polars", "pyarrow"]
)
@pytest.mark.parametrize("tests", ["binary", "multiway"])
def test_what_occurs_only_without_weight_is_not_known(library: Any, tests: str) -> None:
    model = plain_classifier(tests=tests, smoothing="none")
    model.fit(library(TONES), ["no", "no", "yes", "yes", "odd", "no"], TONE_WEIGHTS)
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.columns_[0].categories == ("blue", "red")
    assert model.tree_.n_tests[0] == (2 if tests == "binary" else 1) + 3
    unknown = model.predict_proba({"tone": ["mauve"], "size": [1]})
    np.testing.assert_allclose(unknown, [[0.6, 0.4]])


def test_a_column_that_has_values_only_without_weight_is_empty() -> None:
    X = {"size": [None, None, 3], "n": [1, 2, 3]}
    with pytest.warns(UserWarning, match="'size' has no values at all"):
        model = plain_classifier().fit(X, [0, 1, 1], [1, 1, 0])
    assert model.tree_.sizes[0] == 2


@seldom
@given(tables(weights="fractions", max_rows=25), PARAMETERS, st.sampled_from([-20, -3, -1, 1, 2, 10]))
def test_scale_of_the_weights_does_not_matter(table: RawTable, parameters: Any, power: int) -> None:
    # A third of a row more keeps the weights fractional whatever the scale.
    weights = np.where(table.keep, table.sample_weight + 1 / 3, 0)
    model, scaled = (
        plain_classifier(**parameters).fit(table.frame, table.y, factor * weights) for factor in (1, 2.0**power)
    )
    assert structure(scaled.tree_) == structure(model.tree_)
    np.testing.assert_array_equal(scaled.tree_.counts, model.tree_.counts * 2.0**power)
    np.testing.assert_array_equal(scaled.tree_.sizes, model.tree_.sizes)


def test_sizes_are_copies_for_whole_weights_and_rows_for_others() -> None:
    X, y = [[0], [1], [2]], [0, 1, 1]
    assert plain_classifier().fit(X, y, [2, 1, 3]).tree_.sizes[0] == 6
    assert plain_classifier().fit(X, y, [2, 1.5, 3]).tree_.sizes[0] == 3
    assert plain_classifier(min_samples_leaf=2).fit(X, y, [2, 1, 3]).get_depth() == 1
    assert plain_classifier(min_samples_leaf=2).fit(X, y, [2, 1.5, 3]).get_depth() == 0


@pytest.mark.parametrize(
    "weight", [np.array([2, 1, 1, 1]), [2.0, 1.0, 1.0, 1.0], pd.Series([2, 1, 1, 1], index=[3, 2, 1, 0])]
)
def test_every_form_of_weights(weight: Any) -> None:
    model = plain_classifier().fit([[0], [1], [2], [3]], [0, 0, 1, 1], weight)
    assert model.tree_.counts[0].tolist() == [3, 2]


@pytest.mark.parametrize("weight", [1, 3, 0.5])
def test_equal_weights(weight: float) -> None:
    X, y = np.arange(8)[:, None], np.array([0, 0, 1, 0, 1, 1, 0, 1])
    plain = plain_classifier(smoothing="none").fit(X, y)
    weighted = plain_classifier(smoothing="none").fit(X, y, np.full(8, weight))
    assert structure(weighted.tree_) == structure(plain.tree_)
    np.testing.assert_array_equal(weighted.predict_proba(X), plain.predict_proba(X))
    np.testing.assert_array_equal(weighted.tree_.counts, plain.tree_.counts * weight)


# -- classes -------------------------------------------------------------------------------------------------


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


def test_weights_beyond_what_counts_can_hold() -> None:
    X, y = [[0.0], [1.0], [2.0]], ["a", "b", "b"]
    for weight in (1e16, 1e100, 1e308):
        with pytest.raises(ValueError, match=r"sample_weight sums to .*, beyond 2\*\*53"):
            plain_classifier().fit(X, y, [weight] * 3)
    with pytest.warns(UserWarning, match=r"sample_weight sums to 3e\+09: from 2\*\*31 on whole weights are not copies"):
        plain_classifier().fit(X, y, [1e9] * 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plain_classifier().fit(X, y, [7e8] * 3)
        plain_classifier().fit(X, y, [1e9 + 0.5] * 3)


def test_permutation_tests_of_very_heavy_rows() -> None:
    """Rows of a million cases are permuted in little time, and what would take for ever is refused."""
    random = np.random.default_rng(0)
    X, y = random.normal(size=(40, 2)), random.integers(0, 2, 40)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for pruning in ("permutation", "default"):
            plain_classifier(pruning=pruning).fit(X, y, [1e6] * 40)
    with (
        pytest.warns(UserWarning, match="not copies of rows"),
        pytest.raises(ValueError, match=r"Permutation takes nodes of at most 2\*\*31 cases, and one weighs 4e\+10"),
    ):
        plain_classifier(pruning="permutation").fit(X, y, [1e9] * 40)


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


def test_whole_weights_of_many_rows_are_told_to_be_copies() -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = np.arange(60) % 2
    with pytest.warns(UserWarning, match=r"whole numbers, 3 on average, .* divide them by their mean"):
        ProbabilityTreeClassifier().fit(X, y, np.full(60, 3.0))
    fitted = [
        ProbabilityTreeClassifier().fit(X, y, np.full(60, 2.5)),
        ProbabilityTreeClassifier().fit(X, y, np.full(60, 3.0), groups=np.arange(60)),
        ProbabilityTreeClassifier().fit(X, y, np.arange(60) % 2 + 1),
        ProbabilityTreeClassifier().fit(X[:40], y[:40], np.full(40, 3.0)),
        plain_classifier().fit(X, y, np.full(60, 3.0)),
    ]
    assert all(model.n_classes_ == 2 for model in fitted)


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


@pytest.mark.parametrize("around", [AdaBoostClassifier, CalibratedClassifierCV])
def test_weights_reach_a_tree_in_another_estimator(around: Any) -> None:
    own, X, y = by_name(yes=1.5)
    around(own).fit(X, y)
