"""Numbers that were computed: which of them differ by no more than their rounding.

Three tenths, from 0.1 and 0.2, and 0.3 itself are the same to whoever wrote the table, but not in binary digits.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from petree.relational.queries.answers import Answers
from petree.relational.queries.terms import Aggregation

Floats = NDArray[np.float64]

# Functions whose values may be rounded.
COMPUTED = ("mean", "sum", "proportion")
# How much a number may differ from what was written, in parts of itself: half a digit where it was read, and once more
# where it was computed, with room to spare.
PRECISION = 4 * float(np.finfo(np.float64).eps)


def rounding_errors(answers: Answers, literal: Aggregation) -> Floats:
    """How much the value of a function may be off for each answer: as much as its numbers are, and as they are many."""
    if literal.function == "proportion":  # whole numbers, divided once
        return np.zeros(len(answers))
    least = answers.aggregate(replace(literal, function="min"))[0]
    greatest = answers.aggregate(replace(literal, function="max"))[0]
    errors = PRECISION * np.nan_to_num(np.maximum(np.abs(least), np.abs(greatest)))
    if literal.function == "sum":
        errors = errors * answers.aggregate(replace(literal, function="count", variable=None))[0]
    return np.asarray(errors)


def least_alike(values: Floats, errors: Floats) -> Floats:
    """For each value the least one that it cannot be told from, by itself or by others between them."""
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    off = errors[order]
    is_apart = np.append(True, ranked[1:] - ranked[:-1] > off[1:] + off[:-1])[: len(values)]
    least = np.empty_like(values)
    least[order] = ranked[is_apart][np.cumsum(is_apart) - 1]
    return least
