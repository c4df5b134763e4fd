"""Hierarchical shrinkage."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.parts import check_number
from petree.smoothing.base import Smoothing, deepest_nodes
from petree.smoothing.frequency import Frequency
from petree.tree import Tree, wiring_of


class Hierarchical(Smoothing):
    """Each step from a node to its child is shortened, the more the fewer cases the node has (Agarwal et al. 2022).

    ``p = p_root + sum_j (p_j - p_(j-1)) / (1 + lambda / N_(j-1))`` along the path; lambda 0 gives frequencies.

    Parameters
    ----------
    shrinkage : float or "auto", default=25.0
        The lambda of the formula, in cases.
    """

    candidates: ClassVar = {"shrinkage": (1.0, 2.0, 4.0, 7.0, 13.0, 25.0, 45.0, 80.0, 130.0, 200.0)}

    def __init__(self, shrinkage: float | str = 25.0) -> None:
        self.shrinkage = shrinkage

    def estimate(self, tree: Tree) -> NDArray[np.float64]:
        # The same sum by node instead of by step, so that no term is negative.
        estimates = np.ascontiguousarray(Frequency().estimate(tree))
        core.trees.shorten_steps(wiring_of(tree), *self._steps(tree), estimates, core.NO_STOP)
        return estimates

    def strength(self, tree: Tree) -> NDArray[np.float64]:
        reach_probability, _ = self._steps(tree)
        return Frequency().strength(tree) / reach_probability[deepest_nodes(tree, tree.counts.sum(axis=1) > 0)]

    def _steps(self, tree: Tree) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """How much is kept of the step to each node, and of the steps from it to its children."""
        shrinkage = check_number(self, "shrinkage", 0)
        totals = tree.counts.sum(axis=1)
        leaving = totals / np.maximum(totals + shrinkage, np.finfo(float).tiny)
        reach_probability = leaving[tree.parents]
        reach_probability[0] = 1
        return reach_probability, leaving
