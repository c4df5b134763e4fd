"""The m-branch estimate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from petree.parts import check_number
from petree.tree import Tree


class MBranch(BaseEstimator):
    """m-estimates along the branch, each the prior of the next (Ferri et al. 2003, Definition 1).

    ``p^j = (n^j + m_j p^(j-1)) / (N_j + m_j)`` from the root (j = 1, prior uniform) to the leaf (j = d), with
    ``m_j = M (1 + (1 - 1/h_j) sqrt(N))`` and ``h_j = d + 1 - j``: the farther above the leaf, the heavier the prior.

    Parameters
    ----------
    m : float, default=4.0
        M of the definition, the weight of the prior at the leaf itself.
    """

    def __init__(self, m: float = 4.0) -> None:
        self.m = m

    def estimate(self, tree: Tree) -> NDArray[np.float64]:
        # m depends on the height above the leaf alone, so all nodes, each taken as a leaf, climb together.
        check_number(self, "m", 0, above=True)
        totals, parents = tree.counts.sum(axis=1), tree.parents.astype(np.intp)
        root_of_cases = np.sqrt(totals[0])
        estimates, weight = np.zeros_like(tree.counts), np.ones(tree.n_nodes)
        start, at, height = np.arange(tree.n_nodes), np.arange(tree.n_nodes), 1
        while len(at):
            m = self.m * (1 + (1 - 1 / height) * root_of_cases)
            estimates[start] += (weight[start] / (totals[at] + m))[:, None] * tree.counts[at]
            weight[start] *= m / (totals[at] + m)
            climbing = at > 0
            start, at, height = start[climbing], parents[at[climbing]], height + 1
        return estimates + weight[:, None] / tree.n_classes
