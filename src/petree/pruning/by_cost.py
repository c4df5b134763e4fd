"""Criteria that compare what a subtree costs with what its root would as a leaf."""

from __future__ import annotations

from abc import abstractmethod
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
    """A leaf replaces every subtree that does not cost less, from the bottom up (Fierens et al. 2007, section 2.3).

    A subtree costs what its splits and its leaves do, pruned so far. With `keep_equal` one that costs as much as the
    leaf stays.
    """

    @abstractmethod
    def costs(self, tree: Tree) -> Costs:
        """What the nodes and splits of a tree cost."""

    def _prune(self, tree: Tree, context: Context) -> Tree:
        refuse_options(tree)
        costs = self.costs(tree)
        return prune_by_cost(self, tree, costs.leaf, costs.split, self.names, self.keep_equal).pruned()


class CountCostCriterion(CostCriterion):
    """A `CostCriterion` whose leaves cost what their own class counts say, so that other cases may decide, too.

    Those may be a part of the training cases (`Sampled`).

    Attributes
    ----------
    compares_subtrees : bool
        Whether it compares costs, with the parameters that it has; then `Sampled` can use it.
    """

    @property
    def compares_subtrees(self) -> bool:
        return True

    @abstractmethod
    def leaf_costs(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Cost of leaves that have these class counts, one row per leaf."""

    def split_costs(self, tree: Tree, n_cases: float) -> NDArray[np.float64]:
        """Cost of the split of each node, without what lies below it; none, unless a member says otherwise.

        `n_cases` is the weight of all cases that decide.
        """
        return np.zeros(tree.n_nodes)

    def costs(self, tree: Tree) -> Costs:
        counts = tree.weighted_counts
        return Costs(self.leaf_costs(counts), self.split_costs(tree, float(counts[0].sum())))
