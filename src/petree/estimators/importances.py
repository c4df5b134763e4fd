"""How much each test of a tree tells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from petree.tree import Tree


def information_gains(tree: Tree) -> NDArray[np.float64]:
    """Bits that each test gains about the classes of all cases of its node, after class weights; never below 0."""
    counts = tree.weighted_counts
    bits = (xlogy(counts.sum(axis=1), counts.sum(axis=1)) - xlogy(counts, counts).sum(axis=1)) / np.log(2)
    if not len(tree.conditions):
        return np.zeros(0)
    below = np.add.reduceat(bits[tree.children], tree.child_start[:-1])
    return np.maximum(bits[tree.split_nodes] - below, 0.0)
