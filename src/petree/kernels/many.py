"""Permutation tests of nodes of any size: tests are bit sets over the cases of the node.

So are the cases of each class under a permutation; the cases of a class on one side of a test are the bits that both
have. Tests are listed once, as far as there is room for them, and permutations drawn a few at a time. The arrays:

* `numbers` and `values`: see `gains`;
* `sets`: the cases of each code of a column, and behind them those of a branch and those without a value;
* `bits`, `sizes`, `limits`, `labels` and `progress`: see `reach`.

They come one by one: a tuple of them, taken apart for every test, costs more than all the rest.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.conditions import THRESHOLD
from petree.kernels.bits import bit, popcount, trailing_zeros
from petree.kernels.draw import draw_positions
from petree.kernels.gains import (
    CASES,
    LOWER,
    ORDER,
    TOTALS,
    UNKNOWN,
    UPPER,
    WORTH,
    fill_pairs,
    is_worth_trying,
    order_classes,
)
from petree.kernels.reach import DRAWN, LANES, LISTED, OVERFLOWED, REACHED, mark

# Permutations drawn at a time: a hopeless node is done after about twelve. More where tests are listed anew each time.
BATCH, LARGE_BATCH = 8, 32
# Lines of `sets` behind those of the codes.
BRANCH, MISSING = 256, 257


# -- permutations ------------------------------------------------------------------------------------------------------


@njit(nogil=True, cache=True)
def draw_labels(state, n_classes, size, numbers, labels):
    """Bit sets of all classes but the last under the next permutation; the state of the random numbers."""
    state = draw_positions(state, numbers[ORDER], size, size - numbers[TOTALS, n_classes - 1])
    k = 0
    for c in range(n_classes - 1):
        for word in range(labels.shape[1]):
            labels[c, word] = 0
        for _ in range(numbers[TOTALS, c]):
            labels[c, numbers[ORDER, k] >> 6] |= bit(numbers[ORDER, k])
            k += 1
    return state


# -- the tests of a node -----------------------------------------------------------------------------------------------


@njit(nogil=True, cache=True)
def sort_keys(keys):
    """Sort the first line of keys by their higher 32 bits, eight at a time; the second line is room."""
    ends, here, shift, highest = np.empty(257, np.int64), 0, np.uint64(32), np.uint64(0)
    for k in range(keys.shape[1]):
        highest = max(highest, keys[0, k])
    while highest >> shift:
        for digit in range(257):
            ends[digit] = 0
        for k in range(keys.shape[1]):
            ends[((keys[here, k] >> shift) & np.uint64(255)) + np.uint64(1)] += 1
        for digit in range(256):
            ends[digit + 1] += ends[digit]
        for k in range(keys.shape[1]):
            digit = (keys[here, k] >> shift) & np.uint64(255)
            keys[1 - here, ends[digit]] = keys[here, k]
            ends[digit] += 1
        here, shift = 1 - here, shift + np.uint64(8)
    if here:
        for k in range(keys.shape[1]):
            keys[0, k] = keys[1, k]


@njit(nogil=True, cache=True)
def group_narrow(codes, column, missing_code, size, numbers, sets, lines):
    """Collect the cases of each code, and those without a value, in their lines of `sets`.

    The lines of the codes there are, ascending, come in `lines`: how many.
    """
    n_lines, present = 0, np.zeros(4, np.uint64)
    for k in range(size):
        code = np.int64(codes[numbers[CASES, k], column])
        present[code >> 6] |= bit(code)
        sets[code, k >> 6] |= bit(k)
    for word in range(sets.shape[1]):
        sets[MISSING, word], sets[missing_code, word] = sets[missing_code, word], 0
    present[missing_code >> 6] &= ~bit(missing_code)
    for word in range(4):
        left = present[word]
        while left:
            lines[n_lines] = (word << 6) + np.int64(trailing_zeros(left))
            left &= left - np.uint64(1)
            n_lines += 1
    return n_lines


@njit(nogil=True, cache=True)
def sort_wide(codes, column, missing_code, size, numbers, sets, keys):
    """Sort the cases of a column with any number of codes; those without a value, which come last, in their line."""
    for word in range(sets.shape[1]):
        sets[MISSING, word] = 0
    for k in range(size):
        code = np.uint64(codes[numbers[CASES, k], column])
        keys[0, k] = code << np.uint64(32) | np.uint64(k)
        if code == missing_code:
            sets[MISSING, k >> 6] |= bit(k)
    sort_keys(keys)


@njit(nogil=True, cache=True)
def group_wide(first, missing_code, sets, lines, keys):
    """The next codes of a sorted column, a line each, as `group_narrow` does it: how many, and the case behind them."""
    n_lines = 0
    while first < keys.shape[1] and n_lines < lines.size:
        code = keys[0, first] >> np.uint64(32)
        if code == missing_code:
            return n_lines, keys.shape[1]
        while first < keys.shape[1] and keys[0, first] >> np.uint64(32) == code:
            k = np.int64(keys[0, first] & np.uint64(0xFFFFFFFF))
            sets[n_lines, k >> 6] |= bit(k)
            first += 1
        lines[n_lines] = n_lines
        n_lines += 1
    return n_lines, first


@njit(nogil=True, cache=True)
def list_lines(
    lines, n_lines, kind, n_classes, size, min_rows, needed, table, numbers, values, sets, bits, sizes, limits,
    labels, progress,
):  # fmt: skip
    """List the tests of some codes of a column, whose lines are cleared, but for those that are not worth trying.

    The branch goes on from the codes before; with the missing cases alone it is the test "is missing". A full list is
    marked and begun anew.
    """
    n_missing = np.int64(0)
    for word in range(sets.shape[1]):
        n_missing += np.int64(popcount(sets[MISSING, word]))
    for i in range(-1, n_lines):
        branch_size = np.int64(0)
        for word in range(sets.shape[1]):
            if i >= 0:
                before = sets[BRANCH, word] if kind == THRESHOLD else np.uint64(0)
                sets[BRANCH, word] = sets[lines[i], word] | before
                sets[lines[i], word] = 0
            branch_size += np.int64(popcount(sets[BRANCH, word]))
        for way in range(1 + (n_missing > 0)):
            left_size = branch_size + way * n_missing
            if left_size < min_rows or size - left_size < min_rows:
                continue
            if not is_worth_trying(left_size, n_classes, size, needed, table, numbers, values):
                continue
            if progress[LISTED] == sizes.size:
                mark(numbers, values, bits, sizes, limits, labels, progress)
                progress[LISTED], progress[OVERFLOWED] = 0, 1
            t = progress[LISTED]
            progress[LISTED] += 1
            sizes[t], limits[0, t], limits[1, t] = left_size, numbers[LOWER, left_size] + 1, numbers[UPPER, left_size]
            for word in range(sets.shape[1]):
                branch = sets[BRANCH, word] | (sets[MISSING, word] if way else np.uint64(0))
                bits[t // LANES, word, t % LANES] = branch


@njit(nogil=True, cache=True, inline="always")
def list_tests(
    narrow, wide, n_classes, size, n_bins, kinds, min_rows, needed, table, numbers, values, bits, sizes, limits,
    labels, progress,
):  # fmt: skip
    """List the tests of all columns."""
    sets, lines = np.zeros((258, bits.shape[1]), np.uint64), np.empty(256, np.int64)
    keys = np.empty((2, size if wide.shape[1] else 0), np.uint64)
    progress[LISTED], progress[OVERFLOWED] = 0, 0
    for column in range(n_bins.size):
        for word in range(bits.shape[1]):
            sets[BRANCH, word] = 0
        if column < narrow.shape[1]:
            n_lines, n_done = group_narrow(narrow, column, n_bins[column], size, numbers, sets, lines), size
        else:
            sort_wide(wide, column - narrow.shape[1], n_bins[column], size, numbers, sets, keys)
            n_lines, n_done = 0, 0
        while n_lines or n_done < size:
            if not n_lines:
                n_lines, n_done = group_wide(n_done, n_bins[column], sets, lines, keys)
            list_lines(
                lines, n_lines, kinds[column], n_classes, size, min_rows, needed, table, numbers, values, sets, bits,
                sizes, limits, labels, progress,
            )  # fmt: skip
            n_lines = 0


@njit(nogil=True, cache=True)
def count_tests(n_bins, size):
    """Tests that a node of so many cases may have."""
    n_tests = 0
    for column in range(n_bins.size):
        n_tests += 2 * min(n_bins[column], size) + 1
    return n_tests


@njit(nogil=True, cache=True)
def count_many(
    narrow, wide, cases, all_totals, node, state, needed, n_bins, kinds, min_rows, table, n_permutations, allowed,
    most_words, found, tried,
):  # fmt: skip
    """Permutations of a node's labels that bring some test to `needed`, and how many were tried, after some before."""
    numbers = np.empty((6, max(cases.size, all_totals.shape[1])), np.int64)
    n_classes, size = order_classes(all_totals, node, numbers)
    values, progress = np.empty((2, size + n_classes)), np.empty(REACHED + LARGE_BATCH, np.int64)
    if n_classes > 2:
        fill_pairs(n_classes, table, numbers, values)
    for k in range(size):
        numbers[CASES, k], numbers[ORDER, k], numbers[WORTH, k] = cases[k], k, UNKNOWN
    n_words = (size + 63) // 64
    n_tests = count_tests(n_bins, size)
    batch = BATCH if n_tests * n_words <= most_words else LARGE_BATCH
    n_tests = max(1, min(n_tests, most_words // n_words))
    bits = np.empty(((n_tests + LANES - 1) // LANES, n_words, LANES), np.uint64)
    sizes, limits = np.empty(n_tests, np.uint64), np.empty((2, n_tests), np.uint64)
    labels = np.empty((batch, n_classes - 1, n_words), np.uint64)
    for _ in range(tried):
        state = draw_labels(state, n_classes, size, numbers, labels[0])
    progress[OVERFLOWED] = 1  # as if it had: nothing is listed yet
    while tried < n_permutations and found <= allowed:
        progress[DRAWN] = min(batch, n_permutations - tried)
        for r in range(progress[DRAWN]):
            state = draw_labels(state, n_classes, size, numbers, labels[r])
            progress[REACHED + r] = 0
        if progress[OVERFLOWED]:
            list_tests(
                narrow, wide, n_classes, size, n_bins, kinds, min_rows, needed, table, numbers, values, bits, sizes,
                limits, labels, progress,
            )  # fmt: skip
        mark(numbers, values, bits, sizes, limits, labels, progress)
        for r in range(progress[DRAWN]):
            if found <= allowed:
                found += progress[REACHED + r]
                tried += 1
    return found, tried
