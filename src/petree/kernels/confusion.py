"""Answers of all leaves to a row, each weighed by the tests on its path that the row fails."""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.kernels.route import EQUALITY, LEAF, STUCK, take_branch

# Rows that go through the tree side by side, so that a node is read once for all of them.
LANES = 8


@njit(nogil=True, cache=True)
def confuse(table, steps, details, members, weights, factor, probabilities, answers):
    """Mean of the leaves' probabilities, where each failed test multiplies a leaf's say by the factor."""
    n_rows, n_columns = table.shape
    n_classes = answers.shape[1]
    values, is_known = np.zeros((n_columns, LANES)), np.empty(n_columns, np.bool_)
    say, sums = np.ones((steps.size, LANES)), np.empty((n_classes + 1, LANES))
    for start in range(0, n_rows, LANES):
        stop = min(start + LANES, n_rows)
        for column in range(n_columns):
            is_known[column] = True
            for row in range(start, stop):
                values[column, row - start] = table[row, column]
                is_known[column] &= table[row, column] < np.inf
        hear_all(values, is_known, steps, details, members, weights, factor, probabilities, say, sums)
        for row in range(start, stop):
            for c in range(n_classes):
                answers[row, c] = sums[c, row - start] / sums[n_classes, row - start]


@njit(nogil=True, cache=True)
def hear_all(values, is_known, steps, details, members, weights, factor, probabilities, say, sums):
    """Sum what all leaves say of a few rows, and in the last place their say itself."""
    n_classes = probabilities.shape[1]
    sums[:] = 0.0
    for at in range(steps.size):
        column, first, value = np.int64(steps[at].column), np.int64(steps[at].first_child), steps[at].value
        if column == LEAF:
            for lane in range(LANES):
                sums[n_classes, lane] += say[at, lane]
            for c in range(n_classes):
                probability = probabilities[at, c]
                for lane in range(LANES):
                    sums[c, lane] += say[at, lane] * probability
        elif column >= 0 and is_known[column]:
            for lane in range(LANES):
                whole, part = say[at, lane], say[at, lane] * factor
                holds = values[column, lane] < value
                say[first, lane], say[first + 1, lane] = (whole, part) if holds else (part, whole)
        elif column <= EQUALITY and is_known[EQUALITY - column]:
            for lane in range(LANES):
                whole, part = say[at, lane], say[at, lane] * factor
                holds = values[EQUALITY - column, lane] == value
                say[first, lane], say[first + 1, lane] = (whole, part) if holds else (part, whole)
        else:
            for lane in range(LANES):
                pass_on(at, lane, values, steps, details, members, weights, factor, say)


@njit(nogil=True, cache=True)
def pass_on(at, lane, values, steps, details, members, weights, factor, say):
    """The say of a node's children: all of the node's where the row goes, the factor's part elsewhere.

    A row that is stuck goes to every child, to each with its share of the training weight.
    """
    first, n_children = np.int64(steps[at].first_child), np.int64(details[at].n_children)
    branch, total = take_branch(values[details[at].column, lane], details[at], members), 0.0
    for child in range(first, first + n_children):
        total += weights[child]
    for child in range(first, first + n_children):
        share = np.float64(child == first + branch)
        if branch == STUCK:
            share = weights[child] / total if total > 0 else 1 / n_children
        say[child, lane] = say[at, lane] * (factor + (1 - factor) * share)
