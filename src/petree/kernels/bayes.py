"""Buntine's quality of all tests of a node, from the class counts of the values present there.

``ln Q(test) = ln P(test) + sum of ln B(n^k + a) - ln B(a) over the children``. A number competes by the integral over
its cuts and offers the best of them; the difference of the two is what the choice of the cut costs. Candidates are kept
best first, few of them: the first of equals stays ahead.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from petree.conditions import EQUALS, IS_MISSING, MULTIWAY, THRESHOLD, UNSEEN

# Columns of a candidate: its column, kind, cut and branch of missing values, its quality and what its cut costs.
COLUMN, KIND, CUT, MISSING, QUALITY, PENALTY = range(6)
N_FIELDS = 6
# Qualities that differ by no more than this are equal.
TOLERANCE = 1e-9
# A cut whose quality is smaller by a factor of e to the power of this does not count in the integral.
NEGLIGIBLE = 45.0


@njit(nogil=True, cache=True)
def ln_gamma(table, line, count, alpha):
    """The logarithm of the gamma function of a count plus alpha; whole counts look it up where the table reaches."""
    if count < table.shape[1]:
        place = int(count)
        if place == count:
            return table[line, place]
    return math.lgamma(count + alpha)


@njit(nogil=True, cache=True)
def ln_evidence(counts, line, alphas, table):
    """``ln B(n + a) - ln B(a)`` of a line of class counts; a class of alpha 0 is none of the classes."""
    n_classes = alphas.size - 1
    total, value = 0.0, 0.0
    for c in range(n_classes):
        if alphas[c] > 0:
            count = counts[line, c]
            total += count
            value += ln_gamma(table, c, count, alphas[c]) - table[c, 0]
    return value - ln_gamma(table, n_classes, total, alphas[n_classes]) + table[n_classes, 0]


@njit(nogil=True, cache=True)
def count_columns(codes, rows, start, stop, classes, weights, line_start, counts, lowest, highest):
    """Count all columns, each into lines of its own, whose last class is the number of rows; note the codes' range."""
    n_columns, last = codes.shape[1], counts.shape[1] - 1
    for column in range(n_columns):
        lowest[column], highest[column] = 2**31, -1
    for k in range(start, stop):
        row = rows[k]
        label, weight = classes[row], weights[row]
        for column in range(n_columns):
            code = np.int64(codes[row, column])
            line = line_start[column] + code
            counts[line, label] += weight
            counts[line, last] += 1
            lowest[column], highest[column] = min(lowest[column], code), max(highest[column], code)


@njit(nogil=True, cache=True)
def keep(kept, n_kept, column, kind, cut, missing, quality, penalty):
    """Put a candidate into its place, if it is good enough; how many are kept now."""
    place = n_kept
    while place > 0 and quality > kept[place - 1, QUALITY] + TOLERANCE:
        place -= 1
    if place >= kept.shape[0]:
        return n_kept
    last = min(n_kept, kept.shape[0] - 1)
    for line in range(last, place, -1):
        for field in range(N_FIELDS):
            kept[line, field] = kept[line - 1, field]
    kept[place, COLUMN], kept[place, KIND], kept[place, CUT] = column, kind, cut
    kept[place, MISSING], kept[place, QUALITY], kept[place, PENALTY] = missing, quality, penalty
    return last + 1


@njit(nogil=True, cache=True)
def pair_quality(parts, totals, alphas, table, min_rows):
    """Evidence of the branch in line 0 of `parts` and of the rest of the node; minus infinity if one is too small."""
    n_rows, rows = totals[0, totals.shape[1] - 1], parts[0, totals.shape[1] - 1]
    if rows < min_rows or n_rows - rows < min_rows:
        return -np.inf
    for c in range(totals.shape[1]):
        parts[1, c] = totals[0, c] - parts[0, c]
    return ln_evidence(parts, 0, alphas, table) + ln_evidence(parts, 1, alphas, table)


@njit(nogil=True, cache=True)
def scan_number(counts, base, lowest, highest, n_bins, centres, totals, parts, alphas, table, min_rows, with_missing):
    """Integral of the quality over all cuts, the best one, and the code behind which it cuts (-1: there is none).

    In an empty gap the cut nearest to its middle is taken. With missing values on branch 0 (`with_missing`) that branch
    begins with them.
    """
    n_counts = totals.shape[1]
    for c in range(n_counts):
        parts[0, c] = counts[base + n_bins, c] if with_missing else 0.0
    first, last = lowest, min(highest, n_bins - 1)
    while last > first and counts[base + last, n_counts - 1] == 0:
        last -= 1
    previous, best, below, above, total = first, -np.inf, -1, -1, 0.0
    for code in range(first, last + 1):
        if counts[base + code, n_counts - 1] == 0:
            continue
        if code > first:
            value = pair_quality(parts, totals, alphas, table, min_rows)
            if value > -np.inf:
                width = centres[code] - centres[previous]
                if value > best:  # all cuts so far weigh less
                    total = total * math.exp(best - value) if total > 0 else 0.0
                    total += width
                    if value > best + TOLERANCE:
                        below, above = previous, code
                    best = value
                elif best - value < NEGLIGIBLE:
                    total += width * math.exp(value - best)
        for c in range(n_counts):
            parts[0, c] += counts[base + code, c]
        previous = code
    if below < 0:
        return -np.inf, best, -1
    middle, cut = (centres[below] + centres[above]) / 2, below
    while cut + 1 < above and centres[cut + 1] < middle:
        cut += 1
    return best + math.log(total / (centres[last] - centres[first])), best, cut


@njit(nogil=True, cache=True)
def scan_node(
    codes, rows, start, stop, classes, weights, n_bins, kinds, centres, line_start, ln_tests,
    alphas, table, min_rows, totals, counts, lowest, highest, parts, kept,
):  # fmt: skip
    """The best candidates of a node, best first; how many there are. `totals` gets the counts of the node."""
    n_counts = totals.shape[1]
    count_columns(codes, rows, start, stop, classes, weights, line_start, counts, lowest, highest)
    for c in range(n_counts):
        totals[0, c] = 0.0
        for line in range(line_start[0] + lowest[0], line_start[0] + highest[0] + 1):
            totals[0, c] += counts[line, c]
    n_kept = 0
    for column in range(codes.shape[1]):
        if lowest[column] < highest[column]:
            n_kept = scan_column(
                column, line_start[column], lowest[column], highest[column], n_bins[column], kinds[column], centres,
                ln_tests[column], alphas, table, min_rows, totals, counts, parts, kept, n_kept,
            )  # fmt: skip
        for line in range(line_start[column] + lowest[column], line_start[column] + highest[column] + 1):
            for c in range(n_counts):
                counts[line, c] = 0.0
    return n_kept


@njit(nogil=True, cache=True)
def scan_column(
    column, base, lowest, highest, n_codes, kind, centres, ln_test, alphas, table, min_rows, totals, counts, parts,
    kept, n_kept,
):  # fmt: skip
    """Keep what a column has to offer: "is missing", then its other tests."""
    has_missing = highest == n_codes
    if has_missing:
        for c in range(totals.shape[1]):
            parts[0, c] = counts[base + n_codes, c]
        value = ln_test + pair_quality(parts, totals, alphas, table, min_rows)
        if value > -np.inf:
            n_kept = keep(kept, n_kept, column, IS_MISSING, 0, 0, value, 0.0)
    if kind == EQUALS:
        return scan_values(
            counts, base, lowest, highest, n_codes, totals, parts, alphas, table, min_rows, column, ln_test,
            has_missing, kept, n_kept,
        )  # fmt: skip
    if kind == MULTIWAY:
        value = multiway_quality(counts, base + lowest, base + highest, alphas, table, min_rows)
        if value > -np.inf:
            missing = n_codes if has_missing else UNSEEN
            n_kept = keep(kept, n_kept, column, MULTIWAY, 0, missing, ln_test + value, 0.0)
        return n_kept
    # the centres of a column stand where its counts do
    own = centres[base : base + n_codes]
    integral, best, cut = scan_number(
        counts, base, lowest, highest, n_codes, own, totals, parts, alphas, table, min_rows, False
    )
    missing = 1 if has_missing else UNSEEN
    if has_missing:
        other, other_best, other_cut = scan_number(
            counts, base, lowest, highest, n_codes, own, totals, parts, alphas, table, min_rows, True
        )
        if other > integral + TOLERANCE:
            integral, best, cut, missing = other, other_best, other_cut, 0
    if cut >= 0:
        n_kept = keep(kept, n_kept, column, THRESHOLD, cut, missing, ln_test + integral, integral - best)
    return n_kept


@njit(nogil=True, cache=True)
def scan_values(
    counts, base, lowest, highest, n_codes, totals, parts, alphas, table, min_rows, column, ln_test, has_missing,
    kept, n_kept,
):  # fmt: skip
    """Keep the tests ``x = v`` of a column; of two values that are all there is the second test is the first again."""
    n_counts, n_present, n_seen = totals.shape[1], 0, 0
    last = min(highest, n_codes - 1)
    for code in range(lowest, last + 1):
        n_present += counts[base + code, n_counts - 1] > 0
    for code in range(lowest, last + 1):
        if counts[base + code, n_counts - 1] == 0:
            continue
        n_seen += 1
        if n_present == 2 and n_seen == 2 and not has_missing:
            break
        for c in range(n_counts):
            parts[0, c] = counts[base + code, c]
        value, missing = pair_quality(parts, totals, alphas, table, min_rows), 1 if has_missing else UNSEEN
        if has_missing:
            for c in range(n_counts):
                parts[0, c] = counts[base + code, c] + counts[base + n_codes, c]
            other = pair_quality(parts, totals, alphas, table, min_rows)
            if other > value + TOLERANCE:
                value, missing = other, 0
        if value > -np.inf:
            n_kept = keep(kept, n_kept, column, EQUALS, code, missing, ln_test + value, 0.0)
    return n_kept


@njit(nogil=True, cache=True)
def multiway_quality(counts, first, last, alphas, table, min_rows):
    """Evidence of one branch a value; minus infinity unless two of them are large enough."""
    value, n_large = 0.0, 0
    for line in range(first, last + 1):
        if counts[line, counts.shape[1] - 1] > 0:
            value += ln_evidence(counts, line, alphas, table)
            n_large += counts[line, counts.shape[1] - 1] >= min_rows
    return value if n_large >= 2 else -np.inf


@njit(nogil=True, cache=True)
def branch_of(code, kind, cut, missing, n_bins):
    """The branch that a code takes."""
    if kind == IS_MISSING:
        return 0 if code == n_bins else 1
    if code == n_bins:
        return missing
    if kind == THRESHOLD:
        return 0 if code <= cut else 1
    if kind == EQUALS:
        return 0 if code == cut else 1
    return code
