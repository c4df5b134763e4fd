"""What a fit of data in parts stands on, and how much of it may be in memory at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree.partitions.counting import Layout
from petree.partitions.engines.base import Engine, Part
from petree.sources.coding import NARROW_BINS
from petree.threads import Threads

# Of the memory of a fit, what counters may take, since searching copies them; and what gathered rows may.
SHARE_OF_COUNTERS = 1 / 16
SHARE_OF_ROWS = 1 / 2


@dataclass(frozen=True, eq=False)
class Ground:
    """What a partitioned source stands on: the parts, who counts them, and in how many bytes."""

    parts: Sequence[Part]
    engine: Engine
    memory: int
    threads: Threads

    @property
    def most_counters(self) -> int:
        """Counters, of eight bytes each, that may be held at a time."""
        return max(int(self.memory * SHARE_OF_COUNTERS) // 8, 1)

    def most_rows(self, layout: Layout, bytes_beside: int = 0) -> int:
        """Rows that may be gathered at a time, with so many bytes beside each."""
        a_row = bytes_of_row(layout.columns.n_bins) + bytes_beside
        return max(int(self.memory * SHARE_OF_ROWS) // a_row, 1)


def bytes_of_row(n_bins: NDArray[np.int64]) -> int:
    """What a gathered row takes: codes, class, place, weight and key, of which there are two copies."""
    n_wide = int(np.count_nonzero(n_bins > NARROW_BINS))
    return len(n_bins) + 3 * n_wide + 2 + 4 + 4 + 8 + 8


def packed_in(which: NDArray[np.intp], sizes: NDArray[np.int64], most: int) -> list[NDArray[np.intp]]:
    """Runs of nodes that have no more rows than this together, each of them having no more."""
    groups: list[NDArray[np.intp]] = []
    stops = np.cumsum(sizes[which])
    first = 0
    while first < len(which):
        before = stops[first] - sizes[which[first]]
        last = int(np.searchsorted(stops, before + most, "right"))
        groups.append(which[first:last])
        first = last
    return groups
