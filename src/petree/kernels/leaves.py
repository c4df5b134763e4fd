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
def add_child(start, best, child, row, n_leaves, other):
    """Let one more child share the leaves in every way: `row` has the best value for each number, up to `n_leaves`."""
    n_own = start[child + 1] - start[child]
    longer = min(n_leaves + n_own, row.size - 1)
    for n in range(longer + 1):
        other[n] = -np.inf
    for n in range(n_leaves + 1):
        for own in range(1, min(n_own, longer - n) + 1):
            other[n + own] = max(other[n + own], row[n] + best[start[child] + own - 1])
    for n in range(longer + 1):
        row[n] = other[n]
    return longer


@njit(nogil=True, cache=True)
def best_by_leaves(split_start, child_start, children, leaves, splits, limit, start, best):
    """Logarithms of the weights of the best trees, from `start` on those of 1, 2, ... leaves; children stand behind."""
    row, other = np.empty(limit + 1), np.empty(limit + 1)
    for node in range(leaves.size - 1, -1, -1):
        for place in range(start[node], start[node + 1]):
            best[place] = leaves[node] if place == start[node] else -np.inf
        for split in range(split_start[node], split_start[node + 1]):
            row[0], n_leaves = splits[split], 0
            for place in range(child_start[split], child_start[split + 1]):
                n_leaves = add_child(start, best, children[place], row, n_leaves, other)
            for n in range(2, n_leaves + 1):
                best[start[node] + n - 1] = max(best[start[node] + n - 1], row[n])
