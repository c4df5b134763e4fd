"""What the scores have in common: shares of counts, and how much a split lowers an impurity."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.float64]


def shares(counts: Counts) -> Counts:
    """Counts over their total along the last axis; zeros where that is 0."""
    total = counts.sum(axis=-1, keepdims=True)
    return counts / np.where(total > 0, total, 1.0)


def decrease(counts: Counts, impurity: Callable[[Counts], Counts]) -> Counts:
    """Impurity of the node less the mean impurity of its children, weighted by their cases; 0 for an empty node."""
    weights = shares(counts.sum(axis=-1))
    lower = impurity(counts.sum(axis=-2)) - (weights * impurity(counts)).sum(axis=-1)
    return np.where(weights.any(axis=-1), lower, 0.0)


def split_information(counts: Counts) -> Counts:
    """Entropy of the children's sizes, in bits: ``SI = -sum_k q_k log2 q_k``."""
    return entropy(counts.sum(axis=-1))


def entropy(counts: Counts) -> Counts:
    """Entropy in bits along the last axis, with 0 log 0 = 0; 0 where empty."""
    p = shares(counts)
    return -(p * np.log2(np.where(p > 0, p, 1.0))).sum(axis=-1)


def over_information(score: Counts, counts: Counts) -> Counts:
    """A score divided by the split information; 0 where the test does not divide."""
    information = split_information(counts)
    return np.where(information > 0, score / np.where(information > 0, information, 1.0), 0.0)
