"""The best test of each open node by its value.

Two kernels with one contract: `best_of_narrow` for columns of at most 256 codes, `best_of_wide` for all others. The
results of a node are the (first) best value, what counts as equal to it, column, kind, cut and branch of missing
values.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.kernels.count import clear, count_narrow, list_narrow, list_wide, wide_lines
from petree.kernels.scan import scan_column
from petree.kernels.score import lone_value, total_weight

# Scores that differ by no more than this, a case, are equal: rounding grows with the cases, not with the score.
TOLERANCE = 1e-12


@njit(nogil=True, cache=True)
def best_of_narrow(
    codes, classes, copies, weights, counter, starts, stops, totals, first_column, last_column, n_bins, kinds,
    score, n_classes, min_rows, class_weight,
    best_value, tolerances, best_column, best_kind, best_cut, best_missing,
):  # fmt: skip
    """Best test of each node among the columns ``first_column:last_column`` of at most 256 codes."""
    counts = np.zeros(((last_column - first_column) * 256, totals.shape[1]), counter.dtype)
    slots, values, words = np.empty(256, np.uint64), np.empty(256, np.uint64), np.empty(4, np.uint64)
    scratch = np.empty((2, totals.shape[1]), totals.dtype)
    for node in range(starts.size):
        start, stop = np.uint64(starts[node]), np.uint64(stops[node])
        weight = total_weight(totals, node, n_classes, class_weight)
        unsplit = lone_value(score, totals, node, totals, node, weight, n_classes, class_weight)
        tolerance = TOLERANCE * weight
        best = -np.inf
        count_narrow(codes, first_column, last_column, start, stop, classes, copies, weights, counts)
        for column in range(first_column, last_column):
            n_listed = list_narrow(
                codes, column, first_column, n_bins[column], start, stop, counts, words, slots, values
            )
            value, kind, cut, missing = scan_column(
                kinds[column], score, counts, slots, values, n_listed, n_bins[column], totals, node,
                scratch, best, tolerance, n_classes, min_rows, class_weight,
            )  # fmt: skip
            if kind >= 0:
                best = value
                best_column[node], best_kind[node], best_cut[node], best_missing[node] = column, kind, cut, missing
            clear(counts, slots, n_listed)
        best_value[node], tolerances[node] = best - unsplit, tolerance


@njit(nogil=True, cache=True)
def best_of_wide(
    codes, classes, copies, weights, counter, starts, stops, totals, first_column, last_column, n_bins, kinds,
    score, n_classes, min_rows, class_weight,
    best_value, tolerances, best_column, best_kind, best_cut, best_missing,
):  # fmt: skip
    """Best test of each node among the columns ``first_column:last_column`` of any number of codes."""
    n_lines = wide_lines(starts, stops, n_bins[first_column:last_column])
    counts = np.zeros((n_lines, totals.shape[1]), counter.dtype)
    slots, values, keys = np.empty(n_lines, np.uint64), np.empty(n_lines, np.uint64), np.empty(n_lines, np.uint64)
    scratch = np.empty((2, totals.shape[1]), totals.dtype)
    for node in range(starts.size):
        start, stop = np.uint64(starts[node]), np.uint64(stops[node])
        weight = total_weight(totals, node, n_classes, class_weight)
        unsplit = lone_value(score, totals, node, totals, node, weight, n_classes, class_weight)
        tolerance = TOLERANCE * weight
        best = -np.inf
        for column in range(first_column, last_column):
            n_listed = list_wide(
                codes, column, n_bins[column], start, stop, classes, copies, weights, keys, counts, slots, values
            )
            value, kind, cut, missing = scan_column(
                kinds[column], score, counts, slots, values, n_listed, n_bins[column], totals, node,
                scratch, best, tolerance, n_classes, min_rows, class_weight,
            )  # fmt: skip
            if kind >= 0:
                best = value
                best_column[node], best_kind[node], best_cut[node], best_missing[node] = column, kind, cut, missing
            clear(counts, slots, n_listed)
        best_value[node], tolerances[node] = best - unsplit, tolerance
