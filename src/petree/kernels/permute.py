"""How often the best gain of a node is reached when its class labels are permuted.

Test outcomes are worked out once for all permutations, and a node is done as soon as its verdict is certain. Where a
set of cases is a single word, `few` does it, else `many`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.kernels.few import MOST_CASES, count_few
from petree.kernels.gains import needed_value, order_classes
from petree.kernels.many import count_many, count_tests, sort_keys


@njit(nogil=True, cache=True)
def list_cases(order, copies, start, stop):
    """Rows of a node by their place in the training table, each as often as it has copies."""
    keys, n_cases = np.empty((2, stop - start), np.uint64), 0
    for row in range(start, stop):
        keys[0, row - start] = np.uint64(order[row]) << np.uint64(32) | np.uint64(row)
        n_cases += copies[row] if copies.size else 1
    sort_keys(keys)
    cases, n = np.empty(n_cases, np.int64), 0
    for k in range(stop - start):
        row = np.int64(keys[0, k] & np.uint64(0xFFFFFFFF))
        for _ in range(copies[row] if copies.size else 1):
            cases[n] = row
            n += 1
    return cases


@njit(nogil=True, cache=True)
def exceedances(
    narrow, wide, order, copies, starts, stops, totals, keys, gains, n_bins, kinds, min_rows, table,
    n_permutations, allowed, most_words, nodes, parents, n_inner_children, found, tried,
):  # fmt: skip
    """Permutations of some nodes' labels under which a test gains at least as much as the node's own best test.

    A node is done when more than `allowed` are found: it is a leaf then, and its parent (-1: none) is told. Nodes that
    still have inner children are left out; those of no permutations stay inner nodes. Each goes on from what was found
    and tried before (-1: nothing). Bit sets of tests take at most `most_words` words at a time.
    """
    n_tests = count_tests(n_bins, MOST_CASES)
    n_tests = n_tests if n_tests <= most_words else 0
    tests, sizes = np.empty(n_tests, np.uint64), np.empty(n_tests, np.int64)
    numbers = np.empty((6, max(MOST_CASES, totals.shape[1])), np.int64)
    words, values = np.zeros((5, max(256, totals.shape[1])), np.uint64), np.empty((2, MOST_CASES + totals.shape[1]))
    for node in nodes:
        if n_inner_children[node]:
            continue
        found[node], tried[node] = max(found[node], 0), max(tried[node], 0)
        if found[node] > allowed or tried[node] >= n_permutations[node]:
            continue
        n_classes, size = order_classes(totals, node, numbers)
        needed = needed_value(n_classes, size, gains[node], table, numbers)
        if n_tests and size <= MOST_CASES:
            found[node], tried[node] = count_few(
                narrow, wide, order, copies, starts[node], stops[node], n_classes, size, keys[node], needed, n_bins,
                kinds, min_rows, table, n_permutations[node], allowed, found[node], tried[node],
                numbers, words, values, tests, sizes,
            )  # fmt: skip
        else:
            found[node], tried[node] = count_many(
                narrow, wide, list_cases(order, copies, starts[node], stops[node]), totals, node, keys[node], needed,
                n_bins, kinds, min_rows, table, n_permutations[node], allowed, most_words, found[node],
                tried[node],
            )  # fmt: skip
        if found[node] > allowed and parents[node] >= 0:
            n_inner_children[parents[node]] -= 1
