"""Numbers that rows have from what stands in them, so that no result depends on the order of the rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.inputs import Table
from petree.inputs.table import CHUNK_ROWS
from petree.keys import Keys, root_key


def content_keys(table: Table, seed: int) -> Keys:
    """A random number for each row, the same for rows that hold the same values; missing ones are alike."""
    keys = np.repeat(root_key(seed), table.n_rows)
    is_whole = np.array([values.dtype.kind != "f" for values in table.arrays], bool)
    for start in range(0, table.n_rows, CHUNK_ROWS):
        rows = slice(start, start + CHUNK_ROWS)
        numbers = np.empty((len(table.arrays), len(keys[rows])))
        for line, values in zip(numbers, table.arrays, strict=True):
            line[:] = values[rows]
        core.content.mix_columns(numbers, is_whole, keys[rows])
    return keys


def canonical_order(table: Table, codes: NDArray[np.intp], seed: int) -> NDArray[np.intp]:
    """Rows by class and then by content, in which copies of a row stand side by side."""
    return np.lexsort((content_keys(table, seed), codes))
