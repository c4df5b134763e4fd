"""The rows of a table in codes: plain data, of which other rows are made by `dataclasses.replace`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.conditions import MULTIWAY, THRESHOLD, UNSEEN
from petree.sources.base import Nodes, Splits
from petree.sources.coding import NO_CUTS, CodedTable
from petree.sources.found import as_lines
from petree.sources.pieces import in_runs
from petree.sources.weights import NO_FRACTIONS, Targets, Weights
from petree.threads import Threads
from petree.tree import offsets, ranges


@dataclass(frozen=True, eq=False)
class ColumnCodes:
    """What the codes of columns mean, place by place: narrow columns first, then wide ones.

    Parameters
    ----------
    n_bins, kinds : array (columns,)
        Codes of each column, without the one for missing values, and the kind of test that it offers.
    order : array (columns,)
        Which of the user's columns stands at each place.
    places : array (columns,)
        At which place each of the user's columns stands.
    signs : array (columns,)
        Whether the share of the second class must not fall (1) or rise (-1) over a cut; 0 where it may do both.
    centres : array
        The positions of the bins of each column that offers thresholds, place by place: a cut is made in the middle of
        the gap between two neighbouring bins of a node. Empty to cut directly above the lower bin.
    """

    n_bins: NDArray[np.int64]
    kinds: NDArray[np.int64]
    order: NDArray[np.int32]
    places: NDArray[np.intp]
    signs: NDArray[np.int64]
    centres: NDArray[np.float64]

    @classmethod
    def of(cls, coded: CodedTable, tests: str) -> ColumnCodes:
        """Of a coded table whose nominal columns offer such tests."""
        order = coded.column_order
        n_bins = np.array([one.n_bins for one in coded.columns], np.int64)
        kinds = np.array([one.kind(tests) for one in coded.columns], np.int64)
        by_place = [coded.columns[j].positions for j in order if kinds[j] == THRESHOLD]
        centres = np.concatenate([NO_CUTS, *by_place])
        return cls(n_bins[order], kinds[order], order, coded.places, np.zeros(len(order), np.int64), centres)

    @classmethod
    def of_cuts(cls, n_bins: NDArray[np.int64]) -> ColumnCodes:
        """Of narrow columns that are all cut between two codes."""
        n_columns = len(n_bins)
        order = np.arange(n_columns, dtype=np.int32)
        kinds = np.full(n_columns, THRESHOLD, np.int64)
        return cls(n_bins, kinds, order, np.arange(n_columns), np.zeros(n_columns, np.int64), NO_CUTS)

    def __len__(self) -> int:
        return len(self.n_bins)

    @property
    def packed(self) -> core.tables.Columns:
        """The columns as the compiled loops read them."""
        return core.tables.Columns(self.n_bins, self.kinds, self.order, self.signs, self.centres)

    @cached_property
    def _first_centres(self) -> NDArray[np.intp]:
        """Where the positions of the bins at each place begin."""
        return offsets(np.where(self.kinds == THRESHOLD, self.n_bins, 0))

    def middle_cuts(self, place: int, below: NDArray[np.intp], is_present: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Move cuts of the column at a place to the middle of the gaps that they divide.

        Parameters
        ----------
        place : int
        below : array (cuts,)
            The present code below each gap. A cut with known values on one side alone has no gap and stays.
        is_present : array (cuts, bins)
            Which codes the node of each cut contains.

        Returns
        -------
        cuts : array (cuts,)
            The last code of the gap, its lower end included, that is not above its middle.
        """
        if not len(self.centres):
            return below
        first, last = self._first_centres[place : place + 2]
        centres = self.centres[first:last]
        codes = np.arange(len(centres))
        is_above = is_present & (codes > below[:, None])
        above = np.argmax(is_above, axis=1)
        middle = np.searchsorted(centres, centres[below] / 2 + centres[above] / 2, "right") - 1
        is_gap = is_present[np.arange(len(below)), below] & is_above.any(axis=1)
        return np.where(is_gap, np.clip(middle, below, np.maximum(above - 1, below)), below)

    def n_children(self, tests: NDArray[Any]) -> NDArray[np.int64]:
        """Number of children of each of some tests."""
        n_bins = self.n_bins[self.places[tests["column"]]]
        return np.where(tests["kind"] == MULTIWAY, n_bins + (tests["missing"] != UNSEEN), 2)


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of a table: their codes, classes and weights. A node is a slice of them, and its handle both ends.

    Nothing is ever replaced in it, but `divide` moves the rows of a node, in all arrays alike.

    Parameters
    ----------
    columns : ColumnCodes
    narrow, wide : array (rows, columns)
        Codes of one byte and of four.
    classes : array (rows,)
    n_classes : int
    weights : Weights
    order : array (rows,)
        Which row of the table stands at each place.
    parts : array (rows,)
        How much of each row is there, where rows are divided among several branches; empty where none is.
    """

    columns: ColumnCodes
    narrow: NDArray[np.uint8]
    wide: NDArray[np.uint32]
    classes: NDArray[np.uint16]
    n_classes: int
    weights: Weights
    order: NDArray[np.uint32]
    parts: NDArray[np.float64] = field(default_factory=lambda: NO_FRACTIONS)

    @classmethod
    def of(cls, coded: CodedTable, targets: Targets, tests: str) -> Rows:
        """All rows of a coded table, which are moved in place."""
        return cls._beside(ColumnCodes.of(coded, tests), coded.narrow, coded.wide, targets)

    @classmethod
    def without_columns(cls, targets: Targets) -> Rows:
        """Rows that have classes and weights alone, for columns to be put beside them."""
        none = np.empty((len(targets.classes), 0), np.uint8)
        return cls._beside(ColumnCodes.of_cuts(np.empty(0, np.int64)), none, none.astype(np.uint32), targets)

    @classmethod
    def _beside(
        cls, columns: ColumnCodes, narrow: NDArray[np.uint8], wide: NDArray[np.uint32], targets: Targets
    ) -> Rows:
        classes = targets.classes.astype(np.uint16)
        order = np.arange(len(classes), dtype=np.uint32)
        return cls(columns, narrow, wide, classes, targets.n_classes, Weights.of(targets.weights), order)

    def __len__(self) -> int:
        return len(self.classes)

    @property
    def n_narrow(self) -> int:
        """Number of narrow columns, which is the place of the first wide one."""
        return self.narrow.shape[1]

    @cached_property
    def packed(self) -> core.tables.Rows:
        """The rows as the compiled loops read and divide them, in the same memory."""
        columns = self.columns.packed
        copies, fractions = self.weights.copies, self.weights.fractions
        return core.tables.Rows(
            columns, self.n_classes, self.narrow, self.wide, self.classes, copies, fractions, self.parts, self.order
        )

    # -- other rows ---------------------------------------------------------------------------------------

    def take(self, which: NDArray[np.intp]) -> Rows:
        """Some of the rows as rows of their own."""
        return self._at(which, self.classes[which], self.weights.take(which))

    def sorted_by(self, order: NDArray[np.intp]) -> Rows:
        """The same rows at other places; each keeps its number in the table."""
        return replace(self.take(order), order=self.order[order])

    def of_cases(self, cases: NDArray[np.intp], classes: NDArray[np.uint16]) -> Rows:
        """The rows of some cases, with other classes; a row that stands for several copies is there as often."""
        return self._at(cases, classes, self.weights.of_cases(cases))

    def _at(self, which: NDArray[np.intp], classes: NDArray[np.uint16], weights: Weights) -> Rows:
        order = np.arange(len(which), dtype=np.uint32)
        narrow = self.narrow[which]
        return replace(self, narrow=narrow, wide=self.wide[which], classes=classes, weights=weights, order=order)

    # -- counting and dividing ----------------------------------------------------------------------------

    def root(self) -> Nodes:
        """All rows as one node."""
        copies = self.weights.copies
        size = copies.sum(dtype=np.int64) if len(copies) else len(self)
        counts = np.bincount(self.classes, self.weights.of_rows, self.n_classes)
        return Nodes(np.array([[0, len(self)]]), counts[None].astype(np.float64), np.array([size], np.int64))

    def counts_of(self, handles: NDArray[np.int64]) -> NDArray[np.float64]:
        """Class counts of nodes whose rows stand one node's after the other's, from the first row to the last."""
        line = np.repeat(np.arange(len(handles)), n_rows_of(handles))
        n_cells = len(handles) * self.n_classes
        counts = np.bincount(line * self.n_classes + self.classes, self.weights.of_rows, n_cells)
        return counts.reshape(len(handles), self.n_classes).astype(np.float64)

    def sizes_of(self, handles: NDArray[np.int64]) -> NDArray[np.int64]:
        """Numbers of cases of such nodes."""
        sums = np.append(0, np.cumsum(self.weights.copies, dtype=np.int64)) if len(self.weights.copies) else None
        return n_rows_of(handles) if sums is None else sums[handles[:, 1]] - sums[handles[:, 0]]

    def cases_of(self, handle: NDArray[np.int64]) -> NDArray[np.intp]:
        """Where the cases of a node stand, in the order of the table; a row of several copies is there as often."""
        return core.permutation.cases_of(self.packed, *handle.tolist())

    def divide(
        self, nodes: Nodes, splits: Splits, threads: Threads, moves: bool = True
    ) -> tuple[Nodes, NDArray[np.intp]]:
        """Children of the splits, one split after the other, and how many each has; rows of a child come together.

        Where nothing moves, handles mean nothing, and a node may have several splits.
        """
        n_children = self.columns.n_children(splits.tests)
        child_start = offsets(n_children)
        children = Nodes(
            np.empty((child_start[-1], 2), np.int64),
            np.zeros((child_start[-1], self.n_classes)),
            np.zeros(child_start[-1], np.int64),
        )
        stops = np.empty(child_start[-1], np.int64)
        slices = np.ascontiguousarray(nodes.handles)
        lines = as_lines(splits.tests)

        def move(which: NDArray[np.intp]) -> None:
            first = which[0]  # a run of neighbouring nodes
            last = which[-1] + 1
            core.tables.divide(
                self.packed,
                slices[first:last],
                lines[first:last],
                child_start[first : last + 1],
                stops,
                children.counts,
                children.sizes,
                moves,
                threads.stop,
            )

        runs = in_runs(np.arange(len(nodes)), n_rows_of(nodes.handles), len(self.columns), threads)
        threads.run(move, [(which,) for which in runs])
        children.handles[:, 1] = stops
        children.handles[1:, 0] = stops[:-1]
        children.handles[child_start[:-1], 0] = nodes.handles[:, 0]
        return children, n_children.astype(np.intp)

    def arrange(self, to: NDArray[np.intp], which: NDArray[np.intp]) -> None:
        """Move the rows at some places to others, which are the same ones in another order."""
        moved = (self.narrow, self.wide, self.classes, self.order, self.weights.copies, self.weights.fractions)
        for array in moved:
            if len(array):
                array[to] = array[which]

    # -- looking at rows ----------------------------------------------------------------------------------

    def codes_at(self, which: NDArray[np.intp], places: NDArray[np.intp]) -> NDArray[np.int64]:
        """The codes of some rows, each in a column of its own."""
        is_wide = places >= self.n_narrow
        codes = np.empty(len(which), np.int64)
        codes[~is_wide] = self.narrow[which[~is_wide], places[~is_wide]]
        codes[is_wide] = self.wide[which[is_wide], places[is_wide] - self.n_narrow]
        return codes

    def weights_at(self, which: NDArray[np.intp]) -> NDArray[np.float64]:
        """What some rows count."""
        weights = self.weights.take(which).of_rows
        return np.ones(len(which)) if weights is None else weights.astype(np.float64)


def rows_by_node(handles: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows of some nodes, one node's after the other's, and of which of the nodes each is."""
    return ranges(handles[:, 0], handles[:, 1]), np.repeat(np.arange(len(handles)), n_rows_of(handles))


def n_rows_of(handles: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rows of each node, one for all its copies."""
    return handles[:, 1] - handles[:, 0]
