"""Work in pieces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def split_evenly(nodes: NDArray[np.intp], n_rows: NDArray[np.int64], n_pieces: int) -> list[NDArray[np.intp]]:
    """So many runs of nodes, or fewer, with about equal numbers of rows."""
    if n_pieces == 1:
        return [nodes]
    rows = np.cumsum(n_rows[nodes])
    ends = np.searchsorted(rows, rows[-1] * np.arange(1, n_pieces) / n_pieces)
    return [piece for piece in np.split(nodes, np.unique(ends)) if len(piece)]
