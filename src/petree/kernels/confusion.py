"""Answers of all leaves to a row, each weighed by the tests on its path.

A test that a row fails costs a leaf its say (`confuse`: all nodes are visited, a few rows side by side), or a test is
doubted and then goes every way (`answer_in_doubt`: each row walks by itself, since most ways soon weigh nothing).
`shares` are the nodes' parts of the training weight of their parents.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.kernels.route import EQUALITY, LEAF, STUCK, take_branch

# Rows that go through the tree side by side, so that a node is read once for all of them.
LANES = 8


@njit(nogil=True, cache=True)
def confuse(table, steps, details, members, shares, factor, probabilities, answers):
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
        hear_all(values, is_known, steps, details, members, shares, factor, probabilities, say, sums)
        for row in range(start, stop):
            for c in range(n_classes):
                answers[row, c] = sums[c, row - start] / sums[n_classes, row - start]


@njit(nogil=True, cache=True)
def hear_all(values, is_known, steps, details, members, shares, factor, probabilities, say, sums):
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
                pass_on(at, lane, values, steps, details, members, shares, factor, say)


@njit(nogil=True, cache=True)
def pass_on(at, lane, values, steps, details, members, shares, factor, say):
    """The say of a node's children: all of the node's where the row goes, the factor's part elsewhere.

    A row that is stuck goes to every child, to each with its share of the training weight.
    """
    first = np.int64(steps[at].first_child)
    branch = take_branch(values[details[at].column, lane], details[at], members)
    for child in range(first, first + details[at].n_children):
        share = shares[child] if branch == STUCK else np.float64(child == first + branch)
        say[child, lane] = say[at, lane] * (factor + (1 - factor) * share)


@njit(nogil=True, cache=True)
def answer_in_doubt(table, steps, details, members, shares, doubt, least, probabilities, answers):
    """Mean of the leaves' probabilities, where a branch weighs ``(1 - doubt) * [taken] + doubt * share``.

    Every way is followed to a leaf by the branches taken; the others are ways of their own, to be followed later. One
    that weighs less than `least` is not: the node that it leads to answers for its leaves.
    """
    stack, says = np.empty(steps.size, np.int64), np.empty(steps.size)
    answers[:] = 0.0
    for row in range(table.shape[0]):
        follow(table, row, steps, details, members, shares, doubt, least, probabilities, stack, says, answers)


@njit(nogil=True, cache=True)
def follow(table, row, steps, details, members, shares, doubt, least, probabilities, stack, says, answers):
    """Follow all ways of one row; `stack` has the first nodes of those that are left, `says` beside it their weights.

    The usual step is spelled out, since a call that passes all these arrays takes longer than the step.
    """
    stack[0], says[0], depth = 0, 1.0, 1
    while depth:
        depth -= 1
        at, say = stack[depth], says[depth]
        column = np.int64(steps[at].column)
        while column != LEAF:
            first, is_usual = np.int64(steps[at].first_child), True
            if column >= 0 and table[row, column] < np.inf:
                branch = np.int64(table[row, column] >= steps[at].value)
            elif column <= EQUALITY and table[row, EQUALITY - column] < np.inf:
                branch = np.int64(table[row, EQUALITY - column] != steps[at].value)
            else:
                is_usual, branch = False, take_branch(table[row, details[at].column], details[at], members)
                depth = set_aside(
                    at, branch, say, depth, row, steps, details, shares, doubt, least, probabilities, stack, says,
                    answers,
                )  # fmt: skip
            if is_usual:
                other = first + 1 - branch
                weight = doubt * say * shares[other]
                if weight < least:
                    add(weight, other, row, probabilities, answers)
                else:
                    stack[depth], says[depth], depth = other, weight, depth + 1
            elif branch == STUCK:
                say = 0.0
                break
            at = first + branch
            say *= 1 - doubt + doubt * shares[at]
            column = np.int64(steps[at].column)
        add(say, at, row, probabilities, answers)


@njit(nogil=True, cache=True)
def set_aside(at, branch, say, depth, row, steps, details, shares, doubt, least, probabilities, stack, says, answers):
    """Put all branches but the taken one on the stack, of a row that is stuck all; the new depth of the stack."""
    first = np.int64(steps[at].first_child)
    doubted = say if branch == STUCK else doubt * say
    for child in range(first, first + details[at].n_children):
        if child == first + branch:
            continue
        weight = doubted * shares[child]
        if weight < least:
            add(weight, child, row, probabilities, answers)
        else:
            stack[depth], says[depth], depth = child, weight, depth + 1
    return depth


@njit(nogil=True, cache=True)
def add(say, at, row, probabilities, answers):
    """Add what a node says of a row."""
    for c in range(answers.shape[1]):
        answers[row, c] += say * probabilities[at, c]
