"""Pruning by the log loss of smoothed probabilities."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from petree.parts import check_choice, has_method
from petree.pruning.by_cost import CostCriterion, Costs
from petree.pruning.engine.counts import FLOOR
from petree.tree import Tree


class Estimates(Protocol):
    """What gives the class probabilities of each node of a tree: a smoothing."""

    def estimate(self, tree: Tree) -> NDArray[np.float64]: ...


@runtime_checkable
class AnswersRows(Protocol):
    """A smoothing that says whether its answers depend on more of a row than its leaf."""

    by_row: bool


class SmoothedCost(CostCriterion):
    """A leaf replaces a subtree that does not predict better, with the probabilities that are going to be used.

    A leaf costs ``-sum_i n_i log2 p_i`` bits, where p_i is the smoothed probability of class i from all cases but one
    of that class: leave-one-out, also in the nodes above. Ferri et al. (2003, section 7) ask whether their m-branch
    estimate prunes better than others; give ``smoothing=petree.smoothing.MBranch()`` to try.

    Parameters
    ----------
    smoothing : object, optional
        Anything whose ``estimate(tree)`` gives the class probabilities of each node, taken as a leaf, from its own
        counts and those above. By default Laplace's estimate, under which class i costs ``log2((N + C - 1) / n_i)`` a
        case.
    pay_tests : bool, default=True
        Whether a split costs ``log2 N_test`` bits: the choice among the candidate tests, which leave-one-out does not
        repeat. Without it the trees stay about as large as they grew.
    """

    names = ("bits of log loss of the subtree and its price", "bits of log loss of one leaf and its price")

    def __init__(self, smoothing: Estimates | None = None, pay_tests: bool = True) -> None:
        self.smoothing = smoothing
        self.pay_tests = pay_tests

    def check(self) -> None:
        check_choice(self, "pay_tests", (True, False))
        smoothing = self.smoothing
        if smoothing is None:
            return
        if not has_method(smoothing, "estimate"):
            raise TypeError(
                "The 'smoothing' parameter of SmoothedCost must be None or an object with a method 'estimate', such as "
                f"petree.smoothing.MBranch(). Got {smoothing!r} instead."
            )
        if isinstance(smoothing, AnswersRows) and smoothing.by_row:
            raise ValueError(
                f"SmoothedCost needs probabilities of leaves, but those of {type(smoothing).__name__} depend on the "
                "row; choose another smoothing."
            )

    def costs(self, tree: Tree) -> Costs:
        split = np.log2(np.maximum(tree.n_tests, 1)) if self.pay_tests else np.zeros(tree.n_nodes)
        return Costs(self.leaf_length(tree), split)

    def leaf_length(self, tree: Tree) -> NDArray[np.float64]:
        """Bits of the classes of each node's cases, each predicted from the others."""
        length = np.zeros(tree.n_nodes)
        weights = tree.weighted_counts
        for class_index in range(tree.n_classes):
            others = tree.counts.copy()
            others[:, class_index] = np.maximum(others[:, class_index] - 1, 0)
            probability = self._estimate(tree.with_counts(others))[:, class_index]
            length -= weights[:, class_index] * np.log2(np.maximum(probability, FLOOR))
        return length

    def _estimate(self, tree: Tree) -> NDArray[np.float64]:
        if self.smoothing is None:
            return (tree.counts + 1) / (tree.counts.sum(axis=1, keepdims=True) + tree.n_classes)
        return self.smoothing.estimate(tree)
