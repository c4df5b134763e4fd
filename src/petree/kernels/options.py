"""Option trees: every node keeps several tests, and rows that are reached by other tests in another order are one node.

Growing goes depth first with one buffer of rows a level, so that memory does not depend on how many nodes there are. A
node is known by the sum of random keys of its rows and by its level.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.conditions import MULTIWAY, UNSEEN
from petree.kernels.bayes import COLUMN, CUT, KIND, MISSING, PENALTY, QUALITY, branch_of, ln_evidence, scan_node
from petree.kernels.route import STUCK, take_branch

# What is noted of a split beside its test.
N_SPLIT_FIELDS = 6


@njit(nogil=True, cache=True)
def grown_rows(array, n_rows):
    """The array with room for at least so many lines."""
    if n_rows <= array.shape[0]:
        return array
    larger = np.empty((max(n_rows, 2 * array.shape[0]), array.shape[1]), array.dtype)
    larger[: array.shape[0]] = array
    return larger


@njit(nogil=True, cache=True)
def count_branches(kind, missing, n_bins):
    """Number of children of a test."""
    if kind == MULTIWAY:
        return n_bins + (1 if missing != UNSEEN else 0)
    return 2


@njit(nogil=True, cache=True)
def divide_rows(codes, rows, start, stop, column, kind, cut, missing, n_bins, target, bounds):
    """Write the rows of a node into `target`, branch after branch, in their order; `bounds` says where each begins."""
    n_branches = count_branches(kind, missing, n_bins)
    bounds[: n_branches + 1] = 0
    for k in range(start, stop):
        bounds[branch_of(int(codes[rows[k], column]), kind, cut, missing, n_bins) + 1] += 1
    for branch in range(n_branches):
        bounds[branch + 1] += bounds[branch]
    filled = bounds[:n_branches].copy()
    for k in range(start, stop):
        branch = branch_of(int(codes[rows[k], column]), kind, cut, missing, n_bins)
        target[filled[branch]] = rows[k]
        filled[branch] += 1
    return n_branches


@njit(nogil=True, cache=True)
def find_place(table, keys, key):
    """The place of a key in a table of open addressing, or the empty place where it belongs."""
    place = np.int64(key & np.uint64(table.size - 1))
    while table[place] >= 0 and keys[table[place]] != key:
        place = (place + 1) & (table.size - 1)
    return place


@njit(nogil=True, cache=True)
def enlarge(table, keys, n_keys):
    """A table twice as large with the same keys."""
    larger = np.full(2 * table.size, -1, np.int64)
    for number in range(n_keys):
        larger[find_place(larger, keys, keys[number])] = number
    return larger


@njit(nogil=True, cache=True)
def key_of(row_keys, rows, start, stop, level):
    """The key of a set of rows at a level."""
    key = np.uint64(level) * np.uint64(0x9E3779B97F4A7C15)
    for k in range(start, stop):
        key += row_keys[rows[k]]
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return key ^ (key >> np.uint64(27))


@njit(nogil=True, cache=True)
def look_ahead(
    plies, level, codes, buffer, start, stop, classes, weights, n_bins, kinds, centres, line_start, ln_tests,
    alphas, table, ln_leaf, min_rows, totals, counts, lowest, highest, parts, beams, bounds,
):  # fmt: skip
    """The logarithm of the best value of the rows: as a leaf, or split by a test whose children look on."""
    width = beams.shape[1]
    n_kept = scan_node(
        codes, buffer[level], start, stop, classes, weights, n_bins, kinds, centres, line_start, ln_tests,
        alphas, table, min_rows, totals, counts, lowest, highest, parts, beams[level],
    )  # fmt: skip
    best = ln_leaf + ln_evidence(totals, 0, alphas, table)
    for k in range(min(n_kept, width)):
        column, kind = int(beams[level, k, COLUMN]), int(beams[level, k, KIND])
        cut, missing = int(beams[level, k, CUT]), int(beams[level, k, MISSING])
        n_branches = count_branches(kind, missing, n_bins[column])
        value = beams[level, k, QUALITY] + n_branches * ln_leaf
        if plies > 1:
            value = ln_tests[column] + beams[level, k, PENALTY]
            divide_rows(
                codes, buffer[level], start, stop, column, kind, cut, missing, n_bins[column], buffer[level + 1],
                bounds[level],
            )  # fmt: skip
            for branch in range(n_branches):
                first, last = bounds[level, branch], bounds[level, branch + 1]
                if first == last:
                    value += ln_leaf
                    continue
                value += look_ahead(
                    plies - 1, level + 1, codes, buffer, first, last, classes, weights, n_bins, kinds, centres,
                    line_start, ln_tests, alphas, table, ln_leaf, min_rows, totals, counts, lowest, highest, parts,
                    beams, bounds,
                )  # fmt: skip
        best = max(best, value)
    return best


@njit(nogil=True, cache=True)
def grow_options(
    codes, row_keys, classes, weights, n_bins, kinds, centres, line_start, ln_tests, alphas, table, ln_leaf,
    min_rows, max_depth, max_options, ln_factor, plies, most_nodes,
):  # fmt: skip
    """Nodes (counts with the number of rows, level), splits (owner, test, penalty), children, and nodes left unsplit.

    A node of level `max_depth`, a pure one, or one that no test divides is a leaf. Once there are `most_nodes`, nodes
    stay unsplit and are counted.
    """
    n_rows, n_counts, most_branches = classes.size, alphas.size, int(n_bins.max()) + 2
    n_levels = max_depth + plies + 1
    buffer = np.empty((n_levels, n_rows), np.int32)
    counts = np.zeros((centres.size, n_counts))
    lowest, highest = np.empty(n_bins.size, np.int64), np.empty(n_bins.size, np.int64)
    totals, parts = np.empty((1, n_counts)), np.empty((2, n_counts))
    kept = np.empty((max_depth + 1, max_options, 6))
    beams, looking = np.empty((n_levels, max_options, 6)), np.empty((n_levels, most_branches + 1), np.int64)
    bounds = np.empty((max_depth + 1, most_branches + 1), np.int64)
    starts, stops = np.zeros(max_depth + 1, np.int64), np.zeros(max_depth + 1, np.int64)
    owners, n_kept = np.zeros(max_depth + 1, np.int64), np.zeros(max_depth + 1, np.int64)
    option, branch = np.zeros(max_depth + 1, np.int64), np.zeros(max_depth + 1, np.int64)
    nodes, keys, levels = np.empty((64, n_counts)), np.empty((64, 1), np.uint64), np.empty((64, 1), np.int64)
    splits, children = np.empty((64, N_SPLIT_FIELDS)), np.empty((64, 1), np.int64)
    n_nodes, n_splits, n_children, n_left = 0, 0, 0, 0
    places = np.full(256, -1, np.int64)
    # children of the options under way, a line a level
    pending = np.empty((max_depth + 1, most_branches), np.int64)
    for row in range(n_rows):
        buffer[0, row] = row
    level, is_new = 0, True
    starts[0], stops[0] = 0, n_rows
    while level >= 0:
        if is_new:  # meet the node of this level
            start, stop = starts[level], stops[level]
            key = key_of(row_keys, buffer[level], start, stop, level)
            if 2 * (n_nodes + 1) > places.size:
                places = enlarge(places, keys[:, 0], n_nodes)
            place = find_place(places, keys[:, 0], key)
            number, is_known = places[place], places[place] >= 0
            n_kept[level] = 0
            if not is_known:
                number = n_nodes
                nodes, keys = grown_rows(nodes, n_nodes + 1), grown_rows(keys, n_nodes + 1)
                levels = grown_rows(levels, n_nodes + 1)
                places[place], keys[number, 0], levels[number, 0] = number, key, level
                n_nodes += 1
                for c in range(n_counts):
                    nodes[number, c] = 0.0
                for k in range(start, stop):
                    row = buffer[level, k]
                    nodes[number, classes[row]] += weights[row]
                    nodes[number, n_counts - 1] += 1
                n_present = 0
                for c in range(n_counts - 1):
                    n_present += nodes[number, c] > 0
                if n_present > 1 and level < max_depth and stop - start >= 2 * min_rows:
                    if n_nodes >= most_nodes:
                        n_left += 1
                    else:
                        n_kept[level] = scan_node(
                            codes, buffer[level], start, stop, classes, weights, n_bins, kinds, centres, line_start,
                            ln_tests, alphas, table, min_rows, totals, counts, lowest, highest, parts, kept[level],
                        )  # fmt: skip
            owners[level] = number
            if plies > 1 and n_kept[level] > 0:
                revalue(
                    plies, level, codes, buffer, start, stop, classes, weights, n_bins, kinds, centres, line_start,
                    ln_tests, alphas, table, ln_leaf, min_rows, totals, counts, lowest, highest, parts, beams, looking,
                    kept[level], n_kept[level],
                )  # fmt: skip
            if n_kept[level] > 0:
                n_good = 1
                while n_good < n_kept[level] and kept[level, n_good, QUALITY] >= kept[level, 0, QUALITY] + ln_factor:
                    n_good += 1
                n_kept[level] = n_good
            option[level], branch[level] = -1, 0
            is_new = False
        if option[level] >= 0 and branch[level] < bounds_of(kept[level, option[level]], n_bins):
            # the next child of the option under way
            starts[level + 1], stops[level + 1] = bounds[level, branch[level]], bounds[level, branch[level] + 1]
            level += 1
            is_new = True
            continue
        if option[level] >= 0:  # all children of the option are there
            test = kept[level, option[level]]
            n_branches = bounds_of(test, n_bins)
            splits, children = grown_rows(splits, n_splits + 1), grown_rows(children, n_children + n_branches)
            splits[n_splits, 0] = owners[level]
            for field in range(4):
                splits[n_splits, 1 + field] = test[field]
            splits[n_splits, 5] = test[PENALTY]
            for child in range(n_branches):
                children[n_children + child, 0] = pending[level, child]
            n_splits, n_children = n_splits + 1, n_children + n_branches
        option[level] += 1
        if option[level] < n_kept[level]:  # begin the next option
            test = kept[level, option[level]]
            column = int(test[COLUMN])
            divide_rows(
                codes, buffer[level], starts[level], stops[level], column, int(test[KIND]), int(test[CUT]),
                int(test[MISSING]), n_bins[column], buffer[level + 1], bounds[level],
            )  # fmt: skip
            branch[level] = 0
            continue
        level -= 1  # the node is done
        if level >= 0:
            pending[level, branch[level]] = owners[level + 1]
            branch[level] += 1
    return (
        nodes[:n_nodes], levels[:n_nodes, 0], splits[:n_splits], children[:n_children, 0], n_left,
    )  # fmt: skip


@njit(nogil=True, cache=True)
def bounds_of(test, n_bins):
    """Number of children of a kept test."""
    return count_branches(int(test[KIND]), int(test[MISSING]), n_bins[int(test[COLUMN])])


@njit(nogil=True, cache=True)
def revalue(
    plies, level, codes, buffer, start, stop, classes, weights, n_bins, kinds, centres, line_start, ln_tests,
    alphas, table, ln_leaf, min_rows, totals, counts, lowest, highest, parts, beams, bounds, kept, n_kept,
):  # fmt: skip
    """Give the kept tests the quality of so many plies, and sort them by it, the first of equals ahead."""
    for k in range(n_kept):
        column, kind = int(kept[k, COLUMN]), int(kept[k, KIND])
        cut, missing = int(kept[k, CUT]), int(kept[k, MISSING])
        n_branches = count_branches(kind, missing, n_bins[column])
        value = ln_tests[column] + kept[k, PENALTY]
        divide_rows(
            codes, buffer[level], start, stop, column, kind, cut, missing, n_bins[column], buffer[level + 1],
            bounds[level],
        )  # fmt: skip
        for branch in range(n_branches):
            first, last = bounds[level, branch], bounds[level, branch + 1]
            if first == last:
                value += ln_leaf
                continue
            value += look_ahead(
                plies - 1, level + 1, codes, buffer, first, last, classes, weights, n_bins, kinds, centres,
                line_start, ln_tests, alphas, table, ln_leaf, min_rows, totals, counts, lowest, highest, parts, beams,
                bounds,
            )  # fmt: skip
        kept[k, QUALITY] = value
    for k in range(1, n_kept):
        line = k
        while line > 0 and kept[line, QUALITY] > kept[line - 1, QUALITY] + 1e-9:
            for field in range(kept.shape[1]):
                kept[line, field], kept[line - 1, field] = kept[line - 1, field], kept[line, field]
            line -= 1


@njit(nogil=True, cache=True)
def mix_rows(matrix, split_start, details, members, child_start, children, stay, go, own, weights, mixed):
    """Answers of rows: what every node says that a row reaches, by the share of its mass that stays there.

    Children stand one level below, so that a node's whole mass is there when its turn comes. A row that gets stuck at a
    test goes every way, by the training weights of the branches.
    """
    mass, queue = np.zeros(stay.size), np.empty(stay.size, np.int64)
    for row in range(matrix.shape[0]):
        mass[0], queue[0] = 1.0, 0
        first, last = 0, 1
        while first < last:
            node = queue[first]
            share = mass[node]
            first, mass[node] = first + 1, 0.0
            for c in range(mixed.shape[1]):
                mixed[row, c] += share * stay[node] * own[node, c]
            for split in range(split_start[node], split_start[node + 1]):
                begin, end, part = child_start[split], child_start[split + 1], share * go[split]
                branch = take_branch(matrix[row, details[split].column], details[split], members)
                if branch != STUCK:
                    last = push(children[begin + branch], part, mass, queue, last)
                    continue
                total = 0.0
                for child in range(begin, end):
                    total += weights[children[child]]
                for child in range(begin, end):
                    last = push(children[child], part * weights[children[child]] / total, mass, queue, last)


@njit(nogil=True, cache=True)
def push(node, share, mass, queue, last):
    """Give a node more mass; a node that had none goes to the end of the queue."""
    if share > 0:
        if mass[node] == 0.0:
            queue[last] = node
            last += 1
        mass[node] += share
    return last
