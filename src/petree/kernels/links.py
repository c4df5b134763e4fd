"""The weakest links of a tree: which subtrees go, and when, as the price of a leaf rises."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np
from numba import njit

# Columns of what is summed over leaves; others may follow.
LEAVES, RISK = range(2)


@njit(nogil=True, cache=True)
def price_of(node, as_leaf, below):
    """Risk that each leaf below a node saves, but for the first."""
    return (as_leaf[node, RISK] - below[node, RISK]) / (below[node, LEAVES] - 1)


@njit(nogil=True, cache=True)
def is_below_cut(node, parents, cut_at):
    """Whether a node above this one is a leaf by now."""
    node = parents[node]
    while node >= 0:
        if cut_at[node] < np.inf:
            return True
        node = parents[node]
    return False


@njit(nogil=True, cache=True)
def cut_links(parents, is_leaf, as_leaf, below, tolerance, cut_at, prices, totals):
    """Cut the subtree whose leaves save least, again and again, up to the root; the number of cuts.

    `as_leaf` has a line a node: 1, its risk, and more; `below` their sums over the leaves below it, kept up to date.
    `cut_at` (infinite at first) gets the price at which a node was cut, `prices` and `totals` the prices one after the
    other and the root's sums after each cut. Prices that differ by no more than the tolerance are equal. The price of a
    node never falls when something below it is cut, so one that was overtaken is simply sorted in again.
    """
    heap = [(price_of(node, as_leaf, below), node) for node in range(parents.size) if not is_leaf[node]]
    heapify(heap)
    price, n_cuts = 0.0, 0
    while len(heap):
        noted, node = heappop(heap)
        if is_below_cut(node, parents, cut_at):
            continue
        now = price_of(node, as_leaf, below)
        if now > noted:
            heappush(heap, (now, node))
            continue
        if now > price + tolerance:
            price = now
        cut_at[node] = price
        for k in range(below.shape[1]):
            change = as_leaf[node, k] - below[node, k]
            above = node
            while above >= 0:
                below[above, k] += change
                above = parents[above]
        prices[n_cuts] = price
        totals[n_cuts] = below[0]
        n_cuts += 1
    return n_cuts
