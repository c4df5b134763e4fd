"""What a fit of data in parts stands on, and how much of it may be in memory at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from petree.partitions.counting import Layout
from petree.partitions.engines.base import Engine, Part, parts_of
from petree.partitions.partition import CodedData
from petree.sources.coding import NARROW_BINS
from petree.threads import Threads

# Of the memory of a fit, what counters may take with the tables that are made of them, or gathered rows, when there are
# no counters; beside them are the nodes of rows that threads keep, and the tree.
SHARE_OF_COUNTERS = 3 / 8
SHARE_OF_ROWS = 5 / 8
# What the parts may take that are counted at a time, but for small ones; or what comes from workers, on the way.
SHARE_OF_PARTS = 1 / 8
LEAST_ROWS = 2**16
# Bytes that the cell of a counter takes while it becomes rows of a table, beside the codes of these.
BYTES_OF_CELL = 75
# Bytes of a row of a part while it is counted, beside its codes: class, key, node, slot and places.
BYTES_OF_COUNTED_ROW = 40
# Passes that gather what one would hold: nodes are gathered whole, so that some of its room stays empty.
PASSES_FOR_ROOM = 1.4


@dataclass(frozen=True, eq=False)
class Ground:
    """What a partitioned source stands on: the parts, who counts them, and in how many bytes."""

    parts: Sequence[Part]
    engine: Engine
    memory: int
    threads: Threads

    @classmethod
    def of(cls, data: CodedData, engine: Engine, memory: int, threads: Threads) -> Ground:
        """For a data set; parts that are counted in this process are cut where they are large for its memory."""
        most_rows = None
        if engine.n_here:
            a_row = bytes_of_counted_row(np.array([column.n_bins for column in data.columns]))
            most_rows = max(int(memory * SHARE_OF_PARTS) // (engine.n_here * a_row), LEAST_ROWS)
        return cls(parts_of(data.parts, most_rows), engine, memory, threads)

    @property
    def n_rows(self) -> int:
        """Rows of all parts."""
        return sum(part.n_rows for part in self.parts)

    def n_passes(self, layout: Layout, max_depth: int | None) -> int:
        """How often all parts are read for a tree, about: to count the nodes that are large, and to gather the others.

        There are about as many large ones as there are passes that gather.
        """
        n_nodes = PASSES_FOR_ROOM * self.n_rows / self.most_rows(layout)
        if max_depth is not None:
            n_nodes = min(n_nodes, 2.0**max_depth)
        at_a_time = max(self.most_counters(layout) // layout.n_counters, 1)
        return ceil(n_nodes) + ceil(n_nodes / at_a_time)

    def most_counters(self, layout: Layout) -> int:
        """Counters that may be held at a time, each as often as the engine has results here."""
        a_cell = 8 * self.engine.n_results + BYTES_OF_CELL + bytes_of_codes(layout.columns.n_bins)
        return max(int(self._memory(layout) * SHARE_OF_COUNTERS) // a_cell, 1)

    def most_rows(self, layout: Layout, bytes_beside: int = 0) -> int:
        """Rows that may be gathered at a time, with so many bytes beside each."""
        a_row = bytes_of_row(layout.columns.n_bins) + bytes_beside
        return max(int(self._memory(layout) * SHARE_OF_ROWS) // a_row, 1)

    def _memory(self, layout: Layout) -> float:
        """What is left beside the parts that are counted in this process, or what comes from others; at least half."""
        if not self.engine.n_here:
            return self.memory * (1 - SHARE_OF_PARTS)
        a_part = max(part.n_rows for part in self.parts) * bytes_of_counted_row(layout.columns.n_bins)
        return max(self.memory - self.engine.n_here * a_part, self.memory / 2)


def bytes_of_codes(n_bins: NDArray[np.int64]) -> int:
    """What the codes of a row take."""
    return len(n_bins) + 3 * int(np.count_nonzero(n_bins > NARROW_BINS))


def bytes_of_counted_row(n_bins: NDArray[np.int64]) -> int:
    """What a row of a part takes while it is counted."""
    return bytes_of_codes(n_bins) + BYTES_OF_COUNTED_ROW


def bytes_of_row(n_bins: NDArray[np.int64]) -> int:
    """What a gathered row takes: codes, of which some are there twice, class, slot, place, weight and key."""
    return 5 * bytes_of_codes(n_bins) // 4 + 34


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
