"""Buntine's quality of all tests of a node, from the class counts of the values present there.

``ln Q(test) = ln P(test) + sum of ln w_leaf + ln B(n^k + a) - ln B(a) over the children``. A number competes by the
integral over its cuts and offers the best of them; the difference of the two is what the choice of the cut costs.
Candidates are kept best first, few of them: the first of equals stays ahead.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from petree.conditions import EQUALS, IS_MISSING, MULTIWAY, THRESHOLD, UNSEEN
from petree.kernels.evidence import clear_column, count_columns, ln_evidence, njit_inside

# Fields of a candidate: its column, kind, cut and branch of missing values, its quality and what its cut costs.
COLUMN, KIND, CUT, MISSING, QUALITY, PENALTY = range(6)
N_FIELDS = 6
# Qualities that differ by no more than this are equal.
TOLERANCE = 1e-9
# A zero that numba takes for any number: for one written as 0 it would compile a function of its own.
ZERO = np.int64(0)
# A cut whose quality is smaller by a factor of e to the power of this does not count in the integral, if it is narrow.
NEGLIGIBLE = 45.0


@njit(nogil=True, cache=True)
def keep(kept, n_kept, column, kind, cut, missing, quality, penalty):
    """Put a candidate into its place, if it is good enough; how many are kept now."""
    place = n_kept
    while place > 0 and quality > kept[place - 1, QUALITY] + TOLERANCE:
        place -= 1
    if place >= kept.shape[0] or quality == -np.inf:
        return n_kept
    last = min(n_kept, kept.shape[0] - 1)
    for line in range(last, place, -1):
        for field in range(N_FIELDS):
            kept[line, field] = kept[line - 1, field]
    kept[place, COLUMN], kept[place, KIND], kept[place, CUT] = column, kind, cut
    kept[place, MISSING], kept[place, QUALITY], kept[place, PENALTY] = missing, quality, penalty
    return last + 1


@njit(nogil=True, cache=True)
def scan_node(cases, worth, bench, rows, start, stop, kept):
    """The best candidates of a node that has been counted, best first; how many there are."""
    count_columns(cases, bench, rows, start, stop)
    n_kept = ZERO
    for column in range(cases.n_bins.size):
        if bench.lowest[column] < bench.highest[column]:
            n_kept = scan_column(cases, worth, bench, column, kept, n_kept)
        clear_column(bench, cases.line_start[column], column)
    return n_kept


@njit(nogil=True, cache=True)
def scan_column(cases, worth, bench, column, kept, n_kept):
    """Keep what a column has to offer: "is missing", then its other tests."""
    base, n_codes, kind = cases.line_start[column], cases.n_bins[column], cases.kinds[column]
    has_missing = bench.highest[column] == n_codes
    if has_missing:
        fill(bench, base + n_codes)
        value = worth.ln_tests[column] + pair_quality(worth, bench)
        n_kept = keep(kept, n_kept, column, IS_MISSING, ZERO, ZERO, value, 0.0)
    if kind == EQUALS:
        return scan_values(worth, bench, base, n_codes, column, has_missing, kept, n_kept)
    if kind == MULTIWAY:
        missing = n_codes if has_missing else UNSEEN
        value = worth.ln_tests[column] + multiway_quality(worth, bench, base, n_codes, column, has_missing)
        return keep(kept, n_kept, column, kind, ZERO, missing, value, 0.0)
    return scan_cuts(worth, bench, base, cases.centres[base : base + n_codes], column, has_missing, kept, n_kept)


@njit_inside
def fill(bench, line):
    """Let the first branch be a line of the counts."""
    for c in range(bench.parts.shape[1]):
        bench.parts[0, c] = bench.counts[line, c]


@njit_inside
def extend(bench, line):
    """Let a line of the counts join the first branch."""
    for c in range(bench.parts.shape[1]):
        bench.parts[0, c] += bench.counts[line, c]


@njit_inside
def pair_quality(worth, bench):
    """Quality of dividing a node into the first branch and the rest of it; minus infinity if one is too small."""
    parts, totals, last = bench.parts, bench.totals, bench.parts.shape[1] - 1
    if parts[0, last] < worth.min_rows or totals[0, last] - parts[0, last] < worth.min_rows:
        return -np.inf
    for c in range(last):
        parts[1, c] = max(totals[0, c] - parts[0, c], 0.0)  # not below 0 by rounding
    value = 2 * worth.ln_leaf
    for branch in range(2):
        value += ln_evidence(worth, parts, branch)
    return value


@njit(nogil=True, cache=True)
def scan_values(worth, bench, base, n_codes, column, has_missing, kept, n_kept):
    """Keep the tests ``x = v`` of a column.

    The last of two values divides the rows as the first does, and a lone one as "is missing": there is no second test.
    """
    rows, n_present, n_seen = bench.counts.shape[1] - 1, 0, 0
    first, last = bench.lowest[column], min(bench.highest[column], n_codes - 1)
    for code in range(first, last + 1):
        n_present += bench.counts[base + code, rows] > 0
    for code in range(first, last + 1):
        if bench.counts[base + code, rows] == 0:
            continue
        n_seen += 1
        if n_seen == n_present and n_present <= 2:
            break
        fill(bench, base + code)
        value, missing = pair_quality(worth, bench), 1 if has_missing else UNSEEN
        if has_missing:
            extend(bench, base + n_codes)
            other = pair_quality(worth, bench)
            if other > value + TOLERANCE:
                value, missing = other, 0
        n_kept = keep(kept, n_kept, column, EQUALS, code, missing, worth.ln_tests[column] + value, 0.0)
    return n_kept


@njit(nogil=True, cache=True)
def multiway_quality(worth, bench, base, n_codes, column, has_missing):
    """Quality of one branch a value; minus infinity unless two are large enough, or if "is missing" divides alike."""
    value, n_large, n_values, rows = 0.0, 0, 0, bench.counts.shape[1] - 1
    for code in range(bench.lowest[column], bench.highest[column] + 1):
        size = bench.counts[base + code, rows]
        if size > 0:
            value += ln_evidence(worth, bench.counts, base + code)
            n_large += size >= worth.min_rows
            n_values += code < n_codes
    if n_large < 2 or n_values < 2:
        return -np.inf
    return value + (n_codes + (1 if has_missing else 0)) * worth.ln_leaf


@njit(nogil=True, cache=True)
def scan_cuts(worth, bench, base, centres, column, has_missing, kept, n_kept):
    """Keep the test of a number, with missing values on the branch where it is better."""
    integral, best, cut, missing = -np.inf, 0.0, ZERO, UNSEEN
    for side in range(2 if has_missing else 1):  # missing values on branch 1, then on branch 0
        value, value_of_best, code = scan_number(worth, bench, base, centres, column, side == 1)
        if value > integral + TOLERANCE:
            integral, best, cut, missing = value, value_of_best, code, 1 - side if has_missing else UNSEEN
    return keep(kept, n_kept, column, THRESHOLD, cut, missing, worth.ln_tests[column] + integral, integral - best)


@njit(nogil=True, cache=True)
def scan_number(worth, bench, base, centres, column, with_missing):
    """Integral of the quality over all cuts (minus infinity: there is none), the best one, and where it cuts.

    In an empty gap the cut nearest to its middle is taken. With missing values on branch 0 (`with_missing`) that branch
    begins with them.
    """
    counts, rows = bench.counts, bench.counts.shape[1] - 1
    first, last = bench.lowest[column], min(bench.highest[column], centres.size - 1)
    while last > first and counts[base + last, rows] == 0:
        last -= 1
    # halves, where the whole range would be infinite
    scale = 1.0 if centres[last] - centres[first] < np.inf else 0.5
    span = scale * centres[last] - scale * centres[first]
    fill(bench, base + first)
    if with_missing:
        extend(bench, base + centres.size)
    previous, below, above, best, total = first, ZERO, ZERO, -np.inf, 0.0
    for code in range(first + 1, last + 1):
        if counts[base + code, rows] == 0:
            continue
        value = pair_quality(worth, bench)
        if value > -np.inf:
            width = (scale * centres[code] - scale * centres[previous]) / span
            if value > best:  # all cuts so far weigh less
                total = width + (total * math.exp(best - value) if total > 0 else 0.0)
                if value > best + TOLERANCE:
                    below, above = previous, code
                best = value
            elif best - value < NEGLIGIBLE or width > total:
                total += width * math.exp(value - best)
        extend(bench, base + code)
        previous = code
    if total == 0:
        return -np.inf, best, ZERO
    return best + math.log(total), best, cut_between(centres, below, above)


@njit(nogil=True, cache=True)
def cut_between(centres, below, above):
    """The code behind which a cut in the middle between two codes lies."""
    middle = centres[below] / 2 + centres[above] / 2
    while below + 1 < above and centres[below + 1] < middle:
        below += 1
    return below
