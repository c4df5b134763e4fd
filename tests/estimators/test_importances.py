"""Feature importances: shares of the total score."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.plain import plain_classifier

from petree import OptionTreeClassifier, splitting


@pytest.fixture(scope="module")
def data() -> tuple[pd.DataFrame, Any]:
    """The class depends most on the first column, then on the second, a little on the third by chance."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "size": rng.normal(size=400),
            "tone": rng.choice(["red", "green", "blue"], 400),
            "weight": rng.normal(size=400),
            "constant": np.ones(400),
        }
    )
    y = np.where(X["size"] > 0.3, 2, np.where(X["tone"] == "red", 1, 0))
    return X, np.where(rng.random(400) < 0.1, rng.integers(0, 3, 400), y)


@pytest.mark.parametrize("tests", ["binary", "multiway"])
def test_importances(tests: str, data: Any) -> None:
    importances = plain_classifier(tests=tests).fit(*data).feature_importances_
    assert importances.sum() == pytest.approx(1)
    assert importances[3] == 0
    assert importances[0] > importances[1] > importances[2] > 0


def test_importances_are_shares_of_the_gain() -> None:
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 0], [1, 1], [1, 1], [1, 1], [1, 1]])
    y = np.array([0, 0, 1, 1, 2, 2, 2, 2])
    importances = plain_classifier().fit(X, y).feature_importances_
    # The root gains what is known of the class after x0, all 8 rows; x1 then settles the other 6.
    root, below = 8 * 0.8112781244591328, 6 * 0.9182958340544896
    np.testing.assert_allclose(importances, np.array([root, below]) / (root + below))


@pytest.mark.parametrize("split", ["gini", "chi_square"])
def test_importances_are_shares_of_the_total_score(split: str, data: Any) -> None:
    model = plain_classifier(split=split, max_depth=3).fit(*data)
    totals = np.zeros(4)
    for node in map(model.tree_.node, np.flatnonzero(~model.tree_.is_leaf).tolist()):
        score = splitting.score(split, model.tree_.counts[list(node.children[0])])
        column = model.columns_.index(node.conditions[0].column)
        totals[column] += score if split == "chi_square" else score * node.size  # chi-square is a total already
    np.testing.assert_allclose(model.feature_importances_, totals / totals.sum())


def test_importances_of_a_single_leaf_are_zero() -> None:
    assert plain_classifier().fit(np.zeros((3, 2)), [0, 1, 1]).feature_importances_.tolist() == [0, 0]


def test_importances_of_the_summary_of_options(data: Any) -> None:
    """No score grew it; its gains are those of its counts."""
    summary = OptionTreeClassifier(max_depth=3).fit(*data).summary()
    tree, totals = summary.tree_, np.zeros(4)
    for node in map(tree.node, np.flatnonzero(~tree.is_leaf).tolist()):
        gain = splitting.score("gain", tree.counts[list(node.children[0])])
        totals[summary.columns_.index(node.conditions[0].column)] += gain * node.size
    assert tree.n_leaves > 2
    np.testing.assert_allclose(summary.feature_importances_, totals / totals.sum())
