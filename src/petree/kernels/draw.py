"""Random orders of cases; a node's random numbers follow from its key."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True, inline="always")
def next_random(state):
    """Next state of SplitMix64, and its output."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state, z ^ (z >> np.uint64(31))


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
