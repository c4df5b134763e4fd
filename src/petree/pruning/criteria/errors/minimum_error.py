"""Minimum-error pruning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.parts import check_choice, check_number
from petree.pruning.by_cost import CostCriterion, Costs
from petree.tree import Tree

PRIORS = ("base_rate", "uniform")


class MinimumError(CostCriterion):
    """A leaf replaces a subtree that is not expected to err less (Cestnik & Bratko 1991).

    A leaf errs in ``1 - (n_i + m p_i) / (N + m)`` of the cases, i its most frequent class and p_i the prior of that
    class; a subtree in the mean of its children, each by its share of the cases. With m = C and the uniform prior this
    is Laplace's estimate (Niblett & Bratko 1986). The log has expected errors, rates times cases.

    Parameters
    ----------
    m : float, default=2.0
        Weight of the prior, in cases.
    prior : {"base_rate", "uniform"}, default="base_rate"
        Classes as often as in the training data, or all alike.
    """

    names = ("errors to be expected of the subtree", "errors to be expected of one leaf")

    def __init__(self, m: float = 2.0, prior: str = "base_rate") -> None:
        self.m = m
        self.prior = prior

    def check(self) -> None:
        check_number(self, "m", 0)
        check_choice(self, "prior", PRIORS)

    def costs(self, tree: Tree) -> Costs:
        counts = tree.weighted_counts
        expected = counts.sum(axis=1) * self.rate(counts, self._priors(counts[0]))
        return Costs(expected, np.zeros(tree.n_nodes))

    def rate(self, counts: NDArray[np.float64], priors: NDArray[np.float64]) -> NDArray[np.float64]:
        """Expected error rate of nodes as leaves."""
        m = float(self.m)
        best = counts.argmax(axis=1)
        cases = counts.sum(axis=1) + m
        right = counts[np.arange(len(counts)), best] + m * priors[best]
        return 1 - right / np.where(cases > 0, cases, 1.0)

    def _priors(self, root: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.prior == "uniform" or root.sum() == 0:
            return np.full(len(root), 1 / len(root))
        return root / root.sum()
