"""Measures of predicted probabilities beside the classes that came true."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def accuracy(y_true: ArrayLike, probabilities: ArrayLike, labels: ArrayLike) -> float:
    """Share of rows whose most probable class is the true one; of equally probable classes the first counts.

    Parameters
    ----------
    y_true : array (rows,)
        The true class of each row.
    probabilities : array (rows, classes)
        Predicted probability of each class.
    labels : array (classes,)
        The classes in the order of the columns of `probabilities`, such as `classes_` of an estimator.

    Returns
    -------
    float

    Examples
    --------
    >>> from petree.evaluation import accuracy
    >>> accuracy(["no", "yes", "yes"], [[0.75, 0.25], [0.5, 0.5], [0.0, 1.0]], ["no", "yes"])
    0.6666666666666666
    """
    values, is_true = _read(y_true, probabilities, labels)
    return float(is_true[np.arange(len(values)), values.argmax(axis=1)].mean())


def log2_likelihood(y_true: ArrayLike, probabilities: ArrayLike, labels: ArrayLike) -> float:
    """Mean over the rows of log2 of the probability of the true class, in bits; -inf where one of them is 0.

    Parameters
    ----------
    y_true : array (rows,)
        The true class of each row.
    probabilities : array (rows, classes)
        Predicted probability of each class.
    labels : array (classes,)
        The classes in the order of the columns of `probabilities`, such as `classes_` of an estimator.

    Returns
    -------
    float

    Examples
    --------
    >>> from petree.evaluation import log2_likelihood
    >>> log2_likelihood(["no", "yes"], [[0.5, 0.5], [0.75, 0.25]], ["no", "yes"])
    -1.5
    """
    values, is_true = _read(y_true, probabilities, labels)
    with np.errstate(divide="ignore"):
        return float(np.log2(values[is_true]).mean())


def brier(y_true: ArrayLike, probabilities: ArrayLike, labels: ArrayLike) -> float:
    """Mean over the rows of the squared differences between probabilities and truth, summed over all classes.

    It lies between 0 and 2. With two classes it is twice the score that looks at one of them only.

    Parameters
    ----------
    y_true : array (rows,)
        The true class of each row.
    probabilities : array (rows, classes)
        Predicted probability of each class.
    labels : array (classes,)
        The classes in the order of the columns of `probabilities`, such as `classes_` of an estimator.

    Returns
    -------
    float

    Examples
    --------
    >>> from petree.evaluation import brier
    >>> brier(["no", "yes"], [[0.75, 0.25], [0.5, 0.5]], ["no", "yes"])
    0.3125
    """
    values, is_true = _read(y_true, probabilities, labels)
    return float(((values - is_true) ** 2).sum(axis=1).mean())


def _read(
    y_true: ArrayLike, probabilities: ArrayLike, labels: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The probabilities, and whether each class of each row is the true one."""
    truth, values, classes = np.ravel(y_true), np.asarray(probabilities, np.float64), np.ravel(labels)
    if not len(truth):
        raise ValueError("y_true is empty; a measure needs at least one row.")
    if values.shape != (len(truth), len(classes)):
        raise ValueError(
            f"The probabilities must have one row for each of {len(truth)} true classes and one column for each of "
            f"{len(classes)} labels, but their shape is {values.shape}."
        )
    is_true: NDArray[np.bool_] = truth[:, None] == classes
    for row in np.flatnonzero(is_true.sum(axis=1) != 1)[:1]:
        names = ", ".join(map(str, classes))
        raise ValueError(f"The true class {truth[row]} of row {row} must stand once among the labels {names}.")
    return values, is_true
