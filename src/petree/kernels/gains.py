"""Which class counts bring a binary test to a given gain.

The value of a test, ``sum n_ic log n_ic - sum n_i log n_i`` over its branches i and the classes c, rises with its gain.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.kernels.best import TOLERANCE
from petree.kernels.score import n_log_n

# Lines of the `numbers` of a node. By the size of a branch: whether permutations bring any test to the observed gain,
# and, with two classes, what the cases of the rarer one must not lie between. Then: the rows that are the node's
# cases, a random order of these, and the counts of the classes present, the most frequent one last.
WORTH, LOWER, UPPER, CASES, ORDER, TOTALS = range(6)
UNKNOWN, NEVER, SOMETIMES = range(3)
# Lines of its `values`, for more than two classes: the sum of all ``n_ic log n_ic`` that a test needs, by the size of a
# branch; and what each class adds to it, by the number of its cases in one branch, one class after the other.
FLOORS, PAIRS = range(2)


@njit(nogil=True, cache=True)
def order_classes(all_totals, node, numbers):
    """Fill in the class counts; how many classes are present, and how many cases there are."""
    most, n_present, size = 0, 0, 0
    for c in range(all_totals.shape[1]):
        if all_totals[node, c] > all_totals[node, most]:
            most = c
    for c in range(all_totals.shape[1]):
        size += all_totals[node, c]
        if c != most and all_totals[node, c]:
            numbers[TOTALS, n_present] = all_totals[node, c]
            n_present += 1
    numbers[TOTALS, n_present] = all_totals[node, most]
    return n_present + 1, size


@njit(nogil=True, cache=True)
def needed_value(n_classes, size, gain, table, numbers):
    """The value that equals a gain (in bits a case), less the tolerance."""
    value = (gain - TOLERANCE) * size - n_log_n(np.int64(size), table)
    for c in range(n_classes):
        value += n_log_n(numbers[TOTALS, c], table)
    return value


@njit(nogil=True, cache=True)
def fill_pairs(n_classes, table, numbers, values):
    """Fill in what each class adds to the value of a test."""
    start = 0
    for c in range(n_classes):
        total = numbers[TOTALS, c]
        for k in range(total + 1):
            values[PAIRS, start + k] = n_log_n(k, table) + n_log_n(total - k, table)
        start += total + 1


@njit(nogil=True, cache=True, inline="always")
def value_of_two(left, left_size, rare, size, table):
    """Value of a test of a two-class node that has `left` of the cases of the rarer class in its first branch."""
    value = n_log_n(left, table) + n_log_n(left_size - left, table)
    value += n_log_n(rare - left, table) + n_log_n(size - rare - left_size + left, table)
    return value - n_log_n(left_size, table) - n_log_n(size - left_size, table)


@njit(nogil=True, cache=True)
def limits_of_two(left_size, rare, size, needed, table):
    """The numbers of cases of the rarer class between which the first branch leaves the value below `needed`.

    The value falls up to the expected number and rises from there, so both ends are found by halving. Ends that cannot
    occur say that no permutation gets there.
    """
    least, most = max(0, left_size + rare - size), min(left_size, rare)
    middle = min(max(left_size * rare // size, least), most)
    low, high = least - 1, middle + 1
    while high - low > 1:
        k = (low + high) // 2
        if value_of_two(k, left_size, rare, size, table) >= needed:
            low = k
        else:
            high = k
    lower = low
    low, high = middle, most + 1
    while high - low > 1:
        k = (low + high) // 2
        if value_of_two(k, left_size, rare, size, table) >= needed:
            high = k
        else:
            low = k
    return lower, high, lower >= least or high <= most


@njit(nogil=True, cache=True, inline="always")
def is_worth_trying(left_size, n_classes, size, needed, table, numbers, values):
    """Whether a permutation can bring a test with a branch of this size to the value `needed`.

    What it takes is worked out the first time. A gain is at most the split information of the test.
    """
    if numbers[WORTH, left_size] == UNKNOWN:
        if n_classes == 2:
            low, high, can_reach = limits_of_two(left_size, numbers[TOTALS, 0], size, needed, table)
            numbers[LOWER, left_size], numbers[UPPER, left_size] = low, high
        else:
            floor, most = needed + n_log_n(left_size, table) + n_log_n(size - left_size, table), 0.0
            for c in range(n_classes):
                most += n_log_n(numbers[TOTALS, c], table)
            can_reach, values[FLOORS, left_size] = most >= floor, floor
        numbers[WORTH, left_size] = SOMETIMES if can_reach else NEVER
    return numbers[WORTH, left_size] == SOMETIMES
