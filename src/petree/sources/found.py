"""The best tests found so far, and how those of several columns become one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

TEST = np.dtype([("column", np.int32), ("kind", np.int32), ("cut", np.int64), ("missing", np.int32)])


@dataclass(frozen=True)
class Found:
    """What a kernel writes for each node; its columns are places in the order of the codes."""

    value: NDArray[np.float64]
    tolerance: NDArray[np.float64]
    column: NDArray[np.int64]
    kind: NDArray[np.int64]
    cut: NDArray[np.int64]
    missing: NDArray[np.int64]

    @classmethod
    def of(cls, n: int) -> Found:
        return cls(np.empty(n), np.zeros(n), np.full(n, -1, np.int64), *(np.empty(n, np.int64) for _ in range(3)))

    def best(self, column_order: NDArray[np.int32]) -> Best:
        """The same with the user's columns."""
        test = np.empty(len(self.value), TEST)
        test["column"] = np.where(self.column < 0, -1, column_order[self.column])
        test["kind"], test["cut"], test["missing"] = self.kind, self.cut, self.missing
        return Best(self.value, self.tolerance, test)


@dataclass(frozen=True)
class Best:
    """Best test so far of each node: improvement over no split (times its weight), and what counts as equal."""

    value: NDArray[np.float64]
    tolerance: NDArray[np.float64]
    test: NDArray[Any]

    @classmethod
    def none(cls, n: int) -> Best:
        test = np.zeros(n, TEST)
        test["column"] = -1
        return cls(np.full(n, -np.inf), np.zeros(n), test)

    def merge(self, nodes: NDArray[np.intp], other: Best) -> None:
        """Take over what is better, or equal and earlier in column order."""
        has = other.test["column"] >= 0
        nodes, value, tolerance, test = nodes[has], other.value[has], other.tolerance[has], other.test[has]
        ours, column = self.value[nodes], self.test["column"][nodes]
        is_better = value > ours + tolerance
        is_earlier = (value >= ours - tolerance) & (test["column"] < column)
        take = is_better | is_earlier
        self.value[nodes[take]] = value[take]
        self.test[nodes[take]] = test[take]
