"""Send rows down a tree.

What the usual step needs of a node (`steps`) is sixteen bytes; the rest (`details`) is read at other tests than
thresholds, and for missing values. A row gets stuck where its value is missing and the node saw none missing, or where
its category was never seen: there the answer is a blend of all children.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from petree.conditions import EQUALS, IN, IS_MISSING, THRESHOLD

# What `column` of a step means below zero: a leaf, a test other than ``<`` and ``=``, or (from `EQUALITY` down) ``=``.
LEAF, OTHER, EQUALITY = -1, -2, -3
STUCK = -1
# Rows that walk side by side, so that one does not wait for another's memory.
LANES = 8


@njit(nogil=True, cache=True, inline="always")
def is_member(code, members, start, stop):
    """Whether a sorted slice holds the code."""
    position = start + np.searchsorted(members[start:stop], code)
    return position < stop and members[position] == code


@njit(nogil=True, cache=True)
def take_branch(value, detail, members):
    """Branch of one value at a node, or `STUCK`; NaN is missing, infinity a category never seen."""
    if math.isnan(value):
        return np.int64(detail.missing)
    if detail.kind == IS_MISSING:
        return np.int64(1)
    if value == np.inf:
        return np.int64(STUCK)
    if detail.kind == THRESHOLD:
        return np.int64(value >= detail.value)
    if detail.kind == EQUALS:
        return np.int64(value != detail.value)
    if detail.kind == IN:
        return np.int64(not is_member(value, members, np.int64(detail.value), np.int64(detail.stop)))
    return np.int64(value)


@njit(nogil=True, cache=True)
def find_leaves(table, steps, details, members, leaves):
    """Leaf of each row; where a row gets stuck, minus one minus the node where it does."""
    leaves[:] = 0
    for start in range(0, table.shape[0], LANES):
        stop = min(start + LANES, table.shape[0])
        walking = True
        while walking:
            walking = False
            for row in range(start, stop):
                at = leaves[row]
                if at < 0:
                    continue
                column = steps[at].column
                if column >= 0:
                    value = table[row, column]
                    if value < np.inf:
                        leaves[row] = steps[at].first_child + np.int64(value >= steps[at].value)
                        walking = True
                        continue
                elif column == LEAF:
                    continue
                elif column <= EQUALITY:
                    value = table[row, EQUALITY - column]
                    if value < np.inf:
                        leaves[row] = steps[at].first_child + np.int64(value != steps[at].value)
                        walking = True
                        continue
                branch = take_branch(table[row, details[at].column], details[at], members)
                leaves[row] = -1 - at if branch == STUCK else steps[at].first_child + branch
                walking = True


@njit(nogil=True, cache=True)
def blend(table, steps, details, members, rows, stuck, weights, probabilities, blended, heaviest):
    """Answer the stuck rows: every child of a stuck node has a say in proportion to its training weight."""
    stack, shares = np.empty(steps.size, np.int64), np.empty(steps.size)
    for k in range(rows.size):
        stack[0], shares[0], depth = stuck[k], 1.0, 1
        heaviest_share = -1.0
        while depth:
            depth -= 1
            at, share = stack[depth], shares[depth]
            if steps[at].column == LEAF:
                for c in range(probabilities.shape[1]):
                    blended[k, c] += share * probabilities[at, c]
                if share > heaviest_share or (share == heaviest_share and at < heaviest[k]):
                    heaviest_share, heaviest[k] = share, at
                continue
            branch = take_branch(table[rows[k], details[at].column], details[at], members)
            first = np.int64(steps[at].first_child)
            if branch != STUCK:
                stack[depth], shares[depth] = first + branch, share
                depth += 1
                continue
            total = 0.0
            for child in range(first, first + details[at].n_children):
                total += weights[child]
            for child in range(first, first + details[at].n_children):
                if weights[child] > 0:
                    stack[depth], shares[depth] = child, share * weights[child] / total
                    depth += 1
