"""How often the best gain of a node is reached when its class labels are permuted.

Tests are bit sets over the cases of the node, and so are the cases of each class under a permutation: the cases of a
class on one side of a test are the bits that both have. Test outcomes are worked out once, permutations are drawn a few at
a time, and a node is done as soon as its verdict is certain.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.conditions import THRESHOLD
from petree.kernels.best import TOLERANCE
from petree.kernels.bits import popcount
from petree.kernels.score import n_log_n

# Permutations drawn at a time: a hopeless node is done after about twelve.
BATCH = 8
# So few cases are sorted faster by insertion than by counting their codes.
FEW_CASES = 24
# A branch size whose reach is not known yet.
UNKNOWN = -2
# Numbers that say how far the list of tests has come: tests in it, and whether it overflowed and was begun anew.
LISTED, OVERFLOWED = range(2)


# -- random labels -------------------------------------------------------------------------------------------------


@njit(nogil=True, cache=True, inline="always")
def next_random(state):
    """Next state of SplitMix64, and its output."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state, z ^ (z >> np.uint64(31))


@njit(nogil=True, cache=True)
def draw_positions(state, positions, n_drawn):
    """Move n_drawn cases, drawn at random, to the front of `positions`; the state of the random numbers.

    The rest stays as earlier draws left it: any order is as random as another.
    """
    n = positions.size
    for i in range(n_drawn):
        state, z = next_random(state)
        j = i + np.int64(((z >> np.uint64(32)) * np.uint64(n - i)) >> np.uint64(32))
        positions[i], positions[j] = positions[j], positions[i]
    return state


@njit(nogil=True, cache=True, inline="always")
def most_frequent(totals, node):
    """The (first) most frequent class: it gets whatever cases the others leave, so these alone are drawn."""
    most = 0
    for c in range(totals.shape[1]):
        if totals[node, c] > totals[node, most]:
            most = c
    return most


@njit(nogil=True, cache=True)
def draw_labels(state, positions, totals, node, labels):
    """Bit sets of the classes, but for the most frequent one, under the next permutation; the state."""
    most = most_frequent(totals, node)
    labels[:] = 0
    state = draw_positions(state, positions, positions.size - totals[node, most])
    start = 0
    for c in range(totals.shape[1]):
        if c != most:
            for k in range(start, start + totals[node, c]):
                labels[c, positions[k] >> 6] |= np.uint64(1) << np.uint64(positions[k] & 63)
            start += totals[node, c]
    return state


@njit(nogil=True, cache=True)
def draw_classes(state, totals, classes):
    """The same permutations as classes: a line for each permutation, a column for each case."""
    positions, most = np.arange(classes.shape[1]), most_frequent(totals, 0)
    for r in range(classes.shape[0]):
        state = draw_positions(state, positions, positions.size - totals[0, most])
        classes[r, :] = most
        start = 0
        for c in range(totals.shape[1]):
            if c != most:
                for k in range(start, start + totals[0, c]):
                    classes[r, positions[k]] = c
                start += totals[0, c]


# -- which permutations reach the observed gain ----------------------------------------------------------------------


@njit(nogil=True, cache=True, inline="always")
def value_of_two(left, left_size, totals, node, size, table):
    """Value of a binary split of a two-class node whose first branch has `left` cases of class 1."""
    value = n_log_n(left, table) + n_log_n(left_size - left, table)
    value += n_log_n(totals[node, 1] - left, table) + n_log_n(totals[node, 0] - left_size + left, table)
    return value - n_log_n(left_size, table) - n_log_n(size - left_size, table)


@njit(nogil=True, cache=True)
def reach(left_size, totals, node, size, needed, table):
    """The numbers of class-1 cases between which a branch of a two-class node stays below the value `needed`.

    The value falls up to the expected number and rises from there, so both ends are found by halving.
    """
    least, most = max(0, left_size - totals[node, 0]), min(left_size, totals[node, 1])
    middle = min(max(left_size * totals[node, 1] // size, least), most)
    low, high = least - 1, middle + 1
    while high - low > 1:
        k = (low + high) // 2
        if value_of_two(k, left_size, totals, node, size, table) >= needed:
            low = k
        else:
            high = k
    lower = low
    low, high = middle, most + 1
    while high - low > 1:
        k = (low + high) // 2
        if value_of_two(k, left_size, totals, node, size, table) >= needed:
            high = k
        else:
            low = k
    return lower, high


@njit(nogil=True, cache=True)
def most_value(left_size, totals, node, size, table):
    """A value that no split into branches of these sizes exceeds: its gain is at most its split information."""
    value = -n_log_n(left_size, table) - n_log_n(size - left_size, table)
    for c in range(totals.shape[1]):
        value += n_log_n(totals[node, c], table)
    return value


@njit(nogil=True, cache=True)
def any_of_two_reaches(bits, lower, upper, n_tests, ones):
    """Whether any test of a two-class node gets so few or so many cases of class 1 that it reaches the observed gain."""
    for t in range(n_tests):
        left = np.int64(0)
        for word in range(ones.size):
            left += np.int64(popcount(bits[t, word] & ones[word]))
        if left <= lower[t] or left >= upper[t]:
            return True
    return False


@njit(nogil=True, cache=True)
def any_reaches(bits, sizes, n_tests, labels, totals, node, size, needed, table):
    """Whether any test has at least the value `needed` under one permutation."""
    most = most_frequent(totals, node)
    for t in range(n_tests):
        value, rest = 0.0, sizes[t]
        for c in range(totals.shape[1]):
            if c == most:
                continue
            left = np.int64(0)
            for word in range(bits.shape[1]):
                left += np.int64(popcount(bits[t, word] & labels[c, word]))
            rest -= left
            value += n_log_n(left, table) + n_log_n(totals[node, c] - left, table)
        value += n_log_n(rest, table) + n_log_n(totals[node, most] - rest, table)
        value -= n_log_n(sizes[t], table) + n_log_n(size - sizes[t], table)
        if value >= needed:
            return True
    return False


@njit(nogil=True, cache=True)
def mark(labels, exceeds, n_drawn, bits, sizes, lower, upper, n_tests, totals, node, size, needed, table):
    """Note which of the drawn permutations reach the observed gain by one of the listed tests."""
    for r in range(n_drawn):
        if exceeds[r]:
            continue
        if totals.shape[1] == 2:
            exceeds[r] = any_of_two_reaches(bits, lower, upper, n_tests, labels[r, 1 - most_frequent(totals, node)])
        else:
            exceeds[r] = any_reaches(bits, sizes, n_tests, labels[r], totals, node, size, needed, table)


# -- the tests of a node ------------------------------------------------------------------------------------------------


@njit(nogil=True, cache=True)
def list_cases(order, copies, start, stop):
    """Rows of a node by their place in the training table, each as often as it has copies."""
    rows = start + np.argsort(order[start:stop])
    if not copies.size:
        return rows
    cases, n = np.empty(copies[start:stop].sum(), np.int64), 0
    for row in rows:
        for _ in range(copies[row]):
            cases[n] = row
            n += 1
    return cases


@njit(nogil=True, cache=True)
def sort_narrow(codes, column, cases, ends, by_code):
    """Numbers of the cases by their code in a narrow column; `ends` is room to count the codes."""
    if cases.size < FEW_CASES:
        for k in range(cases.size):
            code, place = codes[cases[k], column], k
            while place > 0 and codes[cases[by_code[place - 1]], column] > code:
                by_code[place] = by_code[place - 1]
                place -= 1
            by_code[place] = k
        return
    ends[:] = 0
    for case in cases:
        ends[np.int64(codes[case, column]) + 1] += 1
    for code in range(1, ends.size):
        ends[code] += ends[code - 1]
    for k in range(cases.size):
        code = np.int64(codes[cases[k], column])
        by_code[ends[code]] = k
        ends[code] += 1


@njit(nogil=True, cache=True)
def list_test(
    branch, left_size, labels, exceeds, n_drawn, bits, sizes, lower, upper, lows, highs, progress,
    totals, node, size, min_rows, needed, table,
):  # fmt: skip
    """Add a test to the list, unless it leaves too few cases or no permutation can bring it to `needed`.

    A full list is marked and begun anew. Arrays come one by one: a tuple of them, taken apart for every test, costs more than
    all the rest.
    """
    if left_size < min_rows or size - left_size < min_rows:
        return
    if progress[LISTED] == sizes.size:
        mark(labels, exceeds, n_drawn, bits, sizes, lower, upper, sizes.size, totals, node, size, needed, table)
        progress[LISTED], progress[OVERFLOWED] = 0, 1
    t = progress[LISTED]
    if totals.shape[1] == 2:
        if lows[left_size] == UNKNOWN:
            lows[left_size], highs[left_size] = reach(left_size, totals, node, size, needed, table)
        low, high = lows[left_size], highs[left_size]
        if low < max(0, left_size - totals[node, 0]) and high > min(left_size, totals[node, 1]):
            return
        rare = 1 - most_frequent(totals, node)  # labels are drawn for the rarer class
        lower[t], upper[t] = (low, high) if rare == 1 else (left_size - high, left_size - low)
    elif most_value(left_size, totals, node, size, table) < needed:
        return
    for word in range(branch.size):
        bits[t, word] = branch[word]
    sizes[t] = left_size
    progress[LISTED] = t + 1


@njit(nogil=True, cache=True)
def list_column(
    codes, column, kind, missing_code, cases, by_code, branch, missing, both, labels, exceeds, n_drawn,
    bits, sizes, lower, upper, lows, highs, progress, totals, node, min_rows, needed, table,
):  # fmt: skip
    """Add the tests of a column, whose cases are sorted by code; missing values, of the highest code, come last."""
    branch[:], missing[:] = 0, 0
    size = cases.size
    n_known = size
    while n_known and codes[cases[by_code[n_known - 1]], column] == missing_code:
        n_known -= 1
        missing[by_code[n_known] >> 6] |= np.uint64(1) << np.uint64(by_code[n_known] & 63)
    n_missing = size - n_known
    if n_missing:
        list_test(
            missing, n_missing, labels, exceeds, n_drawn, bits, sizes, lower, upper, lows, highs, progress,
            totals, node, size, min_rows, needed, table,
        )  # fmt: skip
    first = 0
    while first < n_known:
        last, code = first, codes[cases[by_code[first]], column]
        while last < n_known and codes[cases[by_code[last]], column] == code:
            branch[by_code[last] >> 6] |= np.uint64(1) << np.uint64(by_code[last] & 63)
            last += 1
        left_size = last if kind == THRESHOLD else last - first
        if left_size < n_known:  # a lone value against the missing ones is the test "is missing"
            list_test(
                branch, left_size, labels, exceeds, n_drawn, bits, sizes, lower, upper, lows, highs, progress,
                totals, node, size, min_rows, needed, table,
            )  # fmt: skip
            if n_missing:
                for word in range(branch.size):
                    both[word] = branch[word] | missing[word]
                list_test(
                    both, left_size + n_missing, labels, exceeds, n_drawn, bits, sizes, lower, upper, lows, highs,
                    progress, totals, node, size, min_rows, needed, table,
                )  # fmt: skip
        if kind != THRESHOLD:
            branch[:] = 0
        first = last


@njit(nogil=True, cache=True)
def list_columns(
    narrow, wide, cases, by_code, ends, branch, missing, both, labels, exceeds, n_drawn,
    bits, sizes, lower, upper, lows, highs, progress, totals, node, n_bins, kinds, min_rows, needed, table,
):  # fmt: skip
    """Add the tests of all columns."""
    progress[LISTED], progress[OVERFLOWED] = 0, 0
    for column in range(n_bins.size):
        if column < narrow.shape[1]:
            sort_narrow(narrow, column, cases, ends, by_code)
            list_column(
                narrow, column, kinds[column], n_bins[column], cases, by_code, branch, missing, both,
                labels, exceeds, n_drawn, bits, sizes, lower, upper, lows, highs, progress,
                totals, node, min_rows, needed, table,
            )  # fmt: skip
        else:
            place = column - narrow.shape[1]
            by_code[:] = np.argsort(wide[:, place][cases], kind="mergesort")
            list_column(
                wide, place, kinds[column], n_bins[column], cases, by_code, branch, missing, both,
                labels, exceeds, n_drawn, bits, sizes, lower, upper, lows, highs, progress,
                totals, node, min_rows, needed, table,
            )  # fmt: skip


@njit(nogil=True, cache=True)
def count_tests(n_bins, size):
    """Tests that a node of so many cases may have."""
    n_tests = 0
    for column in range(n_bins.size):
        n_tests += 2 * min(n_bins[column], size) + 1
    return n_tests


@njit(nogil=True, cache=True)
def needed_value(totals, node, gain, size, table):
    """The value that equals a gain (in bits a case), less the tolerance."""
    value = -n_log_n(np.int64(size), table)
    for c in range(totals.shape[1]):
        value += n_log_n(totals[node, c], table)
    return value + (gain - TOLERANCE) * size


@njit(nogil=True, cache=True)
def present_totals(all_totals, node):
    """The class counts of a node without absent classes, as a table of one line."""
    totals, n_present = np.empty((1, all_totals.shape[1]), np.int64), 0
    for c in range(all_totals.shape[1]):
        if all_totals[node, c]:
            totals[0, n_present] = all_totals[node, c]
            n_present += 1
    return totals[:, :n_present].copy()


@njit(nogil=True, cache=True)
def count_reaching(
    narrow, wide, order, copies, start, stop, all_totals, place, key, gain, n_bins, kinds, min_rows, table,
    n_permutations, allowed, most_words,
):  # fmt: skip
    """Permutations of one node's labels under which some test gains at least `gain`, up to one more than `allowed`."""
    totals, node = present_totals(all_totals, place), 0
    cases = list_cases(order, copies, start, stop)
    size = cases.size
    n_words = (size + 63) // 64
    n_tests = max(1, min(count_tests(n_bins, size), most_words // n_words))
    bits, lows, highs = np.empty((n_tests, n_words), np.uint64), np.full(size + 1, UNKNOWN), np.empty(size + 1, np.int64)
    sizes, lower, upper = np.empty(n_tests, np.int64), np.empty(n_tests, np.int64), np.empty(n_tests, np.int64)
    branch, missing, both = np.empty(n_words, np.uint64), np.empty(n_words, np.uint64), np.empty(n_words, np.uint64)
    labels, exceeds = np.empty((BATCH, totals.shape[1], n_words), np.uint64), np.empty(BATCH, np.bool_)
    by_code, positions, ends = np.empty(size, np.int64), np.arange(size), np.empty(258, np.int64)
    needed = needed_value(totals, node, gain, size, table)
    progress = np.ones(2, np.int64)  # as if overflowed: nothing is listed yet
    state, found, tried = key, 0, 0
    while tried < n_permutations and found <= allowed:
        n_drawn = min(BATCH, n_permutations - tried)
        for r in range(n_drawn):
            state = draw_labels(state, positions, totals, node, labels[r])
            exceeds[r] = False
        if progress[OVERFLOWED]:
            list_columns(
                narrow, wide, cases, by_code, ends, branch, missing, both, labels, exceeds, n_drawn,
                bits, sizes, lower, upper, lows, highs, progress, totals, node, n_bins, kinds, min_rows, needed, table,
            )  # fmt: skip
        n_listed = progress[LISTED]
        mark(labels, exceeds, n_drawn, bits, sizes, lower, upper, n_listed, totals, node, size, needed, table)
        tried += n_drawn
        for r in range(n_drawn):
            found += exceeds[r]
    return min(found, allowed + 1)


@njit(nogil=True, cache=True)
def exceedances(
    narrow, wide, order, copies, starts, stops, totals, keys, gains, n_bins, kinds, min_rows, table,
    n_permutations, allowed, most_words, found,
):  # fmt: skip
    """Permutations of each node's labels under which some test gains at least as much as the node's own best test.

    A node is done when more than `allowed` are found. Bit sets of tests take at most `most_words` words at a time.
    """
    for node in range(starts.size):
        found[node] = count_reaching(
            narrow, wide, order, copies, starts[node], stops[node], totals, node, keys[node], gains[node], n_bins, kinds,
            min_rows, table, n_permutations, allowed, most_words,
        )  # fmt: skip


@njit(nogil=True, cache=True)
def prune_up(
    narrow, wide, order, copies, starts, stops, totals, keys, gains, n_bins, kinds, min_rows, table,
    n_permutations, allowed, most_words, found, nodes, parents, is_certain, n_inner_children,
):  # fmt: skip
    """The same for some inner nodes of a tree, children before parents, but only where all children have become leaves.

    Nodes that are not asked keep what `found` had; a parent that is not among the nodes (-1) is not told.
    """
    for node in nodes:
        if n_inner_children[node]:
            continue
        found[node] = 0
        if not is_certain[node]:
            found[node] = count_reaching(
                narrow, wide, order, copies, starts[node], stops[node], totals, node, keys[node], gains[node], n_bins,
                kinds, min_rows, table, n_permutations, allowed, most_words,
            )  # fmt: skip
        if found[node] > allowed and parents[node] >= 0:
            n_inner_children[parents[node]] -= 1
