"""Numbers to bin codes."""

from __future__ import annotations

import numpy as np
from numba import njit

# Cells of the grid that says at once about where among the thresholds a value lies: at most so many, and no more a
# threshold or a value than pay.
MOST_CELLS, CELLS_PER_THRESHOLD, CELLS_PER_VALUE = 4096, 16, 4


@njit(nogil=True, cache=True, inline="always")
def cell_of(value, lowest, scale, n_cells):
    """Cell of a value in an even grid that begins at `lowest`: never decreasing in the value."""
    position = (value - lowest) * scale
    if not position > 0:
        return np.uint64(0)
    return np.uint64(min(position, n_cells - 1.0))


@njit(nogil=True, cache=True)
def grid_scale(lowest, highest, n_cells):
    """Cells a unit of value; 0, all values in one cell, where that is not a number."""
    width = highest - lowest
    scale = n_cells / width if 0 < width < np.inf else 0.0
    return scale if scale < np.inf else 0.0


@njit(nogil=True, cache=True)
def weigh_cells(values, weights, lowest, scale, totals):
    """Add the weight of each value (1 where there are none) to its cell."""
    for row in range(values.size):
        totals[cell_of(values[row], lowest, scale, totals.size)] += weights[row] if weights.size else 1.0


@njit(nogil=True, cache=True)
def rows_in_cells(values, lowest, scale, is_wanted, rows):
    """List the rows whose cell is wanted; gives how many."""
    n_found = 0
    for row in range(values.size):
        if is_wanted[cell_of(values[row], lowest, scale, is_wanted.size)]:
            rows[n_found] = row
            n_found += 1
    return n_found


@njit(nogil=True, cache=True)
def encode_numbers(values, thresholds, codes):
    """Write the bin of each value: how many thresholds are not above it; missing values get the code behind the last.

    A cell of the grid says how many thresholds lie in the cells before it; since cells never decrease, only the
    thresholds of the value's own cell remain to be compared.
    """
    n_thresholds = np.uint64(thresholds.size)
    n_cells = 1 + min(MOST_CELLS, CELLS_PER_THRESHOLD * thresholds.size, CELLS_PER_VALUE * values.size)
    lowest, scale = 0.0, 0.0
    if thresholds.size > 1:
        lowest, scale = thresholds[0], grid_scale(thresholds[0], thresholds[-1], n_cells)
    before = np.zeros(n_cells + 1, np.uint64)
    for k in range(thresholds.size):
        before[cell_of(thresholds[k], lowest, scale, n_cells) + np.uint64(1)] += np.uint64(1)
    for cell in range(n_cells):
        before[cell + 1] += before[cell]
    for row in range(values.size):
        value = values[row]
        if value != value:
            codes[row] = n_thresholds + np.uint64(1)
            continue
        cell = cell_of(value, lowest, scale, n_cells)
        low, high = before[cell], before[cell + np.uint64(1)]
        while low < high:
            middle = (low + high) >> np.uint64(1)
            if thresholds[middle] <= value:
                low = middle + np.uint64(1)
            else:
                high = middle
        codes[row] = low


@njit(nogil=True, cache=True)
def encode_categories(categories, n_bins, codes):
    """Write the code of each category, and for missing ones the code behind the last; how many are missing."""
    n_missing = 0
    for row in range(categories.size):
        is_missing = categories[row] < 0
        codes[row] = n_bins if is_missing else categories[row]
        n_missing += is_missing
    return n_missing
