"""Grow what is left of a tree at once, where nodes are small.

This is the growing loop itself, wave by wave, without going back to Python between waves: there a wave costs a quarter
of a millisecond, more than all the work in a small table. Columns are narrow and split_values plain; anything else goes
wave by wave.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.conditions import MULTIWAY, UNSEEN
from petree.kernels.best import best_of_narrow
from petree.kernels.divide import divide
from petree.kernels.score import total_weight

# A score of exactly the least one is enough, whatever the rounding.
TOLERANCE = 1e-12
# Columns of the splits: the node (counted from the first node of the first wave), the place of its column, and its
# test.
OWNER, COLUMN, KIND, CUT, MISSING, N_CHILDREN = range(6)


@njit(nogil=True, cache=True)
def extend(array, n, more):
    """Room for `more` lines behind the first n."""
    if n + more <= array.shape[0]:
        return array
    larger = np.empty((2 * array.shape[0] + more, array.shape[1]), array.dtype)
    larger[:n] = array[:n]
    return larger


@njit(nogil=True, cache=True)
def list_open(counts, sizes, first, last, min_rows):
    """Nodes that may be split: impure, and large enough for two children."""
    open_nodes, n_open = np.empty(last - first, np.int64), 0
    for node in range(first, last):
        present = 0
        for c in range(counts.shape[1]):
            present += counts[node, c] > 0
        if present > 1 and sizes[node, 2] >= 2 * min_rows:
            open_nodes[n_open] = node
            n_open += 1
    return open_nodes[:n_open]


@njit(nogil=True, cache=True)
def totals_of(counts, sizes, nodes, zero):
    """Class counts as the counting kernels want them: whole, or fractional with the number of rows behind them."""
    n_classes = counts.shape[1]
    totals = np.empty((nodes.size, n_classes + zero.shape[1]), zero.dtype)
    for k in range(nodes.size):
        for c in range(n_classes):
            totals[k, c] = counts[nodes[k], c]
        if zero.shape[1]:
            totals[k, n_classes] = sizes[nodes[k], 2]
    return totals


@njit(nogil=True, cache=True)
def grow_waves(
    narrow, wide, classes, copies, weights, counter, order, zero, starts, stops, root_counts, root_sizes, n_bins, kinds,
    score, min_rows, class_weight, per_case, most_waves, min_gain,
):  # fmt: skip
    """Split some nodes, their children, and so on: at most `most_waves` times.

    Gives the nodes (the given ones first) as lines of (start, stop, size), their class counts, the splits, their
    values, and how many nodes and splits there were before each wave. `zero` has the type and the extra columns of
    totals.
    """
    n_classes, n_nodes, n_splits = root_counts.shape[1], starts.size, 0
    sizes, counts = np.empty((2 * n_nodes + 64, 3), np.int64), np.empty((2 * n_nodes + 64, n_classes))
    splits, split_values = np.empty((n_nodes + 64, 6), np.int64), np.empty((n_nodes + 64, 1))
    waves = np.zeros((64, 2), np.int64)
    sizes[:n_nodes, 0], sizes[:n_nodes, 1], sizes[:n_nodes, 2] = starts, stops, root_sizes
    counts[:n_nodes] = root_counts
    first, n_waves = 0, 0
    while first < n_nodes and n_waves < most_waves:
        nodes = list_open(counts, sizes, first, n_nodes, min_rows)
        if not nodes.size:
            break
        value, tolerance = np.empty(nodes.size), np.empty(nodes.size)
        column, kind = np.full(nodes.size, -1, np.int64), np.empty(nodes.size, np.int64)
        cut, missing = np.empty(nodes.size, np.int64), np.empty(nodes.size, np.int64)
        totals = totals_of(counts, sizes, nodes, zero)
        best_of_narrow(
            narrow, classes, copies, weights, counter, sizes[nodes, 0], sizes[nodes, 1], totals, 0, n_bins.size, n_bins,
            kinds, score, n_classes, min_rows, class_weight, value, tolerance, column, kind, cut, missing,
        )  # fmt: skip
        splits, split_values = extend(splits, n_splits, nodes.size), extend(split_values, n_splits, nodes.size)
        end, n_children = n_splits, 0
        for k in range(nodes.size):
            if column[k] < 0:
                continue
            result = value[k] / total_weight(totals, k, n_classes, class_weight) if per_case else value[k]
            if min_gain > 0 and result < min_gain - TOLERANCE:
                continue
            split_values[end, 0] = value[k]
            splits[end, OWNER], splits[end, COLUMN], splits[end, KIND] = nodes[k], column[k], kind[k]
            splits[end, CUT], splits[end, MISSING] = cut[k], missing[k]
            is_multiway = kind[k] == MULTIWAY
            splits[end, N_CHILDREN] = n_bins[column[k]] + (missing[k] != UNSEEN) if is_multiway else 2
            n_children += splits[end, N_CHILDREN]
            end += 1
        if end == n_splits:
            break
        sizes, counts = extend(sizes, n_nodes, n_children), extend(counts, n_nodes, n_children)
        divide_wave(
            narrow,
            wide,
            classes,
            copies,
            weights,
            order,
            n_bins,
            splits[n_splits:end],
            sizes,
            counts,
            n_nodes,
            n_children,
        )
        waves = extend(waves, n_waves, 1)
        waves[n_waves, 0], waves[n_waves, 1] = n_nodes, n_splits
        first, n_nodes, n_splits, n_waves = n_nodes, n_nodes + n_children, end, n_waves + 1
    return sizes[:n_nodes], counts[:n_nodes], splits[:n_splits], split_values[:n_splits, 0], waves[:n_waves]


@njit(nogil=True, cache=True)
def divide_wave(narrow, wide, classes, copies, weights, order, n_bins, splits, sizes, counts, n_nodes, n_children):
    """Divide the rows of some nodes among their children, which become the nodes from `n_nodes` on."""
    owners, columns = splits[:, OWNER].copy(), splits[:, COLUMN].copy()
    child_start = np.zeros(owners.size + 1, np.int64)
    child_start[1:] = np.cumsum(splits[:, N_CHILDREN])
    stops, child_sizes = np.empty(n_children, np.int64), np.zeros(n_children, np.int64)
    child_counts = np.zeros((n_children, counts.shape[1]))
    divide(
        narrow, wide, classes, copies, weights, order, sizes[owners, 0], sizes[owners, 1], columns,
        splits[:, KIND].copy(), splits[:, CUT].copy(), n_bins[columns], splits[:, MISSING].copy(), child_start,
        stops, child_counts, child_sizes,
    )  # fmt: skip
    for k in range(owners.size):
        start = sizes[owners[k], 0]
        for child in range(child_start[k], child_start[k + 1]):
            node = n_nodes + child
            sizes[node, 0], sizes[node, 1], sizes[node, 2] = start, stops[child], child_sizes[child]
            start = stops[child]
    counts[n_nodes : n_nodes + n_children] = child_counts
