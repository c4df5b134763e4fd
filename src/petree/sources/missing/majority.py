"""Rows whose value is missing go with most of the others."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import UNSEEN
from petree.sources.base import Nodes
from petree.sources.missing.branches import branches_of
from petree.sources.missing.known import KnownSource
from petree.sources.rows import rows_by_node


class MajoritySource(KnownSource):
    """A table whose rows take the larger branch where their value is missing, the first of equals.

    Every test of a column that has missing values anywhere says which one that is.
    """

    def settled(self, nodes: Nodes, tests: NDArray[Any]) -> NDArray[Any]:
        settled = tests.copy()
        which, node = rows_by_node(nodes.handles)
        branch = branches_of(self.rows, which, tests, node)
        known = np.flatnonzero(branch >= 0)
        weights = self.rows.weights_at(which[known])
        sums = np.bincount(2 * node[known] + branch[known], weights, 2 * len(nodes)).reshape(-1, 2)
        larger = (sums[:, 1] > sums[:, 0]).astype(np.int64)
        settled["missing"] = np.where(self.has_missing[tests["column"]], larger, UNSEEN)
        return settled
