"""Pruning: which subtrees go?

A member is a `Criterion`, which tells all that it may have: ``prune(tree, context)`` gives a tree. Most read only the
counts in the nodes; `context` carries what the others need. Every object with a method ``prune`` will do.
"""

from __future__ import annotations

from petree.parts import resolve
from petree.pruning.by_cost import CostCriterion, Costs, CountCostCriterion
from petree.pruning.by_stump import StumpCriterion
from petree.pruning.criteria.card_per_class import CardPerClass
from petree.pruning.criteria.errors.error_based import ErrorBased
from petree.pruning.criteria.errors.minimum_error import MinimumError
from petree.pruning.criteria.errors.pessimistic import Pessimistic
from petree.pruning.criteria.likelihood.bic import BIC
from petree.pruning.criteria.likelihood.map import MAP
from petree.pruning.criteria.likelihood.mdl import MDL
from petree.pruning.criteria.likelihood.negligible import Negligible
from petree.pruning.criteria.likelihood.quinlan_rivest import QuinlanRivest
from petree.pruning.criteria.likelihood.smoothed import SmoothedCost
from petree.pruning.criteria.likelihood.wallace_patrick import WallacePatrick
from petree.pruning.criteria.none import NoPruning
from petree.pruning.criteria.safe import SafePruning
from petree.pruning.criteria.significance.chi import Chi
from petree.pruning.criteria.significance.permutation import Permutation
from petree.pruning.criteria.significance.rand import Rand
from petree.pruning.criteria.significance.subtree_randomisation import SubtreeRandomisation
from petree.pruning.criteria.validation.best_size import BestSize
from petree.pruning.criteria.validation.cost_complexity import CostComplexity
from petree.pruning.criteria.validation.reduced_error import ReducedError
from petree.pruning.criteria.validation.sampled import Sampled
from petree.pruning.criterion import Criterion, Prunes, as_criterion
from petree.pruning.engine.context import Context
from petree.pruning.engine.weakest_links import cost_complexity_path
from petree.tree import Tree

MEMBERS: dict[str, type[Criterion]] = {
    "none": NoPruning,
    "chi": Chi,
    "rand": Rand,
    "mdl": MDL,
    "bic": BIC,
    "error_based": ErrorBased,
    "pessimistic": Pessimistic,
    "minimum_error": MinimumError,
    "cost_complexity": CostComplexity,
    "reduced_error": ReducedError,
    "card_per_class": CardPerClass,
    "quinlan_rivest": QuinlanRivest,
    "map": MAP,
    "negligible": Negligible,
    "permutation": Permutation,
    "subtree_randomisation": SubtreeRandomisation,
    "safe": SafePruning,
    "smoothed": SmoothedCost,
    "sampled": Sampled,
    "best_size": BestSize,
    "wallace_patrick": WallacePatrick,
}


# A single leaf where there is nothing to learn; docs/quality.md and docs/noise.md have the evidence.
DEFAULT = BestSize()


def resolve_pruning(pruning: str | Prunes) -> Criterion:
    """A member from its alias or itself, with its parameters checked, before anything is grown."""
    member = as_criterion(resolve(pruning, MEMBERS, "pruning", "prune", DEFAULT))
    member.check()
    return member


def prune(pruning: str | Prunes, tree: Tree, context: Context | None = None) -> Tree:
    """The tree as a criterion leaves it.

    Examples
    --------
    >>> tree = Tree.from_counts([[[12, 0], [3, 5]], [[1, 9], [6, 4]]], n_tests=6)
    >>> prune("bic", tree).n_leaves, prune("mdl", tree).n_leaves
    (4, 1)
    """
    criterion = resolve_pruning(pruning)
    if not isinstance(tree, Tree):
        raise TypeError(
            "Only a petree Tree can be pruned, such as model.tree_ of a fitted model or Tree.from_counts(...). "
            f"Got {type(tree).__name__} instead."
        )
    return criterion.prune(tree, context)


__all__ = [
    "BIC",
    "DEFAULT",
    "MAP",
    "MDL",
    "MEMBERS",
    "BestSize",
    "CardPerClass",
    "Chi",
    "CostComplexity",
    "CostCriterion",
    "Costs",
    "CountCostCriterion",
    "Criterion",
    "ErrorBased",
    "MinimumError",
    "Negligible",
    "NoPruning",
    "Permutation",
    "Pessimistic",
    "QuinlanRivest",
    "Rand",
    "ReducedError",
    "SafePruning",
    "Sampled",
    "SmoothedCost",
    "StumpCriterion",
    "SubtreeRandomisation",
    "WallacePatrick",
    "cost_complexity_path",
    "prune",
    "resolve_pruning",
]
