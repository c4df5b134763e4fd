"""The m-branch estimate."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.parts import check_number
from petree.smoothing.base import Smoothing
from petree.tree import Tree, wiring_of


class MBranch(Smoothing):
    """m-estimates along the branch, each the prior of the next (Ferri et al. 2003, Definition 1).

    ``p^j = (n^j + m_j p^(j-1)) / (N_j + m_j)`` from the root (j = 1, prior uniform) to the leaf (j = d), with
    ``m_j = M (1 + (1 - 1/h_j) sqrt(N))`` and ``h_j = d + 1 - j``: the farther above the leaf, the heavier the prior.

    Parameters
    ----------
    m : float or "auto", default=4.0
        M of the definition, the weight of the prior at the leaf itself.
    """

    candidates: ClassVar = {"m": (0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 16.0, 32.0, 64.0)}

    def __init__(self, m: float | str = 4.0) -> None:
        self.m = m

    def estimate(self, tree: Tree) -> NDArray[np.float64]:
        m = check_number(self, "m", 0, above=True)
        _ = tree.parents  # an option tree has none, and says so
        counts = np.ascontiguousarray(tree.counts, np.float64)
        estimates = np.empty_like(counts)
        core.trees.estimate_branches(wiring_of(tree), counts, counts.sum(axis=1), m, estimates, core.NO_STOP)
        return estimates

    def strength(self, tree: Tree) -> NDArray[np.float64]:
        return tree.counts.sum(axis=1) + check_number(self, "m", 0, above=True)
