"""Nodes that Bayesian smoothing hardly uses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.bayes import Prior, WithPrior, average_down, posterior_shares, reach_probability, resolve_prior
from petree.parts import check_number
from petree.pruning.criterion import Criterion
from petree.pruning.engine.context import Context
from petree.pruning.engine.log import log_of
from petree.pruning.engine.stumps import Verdicts, inner_nodes, refuse_options
from petree.tree import Tree

Numbers = NDArray[np.float64]


class Negligible(WithPrior, Criterion):
    """A subtree goes if hardly any pruning has it among those that Bayesian smoothing averages (Buntine 1992, 3.2).

    The weight of what lies below a node is the posterior probability P that the node is split. Without it every answer
    is the mean over the other prunings, and ``|E[p] - E[p | not split]| = P |E[p | split] - E[p | not split]| <= P``.
    Several nodes together may weigh more than each: where what is left after cutting all nodes of weight up to `bound`
    answers some row differently by more than that, the limit is halved until it does not. So no probability that
    ``smoothing.Bayes`` of the same prior predicts changes by more than `bound`.

    Parameters
    ----------
    bound : float, default=0.01
        The largest change of a probability, from 0 to 1.
    prior : str or Prior, default="I"
        That of the smoothing: "I", "II", "III", "IV" or a `petree.bayes.Prior`. Its parameters are parameters too, such
        as ``prior__alpha``.
    """

    names = ("probability that it belongs to the tree", "too little to matter")

    def __init__(self, bound: float = 0.01, prior: str | Prior = "I") -> None:
        self.bound = bound
        self.prior = prior

    def check(self) -> None:
        check_number(self, "bound", 0, above=True, most=1)
        resolve_prior(self.prior).check()

    def _prune(self, tree: Tree, context: Context) -> Tree:
        refuse_options(tree)
        limit = float(self.bound)
        smoothed = _Smoothed(tree, resolve_prior(self.prior))
        while smoothed.change(limit) > self.bound:
            limit /= 2
        nodes = inner_nodes(tree)
        verdicts = Verdicts(smoothed.below, np.full(len(nodes), limit), smoothed.below > limit)
        return log_of(self, self.names, tree, nodes, verdicts).pruned()


class _Smoothed:
    """A tree and what Bayesian smoothing makes of it; `below` is the weight of what lies below each inner node."""

    def __init__(self, tree: Tree, prior: Prior) -> None:
        self.tree = tree
        self.own = prior.estimate(tree)
        self.leaves = prior.leaves(tree)
        self.splits = prior.splits(tree)
        shares = posterior_shares(tree, self.leaves, self.splits)
        self.below: Numbers = reach_probability(tree, shares)[tree.split_nodes] * shares.go
        self.answers = average_down(tree, shares, self.own)[tree.is_leaf]

    def change(self, limit: float) -> float:
        """A bound on the change of all answers when nodes go below which lies no more than `limit`."""
        goes = self.below <= limit
        total = float(self.below[goes].sum())
        shares = posterior_shares(self.tree, self.leaves, np.where(goes, -np.inf, self.splits))
        answers = average_down(self.tree, shares, self.own)[self.tree.is_leaf]
        return min(total, float(np.abs(answers - self.answers).max()))
