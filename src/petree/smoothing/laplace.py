"""Laplace's estimate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.smoothing.base import Smoothing
from petree.tree import Tree


class Laplace(Smoothing):
    """``(n_i + 1) / (N + C)``: one case of every class is added.

    Ferri et al. (2003); Fierens et al. (2007, section 3.1).
    """

    def estimate(self, tree: Tree) -> NDArray[np.float64]:
        return (tree.counts + 1) / self.strength(tree)[:, None]

    def strength(self, tree: Tree) -> NDArray[np.float64]:
        return tree.counts.sum(axis=1) + tree.n_classes
