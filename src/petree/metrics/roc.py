"""Areas under the ROC curve: how well predictions rank the cases of a class above the others.

All of them count pairs of cases: a pair is won where the case of the class has the higher score for it, and half won
where the two are equal. Cases of equal scores form a leaf, so that cases and leaves of a tree are one computation.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from petree.metrics.predictions import find_classes, read_scores

# The name of `weighted_auc` on users' pages: it is the mean of the areas of the classes, which reports draw.
WEIGHTED_AUC_TITLE = "AUC (one-vs-rest)"


def auc(
    y_true: ArrayLike,
    probabilities: ArrayLike,
    labels: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Probability that a case of the second class has a higher score than one of the first; equal scores count half.

    Parameters
    ----------
    y_true : array (rows,)
        The true class of each row, one of two.
    probabilities : array (rows, 2), or (rows,) for the second class alone
        Predicted probability of each class, or any scores.
    labels : array (2,), optional
        The classes in the order of the columns of `probabilities`; those of `y_true`, sorted, by default.
    sample_weight : array (rows,), optional
        Weight of each row.

    Returns
    -------
    float
        nan where one of the classes does not occur.

    Examples
    --------
    >>> from petree.metrics import auc
    >>> auc([1, 1, 0, 1, 0, 1, 0, 0], [0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.5, 0.1])
    0.75
    """
    if labels is None and len(find_classes(np.ravel(y_true))) == 1:
        return np.nan
    predictions = read_scores(y_true, probabilities, labels, sample_weight)
    if len(predictions.labels) != 2:
        raise ValueError(
            f"auc is for two classes, but there are {len(predictions.labels)}; take weighted_auc or hand_till_auc."
        )
    negatives, positives = predictions.counts.T
    return auc_from_leaves(positives, negatives, predictions.values[:, 1])


def weighted_auc(
    y_true: ArrayLike,
    probabilities: ArrayLike,
    labels: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
) -> float:
    """AUC of each class against the rest, averaged by the shares of the classes in `y_true`.

    The "expected AUC" of Provost and Domingos, the measure of CW488. A class that does not occur has no share.

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
    >>> from petree.metrics import weighted_auc
    >>> probabilities = [[0.5, 0.3, 0.2], [0.2, 0.4, 0.4], [0.5, 0.1, 0.4], [0.1, 0.3, 0.6]]
    >>> round(weighted_auc(["a", "b", "c", "c"], probabilities), 6)
    0.895833
    """
    predictions = read_scores(y_true, probabilities, labels, sample_weight)
    counts = predictions.counts
    of_class = counts.sum(axis=0)
    of_rest = of_class.sum() - of_class
    is_defined = (of_class > 0) & (of_rest > 0)
    if not is_defined.any():
        return np.nan
    wins = _wins(counts, predictions.values)
    areas = (wins.sum(axis=1) - wins.diagonal())[is_defined] / of_class[is_defined] / of_rest[is_defined]
    return float(np.average(areas, weights=of_class[is_defined]))


def hand_till_auc(
    y_true: ArrayLike,
    probabilities: ArrayLike,
    labels: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Hand and Till's M: the mean over all pairs of classes of their AUC, which does not depend on their shares.

    Within a pair (i, j) only the cases of these two count, once ranked by the probability of i and once by that of j.
    Pairs of which one class does not occur are left out.

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

    References
    ----------
    Hand and Till, "A simple generalisation of the area under the ROC curve for multiple class classification problems",
    Machine Learning 45, 2001.

    Examples
    --------
    >>> from petree.metrics import hand_till_auc
    >>> probabilities = [[0.5, 0.3, 0.2], [0.2, 0.4, 0.4], [0.5, 0.1, 0.4], [0.1, 0.3, 0.6]]
    >>> round(hand_till_auc(["a", "b", "c", "c"], probabilities), 6)
    0.916667
    """
    predictions = read_scores(y_true, probabilities, labels, sample_weight)
    return float(hand_till_from_counts(predictions.counts, predictions.values))


def auc_from_leaves(positives: ArrayLike, negatives: ArrayLike, scores: ArrayLike | None = None) -> float:
    """AUC of a tree from the cases in its leaves.

    Parameters
    ----------
    positives, negatives : array (leaves,)
        Cases of each leaf that are of the class, and that are not.
    scores : array (leaves,), optional
        What the leaves are ranked by: the share of positives by default.

    Returns
    -------
    float
        nan where there are no positives or no negatives.

    Examples
    --------
    >>> from petree.metrics import auc_from_leaves
    >>> round(auc_from_leaves([20, 8, 2], [1, 4, 25]), 6)
    0.923333
    """
    counts = _read_counts(np.column_stack([positives, negatives]))
    ranks = _shares(counts)[:, 0] if scores is None else _read_scores(scores, counts[:, 0])
    n_positives, n_negatives = counts.sum(axis=0)
    if not (n_positives and n_negatives):
        return np.nan
    return float(_weight_above(ranks, counts[:, 0]) @ counts[:, 1] / n_positives / n_negatives)


def hand_till_from_counts(counts: ArrayLike, scores: ArrayLike | None = None) -> Any:
    """Hand and Till's M of leaves, or of the children of a split, from their class counts.

    Parameters
    ----------
    counts : array (..., leaves, classes)
        Blocks of class counts, one row per leaf.
    scores : array (..., leaves, classes), optional
        Class probabilities that the leaves are ranked by: the shares of the classes by default.

    Returns
    -------
    array (...), or a number for a single block
        nan where fewer than two classes occur.

    Examples
    --------
    >>> from petree.metrics import hand_till_from_counts
    >>> print(hand_till_from_counts([[[8, 2], [2, 8]], [[10, 0], [0, 10]]]))
    [0.8 1. ]
    """
    counts = _read_counts(counts)
    of_class = counts.sum(axis=-2)
    n_pairs = of_class[..., :, None] * of_class[..., None, :] * (1 - np.eye(counts.shape[-1]))
    areas = _wins(counts, _shares(counts) if scores is None else _read_scores(scores, counts))
    areas = np.divide(areas, n_pairs, out=np.zeros_like(areas), where=n_pairs > 0)
    n_defined = (n_pairs > 0).sum(axis=(-2, -1))
    return np.where(n_defined > 0, areas.sum(axis=(-2, -1)) / np.maximum(n_defined, 1), np.nan)[()]


def _read_counts(counts: ArrayLike) -> NDArray[np.float64]:
    """Blocks of counts, checked."""
    blocks = np.asarray(counts, np.float64)
    if blocks.ndim < 2 or not blocks.size:
        raise ValueError(f"Counts of leaves must have one row a leaf and one column a class, got shape {blocks.shape}.")
    for count in blocks[~(np.isfinite(blocks) & (blocks >= 0))][:1]:
        raise ValueError(f"Counts of leaves must be finite and not negative, got {count}.")
    return blocks


def _read_scores(scores: ArrayLike, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores of leaves, checked."""
    values = np.asarray(scores, np.float64)
    if values.shape != counts.shape or not np.isfinite(values).all():
        raise ValueError(
            f"Scores must be finite numbers, one for each count: shape {counts.shape}, got {values.shape}."
        )
    return values


def _shares(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Class frequencies of each leaf; 0 where it is empty."""
    total = counts.sum(axis=-1, keepdims=True)
    return counts / np.where(total > 0, total, 1.0)


def _wins(counts: NDArray[np.float64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pairs that class i wins against class j, at [..., i, j]."""
    return _weight_above(np.swapaxes(scores, -1, -2), np.swapaxes(counts, -1, -2)) @ counts


def _weight_above(scores: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each place of the last axis, the weight of those of higher scores and half of those of equal ones."""
    order = np.argsort(-scores, axis=-1, kind="stable")
    ranked = np.take_along_axis(scores, order, axis=-1)
    passed = np.cumsum(np.take_along_axis(weights, order, axis=-1), axis=-1)
    passed = np.concatenate([np.zeros_like(passed[..., :1]), passed], axis=-1)
    first, last = _ends_of_ties(ranked)
    above = np.take_along_axis(passed, first, axis=-1) + np.take_along_axis(passed, last + 1, axis=-1)
    result = np.empty_like(passed[..., 1:])
    np.put_along_axis(result, order, above / 2, axis=-1)
    return result


def _ends_of_ties(ranked: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For each place of the last axis, the first and the last place of the same value; equal values stand together."""
    places = np.arange(ranked.shape[-1])
    differs = ranked[..., 1:] != ranked[..., :-1]
    edge = np.ones_like(ranked[..., :1], dtype=bool)
    starts = np.where(np.concatenate([edge, differs], axis=-1), places, 0)
    ends = np.where(np.concatenate([differs, edge], axis=-1), places, places[-1])
    first = np.maximum.accumulate(starts, axis=-1)
    last = np.flip(np.minimum.accumulate(np.flip(ends, axis=-1), axis=-1), axis=-1)
    return first, last
