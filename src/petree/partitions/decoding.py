"""Codes back to values: one of each bin, which goes where all values of the bin go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.columns import NUMBER
from petree.inputs import Table
from petree.partitions.partition import Partition
from petree.sources.coding import BinnedColumn, CodedTable


def coded_table(part: Partition, columns: Sequence[BinnedColumn]) -> CodedTable:
    """The rows of a part as a coded table in the same memory."""
    is_wide = np.array([column.is_wide for column in columns], bool)
    order = np.argsort(is_wide, kind="stable").astype(np.int32)
    return CodedTable(part.narrow, part.wide, order, np.argsort(order), tuple(columns))


def decoded(part: Partition, columns: Sequence[BinnedColumn]) -> Table:
    """The rows of a part as a table: of a bin of numbers the least value, or one below all cuts."""
    places = coded_table(part, columns).places.tolist()
    by_place = [*part.narrow.T, *part.wide.T]
    arrays = tuple(_values(column)[by_place[place]] for column, place in zip(columns, places, strict=True))
    return Table(tuple(column.column for column in columns), arrays, len(part))


def _values(binned: BinnedColumn) -> NDArray[Any]:
    """The value of each code; the last is that of missing values."""
    if binned.column.kind != NUMBER:
        return np.append(np.arange(binned.n_bins, dtype=np.int32), np.int32(-1))
    lowest = np.nextafter(binned.thresholds[:1], -np.inf) if len(binned.thresholds) else np.zeros(1)
    return np.concatenate((lowest, binned.thresholds, [np.nan]))
