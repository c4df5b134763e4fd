"""The best test of each open node by Buntine's quality."""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.kernels.bayes import COLUMN, CUT, KIND, MISSING, PENALTY, QUALITY, ln_evidence, scan_node
from petree.kernels.options import count_branches


@njit(nogil=True, cache=True)
def best_by_quality(
    codes, rows, classes, weights, starts, stops, n_bins, kinds, centres, line_start, ln_tests, alphas, table, ln_leaf,
    min_rows, value, column, kind, cut, missing, penalty,
):  # fmt: skip
    """Best tests among the columns of one matrix: how much better than no test, the test, and what its cut costs."""
    n_counts = alphas.size
    counts, totals, parts = np.zeros((centres.size, n_counts)), np.empty((1, n_counts)), np.empty((2, n_counts))
    lowest, highest = np.empty(n_bins.size, np.int64), np.empty(n_bins.size, np.int64)
    kept = np.empty((1, 6))
    for node in range(starts.size):
        n_kept = scan_node(
            codes, rows, starts[node], stops[node], classes, weights, n_bins, kinds, centres, line_start, ln_tests,
            alphas, table, min_rows, totals, counts, lowest, highest, parts, kept,
        )  # fmt: skip
        value[node], column[node], penalty[node] = -np.inf, -1, 0.0
        if n_kept:
            column[node], kind[node] = int(kept[0, COLUMN]), int(kept[0, KIND])
            cut[node], missing[node], penalty[node] = int(kept[0, CUT]), int(kept[0, MISSING]), kept[0, PENALTY]
            n_branches = count_branches(kind[node], missing[node], n_bins[column[node]])
            value[node] = kept[0, QUALITY] - ln_evidence(totals, 0, alphas, table) + (n_branches - 1) * ln_leaf
