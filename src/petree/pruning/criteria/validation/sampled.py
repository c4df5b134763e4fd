"""Criteria that look at a part of the training cases, another one for every decision."""

from __future__ import annotations

from petree.keys import path_keys
from petree.parts import check_number
from petree.pruning.by_cost import CountCostCriterion
from petree.pruning.criteria.errors.error_based import ErrorBased
from petree.pruning.criterion import Criterion
from petree.pruning.engine.context import Context, require
from petree.pruning.engine.counts import predictions
from petree.pruning.engine.sampling import DrawnCosts, SampledPruning, SamplePerNode
from petree.tree import Tree


class Sampled(Criterion):
    """A criterion that gets other training cases for every decision (Oates & Jensen 1999 propose to try it).

    Before each decision a share of the training cases is drawn without replacement, and the costs of the subtree,
    pruned so far, and of the leaf are worked out from the drawn cases that reach the node, in place of all of them.
    Cases are rows here: one of weight 2 is drawn whole or not at all.

    Parameters
    ----------
    criterion : CountCostCriterion, optional
        The one whose costs are compared, which it must be able to tell of any cases, such as `MDL` or `QuinlanRivest`;
        by default `ErrorBased`.
    alpha : float, default=0.5
        Share of the cases that are drawn; at least one is.
    """

    names = ("cost of the subtree for some drawn cases", "cost of one leaf for them")
    needs = ("training",)
    exchanges_rows = True

    def __init__(self, criterion: CountCostCriterion | None = None, alpha: float = 0.5) -> None:
        self.criterion = criterion
        self.alpha = alpha

    def check(self) -> None:
        check_number(self, "alpha", 0, above=True, most=1)
        criterion = self._criterion()
        if not isinstance(criterion, CountCostCriterion) or not criterion.compares_subtrees:
            raise ValueError(
                "The 'criterion' parameter of Sampled must compare subtrees by costs that follow from counts "
                "(CountCostCriterion), such as an ErrorBased without raising and collapsing, or an MDL that prunes "
                f"subtrees after growing. Got {criterion!r} instead."
            )
        criterion.check()

    def _prune(self, tree: Tree, context: Context) -> Tree:
        cases = require(self, "training", context.training)
        draw = SamplePerNode(cases, self.alpha, path_keys(tree, context.seed))
        return SampledPruning(tree, draw, self._costs(tree)).prune(self, self.names).pruned()

    def _criterion(self) -> CountCostCriterion:
        return ErrorBased() if self.criterion is None else self.criterion

    def _costs(self, tree: Tree) -> DrawnCosts:
        """What the criterion says of leaves and splits, of a share of the cases."""
        criterion = self._criterion()
        n_cases = self.alpha * float(tree.weighted_counts[0].sum())
        return DrawnCosts(
            lambda counts, _: criterion.leaf_costs(counts),
            criterion.split_costs(tree, n_cases),
            predictions(tree),
            keeps_equal=criterion.keep_equal,
        )
