"""Measures from their definitions, and beside those of scikit-learn."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score, brier_score_loss, log_loss

from petree.evaluation import accuracy, brier, log2_likelihood

LABELS = np.array(["a", "b"])
TRUTH = np.array(["a", "b", "b", "a"])
PROBABILITIES = np.array([[0.75, 0.25], [0.5, 0.5], [0.0, 1.0], [0.25, 0.75]])
OF_THE_TRUE = [0.75, 0.5, 1.0, 0.25]

MEASURES = [accuracy, log2_likelihood, brier]


@st.composite
def predictions(draw: st.DrawFn) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[Any]]:
    """True classes, probabilities above 0, and 2 to 5 labels in any order."""
    names: list[Any] = draw(st.sampled_from([list("pqrst"), [3, -1, 0, 7, 12]]))
    labels = draw(st.permutations(names))[: draw(st.integers(2, 5))]
    truth = draw(st.lists(st.sampled_from(labels), min_size=1, max_size=20))
    shares = st.lists(st.integers(1, 20), min_size=len(labels), max_size=len(labels))
    counts = np.array(draw(st.lists(shares, min_size=len(truth), max_size=len(truth))), float)
    return np.array(truth), counts / counts.sum(axis=1, keepdims=True), np.array(labels)


def in_order(probabilities: NDArray[np.float64], labels: NDArray[Any]) -> NDArray[np.float64]:
    """The columns as scikit-learn wants them: by label."""
    return probabilities[:, np.argsort(labels)]


def test_definitions() -> None:
    expected_bits = sum(map(math.log2, OF_THE_TRUE)) / 4
    assert log2_likelihood(TRUTH, PROBABILITIES, LABELS) == pytest.approx(expected_bits)
    assert brier(TRUTH, PROBABILITIES, LABELS) == pytest.approx(sum(2 * (1 - p) ** 2 for p in OF_THE_TRUE) / 4)
    assert accuracy(TRUTH, PROBABILITIES, LABELS) == 0.5  # the tie goes to the first class


def test_a_true_class_held_impossible_is_worth_minus_infinity() -> None:
    assert log2_likelihood(TRUTH, 1 - PROBABILITIES, LABELS) == -math.inf


@given(predictions())
def test_likelihood_is_log_loss_in_bits(made: tuple[NDArray[Any], NDArray[np.float64], NDArray[Any]]) -> None:
    truth, probabilities, labels = made
    nats = log_loss(truth, in_order(probabilities, labels), labels=np.sort(labels))
    assert log2_likelihood(truth, probabilities, labels) == pytest.approx(-nats / math.log(2))


@given(predictions())
def test_brier_is_that_of_scikit_learn(made: tuple[NDArray[Any], NDArray[np.float64], NDArray[Any]]) -> None:
    truth, probabilities, labels = made
    expected = brier_score_loss(truth, in_order(probabilities, labels), labels=np.sort(labels), scale_by_half=False)
    assert brier(truth, probabilities, labels) == pytest.approx(expected)


@given(predictions())
def test_accuracy_is_that_of_the_most_probable_class(
    made: tuple[NDArray[Any], NDArray[np.float64], NDArray[Any]],
) -> None:
    truth, probabilities, labels = made
    assert accuracy(truth, probabilities, labels) == accuracy_score(truth, labels[probabilities.argmax(axis=1)])


@pytest.mark.parametrize("measure", MEASURES)
def test_lists_and_the_order_of_classes_do_not_matter(measure: Callable[..., float]) -> None:
    probabilities = np.array([[0.7, 0.2, 0.1], [0.3, 0.3, 0.4], [0.2, 0.5, 0.3]])
    truth, labels, turn = ["u", "w", "u"], ["u", "v", "w"], [2, 0, 1]
    turned = measure(np.array(truth, object), probabilities[:, turn], np.array(labels)[turn])
    assert measure(truth, probabilities.tolist(), labels) == pytest.approx(turned)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    ("truth", "probabilities", "labels", "sentence"),
    [
        (["a", "c"], PROBABILITIES[:2], LABELS, "true class c of row 1 must stand once among the labels a, b"),
        ([1, 2], PROBABILITIES[:2], LABELS, "true class 1 of row 0"),
        (["b", "a"], PROBABILITIES[:2], ["a", "a"], "true class b of row 0 must stand once"),
        (["a", "a"], PROBABILITIES[:2], ["a", "a"], "true class a of row 0 must stand once among the labels a, a"),
        (TRUTH[:3], PROBABILITIES, LABELS, r"each of 3 true classes .* their shape is \(4, 2\)"),
        (TRUTH, PROBABILITIES, ["a", "b", "c"], r"each of 3 labels, but their shape is \(4, 2\)"),
        (TRUTH, PROBABILITIES[:, 0], LABELS, r"their shape is \(4,\)"),
        ([], np.empty((0, 2)), LABELS, "at least one row"),
    ],
)
def test_what_does_not_fit_together_is_refused(
    measure: Callable[..., float], truth: Any, probabilities: Any, labels: Any, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        measure(truth, probabilities, labels)
