"""Measures of probabilities from their definitions, and beside those of scikit-learn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, brier_score_loss, log_loss
from tests.metrics import oracles
from tests.metrics.made import Made, predictions

from petree.metrics import accuracy, brier, calibration_error, expected_accuracy, log2_likelihood

LABELS = np.array(["a", "b"])
TRUTH = np.array(["a", "b", "b", "a"])
PROBABILITIES = np.array([[0.75, 0.25], [0.5, 0.5], [0.0, 1.0], [0.25, 0.75]])
OF_THE_TRUE = [0.75, 0.5, 1.0, 0.25]


def test_definitions() -> None:
    expected_bits = sum(map(math.log2, OF_THE_TRUE)) / 4
    assert log2_likelihood(TRUTH, PROBABILITIES, LABELS) == pytest.approx(expected_bits)
    assert brier(TRUTH, PROBABILITIES, LABELS) == pytest.approx(sum(2 * (1 - p) ** 2 for p in OF_THE_TRUE) / 4)
    assert accuracy(TRUTH, PROBABILITIES, LABELS) == 0.5  # the tie goes to the first class
    assert expected_accuracy(PROBABILITIES) == (0.75 + 0.5 + 1.0 + 0.75) / 4


def test_a_true_class_held_impossible_is_worth_minus_infinity_unless_clipped() -> None:
    impossible = 1 - PROBABILITIES
    assert log2_likelihood(TRUTH, impossible, LABELS) == -math.inf
    expected = sum(math.log2(max(1 - p, 0.3)) for p in OF_THE_TRUE) / 4
    assert log2_likelihood(TRUTH, impossible, LABELS, clip=0.3) == pytest.approx(expected)


def test_a_row_of_weight_zero_counts_for_nothing() -> None:
    weights = [1, 1, 0, 1]
    expected = sum(math.log2(1 - p) for p in OF_THE_TRUE if p < 1) / 3
    assert log2_likelihood(TRUTH, 1 - PROBABILITIES, LABELS, sample_weight=weights) == pytest.approx(expected)


@given(predictions())
def test_likelihood_is_log_loss_in_bits(made: Made) -> None:
    labels = np.sort(made.labels)
    nats = log_loss(made.truth, made.sorted_probabilities, labels=labels, sample_weight=made.weights)
    bits = log2_likelihood(*made.as_given, sample_weight=made.weights)
    assert bits == pytest.approx(-nats / math.log(2))


@given(predictions(), st.booleans())
def test_brier_is_that_of_scikit_learn(made: Made, half: bool) -> None:
    expected = brier_score_loss(
        made.truth,
        made.sorted_probabilities,
        labels=np.sort(made.labels),
        sample_weight=made.weights,
        scale_by_half=half,
    )
    assert brier(*made.as_given, sample_weight=made.weights, half=half) == pytest.approx(expected)


@given(predictions())
def test_accuracy_is_that_of_the_most_probable_class(made: Made) -> None:
    most_probable = made.labels[made.probabilities.argmax(axis=1)]
    expected = accuracy_score(made.truth, most_probable, sample_weight=made.weights)
    assert accuracy(*made.as_given, sample_weight=made.weights) == pytest.approx(expected)


@given(predictions())
def test_expected_accuracy_is_the_mean_of_the_largest_probabilities(made: Made) -> None:
    largest = [max(row) * weight for row, weight in zip(made.probabilities, made.weights, strict=True)]
    expected = sum(largest) / sum(made.weights)
    assert expected_accuracy(made.probabilities, sample_weight=made.weights) == pytest.approx(expected)


@given(predictions(), st.sampled_from([1, 4, 10]))
def test_calibration_error_of_the_most_probable_class(made: Made, n_bins: int) -> None:
    columns = [list(row).index(max(row)) for row in made.probabilities]
    promised = [row[column] for row, column in zip(made.probabilities, columns, strict=True)]
    happened = [made.labels[column] == label for label, column in zip(made.truth, columns, strict=True)]
    expected = oracles.calibration_error(promised, happened, made.weights, n_bins)
    given = calibration_error(*made.as_given, sample_weight=made.weights, n_bins=n_bins)
    assert given == pytest.approx(expected)


@given(predictions(), st.data())
def test_calibration_error_of_one_class(made: Made, data: st.DataObject) -> None:
    column = data.draw(st.integers(0, len(made.labels) - 1))
    label = made.labels[column]
    expected = oracles.calibration_error(made.probabilities[:, column], made.truth == label, made.weights, 10)
    assert calibration_error(*made.as_given, sample_weight=made.weights, of_class=label) == pytest.approx(expected)


def test_bins_hold_their_lower_border_and_the_last_one_holds_1() -> None:
    # .3 and .35 share a bin: |.65 - 1| / 2; with .29 in its place they do not, and .29 promised what did not happen.
    assert calibration_error([1, 0], [0.3, 0.35], of_class=1) == pytest.approx(abs(0.65 - 1) / 2)
    assert calibration_error([1, 0], [0.29, 0.35], of_class=1) == pytest.approx((0.71 + 0.35) / 2)
    assert calibration_error([0, 1], [0.95, 1.0], of_class=1) == pytest.approx(0.95 / 2)


def test_probabilities_that_keep_their_promise_have_no_calibration_error() -> None:
    truth = ["a"] * 3 + ["b"] + ["b"] * 4
    probabilities = [[0.75, 0.25]] * 4 + [[0.0, 1.0]] * 4
    assert calibration_error(truth, probabilities) == 0
    assert calibration_error(truth, probabilities, of_class="a") == 0


@pytest.mark.parametrize("clip", [0, -0.1, 1, math.nan])
def test_clip_is_between_0_and_1(clip: float) -> None:
    with pytest.raises(ValueError, match="'clip' parameter of log2_likelihood must be between 0 and 1"):
        log2_likelihood(TRUTH, PROBABILITIES, clip=clip)


def test_bins_and_the_class_looked_at_are_checked() -> None:
    with pytest.raises(ValueError, match="'n_bins' parameter of calibration_error must be at least 1"):
        calibration_error(TRUTH, PROBABILITIES, n_bins=0)
    with pytest.raises(ValueError, match="'of_class' parameter must be one of the labels a, b"):
        calibration_error(TRUTH, PROBABILITIES, of_class="c")
