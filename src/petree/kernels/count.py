"""Count classes by column value at each open node, and keep the best test.

Two kernels with one contract: `best_of_narrow` for columns of at most 256 codes, `best_of_wide` for all others.
A node is a slice ``starts:stops`` of the rows, which stand together; its results are the (first) best
value, column, kind, cut and branch of missing values.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.kernels.bits import trailing_zeros
from petree.kernels.scan import scan_column
from petree.kernels.score import child_value, total_weight

# A node with this many rows for each bin fills most bins, so that looking at all of them beats a bit set.
DENSE_ROWS_PER_BIN = 2
# Scores that differ by no more than this, a case, are equal: rounding grows with the cases, not with the score.
TOLERANCE = 1e-12
# Rows counted column after column while they are in the first-level cache.
BLOCK_ROWS = 1024


@njit(nogil=True, cache=True, inline="always")
def count_rows(codes, column, start, stop, classes, copies, weights, counts, base):
    """Add rows of one column to the lines from `base` on; a last column of counts, if any, takes plain rows."""
    if weights.size:
        last = counts.shape[1] - 1
        for row in range(start, stop):
            line = base + np.uint64(codes[row, column])
            counts[line, classes[row]] += weights[row]
            counts[line, last] += 1
    elif copies.size:
        for row in range(start, stop):
            counts[base + np.uint64(codes[row, column]), classes[row]] += copies[row]
    else:
        for row in range(start, stop):
            counts[base + np.uint64(codes[row, column]), classes[row]] += 1


@njit(nogil=True, cache=True, inline="always")
def list_few(codes, column, start, stop, words, base, slots, values):
    """Codes present in a few rows, ascending, by a bit set of 256."""
    for word in range(4):
        words[word] = 0
    for row in range(start, stop):
        code = np.uint64(codes[row, column])
        words[code >> np.uint64(6)] |= np.uint64(1) << (code & np.uint64(63))
    n_listed = 0
    for word in range(4):
        bits = words[word]
        while bits:
            code = np.uint64(64 * word) + trailing_zeros(bits)
            values[n_listed] = code
            slots[n_listed] = base + code
            n_listed += 1
            bits &= bits - np.uint64(1)
    return n_listed


@njit(nogil=True, cache=True, inline="always")
def list_many(counts, n_codes, base, slots, values):
    """Codes with any count, ascending."""
    n_listed = 0
    for code in range(np.uint64(n_codes)):
        for c in range(counts.shape[1]):
            if counts[base + code, c] != 0:
                values[n_listed] = code
                slots[n_listed] = base + code
                n_listed += 1
                break
    return n_listed


@njit(nogil=True, cache=True)
def best_of_narrow(
    codes, classes, copies, weights, counter, starts, stops, totals, first_column, last_column, n_bins, kinds,
    score, n_classes, min_rows, class_weight, table,
    best_value, tolerances, best_column, best_kind, best_cut, best_missing,
):  # fmt: skip
    """Best test of each node among the columns ``first_column:last_column`` of at most 256 codes."""
    n_counts = totals.shape[1]
    counts = np.zeros(((last_column - first_column) * 256, n_counts), counter.dtype)
    slots, values, words = np.empty(256, np.uint64), np.empty(256, np.uint64), np.empty(4, np.uint64)
    scratch = np.empty((2, n_counts), totals.dtype)
    for node in range(starts.size):
        start, stop = np.uint64(starts[node]), np.uint64(stops[node])
        unsplit = child_value(score, totals, node, n_classes, class_weight, table)
        tolerance = TOLERANCE * total_weight(totals, node, n_classes, class_weight)
        best = -np.inf
        for block in range(start, stop, np.uint64(BLOCK_ROWS)):
            block_stop = min(block + np.uint64(BLOCK_ROWS), stop)
            for column in range(first_column, last_column):
                base = np.uint64(256 * (column - first_column))
                count_rows(codes, column, block, block_stop, classes, copies, weights, counts, base)
        for column in range(first_column, last_column):
            base = np.uint64(256 * (column - first_column))
            if stops[node] - starts[node] < DENSE_ROWS_PER_BIN * n_bins[column]:
                n_listed = list_few(codes, column, start, stop, words, base, slots, values)
            else:
                n_listed = list_many(counts, n_bins[column] + 1, base, slots, values)
            value, kind, cut, missing = scan_column(
                kinds[column], score, counts, slots, values, n_listed, n_bins[column], totals, node,
                scratch, best, tolerance, n_classes, min_rows, class_weight, table,
            )  # fmt: skip
            if kind >= 0:
                best = value
                best_column[node], best_kind[node], best_cut[node], best_missing[node] = column, kind, cut, missing
            for k in range(n_listed):
                for c in range(n_counts):
                    counts[slots[k], c] = 0
        best_value[node], tolerances[node] = best - unsplit, tolerance


@njit(nogil=True, cache=True)
def list_sorted(codes, column, start, stop, classes, copies, weights, keys, counts, slots, values):
    """Sort a node's rows by code and count each run into the lines 0, 1, ... of `counts`."""
    size = stop - start
    for k in range(size):
        keys[k] = np.uint64(codes[start + k, column]) << np.uint64(32) | np.uint64(k)
    keys[:size].sort()
    n_listed = -1
    for k in range(size):
        code = keys[k] >> np.uint64(32)
        row = start + (keys[k] & np.uint64(0xFFFFFFFF))
        if n_listed < 0 or values[n_listed] != code:
            n_listed += 1
            values[n_listed] = code
            slots[n_listed] = n_listed
        if weights.size:
            counts[n_listed, classes[row]] += weights[row]
            counts[n_listed, counts.shape[1] - 1] += 1
        else:
            counts[n_listed, classes[row]] += copies[row] if copies.size else 1
    return n_listed + 1


@njit(nogil=True, cache=True)
def best_of_wide(
    codes, classes, copies, weights, counter, starts, stops, totals, first_column, last_column, n_bins, kinds,
    score, n_classes, min_rows, class_weight, table,
    best_value, tolerances, best_column, best_kind, best_cut, best_missing,
):  # fmt: skip
    """Best test of each node among the columns ``first_column:last_column`` of any number of codes.

    A node with many rows for the codes of a column counts them in a table of all codes; any other sorts its rows.
    """
    n_counts = totals.shape[1]
    most_rows = np.max(stops - starts)
    most_codes = np.max(n_bins[first_column:last_column]) + 1
    n_lines = max(most_rows, min(most_codes, 4 * most_rows))
    counts = np.zeros((n_lines, n_counts), counter.dtype)
    slots, values, keys = np.empty(n_lines, np.uint64), np.empty(n_lines, np.uint64), np.empty(most_rows, np.uint64)
    scratch = np.empty((2, n_counts), totals.dtype)
    for node in range(starts.size):
        start, stop = np.uint64(starts[node]), np.uint64(stops[node])
        unsplit = child_value(score, totals, node, n_classes, class_weight, table)
        tolerance = TOLERANCE * total_weight(totals, node, n_classes, class_weight)
        best = -np.inf
        for column in range(first_column, last_column):
            if 4 * (stops[node] - starts[node]) >= n_bins[column] + 1:
                base = np.uint64(0)
                count_rows(codes, column, start, stop, classes, copies, weights, counts, base)
                n_listed = list_many(counts, n_bins[column] + 1, base, slots, values)
            else:
                n_listed = list_sorted(
                    codes, column, start, stop, classes, copies, weights, keys, counts, slots, values
                )
            value, kind, cut, missing = scan_column(
                kinds[column], score, counts, slots, values, n_listed, n_bins[column], totals, node,
                scratch, best, tolerance, n_classes, min_rows, class_weight, table,
            )  # fmt: skip
            if kind >= 0:
                best = value
                best_column[node], best_kind[node], best_cut[node], best_missing[node] = column, kind, cut, missing
            for k in range(n_listed):
                for c in range(n_counts):
                    counts[slots[k], c] = 0
        best_value[node], tolerances[node] = best - unsplit, tolerance
