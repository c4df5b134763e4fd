"""Answers of all leaves, by the tests that are doubted."""

from __future__ import annotations

from typing import ClassVar

from petree.parts import check_number
from petree.smoothing.all_leaves import AllLeaves
from petree.smoothing.base import Estimates, Probabilities, Router, Table
from petree.threads import Threads


class Doubt(AllLeaves):
    """Every test is doubted a little: with probability s a row takes any branch, as often as training cases took it.

    ``p = sum_L p_L prod_j ((1 - s) [taken]_j + s q_j)`` over the tests j on the path to leaf L, where [taken] is 1 if
    the row takes the branch towards L, q is the branch's share of the node's training cases, and p_L is the estimate
    of the leaf. The weights of the leaves sum to 1. With s = 0 the row's own leaf alone answers, with s = 1 all leaves
    in proportion to their cases. A row that is stuck at a test takes every branch by its share.

    This is petree's own and goes beyond the papers: the leaves of Ling & Yan (2003, see `Confusion`) all count alike,
    however few cases they have, while here a wrong branch counts by its share. A doubted branch that weighs less than
    .0001 is not followed to its leaves: the node it leads to answers for them, by the same estimate. No probability
    changes by more than these weights together, and most by far less.

    Parameters
    ----------
    doubt : float or "auto", default=0.1
        The probability s that a test is doubted, from 0 to 1.
    leaf : str or smoothing, default="hierarchical"
        The estimate of the leaves. Its parameters are parameters too, such as ``leaf__shrinkage``.

    Examples
    --------
    >>> Doubt().set_params(leaf__shrinkage=7.0)
    Doubt(leaf=Hierarchical(shrinkage=7.0))
    """

    candidates: ClassVar = {"doubt": (0.001, 0.005, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 0.45)}

    def __init__(self, doubt: float | str = 0.1, leaf: str | Estimates = "hierarchical") -> None:
        self.doubt = doubt
        self.leaf = leaf

    def blend(
        self, router: Router[Table], table: Table, node_probabilities: Probabilities, threads: Threads
    ) -> Probabilities:
        return router.doubted_probabilities(table, node_probabilities, self.weight(), threads)

    def weight(self) -> float:
        return check_number(self, "doubt", 0, most=1)
