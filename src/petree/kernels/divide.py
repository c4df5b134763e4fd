"""Divide the rows of nodes among their children, in place.

All that is known of a row (codes, class, weight, original position) moves together, so that the rows of every node
stay side by side and later counting reads memory in order.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.conditions import IS_MISSING, MULTIWAY, THRESHOLD


@njit(nogil=True, cache=True, inline="always")
def branch_of(code, kind, cut, missing_code, missing_branch):
    """The branch that a code takes."""
    if code == missing_code:
        return missing_branch
    if kind == THRESHOLD:
        return np.int64(code > cut)
    if kind == MULTIWAY:
        return np.int64(code)
    if kind == IS_MISSING:
        return np.int64(1)
    return np.int64(code != cut)


@njit(nogil=True, cache=True, inline="always")
def swap_rows(first, second, narrow, wide, classes, copies, weights, order):
    """Exchange two rows in every array."""
    for column in range(narrow.shape[1]):
        narrow[first, column], narrow[second, column] = narrow[second, column], narrow[first, column]
    for column in range(wide.shape[1]):
        wide[first, column], wide[second, column] = wide[second, column], wide[first, column]
    classes[first], classes[second] = classes[second], classes[first]
    order[first], order[second] = order[second], order[first]
    if copies.size:
        copies[first], copies[second] = copies[second], copies[first]
    if weights.size:
        weights[first], weights[second] = weights[second], weights[first]


@njit(nogil=True, cache=True)
def divide(
    narrow, wide, classes, copies, weights, order, starts, stops, columns, kinds, cuts, missing_codes, missing_branches,
    child_start, child_stops, child_counts, child_sizes,
):  # fmt: skip
    """Move each node's rows to its children; fills the children's stops, class counts and sizes.

    The branches are written down once (`branches`), then rows are exchanged until every one stands in the range of its
    own child (the in-place permutation of American flag sort).
    """
    branches = np.empty(np.max(stops - starts), np.uint32)
    for node in range(starts.size):
        start, stop, first_child, last_child = starts[node], stops[node], child_start[node], child_start[node + 1]
        column, kind, cut = columns[node], kinds[node], cuts[node]
        missing_code, missing_branch = missing_codes[node], missing_branches[node]
        heads = np.zeros(last_child - first_child, np.int64)
        for row in range(start, stop):
            code = narrow[row, column] if column < narrow.shape[1] else wide[row, column - narrow.shape[1]]
            branch = branch_of(np.int64(code), kind, cut, missing_code, missing_branch)
            branches[row - start] = branch
            heads[branch] += 1
            child = first_child + branch
            if weights.size:
                child_counts[child, classes[row]] += weights[row]
                child_sizes[child] += 1
            elif copies.size:
                child_counts[child, classes[row]] += copies[row]
                child_sizes[child] += copies[row]
            else:
                child_counts[child, classes[row]] += 1
                child_sizes[child] += 1
        position = np.int64(0)
        for branch in range(heads.size):
            size = heads[branch]
            heads[branch] = position
            position += size
            child_stops[first_child + branch] = start + position
        for branch in range(heads.size):
            end = child_stops[first_child + branch] - start
            while heads[branch] < end:
                here = heads[branch]
                to = branches[here]
                if to == branch:
                    heads[branch] += 1
                    continue
                there = heads[to]
                while branches[there] == to:  # rows already at home need not move
                    there += 1
                swap_rows(start + here, start + there, narrow, wide, classes, copies, weights, order)
                branches[here], branches[there] = branches[there], branches[here]
                heads[to] = there + 1
