"""The path of weakest-link pruning (CART): ever smaller trees, each the best of its number of leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.caching import cached_property
from petree.pruning.engine.counts import bits, errors, over_leaves, smoothed_bits
from petree.pruning.engine.log import PruningLog
from petree.pruning.engine.stumps import Verdicts, inner_nodes, refuse_options
from petree.tree import Tree, wiring_of

Counts = NDArray[np.float64]
# Alphas that differ by no more than this are equal.
TOLERANCE = 1e-12


def squares(counts: Counts) -> NDArray[np.float64]:
    """``N (1 - sum_i p_i^2)``: squared differences of classes and their own frequencies."""
    totals = counts.sum(axis=1)
    return totals - (counts**2).sum(axis=1) / np.where(totals > 0, totals, 1.0)


LOSSES: dict[str, Callable[[Counts], NDArray[np.float64]]] = {"error": errors, "log": bits, "brier": squares}


@dataclass(frozen=True)
class PruningPath:
    """The trees of weakest-link pruning, from the largest to the root alone.

    Parameters
    ----------
    tree : Tree
        The tree that is pruned.
    alphas, n_leaves, risks : array (trees,)
        Price of a leaf from which on each tree is the best, its number of leaves, and its risk, a mean over the cases.
    cut_at : array (nodes,)
        Alpha at which each node becomes a leaf; infinite where it never does, or is gone before.

    Examples
    --------
    >>> tree = Tree.from_counts([[[28, 6], [3, 13]], [[20, 10], [9, 11]]])
    >>> path = cost_complexity_path(tree)
    >>> path.alphas.tolist(), path.n_leaves.tolist(), path.risks.tolist()
    ([0.0, 0.02, 0.05], [4, 3, 1], [0.28, 0.3, 0.4])
    >>> path.at(0.03).n_leaves
    3
    """

    tree: Tree
    alphas: NDArray[np.float64]
    n_leaves: NDArray[np.int64]
    risks: NDArray[np.float64]
    cut_at: NDArray[np.float64]

    def at(self, alpha: float) -> Tree:
        """The tree that is best at this price of a leaf, the smallest of equals."""
        return self.tree.cut(self.cut_nodes(alpha))

    def cut_nodes(self, alpha: float) -> NDArray[np.intp]:
        """Nodes that have become leaves at this price."""
        return np.flatnonzero(self.cut_at <= alpha + TOLERANCE)

    def pruned(self, criterion: object, names: tuple[str, str], alpha: float) -> Tree:
        """The tree at a price, with a log in which every node says at which price it goes."""
        nodes = inner_nodes(self.tree)
        gone_at = self.gone_at()[nodes]
        verdicts = Verdicts(gone_at, np.full(len(nodes), alpha), gone_at > alpha + TOLERANCE)
        return PruningLog(repr(criterion), names, self.tree, nodes, verdicts, self.cut_nodes(alpha)).pruned()

    def gone_at(self) -> NDArray[np.float64]:
        """Alpha at which each node becomes a leaf, or is gone with a node above it."""
        gone = self.cut_at.copy()
        for level in self.tree.by_level()[1:]:
            gone[level] = np.minimum(gone[level], gone[self.tree.parents[level]])
        return gone


def cost_complexity_path(tree: Tree, loss: str = "error") -> PruningPath:
    """All trees of weakest-link pruning (Breiman et al. 1984).

    ``R(t)`` is the loss at node t as a leaf, ``R(T_t)`` that of its leaves, both divided by all cases. Subtrees with
    ``R(T_t) = R(t)`` go first; then, again and again, all those with the least ``(R(t) - R(T_t)) / (leaves - 1)``,
    which is the next alpha.

    Parameters
    ----------
    tree : Tree
    loss : {"error", "log", "brier", "impurity"}, default="error"
        Training errors; bits of the classes by their frequencies; squared differences from these; or what the tree has
        noted as "impurity" at its nodes, as trees from scikit-learn do: then the alphas are those of scikit-learn's
        `cost_complexity_pruning_path`.
    """
    return WeakestLinks(tree, node_losses(tree, loss)).path


def node_losses(tree: Tree, loss: str) -> NDArray[np.float64]:
    """Loss of each node as a leaf, summed over its cases."""
    if loss in LOSSES:
        return LOSSES[loss](tree.weighted_counts)
    if loss != "impurity":
        raise ValueError(f"The loss must be one of {', '.join(LOSSES)}, impurity. Got {loss!r} instead.")
    if "impurity" not in tree.annotations:
        raise ValueError("This tree has no impurities at its nodes; trees from scikit-learn have.")
    return tree.annotations["impurity"] * tree.weighted_counts.sum(axis=1)


class WeakestLinks:
    """The cuts of weakest-link pruning one after the other, and sums over the leaves after each.

    Parameters
    ----------
    tree : Tree
    losses : array (nodes,)
        Training loss of each node as a leaf, summed over its cases.
    others : array (nodes, any), optional
        What else is to be summed over the leaves.
    """

    def __init__(self, tree: Tree, losses: NDArray[np.float64], others: NDArray[np.float64] | None = None) -> None:
        refuse_options(tree)
        columns = [np.ones(tree.n_nodes), losses] + ([] if others is None else list(others.T))
        as_leaf = np.column_stack(columns)
        sums = over_leaves(tree, as_leaf)
        self.tree = tree
        self.n_cases = max(float(tree.weighted_counts[0].sum()), np.finfo(np.float64).tiny)
        tolerance = TOLERANCE * self.n_cases
        cut_at, prices, totals = core.trees.cut_weakest_links(wiring_of(tree), as_leaf, sums, tolerance, core.NO_STOP)
        self.cut_at = cut_at / self.n_cases
        self.cuts = prices / self.n_cases
        self.sums = np.concatenate((sums[:1], totals))

    def sums_at(self, alphas: NDArray[np.float64]) -> NDArray[np.float64]:
        """Number of leaves, loss and what else there is, summed over the leaves of the trees at these alphas."""
        return self.sums[np.searchsorted(self.cuts, alphas + TOLERANCE, side="right")]

    @cached_property
    def path(self) -> PruningPath:
        """All the trees."""
        alphas = np.unique(np.concatenate(([0.0], self.cuts)))
        sums = self.sums_at(alphas)
        risks = sums[:, 1] / self.n_cases
        return PruningPath(self.tree, alphas, np.rint(sums[:, 0]).astype(np.int64), risks, self.cut_at)


def smoothed_links(
    tree: Tree, probabilities: NDArray[np.float64], others: NDArray[np.float64] | None = None
) -> WeakestLinks:
    """Weakest links where a leaf costs the bits of its cases under these probabilities of the nodes."""
    return WeakestLinks(tree, smoothed_bits(tree.weighted_counts, probabilities), others)
