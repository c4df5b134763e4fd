"""Split scores inside the kernels; whole counts index a table. Gain is the only one so far, whatever the code `score`.

The value of a split is a sum over its children, higher being better; the value of an unsplit node is the same
function of its own counts. These loops run once a candidate. They touch arrays by index only (a slice costs more than
the arithmetic) and keep the second child in registers (storing it to read it back costs five times the rest).
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit, types
from numba.extending import overload


def n_log_n(count, table):
    """``n log2 n``: whole counts look it up where the table reaches, fractional ones compute it."""
    return count * math.log2(count) if count > 0 else 0.0


@overload(n_log_n)
def n_log_n_by_type(count, table):
    if isinstance(count, types.Float):
        return lambda count, table: count * math.log2(count) if count > 0 else 0.0  # not for a residue of rounding
    return lambda count, table: table[np.uintp(count)] if count < table.size else count * math.log2(count)


@njit(nogil=True, cache=True)
def total_weight(counts, line, n_classes, class_weight):
    """Weight of a line of counts as the score sees it."""
    weight = 0.0
    for c in range(n_classes):
        weight += counts[line, c] * (class_weight[c] if class_weight.size else 1.0)
    return weight


@njit(nogil=True, cache=True, inline="always")
def child_value(score, counts, line, n_classes, class_weight, table):
    """Value of one child, whose class counts are a line of `counts`."""
    value = 0.0
    if class_weight.size:
        weight = 0.0
        for c in range(n_classes):
            count = counts[line, c] * class_weight[c]
            weight += count
            value += n_log_n(count, table)
        return value - n_log_n(weight, table)
    total = counts[line, 0] - counts[line, 0]  # a zero of the counts' own type
    for c in range(n_classes):
        total += counts[line, c]
        value += n_log_n(counts[line, c], table)
    return value - n_log_n(total, table)


@njit(nogil=True, cache=True, inline="always")
def pair_value(score, counts, line, totals, node, n_classes, class_weight, table):
    """Value of two children: a line of `counts`, and what it leaves of the node's line of `totals`."""
    value = 0.0
    if class_weight.size:
        weight = other_weight = 0.0
        for c in range(n_classes):
            count = counts[line, c] * class_weight[c]
            other = totals[node, c] * class_weight[c] - count
            weight += count
            other_weight += other
            value += n_log_n(count, table) + n_log_n(other, table)
        return value - (n_log_n(weight, table) + n_log_n(other_weight, table))
    total = other_total = totals[node, 0] - totals[node, 0]
    for c in range(n_classes):
        count = counts[line, c]
        other = totals[node, c] - count
        total += count
        other_total += other
        value += n_log_n(count, table) + n_log_n(other, table)
    return value - (n_log_n(total, table) + n_log_n(other_total, table))
