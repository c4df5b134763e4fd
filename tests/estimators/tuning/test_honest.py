"""Honest trees: what is counted in the leaves has not been seen by the tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from tests.estimators.tuning.tuned import folds_of, make_data
from tests.plain import plain_classifier

from petree import ProbabilityTreeClassifier
from petree.storage import dumps, loads


def halves(X: Any, y: Any, weights: Any) -> tuple[Any, Any]:
    """Weights of the rows that grow the tree, and of those that are counted."""
    return folds_of(X, y, weights, n_folds=2)[0]


@pytest.mark.parametrize("model", [plain_classifier(), ProbabilityTreeClassifier()], ids=["plain", "default"])
def test_one_half_grows_the_tree_and_the_other_is_counted(model: Any) -> None:
    X, y = make_data(400)
    growing, counted = halves(X, y, np.ones(400))
    grown = clone(model).fit(X[growing > 0], y[growing > 0], classes=[0, 1, 2])
    honest = clone(model).set_params(honest=True).fit(X, y)
    assert list(honest.tree_.conditions) == list(grown.tree_.conditions)
    leaves = grown.apply(X[counted > 0])
    for leaf in np.flatnonzero(grown.tree_.is_leaf):
        np.testing.assert_array_equal(honest.tree_.counts[leaf], np.bincount(y[counted > 0][leaves == leaf], None, 3))
    np.testing.assert_array_equal(honest.tree_.sizes, honest.tree_.counts.sum(axis=1))
    assert honest.certainty_.each > 0


def test_intervals_are_measured_under_every_smoothing() -> None:
    X, y = make_data(400)
    model = plain_classifier(honest=True).fit(X, y)
    assert not hasattr(model, "tuning_")
    lower, upper, _ = model.predict_interval(X)
    answers = model.predict_proba(X)
    assert (lower <= answers).all()
    assert (answers <= upper).all()
    assert not hasattr(plain_classifier(smoothing="doubt", honest=True).fit(X, y), "certainty_")


def test_neither_order_nor_copies_matter() -> None:
    X, y = make_data(120)
    weights = np.random.default_rng(3).integers(1, 3, 120)
    copies = np.random.default_rng(4).permutation(np.repeat(np.arange(120), weights))
    model = ProbabilityTreeClassifier(honest=True)
    weighed = model.fit(X, y, weights).predict_interval(X)
    copied = clone(model).fit(X.iloc[copies], y[copies]).predict_interval(X)
    for one, other in zip(weighed, copied, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_a_tree_with_tests_that_no_counted_row_comes_to_is_kept_in_a_file() -> None:
    random = np.random.default_rng(0)
    X = pd.DataFrame({"a": random.random(200), "b": random.choice(list("abcdefgh"), 200)})
    model = plain_classifier(honest=True, smoothing="default").fit(X, random.integers(2, size=200))
    is_empty = model.tree_.counts.sum(axis=1) == 0
    assert (is_empty & ~model.tree_.is_leaf).any()
    again = loads(dumps(model))
    for one, other in zip(again.predict_interval(X), model.predict_interval(X), strict=True):
        np.testing.assert_array_equal(one, other)
    lower, upper = (frame.to_numpy()[is_empty] for frame in _bounds(model))
    assert (lower == 0).all()
    assert (upper == 1).all()


def _bounds(model: Any) -> list[pd.DataFrame]:
    frame = model.to_frame(0.9)
    return [frame[[f"{side}_0", f"{side}_1"]] for side in ("lower", "upper")]


def test_groups_stay_together() -> None:
    X, y = make_data(200)
    model = plain_classifier(honest=True).fit(X, y, groups=np.arange(200) // 10)
    assert model.tree_.sizes[0] == 100
    assert model.tree_.counts[0, 2] in (0, 2)  # the two rows of the rare class are of one group


def test_too_few_rows() -> None:
    with pytest.raises(ValueError, match=r"at least 3 rows\. Got 2; give more, or set honest=False"):
        plain_classifier(honest=True).fit([[0], [1]], [0, 1])
    plain_classifier(honest=True).fit([[0], [1], [2]], [0, 1, 0])


def test_other_values_are_refused() -> None:
    with pytest.raises(ValueError, match="'honest' parameter"):
        plain_classifier(honest="half").fit([[0], [1], [2]], [0, 1, 0])


def test_a_table_whose_folds_share_their_codes() -> None:
    random = np.random.default_rng(0)
    X = random.integers(0, 20, (12_000, 2))
    y = (X[:, 0] > 7) ^ (random.random(12_000) < 0.1)
    model = ProbabilityTreeClassifier(honest=True).fit(X, y)
    assert model.tree_.conditions.value.tolist() == [8.0]
    assert model.tree_.sizes[0] == 6000
