"""The m-branch estimate."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from petree.parts import check_number
from petree.smoothing.base import Smoothing
from petree.tree import Tree


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
        least_m = check_number(self, "m", 0, above=True)
        counts, parents = tree.counts, tree.parents
        totals = counts.sum(axis=1)
        # Each node is taken as a leaf. What a node above says depends on its height over that leaf alone, so it is
        # computed once a height, from the highest down; the last row is the root's prior, its parent -1.
        estimates = np.full((tree.n_nodes + 1, tree.n_classes), 1 / tree.n_classes)
        for height, nodes in reversed(list(enumerate(_nodes_above(tree), 1))):
            m = least_m * (1 + (1 - 1 / height) * np.sqrt(totals[0]))
            estimates[nodes] = (counts[nodes] + m * estimates[parents[nodes]]) / (totals[nodes, None] + m)
        return estimates[:-1]

    def strength(self, tree: Tree) -> NDArray[np.float64]:
        return tree.counts.sum(axis=1) + check_number(self, "m", 0, above=True)


def _nodes_above(tree: Tree) -> list[NDArray[np.intp]]:
    """All nodes, those that have a child, those that have a grandchild, and so on."""
    found = [np.arange(tree.n_nodes)]
    while len(found[-1]):
        is_parent = np.zeros(tree.n_nodes + 1, bool)
        is_parent[tree.parents[found[-1]]] = True
        found.append(np.flatnonzero(is_parent[:-1]))
    return found[:-1]
