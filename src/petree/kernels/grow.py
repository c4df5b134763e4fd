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
# Columns of the nodes: their rows, and how many rows these count for.
START, STOP, SIZE = range(3)
# Columns of the splits: the node (counted from the first node of the first wave), the place of its column, and its
# test.
OWNER, COLUMN, KIND, CUT, MISSING, N_CHILDREN = range(6)


@njit(nogil=True, cache=True)
def extend(array, n, more):
    """Room for `more` lines behind the first n."""
    if n + more <= array.shape[0]:
        return array
    larger = np.empty((2 * array.shape[0] + more, array.shape[1]), array.dtype)
    for i in range(n):
        for j in range(array.shape[1]):
            larger[i, j] = array[i, j]
    return larger


@njit(nogil=True, cache=True)
def list_open(counts, sizes, first, last, min_rows, open_nodes):
    """Nodes that may be split, impure and large enough for two children: how many."""
    n_open = 0
    for node in range(first, last):
        present = 0
        for c in range(counts.shape[1]):
            present += counts[node, c] > 0
        if present > 1 and sizes[node, SIZE] >= 2 * min_rows:
            open_nodes[n_open] = node
            n_open += 1
    return n_open


@njit(nogil=True, cache=True)
def fill_open(counts, sizes, open_nodes, starts, stops, totals):
    """Rows and class counts of the open nodes; totals may have a last column for the number of rows."""
    n_classes = counts.shape[1]
    for k in range(starts.size):
        node = open_nodes[k]
        starts[k], stops[k] = sizes[node, START], sizes[node, STOP]
        for c in range(n_classes):
            totals[k, c] = counts[node, c]
        if totals.shape[1] > n_classes:
            totals[k, n_classes] = sizes[node, SIZE]


@njit(nogil=True, cache=True)
def leave_out_absent(classes, start, stop, totals, node, places, few_classes, few_totals, line):
    """Number the classes present at a node from 0 on: in its rows, and in a line of totals."""
    n_present = 0
    for c in range(totals.shape[1]):
        if totals[node, c] > 0:
            places[c], few_totals[line, n_present] = n_present, totals[node, c]
            n_present += 1
    for row in range(start, stop):
        few_classes[row] = places[classes[row]]


@njit(nogil=True, cache=True)
def best_by_presence(
    narrow, classes, copies, weights, counter, starts, stops, totals, n_bins, kinds, score, min_rows, class_weight,
    value, tolerance, column, kind, cut, missing,
):  # fmt: skip
    """As `best_of_narrow` for all columns, but without the classes that a node lacks: nodes of as many go together."""
    n_present, few_classes = np.zeros(starts.size, np.int64), np.empty_like(classes)
    nodes, places = np.empty(starts.size, np.int64), np.empty(totals.shape[1], classes.dtype)
    for node in range(starts.size):
        for c in range(totals.shape[1]):
            n_present[node] += totals[node, c] > 0
    for n_classes in range(2, totals.shape[1] + 1):
        n = 0
        for node in range(starts.size):
            if n_present[node] == n_classes:
                nodes[n] = node
                n += 1
        if not n:
            continue
        few_totals, floats = np.empty((n, n_classes), totals.dtype), np.empty((2, n))
        numbers = np.empty((6, n), np.int64)
        for k in range(n):
            start, stop = starts[nodes[k]], stops[nodes[k]]
            numbers[0, k], numbers[1, k], numbers[2, k] = start, stop, -1
            leave_out_absent(classes, start, stop, totals, nodes[k], places, few_classes, few_totals, k)
        best_of_narrow(
            narrow, few_classes, copies, weights, counter, numbers[0], numbers[1], few_totals, 0, n_bins.size, n_bins,
            kinds, score, n_classes, min_rows, class_weight,
            floats[0], floats[1], numbers[2], numbers[3], numbers[4], numbers[5],
        )  # fmt: skip
        for k in range(n):
            value[nodes[k]], tolerance[nodes[k]] = floats[0, k], floats[1, k]
            column[nodes[k]], kind[nodes[k]] = numbers[2, k], numbers[3, k]
            cut[nodes[k]], missing[nodes[k]] = numbers[4, k], numbers[5, k]


@njit(nogil=True, cache=True)
def grow_waves(
    narrow, wide, classes, copies, weights, counter, order, zero, sizes, counts, n_bins, kinds,
    score, min_rows, class_weight, per_case, by_presence, most_waves, min_gain,
):  # fmt: skip
    """Split some nodes, their children, and so on: at most `most_waves` times.

    Nodes come and go as lines of (start, stop, size) and of class counts; with them come the splits, their values, and
    how many nodes and splits there were before each wave. `zero` has the type and the number of columns of totals.
    With `by_presence` classes that a node lacks add nothing to its scores, and are left out.
    Everything is done element by element: numpy's ways to say it in one line take numba ten seconds to compile.
    """
    n_nodes, n_splits, first, n_waves = sizes.shape[0], 0, 0, 0
    splits, values = np.empty((n_nodes + 64, 6), np.int64), np.empty((n_nodes + 64, 1))
    waves = np.zeros((64, 2), np.int64)
    while first < n_nodes and n_waves < most_waves:
        open_nodes = np.empty(n_nodes - first, np.int64)
        n_open = list_open(counts, sizes, first, n_nodes, min_rows, open_nodes)
        if not n_open:
            break
        starts, stops = np.empty(n_open, np.int64), np.empty(n_open, np.int64)
        totals = np.empty((n_open, zero.size), zero.dtype)
        value, tolerance = np.empty(n_open), np.empty(n_open)
        column, kind = np.empty(n_open, np.int64), np.empty(n_open, np.int64)
        cut, missing = np.empty(n_open, np.int64), np.empty(n_open, np.int64)
        fill_open(counts, sizes, open_nodes, starts, stops, totals)
        for k in range(n_open):
            column[k] = -1
        if by_presence:
            best_by_presence(
                narrow, classes, copies, weights, counter, starts, stops, totals, n_bins, kinds, score, min_rows,
                class_weight, value, tolerance, column, kind, cut, missing,
            )  # fmt: skip
        else:
            best_of_narrow(
                narrow, classes, copies, weights, counter, starts, stops, totals, 0, n_bins.size, n_bins, kinds, score,
                counts.shape[1], min_rows, class_weight, value, tolerance, column, kind, cut, missing,
            )  # fmt: skip
        splits, values = extend(splits, n_splits, n_open), extend(values, n_splits, n_open)
        end, n_children = n_splits, 0
        for k in range(n_open):
            if column[k] < 0:
                continue
            result = value[k] / total_weight(totals, k, counts.shape[1], class_weight) if per_case else value[k]
            if min_gain > 0 and result < min_gain - TOLERANCE:
                continue
            values[end, 0] = value[k]
            splits[end, OWNER], splits[end, COLUMN], splits[end, KIND] = open_nodes[k], column[k], kind[k]
            splits[end, CUT], splits[end, MISSING] = cut[k], missing[k]
            is_multiway = kind[k] == MULTIWAY
            splits[end, N_CHILDREN] = n_bins[column[k]] + (missing[k] != UNSEEN) if is_multiway else 2
            n_children += splits[end, N_CHILDREN]
            end += 1
        if end == n_splits:
            break
        sizes, counts = extend(sizes, n_nodes, n_children), extend(counts, n_nodes, n_children)
        divide_wave(
            narrow, wide, classes, copies, weights, order, n_bins, splits, n_splits, end, sizes, counts, n_nodes,
            n_children,
        )  # fmt: skip
        waves = extend(waves, n_waves, 1)
        waves[n_waves, 0], waves[n_waves, 1] = n_nodes, n_splits
        first, n_nodes, n_splits, n_waves = n_nodes, n_nodes + n_children, end, n_waves + 1
    return sizes, counts, n_nodes, splits, values, n_splits, waves, n_waves


@njit(nogil=True, cache=True)
def divide_wave(
    narrow, wide, classes, copies, weights, order, n_bins, splits, first, last, sizes, counts, n_nodes, n_children
):  # fmt: skip
    """Divide the rows of some nodes among their children, which become the nodes from `n_nodes` on."""
    n = last - first
    starts, stops = np.empty(n, np.int64), np.empty(n, np.int64)
    columns, kinds = np.empty(n, np.int64), np.empty(n, np.int64)
    cuts, missing, missing_codes = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    child_start = np.zeros(n + 1, np.int64)
    for k in range(n):
        split = first + k
        starts[k], stops[k] = sizes[splits[split, OWNER], START], sizes[splits[split, OWNER], STOP]
        columns[k], kinds[k], cuts[k] = splits[split, COLUMN], splits[split, KIND], splits[split, CUT]
        missing[k], missing_codes[k] = splits[split, MISSING], n_bins[columns[k]]
        child_start[k + 1] = child_start[k] + splits[split, N_CHILDREN]
    child_stops, child_sizes = np.empty(n_children, np.int64), np.zeros(n_children, np.int64)
    child_counts = np.zeros((n_children, counts.shape[1]))
    divide(
        narrow, wide, classes, copies, weights, order, starts, stops, columns, kinds, cuts, missing_codes, missing,
        child_start, child_stops, child_counts, child_sizes,
    )  # fmt: skip
    for k in range(n):
        start = starts[k]
        for child in range(child_start[k], child_start[k + 1]):
            node = n_nodes + child
            sizes[node, START], sizes[node, STOP], sizes[node, SIZE] = start, child_stops[child], child_sizes[child]
            start = child_stops[child]
            for c in range(counts.shape[1]):
                counts[node, c] = child_counts[child, c]
