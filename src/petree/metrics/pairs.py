"""How well predictions tell the classes of each pair apart, whatever they say of the others."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from petree.metrics.predictions import read_probabilities
from petree.metrics.roc import auc_from_leaves

# Shares of two classes that agree in so many decimals are equal: quotients of equal counts differ in their last bits.
DECIMALS = 12


def pairwise_auc(
    y_true: ArrayLike,
    probabilities: ArrayLike,
    labels: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The mean over all pairs of classes of their AUC, where a pair is ranked by its share ``p_i / (p_i + p_j)``.

    What an answer says of other classes does not count: within a pair (i, j), of which only the cases of these two
    matter, each case is ranked by how probable i is if it must be one of the two, a half where it can be neither. It is
    the measure that the tables of Ferri, Flach and Hernandez-Orallo (2003) agree with; `hand_till_auc` ranks by p_i
    itself. Shares that agree in 12 decimals are equal. Pairs of which one class does not occur are left out.

    Parameters
    ----------
    y_true : array (rows,)
        The true class of each row.
    probabilities : array (rows, classes), or (rows,) for the second of two classes alone
        Predicted probability of each class.
    labels : array (classes,), optional
        The classes in the order of the columns of `probabilities`; those of `y_true`, sorted, by default.
    sample_weight : array (rows,), optional
        Weight of each row.

    Returns
    -------
    float
        nan where fewer than two classes occur.

    Examples
    --------
    >>> from petree.metrics import pairwise_auc
    >>> probabilities = [[0.5, 0.3, 0.2], [0.2, 0.4, 0.4], [0.5, 0.1, 0.4], [0.1, 0.3, 0.6]]
    >>> round(pairwise_auc(["a", "b", "c", "c"], probabilities), 6)
    1.0
    """
    predictions = read_probabilities(y_true, probabilities, labels, sample_weight)
    areas = [
        _area_of_pair(predictions.counts[:, pair], predictions.values[:, pair])
        for pair in map(list, combinations(range(len(predictions.labels)), 2))
    ]
    defined = [area for area in areas if not np.isnan(area)]
    return float(np.mean(defined)) if defined else np.nan


def _area_of_pair(counts: NDArray[np.float64], probabilities: NDArray[np.float64]) -> float:
    """AUC of the first of two classes against the second, from their columns."""
    is_either = counts.any(axis=1)
    if not is_either.any():
        return np.nan
    of_two = probabilities[is_either]
    total = of_two.sum(axis=1)
    shares = np.divide(of_two[:, 0], total, out=np.full(len(total), 0.5), where=total > 0)
    first, second = counts[is_either].T
    return auc_from_leaves(first, second, np.round(shares, DECIMALS))
