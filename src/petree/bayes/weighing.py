"""What each tree of a tree with options weighs when they are averaged, as weights of its nodes and splits."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from petree.bayes.priors import Prior
from petree.tree import Tree

Numbers = NDArray[np.float64]
# Logarithms of the weights of the nodes as leaves, and of the splits.
Weights = tuple[Numbers, Numbers]


def posterior_weights(tree: Tree, prior: Prior) -> Weights:
    """Every tree by its posterior probability (Buntine 1992, Equation 5)."""
    return prior.leaves(tree), _splits(tree, prior)


def information_weights(tree: Tree, prior: Prior) -> Weights:
    """Every tree by the approximation of its posterior by information (Buntine 1992, Equation 4).

    A leaf of n cases counts for ``-n I(p)`` instead of ``ln B(n + a) - ln B(a)``, where I is the entropy, in nats, of
    its expected probabilities. It is poor where leaves have few cases, since it does not discount them for that.

    Examples
    --------
    >>> information_weights(Tree.from_counts([[8, 2], [2, 8]]), Prior())[0].round(6).tolist()
    [-13.862944, -5.359599, -5.359599]
    """
    shares = prior.estimate(tree)
    entropy = -np.sum(shares * np.log(np.where(shares > 0, shares, 1.0)), axis=1)
    evidence = -prior.checked_power() * tree.counts.sum(axis=1) * entropy
    return prior.leaf_weight() + evidence, _splits(tree, prior)


def even_weights(tree: Tree, prior: Prior) -> Weights:
    """Every tree that ends where nothing is left to split counts alike, and no pruning of them counts."""
    return np.where(tree.is_leaf, 0.0, -np.inf), np.zeros(len(tree.conditions))


def _splits(tree: Tree, prior: Prior) -> Numbers:
    return prior.splits(tree) + tree.split_annotations.get("cut_penalty", 0.0)


WEIGHTS: Mapping[str, Callable[[Tree, Prior], Weights]] = {
    "posterior": posterior_weights,
    "information": information_weights,
    "even": even_weights,
}
