"""The best test of each open node by Buntine's quality."""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.kernels.bayes import COLUMN, CUT, KIND, MISSING, N_FIELDS, PENALTY, QUALITY, ZERO, scan_node
from petree.kernels.evidence import count_node, ln_evidence, make_bench


@njit(nogil=True, cache=True)
def best_by_quality(cases, worth, rows, starts, stops, value, column, kind, cut, missing, penalty):
    """Best tests among the columns of one matrix: how much better than no test, the test, and what its cut costs."""
    bench, kept = make_bench(cases, worth), np.empty((1, N_FIELDS))
    for node in range(starts.size):
        value[node], column[node], penalty[node] = -np.inf, -1, 0.0
        count_node(cases, worth, bench, rows, starts[node], stops[node])
        if scan_node(cases, worth, bench, rows, starts[node], stops[node], kept):
            column[node], kind[node] = int(kept[0, COLUMN]), int(kept[0, KIND])
            cut[node], missing[node], penalty[node] = int(kept[0, CUT]), int(kept[0, MISSING]), kept[0, PENALTY]
            value[node] = kept[0, QUALITY] - worth.ln_leaf - ln_evidence(worth, bench.totals, ZERO)
