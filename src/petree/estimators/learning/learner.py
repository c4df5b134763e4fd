"""A tree is learned from cases: grown, and pruned with what its criterion asks for."""

from __future__ import annotations

from petree.estimators.learning.cases import Cases
from petree.estimators.learning.contexts import FittingContext
from petree.estimators.learning.recipe import AnySource, Recipe
from petree.estimators.tuning.folds import deal_folds
from petree.partitions.sampling import HOLDING_OUT
from petree.pruning.criterion import Criterion
from petree.pruning.engine.gate import Gate
from petree.threads import Threads
from petree.tree import Tree

# Where a criterion needs cases that the tree was not grown from, these are one of so many folds.
PARTS = 3


def learn(recipe: Recipe[AnySource], cases: Cases, threads: Threads) -> tuple[Tree, AnySource]:
    """The pruned tree, and the source it was grown from."""
    _refuse_groups(recipe.pruning, cases)
    needs = set(recipe.pruning.needs)
    if cases.numbers is not None or not needs & {"source", "held_out", "training"}:
        return _learn(recipe, cases, needs, threads)
    # What is drawn are cases and classes in their order, which thus has to come from the cases themselves, unless these
    # have numbers, as those of data in parts.
    canonical = recipe.maker.canonical(cases, recipe.seed)
    tree, source = _learn(recipe, canonical.cases, needs, threads)
    return canonical.restore(tree), source


def _refuse_groups(criterion: Criterion, cases: Cases) -> None:
    """Raise where a criterion takes rows for exchangeable that belong together."""
    if cases.groups is not None and criterion.exchanges_rows:
        raise ValueError(
            f"{criterion!r} permutes or draws rows one by one, as if rows of one group had nothing in common; leave "
            "out groups, or set pruning to one that keeps them together, such as 'best_size', 'cost_complexity' or "
            "'reduced_error'."
        )


def _learn(recipe: Recipe[AnySource], cases: Cases, needs: set[str], threads: Threads) -> tuple[Tree, AnySource]:
    held_out = None
    if "held_out" in needs:
        seed = recipe.seed if cases.numbers is None else recipe.seed + HOLDING_OUT
        fold = deal_folds(cases, PARTS, seed)[0]
        cases = fold.others()
        held_out = fold.rest()
    gate = Gate(recipe.pruning, recipe.seed)
    grown, source = recipe.grow(cases, threads, gate)
    context = FittingContext(recipe, cases, held_out, source, grown, threads).context()
    return recipe.maker.with_first_test(grown.tree, gate.finish(grown.tree, context)), source
