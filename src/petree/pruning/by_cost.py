"""Criteria that compare what a subtree costs with what its root would as a leaf."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree.pruning.criterion import Criterion
from petree.pruning.engine.bottom_up import prune_by_cost
from petree.pruning.engine.context import Context
from petree.pruning.engine.stumps import refuse_options
from petree.tree import Tree


class Costs(NamedTuple):
    """What each node of a tree costs as a leaf, and its split without what lies below it; arrays (nodes,)."""

    leaf: NDArray[np.float64]
    split: NDArray[np.float64]


class CostCriterion(Criterion):
    """A leaf replaces every subtree that does not cost less, from the bottom up (Fierens et al. 2007, section 2.2).

    A subtree costs what its splits and its leaves do, pruned so far. A member has ``costs(tree)``; or where it
    `compares_subtrees`, ``leaf_costs(counts)`` and ``split_costs(tree, n_cases)``. With `keep_equal` a subtree that
    costs as much as the leaf stays.
    """

    def costs(self, tree: Tree) -> Costs:
        """What the nodes and splits of a tree cost."""
        counts = tree.weighted_counts
        return Costs(self.leaf_costs(counts), self.split_costs(tree, float(counts[0].sum())))

    def _prune(self, tree: Tree, context: Context) -> Tree:
        refuse_options(tree)
        costs = self.costs(tree)
        return prune_by_cost(self, tree, costs.leaf, costs.split, self.names, self.keep_equal).pruned()
