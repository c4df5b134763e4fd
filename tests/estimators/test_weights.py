"""Weights of rows are copies of rows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.estimators.same_models import PARAMETERS, assert_same_model, fit, often, seldom, structure
from tests.plain import plain_classifier
from tests.strategies import RawTable, tables

from petree import OptionTreeClassifier, ProbabilityTreeClassifier

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


@pytest.mark.parametrize("estimator", [ProbabilityTreeClassifier, OptionTreeClassifier])
def test_weights_that_add_up_to_few_cases_are_told(estimator: type[ProbabilityTreeClassifier]) -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = X[:, 0] > 0
    with pytest.warns(UserWarning, match="weights of 60 rows add up to 1, and count as so many cases") as told:
        estimator().fit(X, y, np.full(60, 1 / 60))
    assert told[0].filename == __file__
    estimator().fit(X, y, np.full(60, 0.5))  # warnings are errors


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
