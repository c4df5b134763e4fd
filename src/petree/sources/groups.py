"""Groups of columns that may be tested on one path: which of them are left at a node, and which columns these have."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Numbers = NDArray[np.int64]


class Groups:
    """The groups that have all columns of a path: a state of a node is a set of them, known by its number.

    A tree has few states beside its nodes, since the order of the tests and their cuts do not matter.

    Parameters
    ----------
    groups : sparse array (groups, columns)
    """

    def __init__(self, groups: csr_array) -> None:
        self._groups = groups
        self._by_column = groups.tocsc()
        self._left: list[Numbers] = []  # of each state: the groups, ascending,
        self._allowed: list[NDArray[np.bool_]] = []  # and the columns that they have
        self._numbers: dict[bytes, int] = {}
        self._below: dict[tuple[int, int], int] = {}
        self._number(np.arange(groups.shape[0]))

    def allowed(self, states: Numbers) -> NDArray[np.bool_]:
        """Which columns may be tested at nodes of these states."""
        return np.array(self._allowed)[states]

    def follow(self, states: Numbers, columns: Numbers) -> Numbers:
        """The states of the children of nodes that test these columns."""
        pairs, place = np.unique(np.column_stack((states, columns)), axis=0, return_inverse=True)
        below = [self._state_below(state, column) for state, column in pairs.tolist()]
        return np.array(below, np.int64)[place.ravel()]

    def only(self, state: int) -> Groups:
        """The groups that are left in a state, as if no column had been tested."""
        return Groups(self._groups[self._left[state]])

    def _state_below(self, state: int, column: int) -> int:
        if (state, column) not in self._below:
            first, last = self._by_column.indptr[column : column + 2]
            having = self._by_column.indices[first:last].astype(np.int64)
            self._below[state, column] = self._number(np.intersect1d(self._left[state], having, assume_unique=True))
        return self._below[state, column]

    def _number(self, left: Numbers) -> int:
        """The number of a set of groups, noted if it is new."""
        key = left.tobytes()
        if key not in self._numbers:
            self._numbers[key] = len(self._left)
            self._left.append(left)
            allowed = np.zeros(self._groups.shape[1], bool)
            allowed[self._groups[left].indices] = True
            self._allowed.append(allowed)
        return self._numbers[key]
