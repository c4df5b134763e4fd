"""Information gain."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from petree.splitting.codes import GAIN


def entropy_bits(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Total weight times entropy in bits, along the last axis; 0 where empty."""
    total = counts.sum(axis=-1)
    return _n_log_n(total) - _n_log_n(counts).sum(axis=-1)


def _n_log_n(n: NDArray[np.float64]) -> NDArray[np.float64]:
    return n * np.log2(np.where(n > 0, n, 1.0))


class Gain(BaseEstimator):
    """Information gain ``IG = H(n) - sum_k q_k H(n^k)``, entropy in base 2.

    The score of all trees of Fierens et al. (CW488 section 2.1).
    """

    code: ClassVar[int] = GAIN

    def score(self, counts: NDArray[np.float64]) -> Any:
        node = counts.sum(axis=-2)
        total = node.sum(axis=-1)
        return (entropy_bits(node) - entropy_bits(counts).sum(axis=-1)) / np.where(total > 0, total, 1.0)
