"""Option trees: every node keeps several tests, and rows that are reached by other tests in another order are one node.

Growing goes depth first with one line of rows a level, so that memory for rows does not depend on how many nodes there
are. All that is under way lies on a desk, so that growing can be left and taken up again. A node is known by the sum of
random keys of its rows and by its level.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from petree.kernels.bayes import COLUMN, CUT, KIND, MISSING, PENALTY, ZERO
from petree.kernels.desk import count_branches, divide_rows, find_options
from petree.kernels.evidence import count_node


class Found(NamedTuple):
    """What is finished: the key, level and counts of each node; the node, test and cost of the cut of each split.

    `places` is a table of nodes by key, with open addressing, at least twice as long as there is room for nodes;
    `sizes` says how many nodes, splits and children there are.
    """

    places: Any
    keys: Any
    levels: Any
    counts: Any
    splits: Any
    children: Any
    sizes: Any


# -- nodes by their rows --------------------------------------------------------------------------------------


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
    last = places.size - 1
    place = np.int64(key & np.uint64(last))
    while places[place] >= 0 and keys[places[place]] != key:
        place = (place + 1) & last
    return place


@njit(nogil=True, cache=True)
def enter(places, keys, n_nodes):
    """Put all nodes into an empty table."""
    for number in range(n_nodes):
        places[find_place(places, keys, keys[number])] = number


# -- growing -------------------------------------------------------------------------------------------------


@njit(nogil=True, cache=True)
def open_node(cases, worth, rules, bench, desk, level, start, stop, key):
    """Lay out a node that was met for the first time: find its tests, and begin with the first."""
    desk.keys[level], desk.spans[level, 0], desk.spans[level, 1], desk.n_kept[level] = key, start, stop, 0
    if count_node(cases, worth, bench, desk.rows[level], start, stop) and level < rules.max_depth:
        desk.n_kept[level] = find_options(cases, worth, rules, bench, desk, level, start, stop)
    desk.place[0] = level
    begin_test(cases, desk, level, 0)


@njit(nogil=True, cache=True)
def begin_test(cases, desk, level, test):
    """Divide the rows of a node by one of its tests, if it has so many."""
    desk.at[level, 0], desk.at[level, 1], desk.at[level, 2] = test, 0, 0
    if test < desk.n_kept[level]:
        start, stop = desk.spans[level]
        desk.at[level, 2] = divide_rows(cases, desk, level, start, stop, desk.kept[level, test])


@njit(nogil=True, cache=True)
def hand_up(desk, level, number):
    """Note a child of the node under way, and go on to its next branch."""
    test, branch = desk.at[level, 0], desk.at[level, 1]
    desk.children[level, test, branch] = number
    desk.at[level, 1] += 1


@njit(nogil=True, cache=True)
def finish_node(cases, worth, bench, desk, found, level):
    """Note a node whose children are all there, with its splits; its number."""
    start, stop = desk.spans[level]
    count_node(cases, worth, bench, desk.rows[level], start, stop)
    number = found.sizes[0]
    found.keys[number], found.levels[number], found.counts[number] = desk.keys[level], level, bench.totals[0]
    found.places[find_place(found.places, found.keys, desk.keys[level])] = number
    found.sizes[0] += 1
    for k in range(desk.n_kept[level]):
        add_split(cases, found, number, desk.kept[level, k], desk.children[level, k])
    return number


@njit(nogil=True, cache=True)
def add_split(cases, found, number, test, children):
    """Note a split of a node."""
    split, first = found.sizes[1], found.sizes[2]
    n_branches = count_branches(int(test[KIND]), int(test[MISSING]), cases.n_bins[int(test[COLUMN])])
    found.splits[split, 0] = number
    for place, field in enumerate((COLUMN, KIND, CUT, MISSING, PENALTY)):
        found.splits[split, place + 1] = test[field]
    for branch in range(n_branches):
        found.children[first + branch] = children[branch]
    found.sizes[1], found.sizes[2] = split + 1, first + n_branches


@njit(nogil=True, cache=True)
def has_room(desk, found):
    """Whether another node fits into what is laid out for nodes, splits and children."""
    n_splits, n_branches = desk.children.shape[1:]
    nodes, splits, children = found.keys.size, found.splits.shape[0], found.children.size
    sizes = found.sizes
    return sizes[0] < nodes and sizes[1] + n_splits <= splits and sizes[2] + n_splits * n_branches <= children


@njit(nogil=True, cache=True)
def begin(cases, worth, rules, row_keys, bench, desk):
    """Lay out the root."""
    n_rows = cases.classes.size
    key = key_of(row_keys, desk.rows[0], ZERO, n_rows, ZERO)
    open_node(cases, worth, rules, bench, desk, ZERO, ZERO, n_rows, key)


@njit(nogil=True, cache=True)
def grow_on(cases, worth, rules, row_keys, bench, desk, found, most_work):
    """Go on growing until so much work is done, or there is no room; the level under way, -1 where the tree is whole.

    Nor does it go on where there are more than `max_nodes`. A node of the last level, a pure one, or one that no test
    divides is a leaf. A node is finished once all that is below it is.
    """
    level, bench.work[0] = desk.place[0], 0
    while level >= 0 and bench.work[0] < most_work and has_room(desk, found) and found.sizes[0] <= rules.max_nodes:
        test, branch, n_branches = desk.at[level]
        if test == desk.n_kept[level]:
            number = finish_node(cases, worth, bench, desk, found, level)
            desk.place[0] = level - 1
            if level > 0:
                hand_up(desk, level - 1, number)
        elif branch == n_branches:
            begin_test(cases, desk, level, test + 1)
        else:
            start, stop = desk.bounds[level, branch], desk.bounds[level, branch + 1]
            key = key_of(row_keys, desk.rows[level + 1], start, stop, level + 1)
            known = found.places[find_place(found.places, found.keys, key)]
            if known >= 0:
                hand_up(desk, level, known)
            else:
                open_node(cases, worth, rules, bench, desk, level + 1, start, stop, key)
        level = desk.place[0]
    return level
