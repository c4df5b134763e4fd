"""A data set in codes, in parts that can be read in any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from petree.sources.coding import BinnedColumn


@dataclass(frozen=True, eq=False)
class Partition:
    """Rows of one part of a data set, in codes. Row i of all arrays is the same row.

    Parameters
    ----------
    narrow : array (rows, narrow columns)
        Row after row; it may be a read-only memory map. Missing values have the code behind the last bin.
    wide : array (rows, wide columns)
        Columns of more than 255 bins.
    classes : array (rows,)
        Places in `CodedData.classes`.
    weights : array (rows,) or None
    keys : array (rows,)
        A hash of what stands in the row, for folds and draws: codes, class and weight. It does not depend on the
        partition or the order; equal rows have equal keys.
    """

    narrow: NDArray[np.uint8]
    wide: NDArray[np.uint32]
    classes: NDArray[np.uint16]
    weights: NDArray[np.float64] | None
    keys: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.classes)

    def between(self, start: int, stop: int) -> Partition:
        """Neighbouring rows, in the same memory."""
        some = slice(start, stop)
        weights = None if self.weights is None else self.weights[some]
        return Partition(self.narrow[some], self.wide[some], self.classes[some], weights, self.keys[some])


class PartitionReader(Protocol):
    """Where a partition is read from; picklable, small, keeps no state that matters.

    It may say by `has_weights` whether its rows have weights, which saves a look at them.
    """

    @property
    def n_rows(self) -> int:
        """How many rows it has."""

    @property
    def name(self) -> str:
        """The user's file and the piece of it, for sentences."""

    def read(self) -> Partition:
        """The rows."""


@dataclass(frozen=True)
class InMemory:
    """A partition that is in memory already, for small data."""

    partition: Partition
    name: str = "a table in memory"

    @property
    def n_rows(self) -> int:
        return len(self.partition)

    def read(self) -> Partition:
        return self.partition


@dataclass(frozen=True, eq=False)
class CodedData:
    """A data set in codes, in parts: all that a fit needs.

    Parameters
    ----------
    columns : tuple of BinnedColumn
        How each of the user's columns is coded, in the user's order; narrow and wide ones stand in partitions as
        `CodedTable` has them.
    classes : array
        The labels, sorted as in fits of tables in memory.
    class_totals : array (classes,)
        The weight of each class.
    parts : tuple of PartitionReader
        They may be very unequal, and some may have no rows.
    """

    columns: tuple[BinnedColumn, ...]
    classes: NDArray[Any]
    class_totals: NDArray[np.float64]
    parts: tuple[PartitionReader, ...]

    @property
    def n_rows(self) -> int:
        """Rows of all parts."""
        return sum(part.n_rows for part in self.parts)

    def whole(self) -> Partition:
        """All rows in memory, part after part."""
        n_wide = sum(column.is_wide for column in self.columns)
        none = _no_rows(len(self.columns) - n_wide, n_wide)
        return joined([none, *(part.read() for part in self.parts)])


def joined(parts: Sequence[Partition]) -> Partition:
    """Several runs of rows as one."""
    weights = [part.weights for part in parts if part.weights is not None]
    return Partition(
        np.concatenate([part.narrow for part in parts]),
        np.concatenate([part.wide for part in parts]),
        np.concatenate([part.classes for part in parts]),
        np.concatenate(weights) if weights else None,
        np.concatenate([part.keys for part in parts]),
    )


def _no_rows(n_narrow: int, n_wide: int) -> Partition:
    return Partition(
        np.empty((0, n_narrow), np.uint8),
        np.empty((0, n_wide), np.uint32),
        np.empty(0, np.uint16),
        None,
        np.empty(0, np.uint64),
    )
