"""Permutation tests of nodes of at most 64 cases, where a set of cases is a single word.

Nearly all nodes of a tree are that small, and the tests of such a node take longer to list than to try. So nothing is
allocated for a node, and what happens once a test happens in registers. The arrays that serve all nodes:

* `numbers` and `values`: see `gains`;
* `words`: a line each for the codes present, the cases of each code, the same by rank of the code, the tests seen, and
  the cases of each class;
* `tests` and `sizes`: the cases in the smaller branch of each test, and how many.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.conditions import THRESHOLD
from petree.kernels.bits import bit, popcount, trailing_zeros
from petree.kernels.draw import draw_positions
from petree.kernels.gains import (
    CASES,
    FLOORS,
    LOWER,
    ORDER,
    PAIRS,
    TOTALS,
    UNKNOWN,
    UPPER,
    WORTH,
    fill_pairs,
    is_worth_trying,
)

# Cases that a word can hold.
MOST_CASES = 64
# Lines of `words`.
PRESENT, BY_CODE, BY_RANK, SEEN, LABELS = range(5)
# Tests are remembered at one of 2^SLOT_BITS places each, so that most of those that are the same are listed once.
SLOT_BITS = 7


@njit(nogil=True, cache=True, inline="always")
def list_cases(order, copies, start, stop, size, numbers):
    """Rows of a node by their place in the training table, each as often as it has copies: `size` in all."""
    n_rows = stop - start
    for k in range(n_rows):
        place = k
        while place > 0 and order[numbers[CASES, place - 1]] > order[start + k]:
            numbers[CASES, place] = numbers[CASES, place - 1]
            place -= 1
        numbers[CASES, place] = start + k
    if copies.size:
        for k in range(n_rows - 1, -1, -1):  # the last rows first: none is overwritten before it is read
            row = numbers[CASES, k]
            for _ in range(copies[row]):
                size -= 1
                numbers[CASES, size] = row


# -- the tests of a node -----------------------------------------------------------------------------------------------


@njit(nogil=True, cache=True, inline="always")
def group_narrow(codes, column, missing_code, size, numbers, words):
    """Sets of the cases of each code, ascending; how many, and the highest code. The line `BY_CODE` is left empty."""
    n_words, n_groups, code = (missing_code >> 6) + 1, 0, np.int64(0)
    for word in range(n_words):
        words[PRESENT, word] = 0
    for k in range(size):
        code = np.int64(codes[numbers[CASES, k], column])
        words[PRESENT, code >> 6] |= bit(code)
        words[BY_CODE, code] |= bit(k)
    for word in range(n_words):
        left = words[PRESENT, word]
        while left:
            code = (word << 6) + np.int64(trailing_zeros(left))
            left &= left - np.uint64(1)
            words[BY_RANK, n_groups] = words[BY_CODE, code]
            words[BY_CODE, code] = 0
            n_groups += 1
    return n_groups, code


@njit(nogil=True, cache=True, inline="always")
def group_wide(codes, column, size, numbers, words):
    """The same of a column with any number of codes."""
    for k in range(size):
        code, place = codes[numbers[CASES, k], column], k
        while place > 0 and codes[numbers[CASES, numbers[ORDER, place - 1]], column] > code:
            numbers[ORDER, place] = numbers[ORDER, place - 1]
            place -= 1
        numbers[ORDER, place] = k
    n_groups, last = 0, np.int64(-1)
    for k in range(size):
        code = np.int64(codes[numbers[CASES, numbers[ORDER, k]], column])
        if code != last:
            words[BY_RANK, n_groups] = 0
            n_groups += 1
            last = code
        words[BY_RANK, n_groups - 1] |= bit(numbers[ORDER, k])
    return n_groups, last


@njit(nogil=True, cache=True)
def list_tests(
    narrow, wide, n_classes, size, n_bins, kinds, min_rows, needed, table, numbers, words, values, tests, sizes
):  # fmt: skip
    """List the tests that permutations can bring to `needed`, each by the cases of its smaller branch; how many."""
    everything, n_listed = np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(MOST_CASES - size), 0
    for slot in range(1 << SLOT_BITS):
        words[SEEN, slot] = 0
    for left_size in range(size // 2 + 1):
        numbers[WORTH, left_size] = UNKNOWN
    for column in range(n_bins.size):
        if column < narrow.shape[1]:
            n_groups, highest = group_narrow(narrow, column, n_bins[column], size, numbers, words)
        else:
            n_groups, highest = group_wide(wide, column - narrow.shape[1], size, numbers, words)
        missing = words[BY_RANK, n_groups - 1] if highest == n_bins[column] else np.uint64(0)
        n_groups -= missing != 0
        branch = np.uint64(0)  # with the missing values, and nothing else, this is the test "is missing"
        for group in range(-1, n_groups):
            if group >= 0:
                branch = words[BY_RANK, group] | (branch if kinds[column] == THRESHOLD else np.uint64(0))
            for way in range(1 + (missing != 0)):
                test = branch | missing if way else branch
                left_size = np.int64(popcount(test))
                if left_size < min_rows or size - left_size < min_rows:
                    continue
                if 2 * left_size > size or (2 * left_size == size and test & np.uint64(1)):
                    test, left_size = test ^ everything, size - left_size
                slot = (test * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - SLOT_BITS)
                if words[SEEN, slot] == test or not is_worth_trying(
                    left_size, n_classes, size, needed, table, numbers, values
                ):
                    continue
                words[SEEN, slot] = test
                tests[n_listed], sizes[n_listed] = test, left_size
                n_listed += 1
    return n_listed


# -- which permutations reach the observed gain ------------------------------------------------------------------------


@njit(nogil=True, cache=True, inline="always")
def any_of_two_reaches(rare, n_listed, tests, sizes, numbers):
    """Whether any test of a two-class node reaches the observed gain, given the cases of the rarer class."""
    for t in range(n_listed):
        left = np.int64(popcount(tests[t] & rare))
        if left <= numbers[LOWER, sizes[t]] or left >= numbers[UPPER, sizes[t]]:
            return True
    return False


@njit(nogil=True, cache=True, inline="always")
def any_reaches(n_classes, n_listed, tests, sizes, numbers, words, values):
    """The same of more classes, given the cases of all but the last."""
    for t in range(n_listed):
        rest, value, start = sizes[t], 0.0, 0
        for c in range(n_classes - 1):
            left = np.int64(popcount(tests[t] & words[LABELS, c]))
            value += values[PAIRS, start + left]
            start += numbers[TOTALS, c] + 1
            rest -= left
        if value + values[PAIRS, start + rest] >= values[FLOORS, sizes[t]]:
            return True
    return False


@njit(nogil=True, cache=True)
def try_permutations(
    state, n_classes, size, n_listed, table, n_permutations, allowed, found, tried, numbers, words, values, tests, sizes
):  # fmt: skip
    """Permutations that reach the observed gain, up to one more than `allowed`, and how many were tried for it."""
    if n_classes > 2:
        fill_pairs(n_classes, table, numbers, values)
    n_drawn = size - numbers[TOTALS, n_classes - 1]
    for k in range(size):
        numbers[ORDER, k] = k
    for _ in range(tried):
        state = draw_positions(state, numbers[ORDER], size, n_drawn)
    while tried < n_permutations and found <= allowed:
        state = draw_positions(state, numbers[ORDER], size, n_drawn)
        tried, k = tried + 1, 0
        for c in range(n_classes - 1):
            label = np.uint64(0)
            for _ in range(numbers[TOTALS, c]):
                label |= bit(numbers[ORDER, k])
                k += 1
            words[LABELS, c] = label
        if n_classes == 2:
            found += any_of_two_reaches(words[LABELS, 0], n_listed, tests, sizes, numbers)
        else:
            found += any_reaches(n_classes, n_listed, tests, sizes, numbers, words, values)
    return found, tried


@njit(nogil=True, cache=True, inline="always")
def count_few(
    narrow, wide, order, copies, start, stop, n_classes, size, key, needed, n_bins, kinds, min_rows, table,
    n_permutations, allowed, found, tried, numbers, words, values, tests, sizes,
):  # fmt: skip
    """Permutations of a node's labels that bring some test to `needed`, and how many were tried, after some before.

    The class counts are in `numbers` already.
    """
    list_cases(order, copies, start, stop, size, numbers)
    n_listed = list_tests(
        narrow, wide, n_classes, size, n_bins, kinds, min_rows, needed, table, numbers, words, values, tests, sizes
    )
    if n_listed:
        return try_permutations(
            key, n_classes, size, n_listed, table, n_permutations, allowed, found, tried, numbers, words, values, tests,
            sizes,
        )  # fmt: skip
    return found, n_permutations
