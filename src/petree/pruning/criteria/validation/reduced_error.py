"""Reduced-error pruning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from petree.keys import path_keys
from petree.parts import check_choice, check_number
from petree.pruning.criterion import Criterion
from petree.pruning.engine.bottom_up import prune_by_cost
from petree.pruning.engine.context import Context, require
from petree.pruning.engine.counts import predictions
from petree.pruning.engine.log import PruningLog
from petree.pruning.engine.routed_cases import RoutedCases
from petree.pruning.engine.sampling import (
    Draw,
    DrawnCosts,
    NewCases,
    NewCasesPerNode,
    SampledPruning,
    SamplePerNode,
    majority,
    wrong,
)
from petree.tree import Tree


class ReducedError(Criterion):
    """A leaf replaces a subtree that errs no less on cases held out from growing (Quinlan 1987; Oates & Jensen 1999).

    An estimator grows the tree on two thirds of the cases. Bottom-up, ``r_T`` are the errors of the subtree, pruned so
    far, on the other cases that reach the node, and ``r_L`` those of a leaf; the subtree goes if ``r_T >= r_L``, also
    where no case reaches it. Where the classes do not depend on the columns this keeps many subtrees, more the more
    data there are: cases that decided below decide again above. Drawing other cases for every decision is the cure.

    Parameters
    ----------
    label : {"pruning", "training"}, default="pruning"
        Whether a leaf in place of a subtree is taken to predict the most frequent class of the held-out cases there
        (Oates & Jensen; on a tie, that of the growing cases), or of the growing cases (Quinlan).
    alpha : float, default=1.0
        Share of the held-out cases that are drawn, without replacement, for each decision; at least one case is.
    fresh : callable, optional
        ``fresh(n)`` gives n new cases as X and y, with the columns and labels of `fit`; it is called for each decision,
        from the bottom level up. The held-out cases then only say how many.
    backfitting : bool, default=False
        Whether the held-out cases are counted in the pruned tree as well.
    """

    names = ("held-out cases that the subtree gets wrong", "that one leaf gets wrong")
    needs = ("held_out",)

    def __init__(
        self,
        label: str = "pruning",
        alpha: float = 1.0,
        fresh: NewCases | None = None,
        backfitting: bool = False,
    ) -> None:
        self.label = label
        self.alpha = alpha
        self.fresh = fresh
        self.backfitting = backfitting

    @property
    def exchanges_rows(self) -> bool:
        """Whether cases are drawn for each decision."""
        return self.alpha < 1

    @property
    def counts_held_out(self) -> bool:
        """Whether neither cases are drawn, nor rows counted in the tree."""
        return self.alpha == 1 and self.fresh is None and not self.backfitting

    def check(self) -> None:
        check_choice(self, "label", ("pruning", "training"))
        check_choice(self, "backfitting", (True, False))
        check_number(self, "alpha", 0, above=True, most=1)
        if self.fresh is not None and not callable(self.fresh):
            raise TypeError(
                f"The 'fresh' parameter of ReducedError must be None or callable. Got {self.fresh!r} instead."
            )
        if self.fresh is not None and self.alpha != 1:
            raise ValueError(
                "ReducedError draws a share 'alpha' of held-out cases, or 'fresh' ones; give one of the two."
            )

    def _prune(self, tree: Tree, context: Context) -> Tree:
        held_out = require(self, "held_out", context.held_out)
        if self.fresh is None and self.alpha == 1:
            log = self._with_all(tree, held_out)
        else:
            costs = DrawnCosts(wrong, np.zeros(tree.n_nodes), predictions(tree), self.label == "pruning")
            log = SampledPruning(tree, self._draw(tree, held_out, context), costs).prune(self, self.names)
        if not self.backfitting:
            return log.pruned()
        counts = tree.counts + held_out.counts(tree)
        sizes = tree.sizes + held_out.sizes(tree)
        return replace(log, grown=tree.with_counts(counts, sizes)).pruned()

    def _with_all(self, tree: Tree, held_out: RoutedCases) -> PruningLog:
        """Every decision on all held-out cases: their counts are enough."""
        counts = held_out.counts(tree)
        labels = predictions(tree)
        if tree.class_weight is not None:
            counts = counts * tree.class_weight
        if self.label == "pruning":
            labels = np.where(tree.is_leaf, labels, majority(counts, labels))
        return prune_by_cost(self, tree, wrong(counts, labels), np.zeros(tree.n_nodes), self.names)

    def _draw(self, tree: Tree, held_out: RoutedCases, context: Context) -> Draw:
        if self.fresh is not None:
            return NewCasesPerNode(self.fresh, len(held_out), require(self, "read", context.read))
        return SamplePerNode(held_out, self.alpha, path_keys(tree, context.seed))
