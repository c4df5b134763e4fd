"""Curtailment."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from petree.parts import check_number
from petree.smoothing.frequency import Frequency
from petree.tree import Tree


class Curtailment(BaseEstimator):
    """The answer of the deepest node on the path with at least v training cases (Zadrozny & Elkan 2001).

    Parameters
    ----------
    v : float, default=20.0
        Least number of cases; v times the base rate of the rare class should be about 10.
    """

    def __init__(self, v: float = 20.0) -> None:
        self.v = v

    def estimate(self, tree: Tree) -> NDArray[np.float64]:
        check_number(self, "v", 0)
        totals = tree.counts.sum(axis=1)
        speaker: NDArray[Any] = np.arange(tree.n_nodes)
        for level in tree.by_level()[1:]:
            small = level[totals[level] < self.v]
            speaker[small] = speaker[tree.parents[small]]
        return Frequency().estimate(tree)[speaker]
