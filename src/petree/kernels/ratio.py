"""The best test of each open node by the ratio of its score to its split information.

The choice looks at all candidates of a node: only those whose score is at least the mean, less a slack, may win. So one
call sees all columns, narrow and wide, and keeps a ledger of the node's candidates: value, information (both times
the cases), whether it counts for the mean, and the test.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numba.extending import overload

from petree.conditions import IS_MISSING, MULTIWAY, THRESHOLD, UNSEEN
from petree.kernels.best import TOLERANCE
from petree.kernels.count import clear, count_narrow, list_narrow, list_wide, wide_lines
from petree.kernels.multiway import multiway_value
from petree.kernels.scan import BRANCH, START, count_large, missing_line, row_count, start_branch
from petree.kernels.score import is_code, lone_value, n_log_n, pair_value, total_weight
from petree.splitting.codes import GainCode

# A split of less information than this does not divide its cases in earnest.
LEAST_INFORMATION = 1e-3
# Columns of a ledger's tests.
COLUMN, KIND, CUT, MISSING = range(4)


@njit(nogil=True, cache=True)
def bits(weight, table):
    """``w log2 w`` of a weight, which is whole where there is a table."""
    return n_log_n(np.int64(weight), table) if table.size else n_log_n(weight, table)


@njit(nogil=True, cache=True)
def enter(ledger, n, value, information, column, kind, cut, missing):
    """Write a candidate that counts for the mean into the ledger's line n; the number of lines."""
    values, informations, counted, tests = ledger
    values[n], informations[n], counted[n] = value, information, True
    tests[n, COLUMN], tests[n, KIND], tests[n, CUT], tests[n, MISSING] = column, kind, cut, missing
    return n + 1


@njit(nogil=True, cache=True)
def enter_values(
    ledger, n, column, kind, score, histogram, slots, values, n_tests, missing, branch, unsplit, totals, node, weight,
    scratch, tolerance, n_classes, min_rows, class_weight,
):  # fmt: skip
    """Enter the binary tests of a column, those without enough rows as impossible.

    With missing values on branch 0 (`missing` their line) a test replaces itself with them on branch 1 if it is better.
    """
    rows = start_branch(histogram, missing, n_classes, scratch)
    n_rows, start_rows = row_count(totals, node, n_classes), rows
    node_bits = bits(weight, score.table)
    for c in range(totals.shape[1]):
        scratch[BRANCH, c] = scratch[START, c]
    for k in range(n_tests):
        for c in range(totals.shape[1]):
            begin = scratch[BRANCH, c] if kind == THRESHOLD else scratch[START, c]
            scratch[BRANCH, c] = begin + histogram[slots[k], c]
        rows = (rows if kind == THRESHOLD else start_rows) + row_count(histogram, slots[k], n_classes)
        value, information = -np.inf, 0.0
        if rows >= min_rows and n_rows - rows >= min_rows:
            value, branch_weight = pair_value(score.base, scratch, BRANCH, totals, node, n_classes, class_weight)
            value -= unsplit
            information = node_bits - bits(branch_weight, score.table) - bits(weight - branch_weight, score.table)
        if missing < 0 or value > ledger[0][n + k] + tolerance:
            enter(ledger, n + k, value, information, column, kind, values[k], branch)
    return n + n_tests


def cut_penalty(base, n_cuts):
    """What the choice among the cuts costs, in bits: C4.5 corrects the gain by it, other scores have no such unit."""


@overload(cut_penalty)
def cut_penalty_by_type(base, n_cuts):
    if is_code(base, GainCode):
        return lambda base, n_cuts: math.log2(n_cuts) if n_cuts > 1 else 0.0
    return lambda base, n_cuts: 0.0


@njit(nogil=True, cache=True)
def least_known(score, known, n_classes, min_rows):
    """Rows with known values that a cut must leave on both sides: C4.5 asks for a tenth of a class, from 2 to 25."""
    if not score.restricted:
        return min_rows
    return max(min_rows, np.int64(math.ceil(min(max(0.1 * known / n_classes, 2.0), 25.0))))


@njit(nogil=True, cache=True)
def enter_best_cut(
    ledger, n, column, score, histogram, slots, values, n_present, missing, unsplit, totals, node, weight,
    scratch, tolerance, n_classes, min_rows, class_weight,
):  # fmt: skip
    """Enter the best threshold of a column, by its value, as the column's only candidate."""
    n_rows = row_count(totals, node, n_classes)
    n_missing = row_count(histogram, missing, n_classes) if missing >= 0 else np.int64(0)
    least = least_known(score, n_rows - n_missing, n_classes, min_rows)
    rows = cuts = np.int64(0)
    best, which, side, best_weight = -np.inf, -1, UNSEEN, 0.0
    scratch[:] = 0
    for k in range(n_present - 1):
        rows += row_count(histogram, slots[k], n_classes)
        for c in range(totals.shape[1]):
            scratch[START, c] += histogram[slots[k], c]
            scratch[BRANCH, c] = scratch[START, c] + (histogram[missing, c] if missing >= 0 else 0)
        if score.restricted and min(rows, n_rows - n_missing - rows) < least:
            continue
        cuts += 1
        for line in range(1 if missing < 0 else 2):  # missing values on branch 1, then on branch 0
            here = rows + line * n_missing
            if min(here, n_rows - here) >= min_rows:
                value, part = pair_value(score.base, scratch, line, totals, node, n_classes, class_weight)
                if value > best + tolerance:
                    best, which, best_weight = value, k, part
                    side = UNSEEN if missing < 0 else 1 - line
    if which < 0:
        return n
    penalty = cut_penalty(score.base, cuts) if score.restricted else 0.0
    rest = weight - best_weight
    information = bits(weight, score.table) - bits(best_weight, score.table) - bits(rest, score.table)
    return enter(ledger, n, best - unsplit - penalty, information, column, THRESHOLD, values[which], side)


@njit(nogil=True, cache=True)
def enter_column(
    ledger, n, column, kind, score, histogram, slots, values, n_listed, n_bins, unsplit, totals, node, weight,
    scratch, tolerance, n_classes, min_rows, class_weight,
):  # fmt: skip
    """Enter all candidates of a column, in the order of generation."""
    if n_listed < 2:
        return n
    missing = missing_line(slots, values, n_listed, n_bins)
    n_present = n_listed - (missing >= 0)
    if missing >= 0:
        rows = row_count(histogram, missing, n_classes)
        if min(rows, row_count(totals, node, n_classes) - rows) >= min_rows:
            value, part = pair_value(score.base, histogram, missing, totals, node, n_classes, class_weight)
            information = bits(weight, score.table) - bits(part, score.table) - bits(weight - part, score.table)
            n = enter(ledger, n, value - unsplit, information, column, IS_MISSING, 0, 0)
    if kind == MULTIWAY:
        if count_large(histogram, slots, n_listed, n_classes, min_rows) >= 2:
            value = multiway_value(score.base, histogram, slots, n_listed, totals, node, n_classes, class_weight)
            information = bits(weight, score.table)
            for k in range(n_listed):
                information -= bits(total_weight(histogram, slots[k], n_classes, class_weight), score.table)
            side = UNSEEN if missing < 0 else np.int64(n_bins)
            n = enter(ledger, n, value - unsplit, information, column, MULTIWAY, 0, side)
            ledger[2][n - 1] = n_bins < score.many_values
        return n
    if n_present < 2:
        return n
    if score.by_column:
        return enter_best_cut(
            ledger, n, column, score, histogram, slots, values, n_present, missing, unsplit, totals, node, weight,
            scratch, tolerance, n_classes, min_rows, class_weight,
        )  # fmt: skip
    n_tests = n_present - (kind == THRESHOLD)
    end = enter_values(
        ledger, n, column, kind, score, histogram, slots, values, n_tests, -1, UNSEEN if missing < 0 else 1, unsplit,
        totals, node, weight, scratch, tolerance, n_classes, min_rows, class_weight,
    )  # fmt: skip
    if missing >= 0:
        enter_values(
            ledger, n, column, kind, score, histogram, slots, values, n_tests, missing, 0, unsplit,
            totals, node, weight, scratch, tolerance, n_classes, min_rows, class_weight,
        )  # fmt: skip
    return end


@njit(nogil=True, cache=True)
def mean_value(ledger, n):
    """Mean over the possible candidates that count for it, or over all if none does."""
    values, counted = ledger[0], ledger[2]
    total, number, all_total, all_number = 0.0, 0, 0.0, 0
    for k in range(n):
        if values[k] > -np.inf:
            all_total += values[k]
            all_number += 1
            if counted[k]:
                total += values[k]
                number += 1
    return total / number if number else all_total / all_number if all_number else 0.0


@njit(nogil=True, cache=True)
def choose(ledger, n, weight, slack):
    """Line of the (first) best ratio among those at the mean or above, and the ratio; -1 if there is none."""
    limit = mean_value(ledger, n) - (slack + TOLERANCE) * weight
    best, chosen = -np.inf, -1
    for k in range(n):
        if ledger[0][k] >= limit and ledger[1][k] > LEAST_INFORMATION * weight:
            ratio = ledger[0][k] / ledger[1][k]
            if ratio > best + TOLERANCE:
                best, chosen = ratio, k
    return chosen, best


@njit(nogil=True, cache=True)
def ledger_lines(starts, stops, n_bins):
    """Candidates that any node may have: one for every present value and one for "is missing", of each column."""
    most_rows, lines = np.max(stops - starts), 0
    for column in range(n_bins.size):
        lines += min(n_bins[column], most_rows) + 2
    return lines


@njit(nogil=True, cache=True)
def best_by_ratio(
    narrow, wide, classes, copies, weights, counter, starts, stops, totals, places, n_bins, kinds,
    score, n_classes, min_rows, class_weight, best_value, best_column, best_kind, best_cut, best_missing,
):  # fmt: skip
    """Best test of each node among all columns; its value is the ratio times the cases."""
    n_narrow = narrow.shape[1]
    n_lines = max(wide_lines(starts, stops, n_bins[n_narrow:]), 256)
    narrow_counts = np.zeros((n_narrow * 256, totals.shape[1]), counter.dtype)
    wide_counts = np.zeros((n_lines, totals.shape[1]), counter.dtype)
    slots, values, keys = np.empty(n_lines, np.uint64), np.empty(n_lines, np.uint64), np.empty(n_lines, np.uint64)
    words, scratch = np.empty(4, np.uint64), np.empty((2, totals.shape[1]), totals.dtype)
    size = ledger_lines(starts, stops, n_bins)
    ledger = (np.empty(size), np.empty(size), np.empty(size, np.bool_), np.empty((size, 4), np.int64))
    for node in range(starts.size):
        start, stop = np.uint64(starts[node]), np.uint64(stops[node])
        weight = total_weight(totals, node, n_classes, class_weight)
        unsplit = lone_value(score.base, totals, node, totals, node, weight, n_classes, class_weight)
        count_narrow(narrow, 0, n_narrow, start, stop, classes, copies, weights, narrow_counts)
        n = 0
        for column in places:  # in the user's order, which decides ties
            counts = narrow_counts if column < n_narrow else wide_counts
            if column < n_narrow:
                n_listed = list_narrow(narrow, column, 0, n_bins[column], start, stop, counts, words, slots, values)
            else:
                n_listed = list_wide(
                    wide, column - n_narrow, n_bins[column], start, stop, classes, copies, weights, keys, counts,
                    slots, values,
                )  # fmt: skip
            n = enter_column(
                ledger, n, column, kinds[column], score, counts, slots, values, n_listed, n_bins[column], unsplit,
                totals, node, weight, scratch, TOLERANCE * weight, n_classes, min_rows, class_weight,
            )  # fmt: skip
            clear(counts, slots, n_listed)
        chosen, ratio = choose(ledger, n, weight, score.slack)
        best_value[node] = ratio * weight
        if chosen >= 0:
            best_column[node], best_kind[node] = ledger[3][chosen, COLUMN], ledger[3][chosen, KIND]
            best_cut[node], best_missing[node] = ledger[3][chosen, CUT], ledger[3][chosen, MISSING]
