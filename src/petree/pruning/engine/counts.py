"""What class counts say of nodes taken as leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.pruning.engine.stumps import refuse_options
from petree.tree import Tree, wiring_of

Counts = NDArray[np.float64]
# The least probability that counts, so that one case taken for impossible does not decide alone.
FLOOR = 1e-6


def bits(counts: Counts) -> NDArray[np.float64]:
    """``N H``: length of the classes of the cases, coded by their own frequencies; 0 log 0 = 0."""
    totals = counts.sum(axis=-1, keepdims=True)
    surprise = np.log2(np.where(counts > 0, totals / np.where(counts > 0, counts, 1.0), 1.0))
    return (counts * surprise).sum(axis=-1)


def split_bits(tree: Tree) -> NDArray[np.float64]:
    """Bits of the classes that each split saves."""
    length = bits(tree.weighted_counts)
    starts = np.repeat(np.arange(len(tree.child_start) - 1), np.diff(tree.child_start))
    below = np.bincount(starts, length[tree.children], len(tree.child_start) - 1)
    return length[tree.split_nodes] - below


def errors(counts: Counts) -> NDArray[np.float64]:
    """Cases that are not of the most frequent class."""
    return counts.sum(axis=-1) - counts.max(axis=-1)


def over_leaves(tree: Tree, values: NDArray[Any]) -> NDArray[Any]:
    """Sum of the leaves' values below each node, which for a leaf is its own; other nodes' values are not read."""
    refuse_options(tree)
    sums = np.array(values, np.float64, order="C").reshape(tree.n_nodes, -1)
    core.trees.sum_leaves(wiring_of(tree), sums)
    return sums.reshape(values.shape).astype(values.dtype, copy=False)


def n_children(tree: Tree) -> NDArray[np.intp]:
    """Number of children of each node of a tree without options."""
    return np.diff(tree.child_start[tree.split_start]).astype(np.intp)


def predictions(tree: Tree, ties: str = "first") -> NDArray[np.intp]:
    """The class that each node would predict as a leaf, the first or the last of equals."""
    counts = tree.weighted_counts
    predicted: NDArray[np.intp] = counts.argmax(axis=1)
    if ties == "last":
        predicted = tree.n_classes - 1 - counts[:, ::-1].argmax(axis=1)
    is_empty = counts.sum(axis=1) == 0
    for level in tree.by_level()[1:]:
        empty = level[is_empty[level]]
        predicted[empty] = predicted[tree.parents[empty]]
    return predicted


def smoothed_bits(counts: NDArray[np.float64], probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bits of the cases at each node under its probabilities."""
    return -(counts * np.log2(np.maximum(probabilities, FLOOR))).sum(axis=1)
