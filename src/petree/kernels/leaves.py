"""The most probable trees within a tree with options: of all, and of so many leaves."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def best_splits(split_start, child_start, children, leaves, splits, chosen):
    """The split of each node in the best tree below it, or -1 where that is a leaf; children stand behind."""
    best = leaves.copy()
    for node in range(leaves.size - 1, -1, -1):
        chosen[node] = -1
        for split in range(split_start[node], split_start[node + 1]):
            value = splits[split]
            for place in range(child_start[split], child_start[split + 1]):
                value += best[children[place]]
            if value > best[node]:
                best[node], chosen[node] = value, split


@njit(nogil=True, cache=True)
def most_leaves(split_start, child_start, children, limit, most):
    """The most leaves of a tree below each node, up to a limit."""
    for node in range(most.size - 1, -1, -1):
        most[node] = 1
        for split in range(split_start[node], split_start[node + 1]):
            total = 0
            for place in range(child_start[split], child_start[split + 1]):
                total = min(total + most[children[place]], limit)
            most[node] = max(most[node], total)


@njit(nogil=True, cache=True)
def combine(start, best, children, row, other):
    """Add up the best values of children for each number of leaves, into `row`: they share them in every way."""
    n_leaves, limit = 0, row.size - 1
    for child in children:
        own = best[start[child] : start[child + 1]]
        longer = min(n_leaves + own.size, limit)
        other[: longer + 1] = -np.inf
        for n in range(n_leaves + 1):
            for more in range(1, min(own.size, longer - n) + 1):
                other[n + more] = max(other[n + more], row[n] + own[more - 1])
        row[: longer + 1] = other[: longer + 1]
        n_leaves = longer
    return n_leaves


@njit(nogil=True, cache=True)
def best_by_leaves(split_start, child_start, children, leaves, splits, limit, start, best):
    """Logarithms of the weights of the best trees, from `start` on those of 1, 2, ... leaves; children stand behind."""
    row, other = np.empty(limit + 1), np.empty(limit + 1)
    best[:] = -np.inf
    for node in range(leaves.size - 1, -1, -1):
        best[start[node]] = leaves[node]
        for split in range(split_start[node], split_start[node + 1]):
            row[0] = splits[split]
            n_leaves = combine(start, best, children[child_start[split] : child_start[split + 1]], row, other)
            for n in range(2, n_leaves + 1):
                best[start[node] + n - 1] = max(best[start[node] + n - 1], row[n])
