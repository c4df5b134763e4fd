"""Error-based pruning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.parts import check_choice, check_number
from petree.pruning.by_cost import CountCostCriterion
from petree.pruning.criteria.errors.error_limits import LIMITS
from petree.pruning.engine.context import Context, require
from petree.pruning.engine.counts import errors, over_leaves
from petree.pruning.engine.subtree_raising import SubtreeRaising
from petree.tree import Tree

# C4.5 takes training errors that differ by less for the same.
EPSILON = 0.001


class ErrorBased(CountCostCriterion):
    """A leaf replaces a subtree if it is predicted to err less (Quinlan 1993; Fierens et al. 2007, section 4.5).

    Of N cases with E errors a leaf will get U wrong, the upper confidence limit of its error rate times N; a subtree
    the sum of its leaves. On equality the subtree stays.

    With `raising` or `collapsing` the rule is C4.5's own: children first, a node becomes a leaf if ``U(leaf)`` is at
    most 0.1 above ``U(subtree)`` and above ``U(largest branch)``; else its largest branch if
    ``U(largest branch) <= U(subtree) + 0.1``, with all cases of the node sent down that branch, which is then pruned
    anew.

    Parameters
    ----------
    confidence : float, default=0.25
        Level of the limit; the smaller, the more is pruned.
    limit : {"c4.5", "exact", "j48"}, default="c4.5"
        C4.5's approximation of the limit, which Tilde has too; the exact binomial limit; or the approximation of J48.
    raising : bool, default=False
        Whether a node may be replaced by its largest branch, too. This needs the rows of the nodes.
    collapsing : bool, default=False
        Whether subtrees that make no fewer training errors than a leaf go first.
    """

    names = ("errors to be expected of the subtree", "errors to be expected in its place")
    keep_equal = True

    def __init__(
        self, confidence: float = 0.25, limit: str = "c4.5", raising: bool = False, collapsing: bool = False
    ) -> None:
        self.confidence = confidence
        self.limit = limit
        self.raising = raising
        self.collapsing = collapsing

    @property
    def needs(self) -> tuple[str, ...]:
        return ("reroute",) if self.raising else ()

    @property
    def compares_subtrees(self) -> bool:
        return not (self.raising or self.collapsing)

    def check(self) -> None:
        check_choice(self, "limit", LIMITS)
        check_choice(self, "raising", (True, False))
        check_choice(self, "collapsing", (True, False))
        # Above one half the normal deviate is negative and the limit a lower one.
        check_number(self, "confidence", 0, above=True, most=0.5 if self.limit == "j48" else 1)

    def _prune(self, tree: Tree, context: Context) -> Tree:
        if self.compares_subtrees:
            return super()._prune(tree, context)
        reroute = require(self, "reroute", context.reroute) if self.raising else None
        collapsed = self._useless(tree) if self.collapsing else np.zeros(tree.n_nodes, bool)
        return SubtreeRaising(self, tree, reroute).prune(collapsed)

    def leaf_costs(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Errors that nodes as leaves will make on as many new cases."""
        return LIMITS[self.limit](counts.sum(axis=1), errors(counts), float(self.confidence))

    def _useless(self, tree: Tree) -> NDArray[np.bool_]:
        """Inner nodes that make no fewer training errors than they would as leaves."""
        wrong = errors(tree.weighted_counts)
        return ~tree.is_leaf & (over_leaves(tree, wrong) >= wrong - EPSILON)
