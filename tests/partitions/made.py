"""Small data sets in codes, cut into parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tests.sources.made import make_table

from petree.binning import resolve_binning
from petree.inputs import table_of
from petree.keys import combine_keys
from petree.partitions.partition import CodedData, InMemory, Partition
from petree.sources.coding import CodedTable
from petree.threads import Threads
from petree.tree import Tree

# Bytes that hold no table of these tests, and a few hundred rows of one at a time.
LITTLE = 20_000
UNEQUAL = (7, 7, 250)


def make_frame(n_rows: int = 400, n_classes: int = 3) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """Columns of every kind, missing values, and classes of which three in five follow them."""
    frame, noise = make_table(3, n_rows, n_classes)
    signal = (frame["number"] > 0).to_numpy(int) + (frame["letter"] == "x").to_numpy(int)
    return frame, np.where(np.arange(n_rows) % 5 < 3, signal % n_classes, noise)


def make_weights(kind: str, n_rows: int = 400) -> NDArray[np.float64] | None:
    random = np.random.default_rng(1)
    return {
        "none": None,
        "copies": random.integers(0, 4, n_rows).astype(np.float64),
        "fractions": random.random(n_rows) * random.integers(0, 2, n_rows),
    }[kind]


def code(
    frame: pd.DataFrame, classes: NDArray[Any], weights: NDArray[np.float64] | None = None, cuts: Sequence[int] = ()
) -> CodedData:
    """A table in codes, cut into parts before these rows."""
    table = table_of(frame, "from_dtype")
    labels, codes = np.unique(classes, return_inverse=True)
    coded = CodedTable.of(
        table.columns, table.arrays, codes, weights, len(labels), resolve_binning("quantile"), Threads(1)
    )
    keys = combine_keys(np.zeros(1, np.uint64), np.arange(len(codes), dtype=np.uint64))

    def part(rows: NDArray[np.intp]) -> Partition:
        of_rows = None if weights is None else weights[rows]
        return Partition(coded.narrow[rows], coded.wide[rows], codes[rows].astype(np.uint16), of_rows, keys[rows])

    pieces = np.split(np.arange(len(codes)), list(cuts))
    readers = tuple(InMemory(part(rows), f"part {number}") for number, rows in enumerate(pieces))
    totals = np.bincount(codes, weights, len(labels)).astype(np.float64)
    return CodedData(coded.columns, labels, totals, readers)


def assert_nearly_same_tree(one: Tree, other: Tree) -> None:
    """The same tests and rows; sums of fractions may differ by rounding."""
    assert [str(condition) for condition in one.conditions] == [str(condition) for condition in other.conditions]
    np.testing.assert_array_equal(one.sizes, other.sizes)
    np.testing.assert_allclose(one.counts, other.counts, rtol=1e-12)
