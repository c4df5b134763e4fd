"""Answers of all leaves, by the tests that fail."""

from __future__ import annotations

from typing import ClassVar

from petree.parts import check_number
from petree.smoothing.all_leaves import AllLeaves
from petree.smoothing.base import Estimates, Probabilities, Router, Table
from petree.threads import Threads


class Confusion(AllLeaves):
    """Every leaf answers a row, with less weight the more tests on its path the row fails (Ling & Yan 2003).

    ``p = sum_L s^j p_L / sum_L s^j``, where j tests on the path to leaf L fail, p_L is the leaf's estimate and s is the
    confusion factor: how easily, so to speak, a value is taken for another. A row that is stuck at a test goes to each
    branch with its share of the training weight. With s = 0 the row's own leaf alone answers.

    Parameters
    ----------
    factor : float or "auto", default=0.3
        The confusion factor s, from 0 to 1.
    leaf : str or smoothing, default="none"
        The estimate of the leaves: their frequencies in the paper, better a smoothed one. Its parameters
        are parameters too, such as ``leaf__shrinkage``.
    """

    candidates: ClassVar = {"factor": (0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.3, 0.4, 0.5)}

    def __init__(self, factor: float | str = 0.3, leaf: str | Estimates = "none") -> None:
        self.factor = factor
        self.leaf = leaf

    def blend(
        self, router: Router[Table], table: Table, node_probabilities: Probabilities, threads: Threads
    ) -> Probabilities:
        return router.confused_probabilities(table, node_probabilities, self.weight(), threads)

    def weight(self) -> float:
        return check_number(self, "factor", 0, most=1)
