"""Cases counted by class, and how probable their classes are if the class probabilities have a Dirichlet prior."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

# For the innermost loops: a call would hand over all arrays of a tuple one by one.
njit_inside = njit(nogil=True, cache=True, forceinline=True)


class Cases(NamedTuple):
    """Rows and how they are coded: `sizes` are the copies of each row.

    The counts of a column begin at its `line_start`, one line a code, the last one for missing values; at the same
    places `centres` says where the values of a number lie.
    """

    codes: Any
    classes: Any
    weights: Any
    sizes: Any
    n_bins: Any
    kinds: Any
    centres: Any
    line_start: Any


class Worth(NamedTuple):
    """What the quality of tests depends on beside the counts.

    Dirichlet parameters with their sum behind them, the logarithms of the gamma function of whole counts plus each, the
    power of the evidence, the logarithms of the prior weights of a leaf and of a test of each column, and the least
    size of a branch.
    """

    alphas: Any
    table: Any
    power: Any
    ln_leaf: Any
    ln_tests: Any
    min_rows: Any


class Bench(NamedTuple):
    """Where a node is counted: classes in the first columns, in the last one rows; `work` adds up what was counted."""

    counts: Any
    totals: Any
    parts: Any
    lowest: Any
    highest: Any
    work: Any


@njit(nogil=True, cache=True)
def make_bench(cases, worth):
    """An empty bench; what is counted on it is cleared again."""
    n_counts, n_columns = worth.alphas.size, cases.n_bins.size
    lowest, highest = np.empty(n_columns, np.int64), np.empty(n_columns, np.int64)
    counts = np.zeros((cases.centres.size, n_counts))
    return Bench(counts, np.empty((1, n_counts)), np.empty((2, n_counts)), lowest, highest, np.zeros(1, np.int64))


@njit_inside
def ln_gamma(table, line, count, alpha):
    """The logarithm of the gamma function of a count plus alpha; whole counts look it up where the table reaches."""
    if count < table.shape[1]:
        place = int(count)
        if place == count:
            return table[line, place]
    return math.lgamma(count + alpha)


@njit_inside
def ln_evidence(worth, counts, line):
    """``power (ln B(n + a) - ln B(a))`` of a line of class counts; a class of alpha 0 is none of the classes."""
    alphas, table = worth.alphas, worth.table
    n_classes = alphas.size - 1
    total, value = 0.0, 0.0
    for c in range(n_classes):
        if alphas[c] > 0:
            count = counts[line, c]
            total += count
            value += ln_gamma(table, c, count, alphas[c]) - table[c, 0]
    return worth.power * (value - ln_gamma(table, n_classes, total, alphas[n_classes]) + table[n_classes, 0])


@njit(nogil=True, cache=True)
def count_node(cases, worth, bench, rows, start, stop):
    """Count the classes and the rows of a node; whether it may be divided: a pure or a small one may not."""
    totals, n_classes = bench.totals, bench.totals.shape[1] - 1
    bench.work[0] += stop - start
    for c in range(n_classes + 1):
        totals[0, c] = 0.0
    for k in range(start, stop):
        row = rows[k]
        totals[0, cases.classes[row]] += cases.weights[row]
        totals[0, n_classes] += cases.sizes[row]
    n_present = 0
    for c in range(n_classes):
        n_present += totals[0, c] > 0
    return n_present > 1 and totals[0, n_classes] >= 2 * worth.min_rows


@njit(nogil=True, cache=True)
def count_columns(cases, bench, rows, start, stop):
    """Count all columns, each into lines of its own; note the range of their codes."""
    codes, counts, lowest, highest = cases.codes, bench.counts, bench.lowest, bench.highest
    n_columns, last = codes.shape[1], counts.shape[1] - 1
    bench.work[0] += n_columns * (stop - start)
    for column in range(n_columns):
        lowest[column], highest[column] = 2**31, -1
    for k in range(start, stop):
        row = rows[k]
        label, weight, size = cases.classes[row], cases.weights[row], cases.sizes[row]
        for column in range(n_columns):
            code = np.int64(codes[row, column])
            line = cases.line_start[column] + code
            counts[line, label] += weight
            counts[line, last] += size
            lowest[column], highest[column] = min(lowest[column], code), max(highest[column], code)


@njit(nogil=True, cache=True)
def clear_column(bench, base, column):
    """Forget the counts of a column."""
    bench.work[0] += bench.highest[column] - bench.lowest[column]
    for line in range(base + bench.lowest[column], base + bench.highest[column] + 1):
        for c in range(bench.counts.shape[1]):
            bench.counts[line, c] = 0.0
