"""Work in pieces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.threads import Threads

# Nodes of at least this many rows are counted block of columns by block of columns, so that threads can share them.
# Blocks do not depend on the number of threads, and so neither does the tree.
SHARED_ROWS = 30_000
SHARED_COLUMNS = 5
# Bytes of counters that one call may hold.
COUNTER_BYTES = 8_000_000
# Fewer cells than this are not worth a second thread.
CELLS_PER_PIECE = 150_000


def split_evenly(nodes: NDArray[np.intp], n_rows: NDArray[np.int64], n_pieces: int) -> list[NDArray[np.intp]]:
    """So many runs of nodes, or fewer, with about equal numbers of rows."""
    if n_pieces == 1:
        return [nodes]
    rows = np.cumsum(n_rows[nodes])
    ends = np.searchsorted(rows, rows[-1] * np.arange(1, n_pieces) / n_pieces)
    return [piece for piece in np.split(nodes, np.unique(ends)) if len(piece)]


def in_runs(
    nodes: NDArray[np.intp], n_rows: NDArray[np.int64], n_columns: int, threads: Threads
) -> list[NDArray[np.intp]]:
    """Runs of nodes with about equal numbers of rows, several per thread."""
    if threads.n_threads == 1 or not len(nodes):
        return [nodes] if len(nodes) else []
    n_pieces = 1 + int(n_rows[nodes].sum()) * n_columns // CELLS_PER_PIECE
    return split_evenly(nodes, n_rows, min(4 * threads.n_threads, n_pieces))


def column_blocks(n_narrow: int, n_columns: int, n_classes: int, most: int) -> list[tuple[int, int]]:
    """Blocks of columns for one call, of so many at most: narrow and wide apart, counters within bounds."""
    most = max(1, min(most, COUNTER_BYTES // (4 * 256 * n_classes)))
    ends = ((0, n_narrow), (n_narrow, n_columns))
    return [(first, min(first + most, end)) for begin, end in ends for first in range(begin, end, most)]
