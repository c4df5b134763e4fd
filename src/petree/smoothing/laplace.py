"""Laplace's estimate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from petree.tree import Tree


class Laplace(BaseEstimator):
    """``(n_i + 1) / (N + C)``: one case of every class is added (CW488 section 2.1; Ferri et al. 2003)."""

    def estimate(self, tree: Tree) -> NDArray[np.float64]:
        return (tree.counts + 1) / (tree.counts.sum(axis=1, keepdims=True) + tree.n_classes)
