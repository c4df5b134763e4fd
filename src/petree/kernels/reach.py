"""Which permutations bring some test to the observed gain, where sets of cases take several words.

Tests stand in blocks of `LANES`, and in a block the first words of all tests come first, then the second ones: so a
processor compares several tests at a time, however few words they have. The arrays:

* `numbers` and `values`: see `gains`;
* `bits` and `sizes`: the cases in one branch of each test listed, and how many;
* `limits`: with two classes, the number of cases of the rarer one in that branch below which the test reaches the
  observed gain, and the number from which on it does;
* `labels`: the cases of each class, but the last, under each permutation;
* `progress`: tests listed, whether the list overflowed and was begun anew, permutations drawn, and which of them are
  known to reach the observed gain.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.kernels.bits import popcount
from petree.kernels.gains import FLOORS, PAIRS, TOTALS

# Tests that are compared side by side.
LANES = 64
# Places of `progress`; from REACHED on, one a permutation.
LISTED, OVERFLOWED, DRAWN, REACHED = range(4)


@njit(nogil=True, cache=True, inline="always")
def count_common(bits, block, label, counts):
    """How many cases each test of a block has in common with the cases of a class."""
    for k in range(LANES):
        counts[k] = 0
    for word in range(label.size):
        cases = label[word]
        for k in range(LANES):
            counts[k] += popcount(bits[block, word, k] & cases)


@njit(nogil=True, cache=True)
def any_of_two_reaches(rare, n_listed, bits, limits, left):
    """Whether any test of a two-class node reaches the observed gain, given the cases of the rarer class."""
    for block in range((n_listed + LANES - 1) // LANES):
        first, n_reaching = np.uint64(block * LANES), 0
        count_common(bits, block, rare, left)
        for k in range(np.uint64(min(LANES, n_listed - block * LANES))):
            n_reaching += (left[k] < limits[0, first + k]) | (left[k] >= limits[1, first + k])
        if n_reaching:
            return True
    return False


@njit(nogil=True, cache=True)
def any_reaches(labels, n_listed, bits, sizes, numbers, values, left, rest, sums):
    """The same of more classes, given the cases of all but the last."""
    for block in range((n_listed + LANES - 1) // LANES):
        first, start, n_reaching = np.uint64(block * LANES), np.uint64(0), 0
        n_tests = np.uint64(min(LANES, n_listed - block * LANES))
        for k in range(n_tests):
            rest[k], sums[k] = sizes[first + k], 0.0
        for c in range(labels.shape[0]):
            count_common(bits, block, labels[c], left)
            for k in range(n_tests):
                sums[k] += values[PAIRS, start + left[k]]
                rest[k] -= left[k]
            start += np.uint64(numbers[TOTALS, c] + 1)
        for k in range(n_tests):
            n_reaching += sums[k] + values[PAIRS, start + rest[k]] >= values[FLOORS, sizes[first + k]]
        if n_reaching:
            return True
    return False


@njit(nogil=True, cache=True)
def mark(numbers, values, bits, sizes, limits, labels, progress):
    """Note which of the drawn permutations reach the observed gain by one of the listed tests."""
    left, rest, sums = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64), np.empty(LANES)
    n_listed = progress[LISTED]
    for r in range(progress[DRAWN]):
        if progress[REACHED + r]:
            continue
        if labels.shape[1] == 1:
            progress[REACHED + r] = any_of_two_reaches(labels[r, 0], n_listed, bits, limits, left)
        else:
            progress[REACHED + r] = any_reaches(labels[r], n_listed, bits, sizes, numbers, values, left, rest, sums)
