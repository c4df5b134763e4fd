"""Curtailment."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from petree.parts import check_number
from petree.smoothing.base import Smoothing, deepest_nodes
from petree.smoothing.frequency import Frequency
from petree.tree import Tree


class Curtailment(Smoothing):
    """The answer of the deepest node on the path with at least v training cases (Zadrozny & Elkan 2001).

    Parameters
    ----------
    v : float or "auto", default=20.0
        Least number of cases; v times the base rate of the rare class should be about 10.
    """

    candidates: ClassVar = {"v": (1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 40.0, 70.0, 120.0, 200.0)}

    def __init__(self, v: float | str = 20.0) -> None:
        self.v = v

    def estimate(self, tree: Tree) -> NDArray[np.float64]:
        return Frequency().estimate(tree)[self._large_enough(tree)]

    def strength(self, tree: Tree) -> NDArray[np.float64]:
        return Frequency().strength(tree)[self._large_enough(tree)]

    def _large_enough(self, tree: Tree) -> NDArray[np.intp]:
        return deepest_nodes(tree, tree.counts.sum(axis=1) >= check_number(self, "v", 0))
