"""Rows sent down all ways of a tree with options."""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.kernels.route import STUCK, take_branch


@njit(nogil=True, cache=True)
def mix_rows(matrix, split_start, details, members, child_start, children, stay, go, own, weights, mixed):
    """Answers of rows: what every node says that a row reaches, by the share of its mass that stays there.

    Children stand one level below, so that a node's whole mass is there when its turn comes. A row that gets stuck at a
    test goes every way, by the training weights of the branches.
    """
    mass, queue = np.zeros(stay.size), np.empty(stay.size, np.int64)
    for row in range(matrix.shape[0]):
        mass[0], queue[0] = 1.0, 0
        first, last = 0, 1
        while first < last:
            node = queue[first]
            share = mass[node]
            first, mass[node] = first + 1, 0.0
            for c in range(mixed.shape[1]):
                mixed[row, c] += share * stay[node] * own[node, c]
            for split in range(split_start[node], split_start[node + 1]):
                begin, end, part = child_start[split], child_start[split + 1], share * go[split]
                branch = take_branch(matrix[row, details[split].column], details[split], members)
                if branch != STUCK:
                    last = push(children[begin + branch], part, mass, queue, last)
                    continue
                total = 0.0
                for child in range(begin, end):
                    total += weights[children[child]]
                for child in range(begin, end):
                    last = push(children[child], part * weights[children[child]] / total, mass, queue, last)


@njit(nogil=True, cache=True)
def push(node, share, mass, queue, last):
    """Give a node more mass; a node that had none goes to the end of the queue."""
    if share > 0:
        if mass[node] == 0.0:
            queue[last] = node
            last += 1
        mass[node] += share
    return last
