"""No smoothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from petree.tree import Tree


class Frequency(BaseEstimator):
    """Class frequencies ``n_i / N``; an empty node answers as its parent does, an empty root evenly."""

    def estimate(self, tree: Tree) -> NDArray[np.float64]:
        totals = tree.counts.sum(axis=1)
        shares = tree.counts / np.where(totals > 0, totals, 1.0)[:, None]
        if totals[0] == 0:
            shares[0] = 1 / tree.n_classes
        if (totals > 0).all():
            return shares
        for level in tree.by_level()[1:]:
            empty = level[totals[level] == 0]
            shares[empty] = shares[tree.parents[empty]]
        return shares
