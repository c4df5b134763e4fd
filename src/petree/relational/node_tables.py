"""The tables of tests of nodes: those that are kept for pruning, and those that children take over.

Where a test fails, the query stays as it was: the same may be asked of the examples that are left, with the same
answers. So of two children at most one has to be asked anew, and often the smaller one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from petree.relational.refinement.tabulation import LocalTable

# Bytes of tables that are kept for pruning; beyond that they are made again.
KEPT_BYTES = 500_000_000
# Bytes of the tables of nodes that are still to be divided, and as many of those above them; where there is no room,
# children are asked anew.
OPEN_BYTES = 125_000_000

Codes = NDArray[np.uint8]
Chosen = NDArray[np.bool_]


class NodeTables:
    """Tables by the handles of nodes, as far as there is room."""

    def __init__(self) -> None:
        self._kept: dict[int, LocalTable] = {}
        self._kept_bytes = 0
        self._open: dict[int, Codes] = {}
        self._open_bytes = 0
        self._above: dict[int, tuple[Codes, Chosen]] = {}

    def find(self, handle: int) -> LocalTable | None:
        """A table that is kept for pruning."""
        return self._kept.get(handle)

    def add(self, handle: int, table: LocalTable, is_whole: bool) -> None:
        """A table that pruning may ask for; a whole one has all that may be asked of parts of the node as well."""
        n_bytes = table.codes.nbytes
        if self._kept_bytes + n_bytes <= KEPT_BYTES:
            self._kept_bytes += n_bytes
            self._kept[handle] = table
        if is_whole and self._open_bytes + n_bytes <= OPEN_BYTES:
            self._open_bytes += n_bytes
            self._open[handle] = table.codes

    def divide(self, left: dict[int, tuple[int, Chosen]]) -> None:
        """Go on to children, some of which have what is left of the node above them."""
        above = ((child, self._open.get(handle), chosen) for child, (handle, chosen) in left.items())
        self._above = {child: (codes, chosen) for child, codes, chosen in above if codes is not None}
        self._open = {}
        self._open_bytes = 0

    def left(self, handle: int) -> Codes | None:
        """What is left of the table above a node, if that is its own."""
        if handle not in self._above:
            return None
        codes, chosen = self._above[handle]
        return codes.take(np.flatnonzero(chosen), axis=0)


def joined(parts: Sequence[Codes | None], others: Codes, sizes: Sequence[int]) -> Codes:
    """The tables of nodes of some sizes, one below the other; those that are not given stand in another table."""
    if all(part is None for part in parts):
        return others
    bounds = np.cumsum([size for part, size in zip(parts, sizes, strict=True) if part is None])
    rest = iter(np.split(others, bounds))
    return np.concatenate([next(rest) if part is None else part for part in parts])
