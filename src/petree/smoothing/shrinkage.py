"""Shrinkage along the path."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.parts import check_integer
from petree.smoothing.base import Smoothing
from petree.smoothing.frequency import Frequency
from petree.tree import Tree, wiring_of


class Shrinkage(Smoothing):
    """A mixture ``sum_j w_j p_j`` of the uniform distribution and the frequencies from the root to the node.

    The idea is Wang & Zhang's (2006). The weights of a node are those under which its own cases are likeliest, each
    case judged by estimates that leave it out: ``(n_c - 1) / (N - 1)`` at every node of the path. They are found by EM
    from equal weights; in the limit it often leaves the node itself without weight, so it stops early. A node of fewer
    than 2 cases keeps equal weights. On a path of more than 63 nodes the root and the nearest 62 are mixed.

    Counts need not be whole: a case is a weight of 1, and a class has as many cases as it has weight. Where a class
    weighs less than 1, nothing of it is left without the case, so that its estimate is 0.

    The strength of the estimate is ``sum_j w_j N_j``, where the uniform distribution is worth one case a class, but
    at most ``N / w`` of the node itself.

    Parameters
    ----------
    iterations : int, default=20
        Number of EM steps.
    """

    def __init__(self, iterations: int = 20) -> None:
        self.iterations = iterations

    def estimate(self, tree: Tree) -> NDArray[np.float64]:
        return np.minimum(self._mix(tree)[0], 1)

    def strength(self, tree: Tree) -> NDArray[np.float64]:
        _, mean_cases, own = self._mix(tree)
        cases = Frequency().strength(tree)
        return np.divide(cases, own, out=mean_cases.copy(), where=own * mean_cases > cases)

    def _mix(self, tree: Tree) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """The mixed frequencies, the mean number of cases behind them, and the weight of the node itself."""
        check_integer(self, "iterations", 1)
        _ = tree.parents  # an option tree has none, and says so
        mixed = np.empty((tree.n_nodes, tree.n_classes + 1))
        own = np.empty(tree.n_nodes)
        counts = np.ascontiguousarray(tree.counts, np.float64)
        core.trees.mix_along_paths(wiring_of(tree), counts, int(self.iterations), mixed, own, core.NO_STOP)
        return mixed[:, :-1], mixed[:, -1], own
