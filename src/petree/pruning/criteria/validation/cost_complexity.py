"""CART's cost-complexity pruning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.parts import check_choice, check_integer, check_number
from petree.pruning.criterion import Criterion
from petree.pruning.engine.context import Context, Fold, require
from petree.pruning.engine.counts import predictions
from petree.pruning.engine.weakest_links import (
    LOSSES,
    TOLERANCE,
    PruningPath,
    WeakestLinks,
    cost_complexity_path,
    node_losses,
)
from petree.tree import Tree


class CostComplexity(Criterion):
    """The tree of least ``R(T) + alpha |leaves|``, with the best alpha by cross-validation (Breiman et al. 1984).

    For each alpha_k of the path of weakest links (`cost_complexity_path`) the trees of the folds are pruned at
    ``sqrt(alpha_k alpha_{k+1})``, the last at infinity, and their losses on the left-out cases are added up.

    Parameters
    ----------
    loss : {"error", "log", "brier"}, default="error"
        What R is on the training cases, and the loss on the left-out ones: errors, bits, or squared differences. For
        the last two left-out cases are predicted by Laplace's estimate.
    folds : int, default=10
        Folds of the cross-validation.
    rule : {"0-SE", "1-SE"}, default="0-SE"
        The tree of least loss, the smallest of equals; or the smallest one within a standard error of that.
    alpha : float, optional
        Take this alpha, without cross-validation.
    """

    names = (
        "training loss that each of its leaves saves",
        "more than this was needed at the size that was chosen (alpha)",
    )

    def __init__(self, loss: str = "error", folds: int = 10, rule: str = "0-SE", alpha: float | None = None) -> None:
        self.loss = loss
        self.folds = folds
        self.rule = rule
        self.alpha = alpha

    @property
    def needs(self) -> tuple[str, ...]:
        return ("grow_folds",) if self.alpha is None else ()

    def check(self) -> None:
        check_choice(self, "loss", LOSSES)
        check_choice(self, "rule", ("0-SE", "1-SE"))
        check_integer(self, "folds", 2)
        if self.alpha is not None:
            check_number(self, "alpha", 0)

    def _prune(self, tree: Tree, context: Context) -> Tree:
        path = cost_complexity_path(tree, self.loss)
        alpha = self._choose(path, context) if self.alpha is None else float(self.alpha)
        return path.pruned(self, self.names, alpha)

    def _choose(self, path: PruningPath, context: Context) -> float:
        """The alpha of the path that does best on left-out cases."""
        grow_folds = require(self, "grow_folds", context.grow_folds)
        if len(path.alphas) == 1:
            return float(path.alphas[0])
        between = np.append(np.sqrt(path.alphas[:-1] * path.alphas[1:]), np.inf)
        sums = np.sum([self._losses(fold, between) for fold in grow_folds(self.folds)], axis=0)
        return float(path.alphas[choose(sums, self.rule)])

    def _losses(self, fold: Fold, alphas: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weight of the left-out cases, and sums of their losses and squared losses, at some alphas."""
        tree, counts = fold
        left_out = counts if tree.class_weight is None else counts * tree.class_weight
        loss = case_losses(tree, self.loss)
        others = np.column_stack([(left_out * loss**power).sum(axis=1) for power in range(3)])
        return WeakestLinks(tree, node_losses(tree, self.loss), others).sums_at(alphas)[:, 2:]


def choose(sums: NDArray[np.float64], rule: str) -> int:
    """The tree to take, of trees that grow smaller, by a line a tree: weight, losses and squared losses of other cases.

    The standard error of a mean loss e is that of the mean of N cases, for errors ``sqrt(e (1 - e) / N)``.
    """
    weight, losses, squared = sums.T
    mean = losses / weight
    best = np.flatnonzero(mean <= mean.min() + TOLERANCE)[-1]
    if rule == "0-SE":
        return int(best)
    error = np.sqrt(max(squared[best] / weight[best] - mean[best] ** 2, 0.0) / weight[best])
    return int(np.flatnonzero(mean <= mean[best] + error + TOLERANCE)[-1])


def case_losses(tree: Tree, loss: str) -> NDArray[np.float64]:
    """Loss of one case of each class at each node, as a leaf."""
    if loss == "error":
        return (predictions(tree)[:, None] != np.arange(tree.n_classes)).astype(np.float64)
    counts = tree.weighted_counts + 1
    shares = counts / counts.sum(axis=1, keepdims=True)
    if loss == "log":
        return -np.log2(shares)
    return 1 - 2 * shares + (shares**2).sum(axis=1, keepdims=True)
