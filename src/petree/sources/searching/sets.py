"""Sets of categories at nodes, as numpy blocks: all that the compiled search looks at, one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.conditions import EQUALS, IN, UNSEEN
from petree.sources.coding import n_orders
from petree.sources.found import as_bits


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
