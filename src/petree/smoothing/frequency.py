"""No smoothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.smoothing.base import Smoothing, deepest_nodes
from petree.tree import Tree


class Frequency(Smoothing):
    """Class frequencies ``n_i / N``; an empty node answers as its parent does.

    An empty root answers evenly, as strongly as one case a class.
    """

    def estimate(self, tree: Tree) -> NDArray[np.float64]:
        totals = tree.counts.sum(axis=1)
        shares = tree.counts / np.where(totals > 0, totals, 1.0)[:, None]
        if totals[0] == 0:
            shares[0] = 1 / tree.n_classes
        return shares[deepest_nodes(tree, totals > 0)] if (totals == 0).any() else shares

    def strength(self, tree: Tree) -> NDArray[np.float64]:
        totals = tree.counts.sum(axis=1)
        is_empty = totals == 0
        totals[0] = totals[0] or tree.n_classes
        return totals[deepest_nodes(tree, ~is_empty)] if is_empty.any() else totals
