"""Counts and gathered rows as tables in memory, which the ordinary searchers read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import EQUALS, IN, IS_MISSING, MULTIWAY, THRESHOLD
from petree.partitions.counting import Gathered, Layout
from petree.sources.coding import NARROW_BINS, BinnedColumn
from petree.sources.rows import Rows
from petree.sources.weights import NO_COPIES, NO_FRACTIONS, Weights
from petree.tree import ranges


@dataclass(frozen=True, eq=False)
class CountedNodes:
    """Nodes whose rows were counted, as a table that has the same counts.

    The rows of a node and class are laid out on a line once for each column, sorted by its codes; where any column goes
    on to another code, a row of the table ends. So it has at most as many rows as there are counts, each with a code of
    every column, and of each column the counts by code and class are those that were counted. Which codes of different
    columns come together in it means nothing: no search of a single test asks for that.

    Parameters
    ----------
    rows : Rows
    slices : array (nodes, 2)
    amounts : array (rows,)
        What each row of the table amounts to.
    are_numbers : array (rows,)
        Where weights are fractions: which rows have numbers of rows and no weight.
    """

    layout: Layout
    rows: Rows
    slices: NDArray[np.int64]
    amounts: NDArray[np.int64]
    are_numbers: NDArray[np.bool_]

    @classmethod
    def of(cls, layout: Layout, cells: NDArray[np.int64]) -> CountedNodes:
        """From the cells of some slots."""
        n_slots = len(cells) // layout.n_lines
        counts = cells.reshape(n_slots, layout.n_lines, layout.width)
        starts = np.cumsum(layout.columns.n_bins + 1)[:-1]
        by_column = [_Intervals.of(part) for part in np.split(counts, starts, axis=1)]
        ends = _distinct(np.concatenate([column.ends for column in by_column]))
        line = by_column[0].lines_along(ends)
        slot, classes = np.divmod(line, layout.width)
        amounts = np.diff(ends, prepend=0)
        stops = np.cumsum(np.bincount(slot, minlength=n_slots))
        slices = np.column_stack((np.append(0, stops[:-1]), stops))
        are_numbers = classes == layout.n_classes
        codes = (column.along(ends) for column in by_column)
        rows = _as_rows(layout, codes, np.where(are_numbers, 0, classes), amounts, are_numbers)
        return cls(layout, rows, slices, amounts, are_numbers)

    def nodes_counts(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Class counts and sizes of the nodes."""
        slot = np.repeat(np.arange(len(self.slices)), np.diff(self.slices, axis=1)[:, 0])
        return self._sums(slot, len(self.slices))

    def among(self, columns: tuple[BinnedColumn, ...]) -> tuple[BinnedColumn, ...]:
        """Columns as the rows that were counted have them: whether any value is missing, or all are."""
        return tuple(
            self._among(column, place) for column, place in zip(columns, self.rows.columns.places.tolist(), strict=True)
        )

    def _among(self, column: BinnedColumn, place: int) -> BinnedColumn:
        n_narrow = self.rows.n_narrow
        codes = self.rows.narrow[:, place] if place < n_narrow else self.rows.wide[:, place - n_narrow]
        is_missing = codes == column.n_bins
        return column._replace(has_missing=bool(is_missing.any()), is_empty=bool(is_missing.all()))

    def divide(
        self, places: NDArray[np.intp], tests: NDArray[Any], n_children: NDArray[np.intp]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Class counts and sizes of the children of some nodes, one node's after the other's."""
        lengths = np.diff(self.slices, axis=1)[:, 0]
        which = ranges(*self.slices[places].T)
        split = np.repeat(np.arange(len(places)), lengths[places])
        first_child = np.cumsum(n_children) - n_children
        child = first_child[split] + self._branches(which, tests[split])
        return self._sums(child, int(n_children.sum()), which)

    def _sums(
        self, node: NDArray[np.intp], n_nodes: int, which: NDArray[np.intp] | slice = slice(None)
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        sums = np.zeros((n_nodes, self.layout.width), np.int64)
        classes = np.where(self.are_numbers, self.layout.n_classes, self.rows.classes)[which]
        np.add.at(sums, (node, classes), self.amounts[which])
        sizes = sums[:, -1] if self.layout.amounts.counts_rows else sums.sum(axis=1)
        return self.layout.amounts.weigh(sums[:, : self.layout.n_classes]), sizes

    def _branches(self, which: NDArray[np.intp], tests: NDArray[Any]) -> NDArray[np.intp]:
        """The branch that each of some rows takes at its test."""
        columns = self.rows.columns
        place = columns.places[tests["column"]]
        is_wide = place >= self.rows.n_narrow
        codes = np.empty(len(which), np.int64)
        codes[~is_wide] = self.rows.narrow[which[~is_wide], place[~is_wide]]
        codes[is_wide] = self.rows.wide[which[is_wide], place[is_wide] - self.rows.n_narrow]
        kind = tests["kind"]
        word = np.minimum(codes >> 6, 3)
        bits = tests["inside"][np.arange(len(which)), word] >> (codes & 63).astype(np.uint64)
        known = np.select(
            [kind == THRESHOLD, kind == EQUALS, kind == IN, kind == MULTIWAY, kind == IS_MISSING],
            [codes > tests["cut"], codes != tests["cut"], (bits & np.uint64(1)) == 0, codes, 1],
        )
        return np.where(codes == columns.n_bins[place], tests["missing"], known).astype(np.intp)


@dataclass(frozen=True, eq=False)
class _Intervals:
    """The counts of one column on a line: those of a slot and class follow each other by code.

    `ends` are where the counts end, `codes` whose they are, `lines` the slot and class of each, as one number.
    """

    ends: NDArray[np.int64]
    codes: NDArray[np.uint32]
    lines: NDArray[np.intp]

    @classmethod
    def of(cls, counts: NDArray[np.int64]) -> _Intervals:
        """From the counts (slots, codes, cells of a line)."""
        by_class = np.ascontiguousarray(counts.transpose(0, 2, 1))
        line, codes = np.nonzero(by_class.reshape(-1, counts.shape[1]))
        ends = np.cumsum(by_class.reshape(-1, counts.shape[1])[line, codes])
        return cls(ends, codes.astype(np.uint32), line)

    def _times(self, ends: NDArray[np.int64]) -> NDArray[np.intp]:
        return np.diff(np.searchsorted(ends, self.ends, "right"), prepend=0)

    def along(self, ends: NDArray[np.int64]) -> NDArray[np.uint32]:
        """The code of each of some intervals, which end at least where these do."""
        return np.repeat(self.codes, self._times(ends))

    def lines_along(self, ends: NDArray[np.int64]) -> NDArray[np.intp]:
        return np.repeat(self.lines, self._times(ends))


def _distinct(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Different values, sorted; numpy's own way takes ten times as long."""
    values = np.sort(values)
    return values[np.append(True, values[1:] != values[:-1])]


def _as_rows(
    layout: Layout,
    codes: Iterable[NDArray[np.uint32]],
    classes: NDArray[np.intp],
    amounts: NDArray[np.int64],
    are_numbers: NDArray[np.bool_],
) -> Rows:
    n_narrow = int(np.count_nonzero(layout.columns.n_bins <= NARROW_BINS))
    narrow = np.empty((len(classes), n_narrow), np.uint8)
    wide = np.empty((len(classes), len(layout.columns) - n_narrow), np.uint32)
    for place, column in enumerate(codes):  # one after the other, since a byte becomes four
        (narrow[:, place] if place < n_narrow else wide[:, place - n_narrow])[:] = column
    order = np.arange(len(classes), dtype=np.uint32)
    weights = Weights(amounts.astype(np.uint32), NO_FRACTIONS)
    parts = NO_FRACTIONS
    if layout.amounts.counts_rows:
        weights = Weights(NO_COPIES, np.where(are_numbers, 0.0, layout.amounts.weigh(amounts)))
        parts = np.where(are_numbers, amounts, 0).astype(np.float64)
    return Rows(
        layout.columns,
        narrow,
        wide,
        classes.astype(np.uint16),
        layout.n_classes,
        weights,
        order,
        parts,
    )


def gathered_rows(layout: Layout, pieces: list[Gathered], n_slots: int) -> tuple[Rows, NDArray[np.int64]]:
    """Gathered rows as a table, those of a slot side by side, and the slice of each slot; pieces are used up.

    Sums of fractions depend on the order of rows, which is thus made to come from what stands in them.
    """
    slots = np.concatenate([piece.slots for piece in pieces])
    stops = np.cumsum(np.bincount(slots, minlength=n_slots))
    if layout.amounts.counts_rows:
        order = np.lexsort((np.concatenate([piece.rows.keys for piece in pieces]), slots))
    else:
        order = stable_order(slots, n_slots)
    del slots
    return rows_in_order(layout, pieces, order), np.column_stack((np.append(0, stops[:-1]), stops))


def stable_order(values: NDArray[np.integer], n_values: int) -> NDArray[np.intp]:
    """How whole numbers below a bound are sorted, equal ones in their order; numpy is fast at those of two bytes."""
    return np.argsort(values.astype(np.uint16) if n_values <= 2**16 else values, kind="stable")


def rows_in_order(layout: Layout, pieces: list[Gathered], order: NDArray[np.intp]) -> Rows:
    """Gathered rows as a table, in some order of those of all pieces together.

    Pieces are used up one after the other, so that few rows are in memory twice.
    """
    n_rows = len(order)
    places = np.empty(n_rows, np.uint32)
    places[order] = np.arange(n_rows, dtype=np.uint32)
    narrow = np.empty((n_rows, pieces[0].rows.narrow.shape[1]), np.uint8)
    wide = np.empty((n_rows, pieces[0].rows.wide.shape[1]), np.uint32)
    classes = np.empty(n_rows, np.uint16)
    has_copies = any(len(piece.copies) for piece in pieces)
    weights = _room_for_weights(layout, n_rows, has_copies)
    first = 0
    while pieces:
        piece = pieces.pop(0)
        to = places[first : first + len(piece.rows)]
        first += len(piece.rows)
        narrow[to] = piece.rows.narrow
        wide[to] = piece.rows.wide
        classes[to] = piece.rows.classes
        if len(weights.fractions):
            weights.fractions[to] = piece.weights
        elif len(weights.copies):
            weights.copies[to] = piece.copies
    numbers = np.arange(n_rows, dtype=np.uint32)
    return Rows(layout.columns, narrow, wide, classes, layout.n_classes, weights, numbers)


def _room_for_weights(layout: Layout, n_rows: int, has_copies: bool) -> Weights:
    """For the weights of rows of any weight, for copies of others, where not all are 1."""
    if layout.amounts.counts_rows:
        return Weights(NO_COPIES, np.empty(n_rows))
    return Weights(np.empty(n_rows, np.uint32) if has_copies else NO_COPIES, NO_FRACTIONS)
