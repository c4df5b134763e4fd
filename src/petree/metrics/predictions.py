"""Predictions beside the classes that came true: what every measure reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Probabilities in single precision sum to 1 only so nearly.
SUM_TOLERANCE = 1e-5


@dataclass(frozen=True)
class Predictions:
    """For each row: the prediction for each class, whether the class is the true one, and the weight of the row."""

    labels: NDArray[Any]
    values: NDArray[np.float64]
    is_true: NDArray[np.bool_]
    weights: NDArray[np.float64]

    @property
    def counts(self) -> NDArray[np.float64]:
        """Weight of each class in each row, as if a row were a leaf of its own."""
        return self.is_true * self.weights[:, None]

    def mean(self, of_rows: NDArray[Any]) -> float:
        """Mean over the rows, each by its weight."""
        return weighted_mean(of_rows, self.weights)


def weighted_mean(values: NDArray[Any], weights: NDArray[np.float64]) -> float:
    """Mean by weight; an infinite value of weight 0 does not spoil it."""
    is_kept = weights > 0
    return float(np.average(values[is_kept], weights=weights[is_kept]))


def read_scores(
    y_true: ArrayLike, scores: ArrayLike, labels: ArrayLike | None, sample_weight: ArrayLike | None
) -> Predictions:
    """Predictions of which only the order counts: any finite numbers."""
    truth = np.ravel(y_true)
    values = read_matrix(scores)
    classes = _classes_of_columns(truth, values) if labels is None else np.ravel(labels)
    if values.shape != (len(truth), len(classes)):
        raise ValueError(
            f"The probabilities must have one row for each of {len(truth)} true classes and one column for each of "
            f"{len(classes)} labels, but their shape is {np.shape(scores)}."
        )
    return Predictions(classes, values, _compare(truth, classes), read_weights(sample_weight, len(truth)))


def read_probabilities(
    y_true: ArrayLike, probabilities: ArrayLike, labels: ArrayLike | None, sample_weight: ArrayLike | None
) -> Predictions:
    """Predictions that are probabilities: none negative, rows that sum to 1."""
    predictions = read_scores(y_true, probabilities, labels, sample_weight)
    check_probabilities(predictions.values)
    return predictions


def check_probabilities(values: NDArray[np.float64]) -> None:
    """Raise unless every row holds numbers that are not negative and sum to 1."""
    is_bad = (values < 0).any(axis=1) | (np.abs(values.sum(axis=1) - 1) > SUM_TOLERANCE)
    for row in np.flatnonzero(is_bad)[:1]:
        raise ValueError(f"The probabilities of row {row} must not be negative and must sum to 1, got {values[row]}.")


def read_matrix(values: ArrayLike) -> NDArray[np.float64]:
    """Finite numbers, one column per class; one number per row is that of the second of two classes."""
    matrix = np.asarray(values, np.float64)
    if matrix.ndim == 1:
        matrix = np.column_stack([1 - matrix, matrix])
    if matrix.ndim != 2 or not matrix.size:
        raise ValueError(
            "The probabilities must have one column a class and at least one row, "
            f"but their shape is {np.shape(values)}."
        )
    for row in np.flatnonzero(~np.isfinite(matrix).all(axis=-1))[:1]:
        raise ValueError(f"The probabilities of row {row} must be finite numbers, got {matrix[row]}.")
    return matrix


def read_weights(sample_weight: ArrayLike | None, n_rows: int) -> NDArray[np.float64]:
    """One weight a row; 1 where none are given."""
    weights = np.ones(n_rows) if sample_weight is None else np.asarray(sample_weight, np.float64)
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight must be one number a row: shape ({n_rows},), got {weights.shape}.")
    for row in np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))[:1]:
        raise ValueError(f"sample_weight must be finite and not negative; row {row} has {weights[row]}.")
    if not weights.any():
        raise ValueError("sample_weight is zero for every row, so there is nothing to measure.")
    return weights


def find_classes(truth: NDArray[Any]) -> NDArray[Any]:
    """The distinct true classes, sorted."""
    try:
        return np.unique(truth)
    except TypeError:
        raise ValueError("The classes in y_true cannot be sorted; give labels in the order of the columns.") from None


def _classes_of_columns(truth: NDArray[Any], values: NDArray[np.float64]) -> NDArray[Any]:
    classes = find_classes(truth)
    if len(classes) != values.shape[1]:
        raise ValueError(
            f"y_true holds {len(classes)} classes, but there are probabilities of {values.shape[1]}; "
            "give the labels of all classes in the order of the columns."
        )
    return classes


def _compare(truth: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether each class of each row is the true one."""
    try:
        is_true: NDArray[np.bool_] = truth[:, None] == classes
    except TypeError:  # pandas.NA is neither equal to a label nor different
        raise ValueError("y_true has missing classes; leave those rows out.") from None
    for row in np.flatnonzero(is_true.sum(axis=1) != 1)[:1]:
        names = ", ".join(map(str, classes))
        raise ValueError(f"The true class {truth[row]} of row {row} must stand once among the labels {names}.")
    return is_true
