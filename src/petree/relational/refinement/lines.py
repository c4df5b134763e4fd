"""Codes of groups of rows, each in a line of its own, in the order in which they were first asked for."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from petree import core

Number = TypeVar("Number", np.uint8, np.int32)

# Bytes that are reserved for lines at first: of what is reserved, only what is written takes memory.
RESERVED = 64_000_000


class Lines:
    """Lines of codes, and beside them of numbers of pairs; as long as there are groups that were asked for.

    Parameters
    ----------
    n_groups : int
    width : int
        Number of codes.
    n_joins : int
        Number of numbers beside them.
    """

    def __init__(self, n_groups: int, width: int, n_joins: int) -> None:
        n_lines = min(n_groups, RESERVED // max(width, 1)) + 1
        # The first line stands for none.
        self.codes: NDArray[np.uint8] = np.empty((n_lines, width), np.uint8)
        self.pairs: NDArray[np.int32] = np.empty((n_lines, n_joins), np.int32)
        self._of_group = np.zeros(n_groups, np.int32)
        self._n = 1

    @property
    def n_bytes(self) -> int:
        """Bytes of what is written."""
        return self.codes[: self._n].nbytes + self.pairs[: self._n].nbytes + self._of_group.nbytes

    def add(self, groups: NDArray[np.int32]) -> NDArray[np.int32]:
        """The groups among some that have no line yet, which get the next ones, still to be written."""
        added = np.empty(min(len(groups), len(self._of_group)), np.int32)
        first = self._n
        self._n += core.relations.number_lines(groups, self._of_group, first, added, core.NO_STOP)
        if self._n > len(self.codes):
            n_lines = min(max(self._n, 2 * first), len(self._of_group) + 1)
            self.codes = _longer(self.codes[:first], n_lines)
            self.pairs = _longer(self.pairs[:first], n_lines)
        return added[: self._n - first]

    def of(self, groups: NDArray[np.int32]) -> NDArray[np.int32]:
        """The line of each of some groups."""
        return self._of_group[groups]


def _longer(array: NDArray[Number], n_lines: int) -> NDArray[Number]:
    """A copy with room for more lines."""
    copy = np.empty((n_lines, array.shape[1]), array.dtype)
    copy[: len(array)] = array
    return copy
