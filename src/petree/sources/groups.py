"""Groups of columns that may be tested on one path: which of them are left at a node, and which columns these have."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Columns = NDArray[np.bool_]
Numbers = NDArray[np.int64]


class Groups:
    """The groups that have all columns of a path: a state of a node is a set of them, known by its number.

    A tree has few states beside its nodes, since the order of the tests and their cuts do not matter.

    Parameters
    ----------
    groups : array (groups, columns)
    """

    def __init__(self, groups: Columns) -> None:
        self._groups = groups
        self._left = [np.ones(len(groups), bool)]
        self._allowed = [groups.any(axis=0)]
        self._numbers = {self._left[0].tobytes(): 0}
        self._below: dict[tuple[int, int], int] = {}

    def allowed(self, states: Numbers) -> Columns:
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
            self._below[state, column] = self._number(self._left[state] & self._groups[:, column])
        return self._below[state, column]

    def _number(self, left: Columns) -> int:
        """The number of a set of groups, noted if it is new."""
        key = left.tobytes()
        if key not in self._numbers:
            self._numbers[key] = len(self._left)
            self._left.append(left)
            self._allowed.append(self._groups[left].any(axis=0))
        return self._numbers[key]
