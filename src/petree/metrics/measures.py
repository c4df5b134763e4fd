"""Measures of predicted probabilities beside the classes that came true.

Each takes the true classes, the probabilities, the classes in the order of the columns, and row weights, in the forms
in which scikit-learn's metrics take them.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from petree.metrics.predictions import (
    Predictions,
    check_probabilities,
    read_matrix,
    read_probabilities,
    read_weights,
    weighted_mean,
)
from petree.metrics.roc import auc, auc_from_leaves, hand_till_auc, hand_till_from_counts, weighted_auc

__all__ = [
    "accuracy",
    "auc",
    "auc_from_leaves",
    "brier",
    "calibration_error",
    "expected_accuracy",
    "hand_till_auc",
    "hand_till_from_counts",
    "log2_likelihood",
    "weighted_auc",
]


def accuracy(
    y_true: ArrayLike,
    probabilities: ArrayLike,
    labels: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Share of rows whose most probable class is the true one; of equally probable classes the first counts.

    Parameters
    ----------
    y_true : array (rows,)
        The true class of each row.
    probabilities : array (rows, classes), or (rows,) for the second of two classes alone
        Predicted probability of each class.
    labels : array (classes,), optional
        The classes in the order of the columns of `probabilities`, such as `classes_` of an estimator; by default
        those of `y_true`, sorted.
    sample_weight : array (rows,), optional
        Weight of each row.

    Returns
    -------
    float

    Examples
    --------
    >>> from petree.metrics import accuracy
    >>> accuracy(["no", "yes", "yes"], [[0.75, 0.25], [0.5, 0.5], [0.0, 1.0]], ["no", "yes"])
    0.6666666666666666
    """
    predictions = read_probabilities(y_true, probabilities, labels, sample_weight)
    _, is_right = _most_probable(predictions)
    return predictions.mean(is_right)


def expected_accuracy(probabilities: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """The accuracy that the probabilities promise: the mean over the rows of the largest one.

    Parameters
    ----------
    probabilities : array (rows, classes), or (rows,) for the second of two classes alone
        Predicted probability of each class.
    sample_weight : array (rows,), optional
        Weight of each row.

    Returns
    -------
    float

    Examples
    --------
    >>> from petree.metrics import expected_accuracy
    >>> expected_accuracy([[0.75, 0.25], [0.5, 0.5], [0.0, 1.0]])
    0.75
    """
    values = read_matrix(probabilities)
    check_probabilities(values)
    return weighted_mean(values.max(axis=1), read_weights(sample_weight, len(values)))


def log2_likelihood(
    y_true: ArrayLike,
    probabilities: ArrayLike,
    labels: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    clip: float | None = None,
) -> float:
    """Mean over the rows of log2 of the probability of the true class, in bits; -inf where one of them is 0.

    Parameters
    ----------
    y_true : array (rows,)
        The true class of each row.
    probabilities : array (rows, classes), or (rows,) for the second of two classes alone
        Predicted probability of each class.
    labels : array (classes,), optional
        The classes in the order of the columns of `probabilities`, such as `classes_` of an estimator; by default
        those of `y_true`, sorted.
    sample_weight : array (rows,), optional
        Weight of each row.
    clip : float, optional
        Count a probability below this one as this one. Nothing is clipped by default.

    Returns
    -------
    float

    Examples
    --------
    >>> from petree.metrics import log2_likelihood
    >>> log2_likelihood(["no", "yes"], [[0.5, 0.5], [0.75, 0.25]], ["no", "yes"])
    -1.5
    """
    if clip is not None and not 0 < clip < 1:
        raise ValueError(f"The 'clip' parameter of log2_likelihood must be between 0 and 1. Got {clip!r} instead.")
    predictions = read_probabilities(y_true, probabilities, labels, sample_weight)
    of_true = predictions.values[predictions.is_true]
    with np.errstate(divide="ignore"):
        return predictions.mean(np.log2(of_true if clip is None else np.maximum(of_true, clip)))


def brier(
    y_true: ArrayLike,
    probabilities: ArrayLike,
    labels: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    half: bool = False,
) -> float:
    """Mean over the rows of the squared differences between probabilities and truth, summed over all classes.

    It lies between 0 and 2. With two classes it is twice the score that looks at one of them only.

    Parameters
    ----------
    y_true : array (rows,)
        The true class of each row.
    probabilities : array (rows, classes), or (rows,) for the second of two classes alone
        Predicted probability of each class.
    labels : array (classes,), optional
        The classes in the order of the columns of `probabilities`, such as `classes_` of an estimator; by default
        those of `y_true`, sorted.
    sample_weight : array (rows,), optional
        Weight of each row.
    half : bool, default False
        Give half of it, which lies between 0 and 1.

    Returns
    -------
    float

    Examples
    --------
    >>> from petree.metrics import brier
    >>> brier(["no", "yes"], [[0.75, 0.25], [0.5, 0.5]], ["no", "yes"])
    0.3125
    """
    predictions = read_probabilities(y_true, probabilities, labels, sample_weight)
    full = predictions.mean(((predictions.values - predictions.is_true) ** 2).sum(axis=1))
    return full / 2 if half else full


def calibration_error(
    y_true: ArrayLike,
    probabilities: ArrayLike,
    labels: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    of_class: Hashable = None,
    n_bins: int = 10,
) -> float:
    """Mean distance between what is predicted and what happens, over bins of equally wide ranges of probability.

    ``sum over bins of share of rows in the bin * |mean probability - frequency|``. A probability on the border of two
    bins belongs to the upper one, 1 to the last.

    Parameters
    ----------
    y_true : array (rows,)
        The true class of each row.
    probabilities : array (rows, classes), or (rows,) for the second of two classes alone
        Predicted probability of each class.
    labels : array (classes,), optional
        The classes in the order of the columns of `probabilities`, such as `classes_` of an estimator; by default
        those of `y_true`, sorted.
    sample_weight : array (rows,), optional
        Weight of each row.
    of_class : label, optional
        Look at the probability of this class and how often it is the true one; by default at the probability of the
        most probable class of each row and how often that is right.
    n_bins : int, default 10
        Number of bins.

    Returns
    -------
    float

    Examples
    --------
    >>> from petree.metrics import calibration_error
    >>> calibration_error(["no", "no", "yes", "yes"], [[0.75, 0.25]] * 4)
    0.25
    """
    if n_bins < 1:
        raise ValueError(f"The 'n_bins' parameter of calibration_error must be at least 1. Got {n_bins!r} instead.")
    predictions = read_probabilities(y_true, probabilities, labels, sample_weight)
    predicted, observed = _most_probable(predictions) if of_class is None else _one_class(predictions, of_class)
    surplus = np.bincount(bins_of(predicted, n_bins), predictions.weights * (predicted - observed))
    return float(np.abs(surplus).sum() / predictions.weights.sum())


def bins_of(probability: NDArray[np.float64], n_bins: int) -> NDArray[np.intp]:
    """The bin of each probability, among equally wide ones; one on a border belongs to the upper bin, 1 to the last."""
    return np.searchsorted(np.arange(1, n_bins) / n_bins, probability, side="right")


def _most_probable(predictions: Predictions) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Probability of the most probable class of each row, the first of equals, and whether it is the true one."""
    place = predictions.values.argmax(axis=1)[:, None]
    probability = np.take_along_axis(predictions.values, place, axis=1)
    return probability[:, 0], np.take_along_axis(predictions.is_true, place, axis=1)[:, 0]


def _one_class(predictions: Predictions, label: Hashable) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Probability of a class in each row, and whether it is the true one."""
    places = np.flatnonzero(predictions.labels == label)
    if len(places) != 1:
        names = ", ".join(map(str, predictions.labels))
        raise ValueError(f"The 'of_class' parameter must be one of the labels {names}. Got {label!r} instead.")
    return predictions.values[:, places[0]], predictions.is_true[:, places[0]]
