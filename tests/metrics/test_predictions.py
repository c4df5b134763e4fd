"""What measures take, as scikit-learn's metrics do, and what they refuse."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from tests.metrics.made import WHOLE, Made, predictions

from petree.metrics import (
    accuracy,
    auc,
    brier,
    calibration_error,
    expected_accuracy,
    hand_till_auc,
    log2_likelihood,
    pairwise_auc,
    weighted_auc,
)

LABELS = ["a", "b"]
TRUTH = ["a", "b", "b", "a"]
PROBABILITIES = np.array([[0.75, 0.25], [0.5, 0.5], [0.125, 0.875], [0.25, 0.75]])
WEIGHTS = [1.0, 0.5, 2.0, 3.0]

OF_PROBABILITIES = [accuracy, log2_likelihood, brier, calibration_error, pairwise_auc]
OF_MANY_CLASSES = [*OF_PROBABILITIES, weighted_auc, hand_till_auc]
MEASURES = [*OF_MANY_CLASSES, auc]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    "truth",
    [
        np.array(TRUTH),
        np.array(TRUTH, object),
        pd.Series(TRUTH, index=[7, 8, 9, 9]),
        pd.Series(TRUTH, dtype="category"),
        pd.Series(TRUTH, dtype="string"),
        pd.DataFrame({"class": TRUTH}),
        pl.Series(TRUTH),
        pl.Series(TRUTH, dtype=pl.Categorical),
        pa.chunked_array([TRUTH]),
    ],
    ids=lambda truth: f"{type(truth).__module__}.{type(truth).__name__}.{getattr(truth, 'dtype', '')}",
)
def test_true_classes_in_every_form(measure: Callable[..., float], truth: Any) -> None:
    expected = measure(TRUTH, PROBABILITIES, LABELS)
    assert measure(truth, PROBABILITIES, LABELS) == expected
    assert measure(truth, PROBABILITIES) == expected


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    "probabilities",
    [
        PROBABILITIES.tolist(),
        PROBABILITIES.astype(np.float32),
        PROBABILITIES[:, 1],
        PROBABILITIES[:, 1].tolist(),
        pd.DataFrame(PROBABILITIES, columns=LABELS),
        pd.Series(PROBABILITIES[:, 1]),
        pl.DataFrame(PROBABILITIES),
        pl.Series(PROBABILITIES[:, 1]),
        pa.table({"a": PROBABILITIES[:, 0], "b": PROBABILITIES[:, 1]}),
    ],
    ids=lambda values: f"{type(values).__module__}.{type(values).__name__}.{np.ndim(values)}",
)
def test_probabilities_in_every_form(measure: Callable[..., float], probabilities: Any) -> None:
    expected = measure(TRUTH, PROBABILITIES, LABELS)
    assert measure(TRUTH, probabilities, LABELS) == expected
    assert measure(TRUTH, probabilities) == expected


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("form", [list, np.array, pd.Series, pl.Series])
def test_weights_in_every_form(measure: Callable[..., float], form: Callable[[Any], Any]) -> None:
    expected = measure(TRUTH, PROBABILITIES, LABELS, sample_weight=np.array(WEIGHTS))
    assert measure(TRUTH, PROBABILITIES, LABELS, sample_weight=form(WEIGHTS)) == expected


@pytest.mark.parametrize("measure", MEASURES)
def test_numbers_and_truth_values_are_labels_too(measure: Callable[..., float]) -> None:
    expected = measure(TRUTH, PROBABILITIES)
    for low, high in ([0, 1], [-1.5, 2.0], [False, True]):
        truth = [high if label == "b" else low for label in TRUTH]
        assert measure(truth, PROBABILITIES) == measure(truth, PROBABILITIES, [low, high]) == expected


@pytest.mark.parametrize("measure", OF_MANY_CLASSES)
def test_the_order_of_classes_does_not_matter(measure: Callable[..., float]) -> None:
    probabilities = np.array([[0.7, 0.2, 0.1], [0.3, 0.3, 0.4], [0.2, 0.5, 0.3]])
    truth, labels, turn = ["u", "w", "u"], ["u", "v", "w"], [2, 0, 1]
    turned = measure(truth, probabilities[:, turn], np.array(labels)[turn])
    assert measure(truth, probabilities, labels) == pytest.approx(turned)


def test_one_number_a_row_is_of_the_second_label() -> None:
    second = PROBABILITIES[:, 0]
    for measure in MEASURES:
        assert measure(TRUTH, second, ["b", "a"]) == measure(TRUTH, PROBABILITIES[:, ::-1], ["b", "a"])
    assert expected_accuracy(second) == expected_accuracy(PROBABILITIES)


@pytest.mark.parametrize("measure", OF_MANY_CLASSES)
@given(made=predictions(weights=WHOLE))
def test_a_whole_weight_is_so_many_rows(measure: Callable[..., float], made: Made) -> None:
    expected = measure(*made.repeated())
    assert measure(*made.as_given, sample_weight=made.weights) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    ("truth", "probabilities", "labels", "sentence"),
    [
        (["a", "c"], PROBABILITIES[:2], LABELS, "true class c of row 1 must stand once among the labels a, b"),
        ([1, 2], PROBABILITIES[:2], LABELS, "true class 1 of row 0"),
        (["b", "a"], PROBABILITIES[:2], ["a", "a"], "true class b of row 0 must stand once"),
        (["a", "a"], PROBABILITIES[:2], ["a", "a"], "true class a of row 0 must stand once among the labels a, a"),
        (["a", None], PROBABILITIES[:2], LABELS, "true class None of row 1 must stand once"),
        (pd.Series(["a", None], dtype="string"), PROBABILITIES[:2], LABELS, "y_true has missing classes; leave"),
        (["a", None], PROBABILITIES[:2], None, "classes in y_true cannot be sorted; give labels"),
        ([1.0, math.nan, 0.0], np.eye(3), None, "true class nan of row 1"),
        (TRUTH[:3], PROBABILITIES, LABELS, r"each of 3 true classes .* their shape is \(4, 2\)"),
        (TRUTH, PROBABILITIES, ["a", "b", "c"], r"each of 3 labels, but their shape is \(4, 2\)"),
        (TRUTH, PROBABILITIES[:, 0], ["a", "b", "c"], r"each of 3 labels, but their shape is \(4,\)"),
        (["a", "b", "c"], PROBABILITIES[:3], None, "y_true holds 3 classes, but there are probabilities of 2; give"),
        (["a", "b", "a"], np.eye(3), None, "y_true holds 2 classes, but there are probabilities of 3; give the labels"),
        (TRUTH, PROBABILITIES[None], LABELS, r"one column a class .* their shape is \(1, 4, 2\)"),
        (["a", "b"], [[0.5, 0.5], [0.5, math.nan]], LABELS, r"row 1 must be finite numbers, got \[0.5 nan\]"),
        ([], np.empty((0, 2)), LABELS, "at least one row"),
    ],
)
def test_what_does_not_fit_together_is_refused(
    measure: Callable[..., float], truth: Any, probabilities: Any, labels: Any, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        measure(truth, probabilities, labels)


@pytest.mark.parametrize("measure", OF_PROBABILITIES)
@pytest.mark.parametrize("row", [[0.5, 0.6], [0.3, 0.3], [-0.25, 1.25]])
def test_what_is_no_probability_is_refused(measure: Callable[..., float], row: list[float]) -> None:
    with pytest.raises(ValueError, match=r"probabilities of row 1 must not be negative and must sum to 1, got \["):
        measure(["a", "b"], [[0.5, 0.5], row], LABELS)
    with pytest.raises(ValueError, match="probabilities of row 1 must not be negative and must sum to 1"):
        expected_accuracy([[0.5, 0.5], row])


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ([1, 1, 1], r"one number a row: shape \(4,\), got \(3,\)"),
        ([1, -1, 1, 1], "finite and not negative; row 1 has -1.0"),
        ([1, 1, 1, math.inf], "finite and not negative; row 3 has inf"),
        ([0, 0, 0, 0], "zero for every row, so there is nothing to measure"),
    ],
)
def test_weights_are_checked(measure: Callable[..., float], weights: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        measure(TRUTH, PROBABILITIES, LABELS, sample_weight=weights)
    with pytest.raises(ValueError, match=sentence):
        expected_accuracy(PROBABILITIES, sample_weight=weights)


def test_no_rows_promise_nothing() -> None:
    with pytest.raises(ValueError, match=r"at least one row, but their shape is \(0,\)"):
        expected_accuracy([])
