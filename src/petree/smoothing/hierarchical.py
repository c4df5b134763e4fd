"""Hierarchical shrinkage."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from petree.parts import check_number
from petree.smoothing.frequency import Frequency
from petree.tree import Tree


class Hierarchical(BaseEstimator):
    """Each step from a node to its child is shortened, the more the fewer cases the node has (Agarwal et al. 2022).

    ``p = p_root + sum_j (p_j - p_(j-1)) / (1 + lambda / N_(j-1))`` along the path; lambda 0 gives frequencies.

    Parameters
    ----------
    shrinkage : float, default=25.0
        The lambda of the formula, in cases.
    """

    def __init__(self, shrinkage: float = 25.0) -> None:
        self.shrinkage = shrinkage

    def estimate(self, tree: Tree) -> NDArray[np.float64]:
        check_number(self, "shrinkage", 0)
        shares, totals = Frequency().estimate(tree), tree.counts.sum(axis=1)
        estimates = shares.copy()
        for level in tree.by_level()[1:]:
            parents = tree.parents[level]
            kept = totals[parents] / np.maximum(totals[parents] + self.shrinkage, np.finfo(float).tiny)
            estimates[level] = estimates[parents] + kept[:, None] * (shares[level] - shares[parents])
        return estimates
