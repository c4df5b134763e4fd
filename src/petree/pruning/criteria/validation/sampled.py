"""Criteria that look at a part of the training cases, another one for every decision."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from petree.keys import path_keys
from petree.parts import check_number, check_part
from petree.pruning.criteria.errors.error_based import ErrorBased
from petree.pruning.criteria.likelihood.description_length import DescriptionLength
from petree.pruning.criteria.likelihood.quinlan_rivest import QuinlanRivest
from petree.pruning.criteria.safe import predictions
from petree.pruning.engine.context import Context, require
from petree.pruning.engine.counts import bits, n_children
from petree.pruning.engine.reached import Reached
from petree.pruning.engine.sampling import Costs, SampledPruning, SamplePerNode
from petree.tree import Tree


class Sampled(BaseEstimator):
    """A criterion that gets other training cases for every decision (Oates & Jensen 1999 propose to try it).

    Before each decision a share of the training cases is drawn without replacement, and the costs of the subtree,
    pruned so far, and of the leaf are worked out from the drawn cases that reach the node, in place of all of them.
    Cases are rows here: one of weight 2 is drawn whole or not at all.

    Parameters
    ----------
    criterion : ErrorBased, MDL, BIC or QuinlanRivest, optional
        The one whose costs are compared; by default `ErrorBased`.
    alpha : float, default=0.5
        Share of the cases that are drawn; at least one is.
    """

    names: ClassVar[tuple[str, str]] = ("cost of the subtree", "cost of the leaf")
    needs: ClassVar[tuple[str, ...]] = ("training",)

    def __init__(self, criterion: Any = None, alpha: float = 0.5) -> None:
        self.criterion = criterion
        self.alpha = alpha

    def check(self) -> None:
        """Raise for a bad parameter."""
        check_number(self, "alpha", 0, above=True, most=1)
        criterion = self._criterion()
        if not compares_subtrees(criterion):
            raise ValueError(
                "The 'criterion' parameter of Sampled must be an ErrorBased without raising and collapsing, an MDL or "
                f"BIC that prunes subtrees after growing, or a QuinlanRivest. Got {criterion!r} instead."
            )
        check_part(criterion)

    def prune(self, tree: Tree, context: Context | None = None) -> Tree:
        self.check()
        cases: Reached = require(self, context, "training")
        costs = sampled_costs(self._criterion(), tree, self.alpha)
        draw = SamplePerNode(cases, self.alpha, path_keys(tree, context.seed if context else 0))
        return SampledPruning(tree, draw, costs).prune(self, self.names).pruned()

    def _criterion(self) -> Any:
        return ErrorBased() if self.criterion is None else self.criterion


def compares_subtrees(criterion: Any) -> bool:
    """Whether a criterion compares whole subtrees with leaves, by costs that add up."""
    if isinstance(criterion, DescriptionLength):
        return (criterion.when, criterion.by) == ("post", "subtree")
    if isinstance(criterion, ErrorBased):
        return not (criterion.raising or criterion.collapsing)
    return isinstance(criterion, QuinlanRivest)


def sampled_costs(criterion: Any, tree: Tree, alpha: float) -> Costs:
    """Costs of leaves and splits by a criterion that compares whole subtrees with leaves, of a share of the cases."""
    labels = predictions(tree)
    if isinstance(criterion, DescriptionLength):
        n_cases = alpha * float(tree.weighted_counts[0].sum())
        price = criterion.price(n_children(tree), tree.n_tests, tree.n_classes, n_cases)
        return Costs(lambda counts, _: bits(counts), price, labels, keeps_equal=criterion.keep_equal)
    if isinstance(criterion, QuinlanRivest):
        price = 1 + np.log2(np.maximum(tree.n_tests, 1))
        return Costs(lambda counts, _: criterion.leaf_length(counts), price, labels)
    none = np.zeros(tree.n_nodes)
    return Costs(lambda counts, _: criterion.predicted_errors(counts), none, labels, keeps_equal=True)
