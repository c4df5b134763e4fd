"""C4's pessimistic pruning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.pruning.criterion import Criterion
from petree.pruning.engine.bottom_up import is_cheaper
from petree.pruning.engine.context import Context
from petree.pruning.engine.counts import errors, over_leaves
from petree.pruning.engine.stumps import Verdicts
from petree.pruning.engine.top_down import prune_down
from petree.tree import Tree


class Pessimistic(Criterion):
    """A leaf replaces a subtree if ``E + 1/2 <= e' + sqrt(e' (N - e') / N)`` with ``e' = e + L/2`` (Quinlan 1987).

    E are the training errors of the N cases at the node as a leaf, e those of its subtree of L leaves. One pass from
    the root down; what lies below a replaced node is not looked at.
    """

    names = ("errors of the subtree at worst", "errors of one leaf")

    def _prune(self, tree: Tree, context: Context) -> Tree:
        counts = tree.weighted_counts
        n_leaves = over_leaves(tree, np.ones(tree.n_nodes))
        wrong = errors(counts)
        subtree = with_error(over_leaves(tree, wrong) + n_leaves / 2, counts.sum(axis=1))
        leaf = wrong + 0.5

        def judge(nodes: NDArray[np.intp]) -> Verdicts:
            return Verdicts(subtree[nodes], leaf[nodes], is_cheaper(subtree[nodes], leaf[nodes]))

        return prune_down(self, tree, judge, self.names).pruned()


def with_error(wrong: NDArray[np.float64], cases: NDArray[np.float64]) -> NDArray[np.float64]:
    """Errors and their standard error, which is 0 where half an error a leaf makes them more than the cases."""
    right = np.maximum(cases - wrong, 0.0)
    return wrong + np.sqrt(wrong * right / np.where(cases > 0, cases, 1.0))
