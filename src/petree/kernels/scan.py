"""The best test of one column at one node, from the class counts of the values present there.

Candidates come in the order of generation: "is missing", then thresholds or categories ascending; a later one
wins only by more than the tolerance. At a node with missing values each test is tried with them on its branch 1,
then on its branch 0.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.conditions import IS_MISSING, MULTIWAY, THRESHOLD, UNSEEN
from petree.kernels.score import child_value, pair_value

# Lines of the scratch table: the branch under test, and that branch with the missing values.
BRANCH, WITH_MISSING = range(2)


@njit(nogil=True, cache=True, inline="always")
def row_count(counts, line, n_classes):
    """Rows behind a line of counts: its last column where there is one, else the sum of the classes."""
    if counts.shape[1] > n_classes:
        return np.int64(counts[line, n_classes])
    rows = np.int64(0)
    for c in range(n_classes):
        rows += np.int64(counts[line, c])
    return rows


@njit(nogil=True, cache=True)
def scan_thresholds(
    score, histogram, slots, values, n_present, totals, node, scratch, best, tolerance,
    n_classes, min_rows, class_weight, table,
):  # fmt: skip
    """Best ``x < t`` where no value is missing: the hot case, four times faster by itself than in `scan_binary`."""
    value, cut, found = best, np.uint64(0), False
    n_counts = totals.shape[1]
    n_rows = row_count(totals, node, n_classes)
    rows = np.int64(0)
    for c in range(n_counts):
        scratch[BRANCH, c] = 0
    for k in range(n_present - 1):
        slot = slots[k]
        for c in range(n_counts):  # one loop: a second one over the same line would triple the time
            scratch[BRANCH, c] += histogram[slot, c]
            rows += np.int64(histogram[slot, c])
        if n_counts > n_classes:
            rows = np.int64(scratch[BRANCH, n_classes])
        if rows >= min_rows and n_rows - rows >= min_rows:
            current = pair_value(score, scratch, BRANCH, totals, node, n_classes, class_weight, table)
            if current > value + tolerance:
                value, cut, found = current, values[k], True
    return value, cut, UNSEEN, found


@njit(nogil=True, cache=True)
def scan_binary(
    kind, score, histogram, slots, values, n_present, missing, totals, node, scratch, best, tolerance,
    n_classes, min_rows, class_weight, table,
):  # fmt: skip
    """Best ``x < t`` (running sum of the values so far) or ``x = v`` (one value) of a column."""
    value, cut, side, found = best, np.uint64(0), UNSEEN, False
    n_counts = totals.shape[1]
    n_rows = row_count(totals, node, n_classes)
    missing_rows = row_count(histogram, missing, n_classes) if missing >= 0 else np.int64(0)
    rows = np.int64(0)
    for c in range(n_counts):
        scratch[BRANCH, c] = 0
    for k in range(n_present - (kind == THRESHOLD)):
        slot = slots[k]
        if kind != THRESHOLD:
            rows = np.int64(0)
            for c in range(n_counts):
                scratch[BRANCH, c] = 0
        for c in range(n_counts):  # one loop: a second one over the same line would triple the time
            scratch[BRANCH, c] += histogram[slot, c]
            rows += np.int64(histogram[slot, c])
        if n_counts > n_classes:
            rows = np.int64(scratch[BRANCH, n_classes])
        if rows >= min_rows and n_rows - rows >= min_rows:
            current = pair_value(score, scratch, BRANCH, totals, node, n_classes, class_weight, table)
            if current > value + tolerance:
                value, cut, found = current, values[k], True
                side = UNSEEN if missing < 0 else 1
        if missing >= 0 and rows + missing_rows >= min_rows and n_rows - rows - missing_rows >= min_rows:
            for c in range(n_counts):
                scratch[WITH_MISSING, c] = scratch[BRANCH, c] + histogram[missing, c]
            current = pair_value(score, scratch, WITH_MISSING, totals, node, n_classes, class_weight, table)
            if current > value + tolerance:
                value, cut, side, found = current, values[k], 0, True
    return value, cut, side, found


@njit(nogil=True, cache=True)
def multiway_value(score, histogram, slots, n_children, n_classes, min_rows, class_weight, table):
    """Value of one child a present value; at least two children must have enough rows (C4.5's rule)."""
    value, large = 0.0, 0
    for k in range(n_children):
        value += child_value(score, histogram, slots[k], n_classes, class_weight, table)
        large += row_count(histogram, slots[k], n_classes) >= min_rows
    return value if large >= 2 else -np.inf


@njit(nogil=True, cache=True)
def scan_column(
    kind, score, histogram, slots, values, n_listed, missing_value, totals, node, scratch, best, tolerance,
    n_classes, min_rows, class_weight, table,
):  # fmt: skip
    """Best test of a column that beats `best`: (value, kind, cut, branch of missing values), kind -1 if none.

    `values` are the listed codes, ascending, and `slots` their lines in the histogram; missing values, whose
    code is the highest, come last.
    """
    value, chosen, cut, side = best, -1, np.uint64(0), UNSEEN
    if n_listed < 2:
        return value, chosen, cut, side
    missing, n_present = -1, n_listed
    if values[n_listed - 1] == missing_value:
        n_present -= 1
        missing = np.int64(slots[n_present])
        rows = row_count(histogram, missing, n_classes)
        if min(rows, row_count(totals, node, n_classes) - rows) >= min_rows:
            current = pair_value(score, histogram, missing, totals, node, n_classes, class_weight, table)
            if current > value + tolerance:
                value, chosen, side = current, IS_MISSING, 0
    if kind == MULTIWAY:
        current = multiway_value(score, histogram, slots, n_listed, n_classes, min_rows, class_weight, table)
        if current > value + tolerance:
            value, chosen = current, MULTIWAY
            side = UNSEEN if missing < 0 else np.int64(missing_value)
    elif n_present > 1:  # a lone value against the missing ones is the test "is missing"
        if kind == THRESHOLD and missing < 0:
            current, at, branch, found = scan_thresholds(
                score, histogram, slots, values, n_present, totals, node, scratch, value, tolerance,
                n_classes, min_rows, class_weight, table,
            )  # fmt: skip
        else:
            current, at, branch, found = scan_binary(
                kind, score, histogram, slots, values, n_present, missing, totals, node, scratch, value, tolerance,
                n_classes, min_rows, class_weight, table,
            )  # fmt: skip
        if found:
            value, chosen, cut, side = current, np.int64(kind), at, branch
    return value, chosen, cut, side
