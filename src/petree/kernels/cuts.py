"""Where a column of numbers may be cut, from its distinct values in ascending order."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True, inline="always")
def midpoint(lower, upper):
    """Half way between two values, or the upper one where the middle rounds to the lower."""
    middle = (lower + upper) / 2
    if not np.isfinite(middle):
        middle = lower / 2 + upper / 2
    return middle if middle > lower else upper


@njit(nogil=True, cache=True)
def list_few(values, bits, most):
    """Distinct values, in the order of their first appearance; none at all where there are more than `most`.

    `bits` are those of the values. Each value has its place in a table of twice to four times the size.
    """
    n_bits = np.uint64(2)
    while np.uint64(1) << n_bits < 2 * most:
        n_bits += np.uint64(1)
    table, distinct, n_distinct = np.zeros(1 << n_bits, np.int64), np.empty(most), 0
    for row in range(values.size):
        word = bits[row] if values[row] != 0 else np.uint64(0)  # minus zero is zero
        slot = (word * np.uint64(0x9E3779B97F4A7C15)) >> (np.uint64(64) - n_bits)
        while table[slot] and distinct[table[slot] - 1] != values[row]:
            slot = (slot + np.uint64(1)) & np.uint64(table.size - 1)
        if not table[slot]:
            if n_distinct == most:
                return distinct[:0]
            distinct[n_distinct] = values[row]
            n_distinct += 1
            table[slot] = n_distinct
    return distinct[:n_distinct]


@njit(nogil=True, cache=True)
def keep_distinct(ordered, up_to):
    """Move the distinct values to the front, and write how many values there are up to each; how many are distinct."""
    n_distinct = 0
    for k in range(ordered.size):
        if k + 1 == ordered.size or ordered[k] != ordered[k + 1]:
            ordered[n_distinct], up_to[n_distinct] = ordered[k], k + 1
            n_distinct += 1
    return n_distinct


@njit(nogil=True, cache=True)
def cut_everywhere(distinct):
    """Cuts between all neighbours."""
    cuts = np.empty(max(distinct.size - 1, 0))
    for k in range(cuts.size):
        cuts[k] = midpoint(distinct[k], distinct[k + 1])
    return cuts


@njit(nogil=True, cache=True)
def cut_at_quantiles(distinct, up_to, total, max_bins):
    """Cuts at the values at which the shares ``1 / max_bins, 2 / max_bins, ...`` of the weight are reached.

    A value that is hit is cut off from those below it, or, being the lowest or hit twice, from those above it.
    """
    cuts, n_cuts, value, last = np.empty(min(2 * max_bins, distinct.size)), 0, 0, 0
    share = 1
    while share < max_bins:
        while value < up_to.size and up_to[value] <= share / max_bins * total:
            value += 1
        n_hits = 0
        while share < max_bins and (value == up_to.size or up_to[value] > share / max_bins * total):
            n_hits, share = n_hits + 1, share + 1
        for place in range(value, value + 1 + (n_hits > 1 or value == 0)):
            if last < place < distinct.size:
                cuts[n_cuts], last = midpoint(distinct[place - 1], distinct[place]), place
                n_cuts += 1
    return cuts[:n_cuts].copy()
