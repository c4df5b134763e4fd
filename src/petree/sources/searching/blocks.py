"""All tests of a column at some nodes, as numpy blocks of counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from petree import core
from petree.conditions import EQUALS, IN, IS_MISSING, MULTIWAY, THRESHOLD, UNSEEN
from petree.sources.base import Candidates, Nodes, Splits
from petree.sources.coding import n_orders
from petree.sources.found import TEST, as_bits
from petree.sources.rows import Rows, rows_by_node
from petree.sources.searching.scoring import Scoring
from petree.tree import ranges

# Class counts of tests that are held at a time.
CELLS_AT_ONCE = 1_000_000
# Scores that differ by no more than this, per case, are equal.
TOLERANCE = 1e-12
# Shares of a class that differ by no more than this are equal.
EQUAL_SHARES = 1e-12
# Parts of rows that make a whole one may lack this of it, by rounding.
LEAST_OF_ROW = 1e-9


class Orders:
    """The orders of a column's categories at some nodes: (nodes, orders, categories), and -1 behind those present."""

    def __init__(self, counts: NDArray[np.float64], stop: NDArray[np.uint8]) -> None:
        """From the weights of (node, category, class), missing values left out."""
        n_nodes, self.n_categories, n_classes = counts.shape
        orders = np.empty((n_nodes * n_orders(n_classes), self.n_categories), np.int64)
        lines = np.ascontiguousarray(counts).reshape(-1, n_classes)
        core.search.order_categories(lines, self.n_categories, orders, stop)
        self.orders = orders.reshape(n_nodes, -1, self.n_categories)

    def branches(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """What the first branch of each set has of a table (node, category, ...): (nodes, sets, ...)."""
        lines = np.arange(len(table))[:, None, None]
        inside = np.where((self.orders >= 0)[..., None], table[lines, self.orders], 0.0).cumsum(axis=2)[:, :, :-1]
        return inside.reshape(len(table), -1, table.shape[2])

    @property
    def are_cuts(self) -> NDArray[np.bool_]:
        """Which sets leave a category on either side: (nodes, sets)."""
        is_cut: NDArray[np.bool_] = self.orders[:, :, 1:] >= 0
        return is_cut.reshape(len(is_cut), -1)

    def fill(self, tests: NDArray[Any], node: NDArray[np.intp], which: NDArray[np.intp], rows: NDArray[Any]) -> None:
        """Write some sets into their tests, where `missing` is known; `rows` are those of (node, code).

        ``x = v`` where a side has one category, else the set of fewer rows; where both have as many, the one with the
        lowest code.
        """
        at, has_missing = np.arange(len(node)), tests["missing"] != UNSEEN
        order, cut = np.divmod(which, self.n_categories - 1)
        first = np.zeros((len(node), self.n_categories + 1), bool)  # the last one is none
        listed = self.orders[node, order]
        first[at[:, None], np.where(np.arange(self.n_categories) <= cut[:, None], listed, -1)] = True
        is_present = rows[node, :-1] > 0
        sides = np.stack((first[:, :-1] & is_present, ~first[:, :-1] & is_present))
        n_rows = (sides * rows[node, :-1]).sum(axis=2)
        n_rows[tests["missing"][has_missing], at[has_missing]] += rows[node, -1][has_missing]
        n_codes, lowest = sides.sum(axis=2), sides.argmax(axis=2)
        is_single = n_codes.min(axis=0) == 1
        weights = np.where(is_single, n_codes, n_rows)
        side = np.where(weights[0] == weights[1], lowest[1] < lowest[0], weights[1] < weights[0]).astype(np.intp)
        tests["missing"] = np.where(has_missing, tests["missing"] ^ side, UNSEEN)
        tests["kind"], tests["cut"] = np.where(is_single, EQUALS, IN), np.where(is_single, lowest[side, at], 0)
        tests["inside"] = np.where(is_single[:, None], 0, as_bits(sides[side, at]))


def n_candidates(rows: Rows) -> NDArray[np.int64]:
    """How many tests there may be at each place."""
    columns = rows.columns
    return columns.n_bins * np.where(columns.kinds == IN, n_orders(rows.n_classes), 1) + 2


class Block(NamedTuple):
    """Tests of one kind: the branch of missing values, and counts and rows of the children (nodes, tests, children)."""

    kind: int
    side: int
    children: NDArray[np.float64]
    child_rows: NDArray[np.float64]

    def are_large(self, least: int) -> NDArray[np.bool_]:
        """Which tests leave enough rows in at least two children."""
        return (self.child_rows[..., 0] >= least - LEAST_OF_ROW).sum(axis=-1) >= 2

    def go_right(self, sign: int) -> NDArray[np.bool_]:
        """Which tests let the share of the second class not fall (1) or not rise (-1) from the first child on."""
        if sign == 0 or self.kind != THRESHOLD:
            return np.ones(self.children.shape[:2], bool)
        low = self.children[:, :, 0]
        high = self.children[:, :, 1]
        falls = low[..., 1] * high[..., 0] - high[..., 1] * low[..., 0]
        return sign * falls <= EQUAL_SHARES * low.sum(axis=-1) * high.sum(axis=-1)


@dataclass(frozen=True, eq=False)
class CountedColumn:
    """What a column's codes have at some nodes; the last code is that of missing values.

    Parameters
    ----------
    counts : array (nodes, codes, classes)
        Weights, times those of the classes.
    rows : array (nodes, codes, 1)
    kind : int
        Of the tests that the column offers.
    orders : Orders or None
        Of the categories, where it offers sets of them.
    sign : int
        Which way the share of the second class must go over its cuts.
    allowed : array (nodes,)
        Where the column may be tested.
    middle_cuts : callable
        Moves cuts to the middle of the gaps that they divide (`ColumnCodes.middle_cuts`).
    """

    counts: NDArray[np.float64]
    rows: NDArray[np.float64]
    kind: int
    orders: Orders | None
    sign: int
    allowed: NDArray[np.bool_]
    middle_cuts: Callable[[NDArray[np.intp], NDArray[np.bool_]], NDArray[np.intp]]

    @classmethod
    def of(
        cls, rows: Rows, nodes: Nodes, place: int, class_weight: NDArray[np.float64], stop: NDArray[np.uint8]
    ) -> CountedColumn:
        """Count the column at a place."""
        which, node = rows_by_node(nodes.handles)
        codes = rows.narrow[which, place] if place < rows.n_narrow else rows.wide[which, place - rows.n_narrow]
        n_codes = int(rows.columns.n_bins[place]) + 1
        line = node * n_codes + codes
        weights = rows.weights.take(which)
        n_lines = len(nodes) * n_codes
        cells = np.bincount(line * rows.n_classes + rows.classes[which], weights.of_rows, n_lines * rows.n_classes)
        counts = cells.reshape(len(nodes), n_codes, rows.n_classes).astype(np.float64, copy=False)
        counts *= class_weight if len(class_weight) else 1.0
        each = rows.parts[which] if len(rows.parts) else weights.copies if len(weights.copies) else None
        n_rows = np.bincount(line, each, n_lines)
        kind = int(rows.columns.kinds[place])
        orders = Orders(counts[:, :-1], stop) if kind == IN else None
        sizes = n_rows.reshape(len(nodes), n_codes, 1).astype(np.float64)
        column = rows.columns.order[place]
        allowed = np.ones(len(nodes), bool) if nodes.allowed is None else nodes.allowed[:, column]
        middle_cuts = partial(rows.columns.middle_cuts, place)
        return cls(counts, sizes, kind, orders, int(rows.columns.signs[place]), allowed, middle_cuts)

    def known(self) -> CountedColumn:
        """The same without the rows whose value is missing."""
        counts = self.counts.copy()
        rows = self.rows.copy()
        counts[:, -1] = 0.0
        rows[:, -1] = 0.0
        return replace(self, counts=counts, rows=rows)

    def are_possible(self, block: Block, least: int) -> NDArray[np.bool_]:
        """Which tests of a block a node may have: with enough rows in two children, and as the constraints say."""
        return block.are_large(least) & block.go_right(self.sign) & self.allowed[:, None]

    def blocks(self) -> Iterator[Block]:
        """All tests, block by block."""
        has_missing = bool((self.rows[:, -1] > 0).any())
        if has_missing:
            yield Block(IS_MISSING, 0, *(_pairs(table[:, -1:], table) for table in (self.counts, self.rows)))
        if self.kind == MULTIWAY:
            yield Block(MULTIWAY, self.counts.shape[1] - 1, self.counts[:, None], self.rows[:, None])
            return
        for side in (1, 0) if has_missing else (1,):
            children, child_rows = (self._binary(table, side) for table in (self.counts, self.rows))
            if self.orders is not None:
                child_rows = child_rows * self.orders.are_cuts[..., None, None]
            yield Block(self.kind, side, children, child_rows)

    def _binary(self, table: NDArray[np.float64], side: int) -> NDArray[np.float64]:
        """The binary tests, with missing values on one side."""
        known = table[:, :-1]
        if self.kind == THRESHOLD:
            branch = known.cumsum(axis=1)[:, :-1]
        else:
            branch = known if self.orders is None else self.orders.branches(known)
        return _pairs(branch + table[:, -1:] if side == 0 else branch, table)

    def as_tests(
        self, column: ArrayLike, node: NDArray[np.intp], kind: ArrayLike, cut: ArrayLike, side: ArrayLike
    ) -> NDArray[Any]:
        """Some tests of some nodes as records, with missing values on one side where the node has any."""
        tests = np.zeros(len(node), TEST)
        tests["column"] = column
        tests["kind"] = kind
        tests["cut"] = cut
        tests["missing"] = np.where(self.rows[node, -1, 0] > 0, side, UNSEEN)
        are_cuts = np.flatnonzero((tests["kind"] == THRESHOLD) & (tests["column"] >= 0))
        if len(are_cuts):
            is_present = self.rows[node[are_cuts], :-1, 0] > 0
            tests["cut"][are_cuts] = self.middle_cuts(tests["cut"][are_cuts], is_present)
        are_sets = tests["kind"] == IN
        if self.orders is not None and are_sets.any():
            sets = tests[are_sets]
            self.orders.fill(sets, node[are_sets], sets["cut"].copy(), self.rows[:, :, 0])
            tests[are_sets] = sets
        return tests


def _pairs(branch: NDArray[np.float64], table: NDArray[np.float64]) -> NDArray[np.float64]:
    """A branch and what it leaves of the node: (nodes, tests, 2, ...)."""
    return np.stack((branch, table.sum(axis=1, keepdims=True) - branch), axis=2)


def list_candidates(rows: Rows, scoring: Scoring, nodes: Nodes, stop: NDArray[np.uint8]) -> Iterator[Candidates]:
    """The tests of some nodes at a time, in the order of generation."""
    cells = int(n_candidates(rows).sum()) * 4 * rows.n_classes
    for which in np.array_split(np.arange(len(nodes)), 1 + len(nodes) * cells // CELLS_AT_ONCE):
        blocks = [
            block
            for column in range(len(rows.columns))
            for block in _list_column(rows, scoring, nodes.take(which), column, stop)
        ]
        if blocks:
            yield _join(blocks, which)


class _Listed(NamedTuple):
    """Tests of one column: node, test, rank, score and the counts of their children, all of the same number.

    The rank says in which order the tests of a column are generated.
    """

    node: NDArray[np.intp]
    tests: NDArray[Any]
    rank: NDArray[np.intp]
    score: NDArray[np.float64]
    children: NDArray[np.float64]


def _list_column(rows: Rows, scoring: Scoring, nodes: Nodes, column: int, stop: NDArray[np.uint8]) -> Iterator[_Listed]:
    counted = CountedColumn.of(rows, nodes, rows.columns.places[column], scoring.class_weight, stop)
    for block in counted.blocks():
        is_listed = counted.are_possible(block, scoring.min_samples_leaf)
        # The other branch is the rest.
        is_listed[:, 1:] &= _differ(block.children[:, :, 0]) | _differ(block.child_rows[:, :, 0])
        node, cut = np.nonzero(is_listed)
        rank = np.full(len(node), -1) if block.kind == IS_MISSING else 2 * cut + (block.side == 0)
        listed = block.children[node, cut]
        tests = counted.as_tests(column, node, block.kind, cut, block.side)
        yield _Listed(node, tests, rank, scoring.ask(listed), listed)


def _differ(branch: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether tests put something else into their first branch than the ones before them."""
    return (branch[:, 1:] != branch[:, :-1]).any(axis=2)


def _join(blocks: list[_Listed], which: NDArray[np.intp]) -> Candidates:
    """The tests of some nodes as one list: by node, then as they are generated."""
    node = np.concatenate([one.node for one in blocks])
    tests = np.concatenate([one.tests for one in blocks])
    n_children = np.concatenate([np.full(len(one.node), one.children.shape[1]) for one in blocks]).astype(np.intp)
    children = np.concatenate([one.children.reshape(-1, one.children.shape[2]) for one in blocks])
    order = np.lexsort((np.concatenate([one.rank for one in blocks]), tests["column"], node))
    stops = np.cumsum(n_children)
    splits = Splits(which[node], np.concatenate([one.score for one in blocks]), tests).take(order)
    return Candidates(splits, children[ranges((stops - n_children)[order], stops[order])], n_children[order])
