"""Random orders of cases, samples of them, and tables of given margins; a node's random numbers follow from its key."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

# Logarithms of table probabilities that differ by no more than this, relative to their size, are equal.
TOLERANCE = 1e-12


@njit(nogil=True, cache=True, inline="always")
def next_random(state):
    """Next state of SplitMix64, and its output."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state, z ^ (z >> np.uint64(31))


@njit(nogil=True, cache=True, inline="always")
def as_share(z):
    """A random number in [0, 1) from 64 random bits."""
    return np.float64(z >> np.uint64(11)) * 2.0**-53


@njit(nogil=True, cache=True)
def select(keys, starts, n_cases, n_drawn, is_drawn):
    """Which cases of each node are among n_drawn of all n_cases, drawn without replacement anew for every node.

    Node i has the cases ``starts[i]:starts[i + 1]`` and takes them first: the draws that are left then fall on cases
    that do not reach it, which need no drawing.
    """
    for node in range(keys.size):
        state, n_left = keys[node], n_drawn
        for case in range(starts[node], starts[node + 1]):
            state, z = next_random(state)
            is_drawn[case] = as_share(z) * (n_cases - case + starts[node]) < n_left
            n_left -= is_drawn[case]


# -- permutations of class labels --------------------------------------------------------------------------------------


@njit(nogil=True, cache=True, inline="always")
def draw_positions(state, positions, size, n_drawn):
    """Move n_drawn of the first `size` cases, drawn at random, to the front of `positions`; the state.

    The rest stays as earlier draws left it: any order is as random as another. For a permutation of labels all cases
    but those of the most frequent class are drawn, class after class; it gets what the others leave.
    """
    for i in range(n_drawn):
        state, z = next_random(state)
        j = i + np.int64(((z >> np.uint64(32)) * np.uint64(size - i)) >> np.uint64(32))
        positions[i], positions[j] = positions[j], positions[i]
    return state


@njit(nogil=True, cache=True)
def draw_classes(state, totals, classes):
    """Permutations of the classes of a node: a line for each permutation, a column for each case."""
    positions, most = np.arange(classes.shape[1]), 0
    for c in range(totals.shape[1]):
        if totals[0, c] > totals[0, most]:
            most = c
    for r in range(classes.shape[0]):
        state = draw_positions(state, positions, positions.size, positions.size - totals[0, most])
        classes[r, :] = most
        start = 0
        for c in range(totals.shape[1]):
            if c != most:
                for k in range(start, start + totals[0, c]):
                    classes[r, positions[k]] = c
                start += totals[0, c]


# -- tables of given margins ----------------------------------------------------------------------------------------


@njit(nogil=True, cache=True, inline="always")
def log_factorial(n, table):
    return table[n] if n < table.size else math.lgamma(n + 1.0)


@njit(nogil=True, cache=True)
def draw_hypergeometric(share, n_marked, n_other, n_drawn, table):
    """How many of n_drawn cases are marked; numbers are tried by turns above and below the most probable one."""
    lowest, highest = max(0, n_drawn - n_other), min(n_marked, n_drawn)
    middle = (n_drawn + 1) * (n_marked + 1) // (n_marked + n_other + 2)
    middle = min(max(middle, lowest), highest)
    chance = math.exp(
        log_factorial(n_marked, table) + log_factorial(n_other, table) + log_factorial(n_drawn, table)
        + log_factorial(n_marked + n_other - n_drawn, table) - log_factorial(n_marked + n_other, table)
        - log_factorial(middle, table) - log_factorial(n_marked - middle, table)
        - log_factorial(n_drawn - middle, table) - log_factorial(n_other - n_drawn + middle, table)
    )  # fmt: skip
    share -= chance
    down, up, chance_down, chance_up = middle, middle, chance, chance
    while share >= 0 and (down > lowest or up < highest):
        if up < highest:
            chance_up *= (n_marked - up) / (up + 1) * (n_drawn - up) / (n_other - n_drawn + up + 1)
            up += 1
            share -= chance_up
            if share < 0:
                return up
        if down > lowest:
            chance_down *= down / (n_marked - down + 1) * (n_other - n_drawn + down) / (n_drawn - down + 1)
            down -= 1
            share -= chance_down
            if share < 0:
                return down
    return middle


@njit(nogil=True, cache=True)
def draw_table(state, sizes, totals, left, table):
    """Sum of the log factorials of a random table of these margins, which falls with its chance; the state."""
    left[:] = totals
    n_left, sum_of_logs = totals.sum(), 0.0
    for child in range(sizes.size):
        n_open, n_other = sizes[child], n_left
        n_left -= n_open
        for c in range(totals.size):
            n_other -= left[c]
            count, most = max(0, n_open - n_other), min(left[c], n_open)
            if count < most:
                state, z = next_random(state)
                count = draw_hypergeometric(as_share(z), left[c], n_other, n_open, table)
            left[c] -= count
            n_open -= count
            sum_of_logs += log_factorial(count, table)
    return state, sum_of_logs


@njit(nogil=True, cache=True)
def improbable_tables(children, child_start, keys, table, n_tables, allowed, found):
    """Of so many random tables with the margins of each node's own, those that are no more probable than it.

    Beyond `allowed` the rest is not drawn.
    """
    left = np.empty(children.shape[1], np.int64)
    for node in range(keys.size):
        own = children[child_start[node] : child_start[node + 1]]
        sizes, totals, observed = own.sum(axis=1), own.sum(axis=0), 0.0
        for count in own.flat:
            observed += log_factorial(count, table)
        state, n_tried = keys[node], 0
        while n_tried < n_tables and found[node] <= allowed:
            state, drawn = draw_table(state, sizes, totals, left, table)
            found[node] += drawn >= observed * (1 - TOLERANCE)
            n_tried += 1
