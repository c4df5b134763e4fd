"""How well tests of other columns send rows the way that the test of their node sends them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import EQUALS, IN, THRESHOLD, UNSEEN
from petree.sources.coding import NARROW_BINS
from petree.sources.found import TEST, as_bits
from petree.sources.rows import Rows

Numbers = NDArray[np.intp]
Floats = NDArray[np.float64]
# Surrogates of a node, the best ones.
MOST = 5
# Least rows that a surrogate sends either way, so that one does not beat the larger branch by luck.
LEAST_ROWS = 2
# What a surrogate must agree more than the larger branch does, and what counts as equal.
TOLERANCE = 1e-10


@dataclass(frozen=True, eq=False)
class Divided:
    """Rows of some nodes whose value at the test of their node is known: their places, nodes and branches."""

    rows: Rows
    which: Numbers
    node: Numbers
    branch: Numbers
    n_nodes: int

    @cached_property
    def weights(self) -> Floats:
        return self.rows.weights_at(self.which)

    @cached_property
    def totals(self) -> Floats:
        """Weight of both branches at each node."""
        sums: Floats = np.bincount(2 * self.node + self.branch, self.weights, 2 * self.n_nodes).astype(np.float64)
        return sums.reshape(-1, 2)

    def count(self, place: int) -> tuple[Floats, Floats]:
        """Weights (nodes, values, branches) and rows (nodes, values) of the column at a place, without missing ones."""
        n_codes = int(self.rows.columns.n_bins[place]) + 1
        codes = self.rows.codes_at(self.which, np.full(len(self.which), place))
        line = self.node * n_codes + codes
        weights = np.bincount(2 * line + self.branch, self.weights, 2 * self.n_nodes * n_codes)
        copies = self.rows.weights.copies
        rows = np.bincount(line, copies[self.which] if len(copies) else None, self.n_nodes * n_codes)
        by_code = weights.reshape(self.n_nodes, n_codes, 2)[:, :-1].astype(np.float64)
        return by_code, rows.reshape(self.n_nodes, n_codes)[:, :-1].astype(np.float64)


@dataclass(frozen=True, eq=False)
class Agreeing:
    """The best surrogate of one column at each node: how much weight it sends the same way, 0 where there is none."""

    weight: Floats
    tests: NDArray[Any]
    turned: NDArray[np.bool_]

    @classmethod
    def none(cls, n_nodes: int) -> Agreeing:
        return cls(np.zeros(n_nodes), np.zeros(n_nodes, TEST), np.zeros(n_nodes, bool))


def best_of_column(divided: Divided, column: int) -> Agreeing:
    """The best surrogates of a column; none of one value, nor of too many categories, which cannot be in a set."""
    columns = divided.rows.columns
    place = int(columns.places[column])
    is_number = columns.kinds[place] == THRESHOLD
    if columns.n_bins[place] < 2 or (not is_number and columns.n_bins[place] > NARROW_BINS):
        return Agreeing.none(divided.n_nodes)
    weights, rows = divided.count(place)
    found = _best_cuts(weights, rows) if is_number else _best_sets(weights, rows, divided.totals)
    if is_number:
        there = np.flatnonzero(found.weight > 0)
        found.tests["cut"][there] = columns.middle_cuts(place, found.tests["cut"][there], rows[there] > 0)
    found.tests["column"] = column
    found.tests["missing"] = UNSEEN
    return found


def _best_cuts(weights: Floats, rows: Floats) -> Agreeing:
    """The first best ``x < t``, in either direction."""
    below = weights.cumsum(axis=1)[:, :-1]
    above = weights.sum(axis=1, keepdims=True) - below
    agree = np.stack((below[..., 0] + above[..., 1], below[..., 1] + above[..., 0]), axis=2)
    n_below = rows.cumsum(axis=1)[:, :-1]
    n_above = rows.sum(axis=1, keepdims=True) - n_below
    agree[(n_below < LEAST_ROWS) | (n_above < LEAST_ROWS)] = 0.0
    tests = np.zeros(len(weights), TEST)
    tests["kind"] = THRESHOLD
    flat = agree.reshape(len(weights), -1)
    best = flat.max(axis=1)
    first = np.argmax(flat >= (best * (1 - TOLERANCE))[:, None], axis=1)
    tests["cut"] = first // 2
    return Agreeing(best, tests, first % 2 == 1)


def _best_sets(weights: Floats, rows: Floats, totals: Floats) -> Agreeing:
    """Each category goes with most of its weight, of equal ones with the larger branch.

    The set is that of the categories that go to the smaller branch, so that one the node has not seen takes the larger.
    """
    larger = (totals[:, 1] > totals[:, 0]).astype(np.intp)
    lines = np.arange(len(weights))
    with_larger = weights[lines, :, larger]
    with_smaller = weights[lines, :, 1 - larger]
    is_inside = with_smaller > with_larger * (1 + TOLERANCE)
    n_inside = (rows * is_inside).sum(axis=1)
    is_enough = (n_inside >= LEAST_ROWS) & (rows.sum(axis=1) - n_inside >= LEAST_ROWS)
    agree = np.where(is_inside, with_smaller, with_larger).sum(axis=1)
    tests = np.zeros(len(weights), TEST)
    is_single = is_inside.sum(axis=1) == 1
    tests["kind"] = np.where(is_single, EQUALS, IN)
    tests["cut"] = np.where(is_single, is_inside.argmax(axis=1), 0)
    tests["inside"] = as_bits(is_inside)
    tests["inside"][is_single] = 0
    return Agreeing(np.where(is_enough, agree, 0.0), tests, larger == 0)


@dataclass(frozen=True, eq=False)
class Ranked:
    """Surrogates by rank (nodes, ranks), the best first; those beyond the `number` of a node are none."""

    tests: NDArray[Any]
    turned: NDArray[np.bool_]
    agreement: Floats
    number: Numbers


def rank(divided: Divided, primary: Numbers) -> Ranked:
    """The surrogates of each node, where it asks for these columns itself: no more than `MOST`, of equals in order.

    One that does not send more weight the same way than the larger branch alone would is none.
    """
    lines = np.arange(divided.n_nodes)[:, None]
    found = [best_of_column(divided, column) for column in range(len(divided.rows.columns))]
    total = divided.totals.sum(axis=1)
    agreement = np.stack([best.weight for best in found], axis=1) / total[:, None]
    agreement[lines[:, 0], primary] = 0.0
    least = divided.totals.max(axis=1) / total
    agreement[agreement <= least[:, None] + TOLERANCE] = 0.0
    order = np.argsort(-np.round(agreement, 9), axis=1, kind="stable")[:, :MOST]
    ranked = agreement[lines, order]
    tests = np.stack([best.tests for best in found], axis=1)[lines, order]
    turned = np.stack([best.turned for best in found], axis=1)[lines, order]
    return Ranked(tests, turned, ranked, (ranked > 0).sum(axis=1))
