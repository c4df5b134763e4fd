"""Sums over all trees that one tree contains, by the distributive law: one pass up, one pass down.

A tree contains every tree that is left when some of its nodes become leaves and, where a node has options, one of them
is chosen. Their number grows exponentially, but the posterior is a product over nodes, and so sums over all of them
are found node by node (Buntine 1992, sections 3.2 and 3.3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree.tree import Tree, ranges

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Shares:
    """How the posterior is divided among the trees of a tree.

    Of the trees that contain a node, `stay` have it as a leaf and `go` continue with a split; a node's own share and
    those of its splits sum to 1. So an answer is the mean, over what a row meets on its ways down, of the nodes' own
    answers: ``answer(node) = stay * own + sum over splits of go * answer(the child that the row takes)``.

    Parameters
    ----------
    log_evidence : array (nodes,)
        Logarithm of the sum over all trees below each node (SP of Equation 9).
    stay : array (nodes,)
    go : array (splits,)
    """

    log_evidence: Numbers
    stay: Numbers
    go: Numbers


def posterior_shares(tree: Tree, leaves: Numbers, splits: Numbers, by_search: bool = False) -> Shares:
    """The shares of a tree, with options or without, whose nodes as leaves and whose splits have these log weights.

    ``SP(node) = CPleaf + sum over splits of CPnode * product of SP(children)`` (Equation 9). With `by_search` each
    split of the root is a search of its own: all count alike, whatever their evidence, and the root is their mean.
    """
    total = leaves.copy()
    through = np.empty(len(splits))
    for level in tree.by_level()[::-1]:
        nodes = level[~tree.is_leaf[level]]
        own = ranges(tree.split_start[nodes], tree.split_start[nodes + 1])
        n_children = np.diff(tree.child_start)[own]
        n_splits = np.diff(tree.split_start)[nodes]
        through[own] = splits[own] + np.add.reduceat(total[tree.children_of(nodes)], _starts(n_children))
        total[nodes] = np.logaddexp(leaves[nodes], np.logaddexp.reduceat(through[own], _starts(n_splits)))
    stay = np.exp(leaves - total)
    go = np.exp(through - total[tree.split_nodes])
    if by_search and not tree.is_leaf[0]:
        roots = slice(tree.split_start[0], tree.split_start[1])
        total[0], stay[0], go[roots] = _mean_of_searches(leaves[0], through[roots])
    rounded = stay + np.bincount(tree.split_nodes, go, tree.n_nodes)  # 1, but for rounding
    return Shares(total, stay / rounded, go / rounded[tree.split_nodes])


def _mean_of_searches(leaf: float, through: Numbers) -> tuple[float, float, Numbers]:
    """The logarithm of the mean of what trees of one split and their root weigh, and their mean shares of it."""
    each = np.logaddexp(leaf, through)
    n_searches = len(through)
    mean = float(np.logaddexp.reduce(each)) - np.log(n_searches)
    return mean, float(np.exp(leaf - each).mean()), np.exp(through - each) / n_searches


def _starts(lengths: NDArray[np.int32]) -> NDArray[np.intp]:
    return np.cumsum(lengths, dtype=np.intp) - lengths


def reach_probability(tree: Tree, shares: Shares) -> Numbers:
    """The share of the trees that contain each node of a tree without options: the product of `go` above it."""
    reached = np.ones(tree.n_nodes)
    for level in tree.by_level()[1:]:
        above = tree.parents[level]
        reached[level] = reached[above] * shares.go[tree.split_start[above]]
    return reached


def node_probability(tree: Tree, shares: Shares) -> Numbers:
    """The share of all trees of a tree, with options or without, that have each node."""
    reached = np.zeros(tree.n_nodes)
    reached[0] = 1.0
    n_children = np.diff(tree.child_start)
    for level in tree.by_level():
        own = ranges(tree.split_start[level], tree.split_start[level + 1])
        held = reached[tree.split_nodes[own]] * shares.go[own]
        np.add.at(reached, tree.children_of(level), np.repeat(held, n_children[own]))
    return reached


def split_probability(tree: Tree, shares: Shares) -> Numbers:
    """The share of all trees of a tree, with options or without, that have each split."""
    return node_probability(tree, shares)[tree.split_nodes] * shares.go


def average_down(tree: Tree, shares: Shares, values: Numbers) -> Numbers:
    """Means of the nodes' values over all trees, for rows that get as far as each node (Equation 8).

    Along the way from the root each node has the weight P(node is leaf), and the last one all that is left: so the
    weights sum to 1. The tree has no options; values have one row per node.
    """
    reached = reach_probability(tree, shares)[:, None]
    stays = reached * shares.stay[:, None] * values
    above = np.zeros_like(values)
    for level in tree.by_level()[1:]:
        parents = tree.parents[level]
        above[level] = above[parents] + stays[parents]
    return above + reached * values
