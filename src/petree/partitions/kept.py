"""Where the rows of parts were last, as far as there is room: what is not kept is found by routing again."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Reach:
    """The node of each row, -1 for nowhere, in the tree of a token when that had so many nodes."""

    token: int
    n_nodes: int
    nodes: NDArray[np.int32]


class _Packed(NamedTuple):
    """A `Reach` in few bytes: places are nodes plus 1."""

    token: int
    n_nodes: int
    places: NDArray[Any]


class KeptNodes:
    """The node of each row of some parts, in as few bytes as the number of nodes allows.

    Parameters
    ----------
    most_bytes : int
        What all of them may take together; parts that come when there is no room left are not kept, unless there is
        some of another tree.
    """

    def __init__(self, most_bytes: int) -> None:
        self.n_bytes = 0
        self._most_bytes = most_bytes
        self._of_parts: dict[int, _Packed] = {}
        self._lock = Lock()

    def at(self, part: int, token: int) -> Reach | None:
        """Where the rows of a part are in the tree of this token; those of other trees are kept no longer."""
        with self._lock:
            kept = self._of_parts.get(part)
            if kept is None or kept.token != token:
                self._forget(part)
                return None
        return Reach(token, kept.n_nodes, kept.places.astype(np.int32) - np.int32(1))

    def keep(self, part: int, reach: Reach) -> None:
        """Keep where the rows of a part are, if there is room."""
        kind = np.min_scalar_type(reach.n_nodes)
        with self._lock:
            self._forget(part)
            if self._is_full(kind.itemsize * len(reach.nodes)):
                for other in [other for other, kept in self._of_parts.items() if kept.token != reach.token]:
                    self._forget(other)
            if self._is_full(kind.itemsize * len(reach.nodes)):
                return
            places = np.empty(len(reach.nodes), kind)
            np.add(reach.nodes, 1, out=places, casting="unsafe")
            self._of_parts[part] = _Packed(reach.token, reach.n_nodes, places)
            self.n_bytes += places.nbytes

    def _is_full(self, n_bytes: int) -> bool:
        return self.n_bytes + n_bytes > self._most_bytes

    def _forget(self, part: int) -> None:
        if part in self._of_parts:
            self.n_bytes -= self._of_parts.pop(part).places.nbytes
