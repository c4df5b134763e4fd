"""Option trees: every node keeps several tests, and rows that are reached by other tests in another order are one node.

Growing goes depth first with one line of rows a level, so that memory does not depend on how many nodes there are. A
node is known by the sum of random keys of its rows and by its level.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from petree.conditions import EQUALS, IS_MISSING, MULTIWAY, THRESHOLD, UNSEEN
from petree.kernels.bayes import COLUMN, CUT, KIND, MISSING, N_FIELDS, PENALTY, QUALITY, TOLERANCE, ZERO, scan_node
from petree.kernels.evidence import count_node, ln_evidence, make_bench

# Tests of a node that a lookahead of several plies compares, at least.
BEAM = 4


class Desk(NamedTuple):
    """What is at hand of the node under way at each level.

    Its rows, its tests, where the branches of the test under way begin among the rows of the next level, and the
    children found so far.
    """

    rows: Any
    kept: Any
    bounds: Any
    children: Any


class Found(NamedTuple):
    """Lists that grow: of each node its key, level and counts; of each split its node, its test and what its cut costs.

    `places` is a table of nodes by key, with open addressing; `left` has the nodes that were to stay unsplit.
    """

    places: Any
    keys: Any
    levels: Any
    counts: Any
    splits: Any
    children: Any
    left: Any


@njit(nogil=True, cache=True)
def make_desk(cases, rules):
    """Room for the nodes under way, the root's rows in their order."""
    n_levels, most_branches = rules.max_depth + 1, int(cases.n_bins.max()) + 2
    rows = np.empty((n_levels, cases.classes.size), np.int32)
    for row in range(cases.classes.size):
        rows[0, row] = row
    width = rules.max_options if rules.lookahead == 1 else max(rules.max_options, BEAM)
    kept = np.empty((n_levels, width, N_FIELDS))
    bounds = np.empty((n_levels, most_branches + 1), np.int64)
    return Desk(rows, kept, bounds, np.empty((n_levels, most_branches), np.int64))


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
    n_good, least = 0, kept[0, QUALITY] + np.log(rules.factor) - TOLERANCE
    while n_good < min(n_kept, rules.max_options) and kept[n_good, QUALITY] >= least:
        n_good += 1
    return n_good


# -- growing --------------------------------------------------------------------------------------------------


@njit(nogil=True, cache=True)
def key_of(row_keys, rows, start, stop, level):
    """The key of a set of rows at a level."""
    key = np.uint64(level) * np.uint64(0x9E3779B97F4A7C15)
    for k in range(start, stop):
        key += row_keys[rows[k]]
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return key ^ (key >> np.uint64(27))


@njit(nogil=True, cache=True)
def find_place(places, keys, key):
    """The place of a key in the table, or the empty place where it belongs."""
    last = len(places) - 1
    place = np.int64(key & np.uint64(last))
    while places[place] >= 0 and keys[places[place]] != key:
        place = (place + 1) & last
    return place


@njit(nogil=True, cache=True)
def enlarge(places, keys):
    """Make the table twice as large."""
    for place in range(len(places)):
        places[place] = -1
    for _ in range(len(places)):
        places.append(-1)
    for number in range(len(keys)):
        places[find_place(places, keys, keys[number])] = number


@njit(nogil=True, cache=True)
def add_node(found, key, place, level, totals):
    """Note a node that was met for the first time; its number."""
    number = len(found.keys)
    found.places[place] = number
    found.keys.append(key)
    found.levels.append(level)
    for c in range(totals.shape[1]):
        found.counts.append(totals[0, c])
    if 2 * number > len(found.places):
        enlarge(found.places, found.keys)
    return number


@njit(nogil=True, cache=True)
def add_split(found, number, test, children, n_branches):
    """Note a split of a node."""
    found.splits.append(float(number))
    for field in (COLUMN, KIND, CUT, MISSING, PENALTY):
        found.splits.append(test[field])
    for branch in range(n_branches):
        found.children.append(children[branch])


@njit(nogil=True, cache=True)
def grow_node(cases, worth, rules, row_keys, bench, desk, found, level, start, stop):
    """The number of the node of some rows at a level; one that is new is grown with all that is below it."""
    key = key_of(row_keys, desk.rows[level], start, stop, level)
    place = find_place(found.places, found.keys, key)
    if found.places[place] >= 0:
        return found.places[place]
    is_open = count_node(cases, worth, bench, desk.rows[level], start, stop)
    number = add_node(found, key, place, level, bench.totals)
    if not is_open or level == rules.max_depth:
        return number
    if len(found.keys) >= rules.max_nodes:
        found.left.append(number)
        return number
    for option in range(find_options(cases, worth, rules, bench, desk, level, start, stop)):
        test = desk.kept[level, option]
        n_branches = divide_rows(cases, desk, level, start, stop, test)
        for branch in range(n_branches):
            first, last = desk.bounds[level, branch], desk.bounds[level, branch + 1]
            desk.children[level, branch] = grow_node(
                cases, worth, rules, row_keys, bench, desk, found, level + 1, first, last
            )
        add_split(found, number, test, desk.children[level], n_branches)
    return number


@njit(nogil=True, cache=True)
def grow_options(cases, worth, rules, row_keys):
    """Nodes (counts, number of rows), their levels, splits (node, test, penalty), children, and nodes left unsplit.

    A node of the last level, a pure one, or one that no test divides is a leaf. Once there are `max_nodes`, nodes stay
    unsplit.
    """
    found = Found(
        [-1 for _ in range(256)],
        [np.uint64(0) for _ in range(0)],
        [0 for _ in range(0)],
        [0.0 for _ in range(0)],
        [0.0 for _ in range(0)],
        [0 for _ in range(0)],
        [0 for _ in range(0)],
    )
    bench, desk = make_bench(cases, worth), make_desk(cases, rules)
    grow_node(cases, worth, rules, row_keys, bench, desk, found, ZERO, ZERO, cases.classes.size)
    return (
        np.array(found.counts).reshape(len(found.keys), worth.alphas.size),
        np.array(found.levels),
        np.array(found.splits).reshape(len(found.splits) // N_FIELDS, N_FIELDS),
        np.array(found.children),
        len(found.left),
    )
