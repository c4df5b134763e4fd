"""Numbers that rows have from what stands in them, so that no result depends on the order of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.inputs import Table
from petree.inputs.table import CHUNK_ROWS
from petree.keys import Keys, root_key

if TYPE_CHECKING:
    from petree.estimators.learning import Cases


def content_keys(table: Table, seed: int) -> Keys:
    """A random number for each row, the same for rows that hold the same values; missing ones are alike."""
    keys = np.repeat(root_key(seed), table.n_rows)
    for start in range(0, table.n_rows, CHUNK_ROWS):
        rows = slice(start, start + CHUNK_ROWS)
        # Whole numbers and the same numbers as floats are the same values.
        numbers = np.empty((len(table.arrays), len(keys[rows])))
        for line, values in zip(numbers, table.arrays, strict=True):
            line[:] = values[rows]
        core.content.mix_columns(numbers, keys[rows])
    return keys


def canonical_order(cases: Cases, seed: int) -> NDArray[np.intp]:
    """Rows by class and then by content, in which copies of a row stand side by side; lighter ones come first."""
    keys = content_keys(cases.table, seed)
    return np.lexsort((keys, cases.codes) if cases.weights is None else (cases.weights, keys, cases.codes))
