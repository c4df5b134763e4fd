"""The most probable trees of so many leaves within a tree with options."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def combine(best, children, start, stop, weight, most, row, other):
    """The best value of a split for each number of leaves, into `row`: its children share them in every way."""
    for n in range(most + 1):
        row[n] = weight if n == 0 else -np.inf
    for place in range(start, stop):
        child = children[place]
        for n in range(most + 1):
            other[n] = -np.inf
            for own in range(1, n + 1):
                other[n] = max(other[n], row[n - own] + best[child, own])
        for n in range(most + 1):
            row[n] = other[n]


@njit(nogil=True, cache=True)
def best_by_leaves(split_start, child_start, children, leaves, splits, best):
    """For each node and number of leaves the logarithm of the weight of the best tree; children stand behind."""
    most = best.shape[1] - 1
    row, other = np.empty(most + 1), np.empty(most + 1)
    for node in range(leaves.size - 1, -1, -1):
        for n in range(most + 1):
            best[node, n] = -np.inf
        best[node, 1] = leaves[node]
        for split in range(split_start[node], split_start[node + 1]):
            combine(best, children, child_start[split], child_start[split + 1], splits[split], most, row, other)
            for n in range(2, most + 1):
                best[node, n] = max(best[node, n], row[n])
