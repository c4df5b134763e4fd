"""A desk for the nodes under way, one a level: their rows, divided by a test, and their best tests."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from petree.conditions import EQUALS, IS_MISSING, MULTIWAY, THRESHOLD, UNSEEN
from petree.kernels.bayes import COLUMN, CUT, KIND, MISSING, N_FIELDS, PENALTY, QUALITY, TOLERANCE, ZERO, scan_node
from petree.kernels.evidence import count_node, ln_evidence

# Tests of a node that a lookahead of several plies compares, at least.
BEAM = 4


class Desk(NamedTuple):
    """What is at hand of the node under way at each level.

    Its key, its rows and how many they are, its tests and the number of them, where the branches of the test under way
    begin among the rows of the next level, and the children of its tests so far. `at` has the test and the branch under
    way, and how many branches there are; `place` the level under way.
    """

    keys: Any
    rows: Any
    spans: Any
    kept: Any
    n_kept: Any
    bounds: Any
    children: Any
    at: Any
    place: Any


@njit(nogil=True, cache=True)
def make_desk(cases, rules):
    """Room for the nodes under way, the root's rows in their order."""
    n_levels, n_rows, most_branches = rules.max_depth + 1, cases.classes.size, 2
    for column in range(cases.n_bins.size):
        if cases.kinds[column] == MULTIWAY:
            most_branches = max(most_branches, cases.n_bins[column] + 1)  # one for missing values
    rows = np.empty((n_levels, n_rows), np.int32)
    for row in range(n_rows):
        rows[0, row] = row
    width = rules.max_options if rules.lookahead == 1 else max(rules.max_options, BEAM)
    return Desk(
        np.empty(n_levels, np.uint64),
        rows,
        np.empty((n_levels, 2), np.int64),
        np.empty((n_levels, width, N_FIELDS)),
        np.empty(n_levels, np.int64),
        np.empty((n_levels, most_branches + 1), np.int64),
        np.empty((n_levels, rules.max_options, most_branches), np.int64),
        np.empty((n_levels, 3), np.int64),
        np.zeros(1, np.int64),
    )


# -- dividing -------------------------------------------------------------------------------------------------


@njit(nogil=True, cache=True)
def count_branches(kind, missing, n_bins):
    """Number of children of a test."""
    if kind == MULTIWAY:
        return n_bins + (1 if missing != UNSEEN else 0)
    return 2


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


@njit(nogil=True, cache=True)
def divide_rows(cases, desk, level, start, stop, test):
    """Write the rows of a node to the next level, branch after branch, in their order; how many branches there are."""
    column, kind, cut, missing = int(test[COLUMN]), int(test[KIND]), int(test[CUT]), int(test[MISSING])
    n_bins, rows, bounds = cases.n_bins[column], desk.rows, desk.bounds[level]
    n_branches = count_branches(kind, missing, n_bins)
    for branch in range(n_branches + 1):
        bounds[branch] = 0
    for k in range(start, stop):
        bounds[branch_of(int(cases.codes[rows[level, k], column]), kind, cut, missing, n_bins)] += 1
    for branch in range(n_branches):
        bounds[branch + 1] += bounds[branch]
    for k in range(stop - 1, start - 1, -1):  # from behind: each branch is filled down to where it begins
        branch = branch_of(int(cases.codes[rows[level, k], column]), kind, cut, missing, n_bins)
        bounds[branch] -= 1
        rows[level + 1, bounds[branch]] = rows[level, k]
    return n_branches


# -- looking ahead --------------------------------------------------------------------------------------------


@njit(nogil=True, cache=True)
def look_ahead(cases, worth, bench, desk, plies, level, start, stop):
    """Put the best tests of some rows on the desk, with qualities of so many plies; their number, and the best value.

    That is the logarithm of what the rows are worth as a leaf, or split by a test whose children look on.
    """
    is_open = count_node(cases, worth, bench, desk.rows[level], start, stop)
    best, n_kept, kept = worth.ln_leaf + ln_evidence(worth, bench.totals, ZERO), 0, desk.kept[level]
    if plies > 0 and is_open:
        n_kept = scan_node(cases, worth, bench, desk.rows[level], start, stop, kept)
    for k in range(n_kept):
        if plies > 1:
            kept[k, QUALITY] = worth.ln_tests[int(kept[k, COLUMN])] + kept[k, PENALTY]
            for branch in range(divide_rows(cases, desk, level, start, stop, kept[k])):
                first, last = desk.bounds[level, branch], desk.bounds[level, branch + 1]
                _, value = look_ahead(cases, worth, bench, desk, plies - 1, level + 1, first, last)
                kept[k, QUALITY] += value
        best = max(best, kept[k, QUALITY])
    return n_kept, best


@njit(nogil=True, cache=True)
def move_up(kept, line):
    """Move a test ahead of those that are worse; the first of equals stays ahead."""
    while line > 0 and kept[line, QUALITY] > kept[line - 1, QUALITY] + TOLERANCE:
        for field in range(N_FIELDS):
            kept[line, field], kept[line - 1, field] = kept[line - 1, field], kept[line, field]
        line -= 1


@njit(nogil=True, cache=True)
def find_options(cases, worth, rules, bench, desk, level, start, stop):
    """Put the best tests of a node on the desk, best first; how many are good enough."""
    plies = min(rules.lookahead, rules.max_depth - level)
    n_kept, _ = look_ahead(cases, worth, bench, desk, plies, level, start, stop)
    kept = desk.kept[level]
    for k in range(1, n_kept):
        move_up(kept, k)
    most = min(n_kept, rules.max_options if level < rules.option_depth else 1)
    n_good, least = 0, kept[0, QUALITY] + np.log(rules.factor) - TOLERANCE
    while n_good < most and kept[n_good, QUALITY] >= least:
        n_good += 1
    return n_good
