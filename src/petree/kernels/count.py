"""Count classes by column value at a node: a line of class counts for each code, and a list of the codes present.

A node is a slice ``start:stop`` of the rows, which stand together. Narrow columns have at most 256 codes and are
counted several at a time; wide ones have any number.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.kernels.bits import trailing_zeros

# A node with this many rows for each bin fills most bins, so that looking at all of them beats a bit set.
DENSE_ROWS_PER_BIN = 2
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


@njit(nogil=True, cache=True, inline="always")
def count_narrow(codes, first_column, last_column, start, stop, classes, copies, weights, counts):
    """Count some narrow columns, each into 256 lines of its own."""
    for block in range(start, stop, np.uint64(BLOCK_ROWS)):
        block_stop = min(block + np.uint64(BLOCK_ROWS), stop)
        for column in range(first_column, last_column):
            base = np.uint64(256 * (column - first_column))
            count_rows(codes, column, block, block_stop, classes, copies, weights, counts, base)


@njit(nogil=True, cache=True, inline="always")
def list_narrow(codes, column, first_column, n_bins, start, stop, counts, words, slots, values):
    """List the codes of a narrow column that has been counted."""
    base = np.uint64(256 * (column - first_column))
    if np.int64(stop - start) < DENSE_ROWS_PER_BIN * n_bins:
        return list_few(codes, column, start, stop, words, base, slots, values)
    return list_many(counts, n_bins + 1, base, slots, values)


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


@njit(nogil=True, cache=True, inline="always")
def list_wide(codes, column, n_bins, start, stop, classes, copies, weights, keys, counts, slots, values):
    """Count a wide column and list its codes: by a table of all codes where rows are many, else by sorting the rows."""
    if 4 * np.int64(stop - start) >= n_bins + 1:
        count_rows(codes, column, start, stop, classes, copies, weights, counts, np.uint64(0))
        return list_many(counts, n_bins + 1, np.uint64(0), slots, values)
    return list_sorted(codes, column, start, stop, classes, copies, weights, keys, counts, slots, values)


@njit(nogil=True, cache=True, inline="always")
def wide_lines(starts, stops, n_bins):
    """Lines of counts that any node and wide column may need."""
    if not n_bins.size:
        return 0
    most_rows = np.max(stops - starts)
    return max(most_rows, min(np.max(n_bins) + 1, 4 * most_rows))


@njit(nogil=True, cache=True, inline="always")
def clear(counts, slots, n_listed):
    """Set the listed lines to zero."""
    for k in range(n_listed):
        for c in range(counts.shape[1]):
            counts[slots[k], c] = 0
