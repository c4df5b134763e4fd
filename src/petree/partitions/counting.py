"""Tasks: from a part of a data set and the tree so far to counts.

Rows find their nodes by their codes. Where a task is done that keeps what earlier ones left, it goes on from the nodes
that its rows had reached; elsewhere it begins at the root.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from secrets import randbits
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.partitions.amounts import Amounts
from petree.partitions.code_tree import NOT_NOTED, CodeTree
from petree.partitions.engines.base import Part, Working
from petree.partitions.kept import Reach
from petree.partitions.partition import Partition
from petree.sources.rows import ColumnCodes

# Of rows that all count nobody asks the numbers.
NO_NUMBERS = np.empty(0, np.uint64)
# No marks of columns: all are counted.
ALL_COLUMNS = np.empty((0, 0), np.uint8)
# Places of nodes that nobody asks for.
NOT_ASKED = -1
# Workers keep where rows were in the trees of any process, so that no two may have the same.
_TOKENS = count(randbits(62))


def new_token() -> int:
    """A number that tells trees apart, so that none goes on where the rows of another were."""
    return next(_TOKENS)


@dataclass(frozen=True, eq=False)
class Layout:
    """What the codes and classes of a data set mean, and how its rows are counted."""

    columns: ColumnCodes
    n_classes: int
    amounts: Amounts

    @property
    def n_lines(self) -> int:
        """Codes of all columns, those of missing values too."""
        return int(self.columns.n_bins.sum()) + len(self.columns)

    @property
    def width(self) -> int:
        """Cells of a line: one for each class, and one for the number of rows where that is another."""
        return self.n_classes + self.amounts.counts_rows

    @property
    def n_counters(self) -> int:
        """Cells of a node."""
        return self.n_lines * self.width

    def copies(self, part: Part, weights: NDArray[np.float64] | None, which: NDArray[np.intp]) -> NDArray[np.int64]:
        """How many copies of some rows count, which stand at these places of a part and have these weights."""
        numbers = NO_NUMBERS if self.amounts.rows is None else (which + part.first_row).astype(np.uint64)
        return self.amounts.copies(weights, len(which), numbers)

    def gathered(self, part: Part, rows: Partition, which: NDArray[np.intp], slots: NDArray[np.int32]) -> Gathered:
        """The rows at some places of a part that count at all, with the slot and the number of each."""
        weights = None if rows.weights is None else rows.weights[which]
        copies = self.copies(part, weights, which)
        if len(copies) and not copies.all():
            counted = np.flatnonzero(copies)
            copies = copies[counted]
            which = which[counted]
            slots = slots[counted]
        some = taken(rows, which)
        if not self.amounts.counts_rows:  # then copies say it all, and their order does not matter
            some = replace(some, weights=None, keys=NO_NUMBERS)
        return Gathered(some, slots, copies, (which + part.first_row).astype(np.uint64))


@dataclass(frozen=True, eq=False)
class Asked:
    """Rows of some nodes of a tree: the base of tasks.

    `slots` has for each node of the tree its place among those that are asked for, or -1. `token` tells trees apart.
    """

    is_joined_here: ClassVar[bool] = False

    layout: Layout
    tree: CodeTree
    slots: NDArray[np.int32]
    token: int

    def nodes(
        self, part: Part, rows: Partition, working: Working, met_missing: NDArray[np.uint8] = NOT_NOTED
    ) -> NDArray[np.int32]:
        """The node of each row; marks the nodes at whose test a value is missing, where there is room for marks."""
        kept = working.kept
        known = None if kept is None else kept.at(part.number, self.token)
        if known is not None and known.n_nodes > len(self.tree):  # a task of an earlier tree, done again
            known = None
        if known is not None and len(met_missing):
            if known.met_missing is None:
                known = None
            else:
                met_missing[: len(known.met_missing)] |= known.met_missing
        if known is not None and known.n_nodes == len(self.tree):  # since then nothing has grown
            return known.nodes
        nodes = self.start(part, rows) if known is None else known.nodes
        self.tree.move(rows, self.layout.columns.packed, nodes, working.stop, met_missing)
        if kept is not None:
            noted = met_missing.copy() if len(met_missing) else None
            kept.keep(part.number, Reach(self.token, len(self.tree), nodes, noted))
        return nodes

    def start(self, part: Part, rows: Partition) -> NDArray[np.int32]:
        """Where rows are before any test: at the root."""
        return np.zeros(len(rows), np.int32)

    def slots_at(self, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
        """The slot of each row, given its node; -1 where it is in none."""
        # behind the last node stands the slot of rows that are nowhere
        return np.append(self.slots, np.int32(NOT_ASKED))[nodes]

    def copies(self, part: Part, rows: Partition) -> NDArray[np.int64]:
        """How many copies of each row of the part count."""
        return self.layout.copies(part, rows.weights, np.arange(len(rows)))

    def cells(
        self,
        rows: Partition,
        slots: NDArray[np.int32],
        copies: NDArray[np.int64],
        stop: NDArray[np.uint8],
        columns: NDArray[np.uint8] = ALL_COLUMNS,
    ) -> NDArray[np.int64]:
        """Rows counted by slot, column, code and class: (slots * lines, cells of a line).

        Columns are those whose places are marked for a slot, or all.
        """
        layout = self.layout
        if len(copies):
            slots = np.where(copies == 0, np.int32(NOT_ASKED), slots)
        cells = np.zeros((int(self.slots.max() + 1) * layout.n_lines, layout.width), np.int64)
        core.partitions.count_cells(
            layout.columns.packed,
            rows.narrow,
            rows.wide,
            rows.classes,
            layout.amounts.of_rows(rows, copies),
            slots,
            columns,
            layout.amounts.counts_rows,
            cells,
            stop,
        )
        return cells


@dataclass(frozen=True, eq=False)
class CountCells(Asked):
    """Counts of some open nodes by column, code and class: (slots * lines, cells of a line)."""

    def __call__(self, part: Part, working: Working) -> NDArray[np.int64]:
        rows = part.read()
        slots = self.slots_at(self.nodes(part, rows, working))
        return self.cells(rows, slots, self.copies(part, rows), working.stop)

    def join(self, one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
        return one + other


@dataclass(frozen=True, eq=False)
class Gathered:
    """Rows of some nodes, and the slot of each; copies are empty where all rows count once.

    Where they are asked for, `numbers` are those of the rows, counted through all parts.
    """

    rows: Partition
    slots: NDArray[np.int32]
    copies: NDArray[np.int64]
    numbers: NDArray[np.uint64] = field(default_factory=lambda: NO_NUMBERS)

    @property
    def weights(self) -> NDArray[np.float64]:
        """What each row weighs, as far as it counts."""
        return np.ones(len(self.rows)) if self.rows.weights is None else self.rows.weights


@dataclass(frozen=True, eq=False)
class GatherRows(Asked):
    """The rows of some nodes, part by part, and where it is asked for their numbers."""

    is_joined_here: ClassVar[bool] = True

    with_numbers: bool = False

    def __call__(self, part: Part, working: Working) -> tuple[Gathered, ...]:
        rows = part.read()
        slots = self.slots_at(self.nodes(part, rows, working))
        which = np.flatnonzero(slots >= 0)
        gathered = self.layout.gathered(part, rows, which, slots[which])
        return (gathered if self.with_numbers else replace(gathered, numbers=NO_NUMBERS),)

    def join(self, one: tuple[Gathered, ...], other: tuple[Gathered, ...]) -> tuple[Gathered, ...]:
        return one + other


@dataclass(frozen=True, eq=False)
class Reached:
    """Rows counted in the leaves that they reach, in amounts (leaves, classes), and the rows that reach none."""

    amounts: NDArray[np.int64]
    others: tuple[Gathered, ...]


@dataclass(frozen=True, eq=False)
class CountLeaves(Asked):
    """Amounts of each class in each leaf, and the rows that stop at a test which has no branch for them."""

    def __call__(self, part: Part, working: Working) -> Reached:
        rows = part.read()
        nodes = self.nodes(part, rows, working)
        copies = self.copies(part, rows)
        amounts = self.layout.amounts.of_rows(rows, copies)
        is_counted = copies > 0 if len(copies) else np.ones(len(rows), bool)
        which = np.flatnonzero(is_counted & (nodes >= 0))
        cells = np.zeros((len(self.tree), self.layout.n_classes), np.int64)
        place = nodes[which].astype(np.intp) * self.layout.n_classes + rows.classes[which]
        # whole numbers below 2**53 are added exactly by bincount, others by the slower way
        if self.layout.amounts.unit is None:
            weights = amounts[which] if len(amounts) else None
            cells += np.bincount(place, weights, cells.size).astype(np.int64).reshape(cells.shape)
        else:
            np.add.at(cells.reshape(-1), place, amounts[which])
        return Reached(cells, (self._others(rows, copies, np.flatnonzero(is_counted & (nodes < 0))),))

    def _others(self, rows: Partition, copies: NDArray[np.int64], which: NDArray[np.intp]) -> Gathered:
        return Gathered(taken(rows, which), np.zeros(len(which), np.int32), copies[which] if len(copies) else copies)

    def join(self, one: Reached, other: Reached) -> Reached:
        return Reached(one.amounts + other.amounts, one.others + other.others)


@dataclass(frozen=True, eq=False)
class CountCases(Asked):
    """How many cases of each class there are in each leaf, a row of several copies being as many."""

    def __call__(self, part: Part, working: Working) -> NDArray[np.int64]:
        rows = part.read()
        nodes = self.nodes(part, rows, working)
        copies = self.copies(part, rows)
        n_classes = self.layout.n_classes
        which = np.flatnonzero(nodes >= 0)  # rows that do not count may be nowhere
        place = nodes[which].astype(np.intp) * n_classes + rows.classes[which]
        cases = np.bincount(place, copies[which] if len(copies) else None, len(self.tree) * n_classes)
        return cases.astype(np.int64).reshape(-1, n_classes)

    def join(self, one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
        return one + other


def taken(rows: Partition, which: NDArray[np.intp]) -> Partition:
    """Some rows of a part."""
    weights = None if rows.weights is None else rows.weights[which]
    return Partition(rows.narrow[which], rows.wide[which], rows.classes[which], weights, rows.keys[which])
