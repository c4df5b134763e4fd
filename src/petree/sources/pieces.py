"""Work in pieces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Nodes of at least this many rows are counted block of columns by block of columns, so that threads can share them.
# Blocks do not depend on the number of threads, and so neither does the tree.
SHARED_ROWS = 30_000
SHARED_COLUMNS = 5


def split_evenly(nodes: NDArray[np.intp], n_rows: NDArray[np.int64], n_pieces: int) -> list[NDArray[np.intp]]:
    """So many runs of nodes, or fewer, with about equal numbers of rows."""
    if n_pieces == 1:
        return [nodes]
    rows = np.cumsum(n_rows[nodes])
    ends = np.searchsorted(rows, rows[-1] * np.arange(1, n_pieces) / n_pieces)
    return [piece for piece in np.split(nodes, np.unique(ends)) if len(piece)]
