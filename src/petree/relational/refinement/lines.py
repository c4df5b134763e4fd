"""Codes of groups of rows, each in a line of its own, in the order in which they were first asked for."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from petree import core

Number = TypeVar("Number", np.uint8, np.int32)

# Bytes that are reserved for lines at first: of what is reserved, only what is written takes memory.
RESERVED = 64_000_000
# How many times as long lines become that are outgrown: few are copied, so that it rarely matters that they are.
LONGER = 4


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
        self._line_bytes = width + n_joins * np.dtype(np.int32).itemsize
        n_lines = min(n_groups, RESERVED // max(self._line_bytes, 1)) + 1
        # The first line stands for none.
        self.codes: NDArray[np.uint8] = np.empty((n_lines, width), np.uint8)
        self.pairs: NDArray[np.int32] = np.empty((n_lines, n_joins), np.int32)
        self._of_group = np.zeros(n_groups, np.int32)
        self._n = 1

    @property
    def n_bytes(self) -> int:
        """Bytes of what is written."""
        return self._n * self._line_bytes + self._of_group.nbytes

    def n_bytes_with(self, n_more: int) -> int:
        """Bytes that more lines take while they are added: those before stand twice where they have to be copied."""
        n_copied = self._n if self._n + n_more > len(self.codes) else 0
        return self.n_bytes + (n_more + n_copied) * self._line_bytes

    @property
    def n_lines(self) -> int:
        """Number of lines that are written, with the first."""
        return self._n

    def number(self, rows: NDArray[np.int32], groups: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The line of each of some rows, whose groups are given; and the groups among theirs that had none.

        These get the next lines; there is no room for them yet.
        """
        found = np.empty(len(rows), np.int32)
        added = np.empty(min(len(rows), len(self._of_group)), np.int32)
        n_added = core.relations.number_lines(rows, groups, self._of_group, self._n, found, added, core.NO_STOP)
        return found, added[:n_added]

    def take_back(self, added: NDArray[np.int32]) -> None:
        """The groups that were numbered last have no lines after all."""
        self._of_group[added] = 0

    def lengthen(self, n_more: int) -> None:
        """Make room for lines that were numbered, still to be written."""
        first = self._n
        self._n += n_more
        if self._n > len(self.codes):
            n_lines = min(max(self._n, LONGER * first), len(self._of_group) + 1)
            self.codes = _longer(self.codes[:first], n_lines)
            self.pairs = _longer(self.pairs[:first], n_lines)


def _longer(array: NDArray[Number], n_lines: int) -> NDArray[Number]:
    """A copy with room for more lines."""
    copy = np.empty((n_lines, array.shape[1]), array.dtype)
    copy[: len(array)] = array
    return copy
