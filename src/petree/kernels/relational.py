"""Answers of queries: joining rows, and noting for every example which tests hold.

`owners` has the example of each answer, in order. A test holds for an example if it does for any of its answers.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def count_matches(rows, starts):
    """Number of answers after a join, from the row of each answer before and where the rows that fit it start."""
    total = np.int64(0)
    for i in range(rows.size):
        total += starts[rows[i] + 1] - starts[rows[i]]
    return total


@njit(nogil=True, cache=True)
def match(rows, starts, linked, answers, matched):
    """For each answer after a join the answer that it came from, and the row that was joined."""
    at = np.int64(0)
    for i in range(rows.size):
        for k in range(starts[rows[i]], starts[rows[i] + 1]):
            answers[at], matched[at] = i, linked[k]
            at += 1


@njit(nogil=True, cache=True)
def mark_values(owners, rows, codes, places, first, table):
    """Write 0 where an example has an answer with the value of a column: that of code c at place ``places[c]``."""
    for i in range(owners.size):
        code = codes[rows[i]]
        if code >= 0 and places[code] >= 0:
            table[owners[i], first + places[code]] = 0


@njit(nogil=True, cache=True)
def mark_lowest(owners, rows, codes, bins, column, table):
    """Write the lowest bin of an example's answers into a column, which starts at the highest.

    The bin of code c is ``bins[c]``; a negative code or bin is none.
    """
    for i in range(owners.size):
        code = codes[rows[i]]
        if code >= 0 and 0 <= bins[code] < table[owners[i], column]:
            table[owners[i], column] = bins[code]


@njit(nogil=True, cache=True)
def mark_highest(owners, rows, codes, bins, column, table):
    """The same with the highest bin, in a column that starts at 0."""
    for i in range(owners.size):
        code = codes[rows[i]]
        if code >= 0 and bins[code] > table[owners[i], column]:
            table[owners[i], column] = bins[code]
