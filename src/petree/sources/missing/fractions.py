"""Rows whose value is missing go every way in parts (Quinlan 1993, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from petree.caching import cached_property
from petree.pruning.engine.permutation_tests import PermutationTests
from petree.sources.base import Nodes, Source, Splits
from petree.sources.found import Best
from petree.sources.missing.known import KnownSource, branches_of
from petree.sources.rows import Rows, n_rows_of
from petree.sources.table import TableSource
from petree.sources.weights import NO_COPIES, Weights
from petree.tree import offsets, ranges


@dataclass(frozen=True, eq=False)
class RowParts:
    """Parts of rows, those of a node side by side: which row, its weight, and how much of it that is."""

    row: NDArray[np.intp]
    weight: NDArray[np.float64]
    part: NDArray[np.float64]

    def take(self, which: NDArray[np.intp], share: NDArray[np.float64]) -> RowParts:
        """Shares of some of them."""
        return RowParts(self.row[which], self.weight[which] * share, self.part[which] * share)

    def divide(
        self, branch: NDArray[np.intp], node: NDArray[np.intp], child_start: NDArray[np.intp]
    ) -> tuple[RowParts, NDArray[np.intp]]:
        """The parts that reach each child, one child's after the other's, and the child of each.

        A part whose branch is `NOWHERE` goes to all children of its node, by their shares of the known weight.
        """
        which, child, share = _go_every_way(branch, node, self.weight, child_start)
        return self.take(which, share), child

    @staticmethod
    def join(pieces: Sequence[RowParts]) -> RowParts:
        """The parts of several nodes, one node's after the other's."""
        return RowParts(*(np.concatenate(arrays) for arrays in zip(*map(astuple, pieces), strict=True)))


class FractionalSource(KnownSource):
    """A table whose rows are divided among all branches where their value is missing, by the weights of the others.

    The parts of a row sum to the row at every level. A handle is the number of a division, and a slice of the parts
    that it made; rows themselves are never moved. Where rows are counted, a part counts as much as it is of its row.
    """

    def __init__(self, source: TableSource, has_missing: NDArray[np.bool_]) -> None:
        super().__init__(source, has_missing)
        every = np.arange(len(self.rows))
        copies = self.rows.weights.copies
        size = copies.astype(np.float64) if len(copies) else np.ones(len(every))
        self._divisions = [RowParts(every, self.rows.weights_at(every), size)]

    def root(self) -> Nodes:
        root = super().root()
        return replace(root, handles=np.column_stack((np.zeros(1, np.int64), root.handles)))

    def best_splits(self, nodes: Nodes) -> Splits:
        opened = _Opened(self.rows, self.parts_of(nodes.handles), nodes)
        return self.searcher.best_splits(opened.rows, opened.slices, self.threads)

    def best_by_column(self, nodes: Nodes) -> list[Best]:
        opened = _Opened(self.rows, self.parts_of(nodes.handles), nodes)
        return self.searcher.best_by_column(opened.rows, opened.slices, self.threads)

    def divide(self, nodes: Nodes, splits: Splits) -> tuple[Nodes, NDArray[np.intp]]:
        n_children = self.rows.columns.n_children(splits.tests).astype(np.intp)
        parts = self.parts_of(nodes.handles)
        node = np.repeat(np.arange(len(nodes)), n_rows_of(nodes.handles[:, 1:]))
        branch = branches_of(self.rows, parts.row, splits.tests, node)
        divided, child = parts.divide(branch, node, offsets(n_children))
        self._divisions.append(divided)
        return self._children(divided, child, int(n_children.sum())), n_children

    # -- what needs whole rows ----------------------------------------------------------------------------

    def rows_of(self, handles: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        return Source.rows_of(self, handles)

    def permuted(self, handle: NDArray[Any], key: np.uint64) -> Self:
        return Source.permuted(self, handle, key)

    def exceedances(
        self, trials: PermutationTests, moves_attributes: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return Source.exceedances(self, trials, moves_attributes)

    # -- parts of rows ------------------------------------------------------------------------------------

    def _children(self, parts: RowParts, child: NDArray[np.intp], n_children: int) -> Nodes:
        """Nodes of the newest division, given the child of each part, ascending."""
        n_classes = self.rows.n_classes
        ends = offsets(np.bincount(child, minlength=n_children))
        number = np.full(n_children, len(self._divisions) - 1)
        counts = np.bincount(child * n_classes + self.rows.classes[parts.row], parts.weight, n_children * n_classes)
        sizes = np.rint(np.bincount(child, parts.part, n_children)).astype(np.int64)
        handles = np.column_stack((number, ends[:-1], ends[1:])).astype(np.int64)
        return Nodes(handles, counts.reshape(n_children, n_classes).astype(np.float64), sizes)

    def parts_of(self, handles: NDArray[np.int64]) -> RowParts:
        """The parts of some nodes, one node's after the other's; open nodes are all of one division."""
        ends = [0, *(np.flatnonzero(np.diff(handles[:, 0])) + 1).tolist(), len(handles)]
        return RowParts.join([self._of_division(handles[a:b]) for a, b in pairwise(ends)])

    def _of_division(self, handles: NDArray[np.int64]) -> RowParts:
        which = ranges(handles[:, 1], handles[:, 2])
        return self._divisions[int(handles[0, 0])].take(which, np.ones(len(which)))


@dataclass(frozen=True, eq=False)
class _Opened:
    """Open nodes as a searcher knows them: rows of fractional weight, and slices of these."""

    table: Rows
    parts: RowParts
    nodes: Nodes

    @cached_property
    def rows(self) -> Rows:
        weights = Weights(NO_COPIES, self.parts.weight)
        return replace(self.table.take(self.parts.row), weights=weights, parts=self.parts.part)

    @cached_property
    def slices(self) -> Nodes:
        ends = offsets(n_rows_of(self.nodes.handles[:, 1:]))
        return replace(self.nodes, handles=np.column_stack((ends[:-1], ends[1:])).astype(np.int64))


def _go_every_way(
    branch: NDArray[np.intp], node: NDArray[np.intp], weights: NDArray[np.float64], child_start: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """Parts of rows by child: which row, the child and how much goes there, one child's after the other's."""
    known = np.flatnonzero(branch >= 0)
    child = child_start[node[known]] + branch[known]
    shares = _shares(child, weights[known], child_start)
    missing = np.flatnonzero(branch < 0)
    every = ranges(child_start[node[missing]], child_start[node[missing] + 1])
    again = np.repeat(missing, np.diff(child_start)[node[missing]])
    goes = shares[every] > 0
    which = np.concatenate((known, again[goes]))
    child = np.concatenate((child, every[goes]))
    share = np.concatenate((np.ones(len(known)), shares[every[goes]]))
    order = np.lexsort((which, child))
    return which[order], child[order], share[order]


def _shares(
    child: NDArray[np.intp], weights: NDArray[np.float64], child_start: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Part of each child in the known weight of its node; the same for all where nothing is known."""
    of_child = np.bincount(child, weights, child_start[-1])
    n_children = np.diff(child_start)
    of_node: Any = np.repeat(np.add.reduceat(of_child, child_start[:-1]), n_children)
    equal = 1 / np.repeat(n_children, n_children)
    return np.where(of_node > 0, of_child / np.where(of_node > 0, of_node, 1.0), equal)
