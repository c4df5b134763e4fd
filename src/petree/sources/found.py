"""The best tests found so far, and how those of several columns become one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# A test of a node: the user's column (-1 for none), the kind, the code that it cuts behind or asks for, the branch of
# missing values, and the codes of the first branch, as bits, where it asks for a set.
TEST = np.dtype([*[(field, np.int64) for field in ("column", "kind", "cut", "missing")], ("inside", np.uint64, 4)])
N_FIELDS = TEST.itemsize // 8


def as_lines(tests: NDArray[Any]) -> NDArray[np.int64]:
    """Tests as the compiled loops read and write them, a line of whole numbers each, in the same memory."""
    return tests.view(np.int64).reshape(len(tests), N_FIELDS)


def codes_of(sets: NDArray[np.uint64]) -> list[tuple[int, ...]]:
    """The codes in each of some sets, ascending."""
    words = np.ascontiguousarray(sets, "<u8")
    which, codes = np.nonzero(np.unpackbits(words.view(np.uint8), axis=1, bitorder="little"))
    ends = np.cumsum(np.bincount(which, minlength=len(sets))).tolist()
    listed = codes.tolist()
    return [tuple(listed[start:stop]) for start, stop in zip([0, *ends], ends, strict=False)]


def as_bits(is_inside: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """The sets of codes that some rows of truth values say, as four words each."""
    room = np.zeros((len(is_inside), 256), bool)
    room[:, : is_inside.shape[1]] = is_inside
    return np.packbits(room, axis=1, bitorder="little").view("<u8").astype(np.uint64)


@dataclass(frozen=True)
class Best:
    """Best test so far of each node: improvement over no split (times its weight), and what counts as equal."""

    value: NDArray[np.float64]
    tolerance: NDArray[np.float64]
    test: NDArray[Any]

    @classmethod
    def of(cls, values: NDArray[np.float64], test: NDArray[Any]) -> Best:
        """From what the compiled loops write: values with what counts as equal, and tests."""
        return cls(values[:, 0], values[:, 1], test)

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
