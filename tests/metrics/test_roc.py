"""Areas under the ROC curve: worked numbers, all pairs counted one by one, and scikit-learn."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from tests.metrics import oracles
from tests.metrics.made import Made, blocks_of_counts, predictions

from petree.metrics import auc, auc_from_leaves, hand_till_auc, hand_till_from_counts, weighted_auc

TWO = st.just(2)
THREE_OR_MORE = st.integers(3, 5)
SPLITS = {
    "S1": ([[8, 2], [2, 8]], 0.8),
    "S3": ([[10, 0], [0, 10]], 1.0),
    "S4": ([[10, 1, 0], [2, 8, 3], [0, 1, 9]], 0.877778),
    "S5": ([[40, 1], [55, 4]], 0.610526),
    "S7": ([[6, 1, 0], [2, 5, 0]], 0.791667),
}


def test_worked_numbers() -> None:
    scores = [0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.5, 0.1]
    assert auc([1, 1, 0, 1, 0, 1, 0, 0], scores) == 0.75
    assert auc_from_leaves([20, 8, 2], [1, 4, 25]) == pytest.approx(0.923333, abs=5e-7)


@pytest.mark.parametrize(("counts", "expected"), SPLITS.values(), ids=SPLITS)
def test_worked_splits(counts: list[list[int]], expected: float) -> None:
    assert hand_till_from_counts(counts) == pytest.approx(expected, abs=5e-7)


def test_smoothing_matters_only_where_it_reorders_leaves() -> None:
    counts = np.array([[2, 0], [20, 1], [3, 9]])
    laplace = (counts + 1) / (counts + 1).sum(axis=1, keepdims=True)
    assert hand_till_from_counts(counts) == pytest.approx(0.894)
    assert hand_till_from_counts(counts, laplace) == pytest.approx(0.886)
    assert auc_from_leaves(counts[:, 0], counts[:, 1]) == pytest.approx(0.894)
    assert auc_from_leaves(counts[:, 0], counts[:, 1], laplace[:, 0]) == pytest.approx(0.886)


@given(predictions(n_labels=TWO))
def test_auc_by_pairs(made: Made) -> None:
    first, second = made.labels
    expected = oracles.auc(oracles.cases(made, second, 1), oracles.cases(made, first, 1))
    assert auc(*made.as_given, sample_weight=made.weights) == pytest.approx(expected, nan_ok=True)


@given(predictions(n_labels=TWO, all_occur=True))
def test_auc_is_that_of_scikit_learn(made: Made) -> None:
    score = made.sorted_probabilities[:, 1]
    expected = roc_auc_score(made.truth, score, sample_weight=made.weights)
    assert auc(made.truth, score, sample_weight=made.weights) == pytest.approx(expected)


@given(predictions())
def test_weighted_auc_by_pairs(made: Made) -> None:
    given = weighted_auc(*made.as_given, sample_weight=made.weights)
    assert given == pytest.approx(oracles.weighted_auc(made), nan_ok=True)


@given(predictions(n_labels=THREE_OR_MORE, all_occur=True))
def test_weighted_auc_is_that_of_scikit_learn(made: Made) -> None:
    how = {"multi_class": "ovr", "average": "weighted", "sample_weight": made.weights}
    expected = roc_auc_score(made.truth, made.sorted_probabilities, **how)
    assert weighted_auc(*made.as_given, sample_weight=made.weights) == pytest.approx(expected)


@given(predictions())
def test_hand_till_by_pairs(made: Made) -> None:
    given = hand_till_auc(*made.as_given, sample_weight=made.weights)
    assert given == pytest.approx(oracles.hand_till_auc(made), nan_ok=True)


@given(predictions(n_labels=THREE_OR_MORE, all_occur=True))
def test_hand_till_is_that_of_scikit_learn(made: Made) -> None:
    expected = roc_auc_score(made.truth, made.sorted_probabilities, multi_class="ovo", average="macro")
    assert hand_till_auc(*made.as_given) == pytest.approx(expected)


@given(blocks_of_counts())
def test_hand_till_of_leaves_by_pairs(blocks: NDArray[np.int64]) -> None:
    expected = [oracles.hand_till_from_counts(block.tolist()) for block in blocks]
    assert hand_till_from_counts(blocks) == pytest.approx(expected, nan_ok=True)
    nested = hand_till_from_counts(blocks[None, :, None])
    assert nested.shape == (1, 3, 1)
    assert nested[0, :, 0] == pytest.approx(expected, nan_ok=True)


@given(blocks_of_counts())
def test_leaves_and_their_cases_have_the_same_areas(blocks: NDArray[np.int64]) -> None:
    counts = blocks[0]
    leaves, classes = np.indices(counts.shape)
    truth, leaf = np.repeat(classes.ravel(), counts.ravel()), np.repeat(leaves.ravel(), counts.ravel())
    assume(len(truth) > 0)
    probabilities = (counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))[leaf]
    labels = np.arange(counts.shape[1])
    given = hand_till_auc(truth, probabilities, labels)
    assert given == pytest.approx(hand_till_from_counts(counts), nan_ok=True)
    first = probabilities[:, 0]
    given = auc(truth == 0, first, [False, True])
    assert given == pytest.approx(auc_from_leaves(counts[:, 0], counts[:, 1:].sum(axis=1)), nan_ok=True)


def test_only_the_order_of_scores_counts() -> None:
    truth, scores = [0, 1, 0, 1, 1], np.array([-3.0, 2.0, 0.5, 0.25, 700.0])
    assert auc(truth, scores) == auc(truth, np.exp(scores / 100)) == 5 / 6


def test_a_class_that_does_not_occur_is_left_out() -> None:
    truth, probabilities = ["a", "b", "a"], [[0.6, 0.2, 0.2], [0.3, 0.3, 0.4], [0.2, 0.7, 0.1]]
    of_a, of_b = 1 / 2, 1 / 2  # a beats b once of twice by p_a, and b beats a once of twice by p_b
    assert weighted_auc(truth, probabilities, ["a", "b", "c"]) == (2 * of_a + of_b) / 3
    assert hand_till_auc(truth, probabilities, ["a", "b", "c"]) == (of_a + of_b) / 2


@pytest.mark.parametrize("measure", [auc, weighted_auc, hand_till_auc])
def test_one_class_alone_has_no_area(measure: Callable[..., float]) -> None:
    assert math.isnan(measure(["a", "a"], [[0.6, 0.4], [0.5, 0.5]], ["a", "b"]))
    assert math.isnan(measure(["a", "b"], [[0.6, 0.4], [0.5, 0.5]], ["a", "b"], sample_weight=[1, 0]))


def test_one_class_alone_has_no_area_without_labels_or_as_leaves() -> None:
    assert math.isnan(auc([1, 1], [0.6, 0.4]))
    assert math.isnan(auc_from_leaves([1, 2], [0, 0]))
    assert math.isnan(auc_from_leaves([0, 0], [1, 2]))
    assert math.isnan(hand_till_from_counts([[1, 0], [2, 0]]))


def test_auc_refuses_three_classes() -> None:
    with pytest.raises(ValueError, match="auc is for two classes, but there are 3; take weighted_auc or hand_till_auc"):
        auc(["a", "b", "c"], np.eye(3))


@pytest.mark.parametrize(
    ("counts", "scores", "sentence"),
    [
        ([1, 2], None, r"one row a leaf and one column a class, got shape \(2,\)"),
        (np.empty((0, 2)), None, r"got shape \(0, 2\)"),
        ([[1, -2]], None, "finite and not negative, got -2.0"),
        ([[1, math.inf]], None, "finite and not negative, got inf"),
        ([[1, 2]], [[0.5], [0.5]], r"one for each count: shape \(1, 2\), got \(2, 1\)"),
        ([[1, 2]], [[0.5, math.nan]], "Scores must be finite numbers"),
    ],
)
def test_counts_and_scores_of_leaves_are_checked(counts: Any, scores: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        hand_till_from_counts(counts, scores)
