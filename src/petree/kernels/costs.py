"""Subtrees against leaves, from the leaves of a tree up."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True, inline="always")
def is_cheaper(subtree, leaf, tie, or_equal):
    """The same as `petree.pruning.bottom_up.is_cheaper`, of two numbers."""
    margin = tie * max(abs(subtree), abs(leaf))
    return subtree <= leaf + margin if or_equal else subtree < leaf - margin


@njit(nogil=True, cache=True)
def compare_costs(nodes, starts, stops, children, split_cost, tie, keep_equal, cost, subtree, accepted):
    """Cost of the subtree of each inner node (ascending; children come after parents), and whether it is cheaper.

    Nodes have the children ``starts:stops``. `cost` has the costs of nodes as leaves, and gets those of what is left.
    """
    for k in range(nodes.size - 1, -1, -1):
        below = 0.0
        for place in range(starts[k], stops[k]):
            below += cost[children[place]]
        subtree[k] = split_cost[nodes[k]] + below
        accepted[k] = is_cheaper(subtree[k], cost[nodes[k]], tie, keep_equal)
        if accepted[k]:
            cost[nodes[k]] = subtree[k]


@njit(nogil=True, cache=True)
def any_below(parents, is_marked):
    """Whether any node below each is marked."""
    below = np.zeros(parents.size, np.bool_)
    for node in range(parents.size - 1, 0, -1):
        below[parents[node]] |= below[node] | is_marked[node]
    return below
