"""The best test of one column at one node, from the class counts of the values present there.

Candidates come in the order of generation: "is missing", then thresholds or categories ascending; a later one
wins only by more than the tolerance. At a node with missing values each test is tried with them on its branch 1,
then on its branch 0.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.conditions import IS_MISSING, MULTIWAY, THRESHOLD, UNSEEN
from petree.kernels.multiway import multiway_value
from petree.kernels.score import pair_value

# Lines of the scratch table: where the branch under test begins, and the branch itself.
START, BRANCH = range(2)


@njit(nogil=True, cache=True, inline="always")
def row_count(counts, line, n_classes):
    """Rows behind a line of counts: its last column where there is one, else the sum of the classes."""
    if counts.shape[1] > n_classes:
        return np.int64(counts[line, n_classes])
    rows = np.int64(0)
    for c in range(n_classes):
        rows += np.int64(counts[line, c])
    return rows


@njit(nogil=True, cache=True, inline="always")
def start_branch(histogram, missing, n_classes, scratch):
    """Let branch 0 begin with the missing values, or (`missing` -1) with nothing; its number of rows."""
    for c in range(scratch.shape[1]):
        scratch[START, c] = histogram[missing, c] if missing >= 0 else 0
    return row_count(histogram, missing, n_classes) if missing >= 0 else np.int64(0)


@njit(nogil=True, cache=True)
def scan_thresholds(
    score, histogram, slots, n_present, start_rows, totals, node, scratch, best, tolerance,
    n_classes, min_rows, class_weight,
):  # fmt: skip
    """Best ``x < t``: its value, and after which of the present values it cuts.

    The branch begins with the counts in the line `START`. This loop and the next are apart, and know nothing of missing
    values, for speed: a choice made inside would cost four times the rest.
    """
    value, chosen = best, -1
    n_counts = totals.shape[1]
    n_rows = row_count(totals, node, n_classes)
    rows = start_rows
    for c in range(n_counts):
        scratch[BRANCH, c] = scratch[START, c]
    for k in range(n_present - 1):
        slot = slots[k]
        for c in range(n_counts):  # one loop: a second one over the same line would triple the time
            scratch[BRANCH, c] += histogram[slot, c]
            rows += np.int64(histogram[slot, c])
        if n_counts > n_classes:
            rows = np.int64(scratch[BRANCH, n_classes])
        if rows >= min_rows and n_rows - rows >= min_rows:
            current, _ = pair_value(score, scratch, BRANCH, totals, node, n_classes, class_weight)
            if current > value + tolerance:
                value, chosen = current, k
    return value, chosen


@njit(nogil=True, cache=True)
def scan_categories(
    score, histogram, slots, n_present, start_rows, totals, node, scratch, best, tolerance,
    n_classes, min_rows, class_weight,
):  # fmt: skip
    """Best ``x = v``: its value, and which of the present values it asks for."""
    value, chosen = best, -1
    n_counts = totals.shape[1]
    n_rows = row_count(totals, node, n_classes)
    for k in range(n_present):
        slot = slots[k]
        rows = start_rows
        for c in range(n_counts):
            scratch[BRANCH, c] = scratch[START, c] + histogram[slot, c]
            rows += np.int64(histogram[slot, c])
        if n_counts > n_classes:
            rows = np.int64(scratch[BRANCH, n_classes])
        if rows >= min_rows and n_rows - rows >= min_rows:
            current, _ = pair_value(score, scratch, BRANCH, totals, node, n_classes, class_weight)
            if current > value + tolerance:
                value, chosen = current, k
    return value, chosen


@njit(nogil=True, cache=True, inline="always")
def scan_values(
    kind, score, histogram, slots, n_present, missing, totals, node, scratch, best, tolerance,
    n_classes, min_rows, class_weight,
):  # fmt: skip
    """Best binary test whose branch 0 begins with the missing values, or (`missing` -1) with nothing."""
    rows = start_branch(histogram, missing, n_classes, scratch)
    if kind == THRESHOLD:
        return scan_thresholds(
            score, histogram, slots, n_present, rows, totals, node, scratch, best, tolerance,
            n_classes, min_rows, class_weight,
        )  # fmt: skip
    return scan_categories(
        score, histogram, slots, n_present, rows, totals, node, scratch, best, tolerance,
        n_classes, min_rows, class_weight,
    )  # fmt: skip


@njit(nogil=True, cache=True, inline="always")
def scan_binary(
    kind, score, histogram, slots, n_present, missing, totals, node, scratch, best, tolerance,
    n_classes, min_rows, class_weight,
):  # fmt: skip
    """Best binary test of a column, with the branch of its missing values: (value, which, branch)."""
    value, chosen = scan_values(
        kind, score, histogram, slots, n_present, -1, totals, node, scratch, best, tolerance,
        n_classes, min_rows, class_weight,
    )  # fmt: skip
    if missing < 0:
        return value, chosen, UNSEEN
    other, which = scan_values(
        kind, score, histogram, slots, n_present, missing, totals, node, scratch, best, tolerance,
        n_classes, min_rows, class_weight,
    )  # fmt: skip
    is_earlier = which < chosen and other >= value - tolerance
    if which >= 0 and (chosen < 0 or other > value + tolerance or is_earlier):
        return other, which, 0
    return value, chosen, 1


@njit(nogil=True, cache=True, inline="always")
def count_large(histogram, slots, n_children, n_classes, min_rows):
    """Children with enough rows."""
    large = 0
    for k in range(n_children):
        large += row_count(histogram, slots[k], n_classes) >= min_rows
    return large


@njit(nogil=True, cache=True, inline="always")
def missing_line(slots, values, n_listed, missing_value):
    """Line of the missing values, whose code is the highest and comes last; -1 if there are none."""
    return np.int64(slots[n_listed - 1]) if values[n_listed - 1] == missing_value else -1


@njit(nogil=True, cache=True, inline="always")
def scan_column(
    kind, score, histogram, slots, values, n_listed, missing_value, totals, node, scratch, best, tolerance,
    n_classes, min_rows, class_weight,
):  # fmt: skip
    """Best test of a column that beats `best`: (value, kind, cut, branch of missing values), kind -1 if none.

    `values` are the listed codes, ascending, and `slots` their lines in the histogram.
    """
    value, chosen, cut, side = best, -1, np.uint64(0), UNSEEN
    if n_listed < 2:
        return value, chosen, cut, side
    missing = missing_line(slots, values, n_listed, missing_value)
    n_present = n_listed - (missing >= 0)
    if missing >= 0:
        rows = row_count(histogram, missing, n_classes)
        if min(rows, row_count(totals, node, n_classes) - rows) >= min_rows:
            current, _ = pair_value(score, histogram, missing, totals, node, n_classes, class_weight)
            if current > value + tolerance:
                value, chosen, side = current, IS_MISSING, 0
    if kind == MULTIWAY:
        if count_large(histogram, slots, n_listed, n_classes, min_rows) >= 2:  # C4.5's rule
            current = multiway_value(score, histogram, slots, n_listed, totals, node, n_classes, class_weight)
            if current > value + tolerance:
                value, chosen = current, MULTIWAY
                side = UNSEEN if missing < 0 else np.int64(missing_value)
    elif n_present > 1:  # a lone value against the missing ones is the test "is missing"
        current, which, branch = scan_binary(
            kind, score, histogram, slots, n_present, missing, totals, node, scratch, value, tolerance,
            n_classes, min_rows, class_weight,
        )  # fmt: skip
        if which >= 0:
            value, chosen, cut, side = current, np.int64(kind), values[which], branch
    return value, chosen, cut, side
