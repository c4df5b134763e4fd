"""Numbers that rows have from what stands in them, so that no result depends on the order of the rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.inputs import Table
from petree.keys import Keys, mix, root_key


def content_keys(table: Table, seed: int) -> Keys:
    """A random number for each row, the same for rows that hold the same values."""
    keys = np.repeat(root_key(seed), table.n_rows)
    for values in table.arrays:
        keys = mix(keys, _bits(values))
    return keys


def _bits(values: NDArray[np.generic]) -> Keys:
    """Numbers or codes as 64 bits; equal ones have equal bits, and so have missing ones."""
    if values.dtype.kind != "f":
        return values.astype(np.int64).view(np.uint64)
    numbers = values.astype(np.float64) + 0.0  # minus zero is zero
    numbers[np.isnan(numbers)] = np.nan
    return numbers.view(np.uint64)


def canonical_order(table: Table, codes: NDArray[np.intp], seed: int) -> NDArray[np.intp]:
    """Rows by class and then by content, in which copies of a row stand side by side."""
    return np.lexsort((content_keys(table, seed), codes))
