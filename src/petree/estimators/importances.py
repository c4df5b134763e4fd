"""How much each column tells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.tree import Tree


def shares_of_columns(tree: Tree, gains: NDArray[np.float64], n_columns: int) -> NDArray[np.float64]:
    """Share of each column in the total gain of the tests, of which none counts below 0."""
    importances = np.bincount(tree.conditions.column, np.maximum(gains, 0.0), n_columns).astype(np.float64)
    total = importances.sum()
    return importances / total if total > 0 else importances
