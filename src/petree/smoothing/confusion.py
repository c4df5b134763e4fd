"""Answers of all leaves."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from petree.parts import check_number
from petree.smoothing.base import Smoothing
from petree.smoothing.frequency import Frequency
from petree.tree import Tree


class Confusion(Smoothing):
    """Every leaf answers a row, with less say the more tests on its path the row fails (Ling & Yan 2003).

    ``p = sum_L s^j p_L / sum_L s^j``, where j tests on the path to leaf L fail, p_L are the frequencies there and s is
    the confusion factor: how easily, so to speak, a value is taken for another. A row that is stuck at a test goes to
    each branch with its share of the training weight. The nodes' own estimates, shown where a tree is read, are their
    frequencies; with s = 0 those of the leaf are the answer.

    Parameters
    ----------
    factor : float or "auto", default=0.3
        The confusion factor s, from 0 to 1.
    """

    by_row = True
    candidates: ClassVar = {"factor": (0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.3, 0.4, 0.5)}

    def __init__(self, factor: float | str = 0.3) -> None:
        self.factor = factor

    def estimate(self, tree: Tree) -> NDArray[np.float64]:
        self._check_factor()
        return Frequency().estimate(tree)

    def strength(self, tree: Tree) -> NDArray[np.float64]:
        self._check_factor()
        return Frequency().strength(tree)

    def answer(self, tree: Tree, router: Any, table: Any, threads: Any) -> NDArray[np.float64]:
        """Class probabilities of the rows of a table, sent down the tree by its router."""
        return router.confused_probabilities(table, self.estimate(tree), self._check_factor(), threads)

    def _check_factor(self) -> float:
        return check_number(self, "factor", 0, most=1)
