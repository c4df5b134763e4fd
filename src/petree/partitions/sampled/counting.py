"""A task that goes once over all rows: class counts of the whole tree so far, and all counts of some nodes of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree.partitions.counting import Asked, Layout
from petree.partitions.engines.base import Part, Working
from petree.partitions.partition import Partition
from petree.tree import offsets


def amounts_at(
    layout: Layout, rows: Partition, nodes: NDArray[np.int32], n_nodes: int, copies: NDArray[np.int64]
) -> NDArray[np.int64]:
    """What the rows of each node amount to (nodes, cells of a line), given the node of each row, -1 for nowhere."""
    width = layout.width
    # behind the last node stand the rows that are nowhere
    line = np.where(nodes < 0, n_nodes, nodes).astype(np.intp) * width
    n_cells = (n_nodes + 1) * width
    weights = layout.amounts.of_rows(rows, copies)
    sums = np.zeros(n_cells, np.int64)
    if layout.amounts.counts_rows:
        np.add.at(sums, line + rows.classes, weights)
        sums += np.bincount(line + width - 1, copies if len(copies) else None, n_cells).astype(np.int64)
    else:  # whole numbers below 2**53 are added exactly
        sums += np.bincount(line + rows.classes, weights if len(weights) else None, n_cells).astype(np.int64)
    return sums.reshape(-1, width)[:-1]


@dataclass(frozen=True, eq=False)
class Tally:
    """What all rows say of a tree.

    Parameters
    ----------
    amounts : array (nodes, cells of a line)
        What the rows of each leaf amount to by class, and their number where that is another; nothing elsewhere.
    cells : array (slots * lines, cells of a line)
        Of the nodes that are asked for, by column, code and class.
    met_missing : array (nodes,)
        Nodes at whose test the value of a row is missing, at least those that no tally before has passed.
    """

    amounts: NDArray[np.int64]
    cells: NDArray[np.int64]
    met_missing: NDArray[np.uint8]

    def filled(self, layout: Layout, nodes: NDArray[np.intp], columns: NDArray[np.uint8]) -> NDArray[np.int64]:
        """The cells of the nodes that were asked for; in a column that was not counted all rows have the first code."""
        cells = self.cells.reshape(len(nodes), layout.n_lines, layout.width).copy()
        slot, place = np.nonzero(columns == 0)
        cells[slot, offsets(layout.columns.n_bins + 1)[place]] = self.amounts[nodes[slot]]
        return cells.reshape(-1, layout.width)


@dataclass(frozen=True, eq=False)
class CountTree(Asked):
    """Counts of all leaves of a tree, and of some of them by column and code.

    `columns` marks the places that are counted of each slot.
    """

    columns: NDArray[np.uint8]

    def start(self, part: Part, rows: Partition) -> NDArray[np.int32]:
        """Rows that do not count are nowhere, so that no node meets their values."""
        copies = self.copies(part, rows)
        nodes = np.zeros(len(rows), np.int32)
        if len(copies):
            nodes[copies == 0] = -1
        return nodes

    def __call__(self, part: Part, working: Working) -> Tally:
        rows = part.read()
        met_missing = np.zeros(len(self.tree), np.uint8)
        nodes = self.nodes(part, rows, working, met_missing)
        copies = self.copies(part, rows)
        amounts = amounts_at(self.layout, rows, nodes, len(self.tree), copies)
        slots = self.slots_at(nodes)
        cells = np.zeros((0, self.layout.width), np.int64)
        if self.slots.max() >= 0:
            cells = self.cells(rows, slots, copies, working.stop, self.columns)
        return Tally(amounts, cells, met_missing)

    def join(self, one: Tally, other: Tally) -> Tally:
        return Tally(one.amounts + other.amounts, one.cells + other.cells, one.met_missing | other.met_missing)
