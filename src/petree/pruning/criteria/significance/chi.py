"""The chi-square test of a node's best test."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, chdtri

from petree.parts import check_choice, check_number
from petree.pruning.by_stump import StumpCriterion
from petree.pruning.engine.context import Context
from petree.pruning.engine.correction import number_of_cases
from petree.pruning.engine.counts import bits
from petree.pruning.engine.stumps import Stumps, Verdicts


class Chi(StumpCriterion):
    """Keep a test if ``P(chi^2 >= X^2) <= alpha / N_test`` (Fierens et al. 2007, section 4.1).

    ``X^2 = sum (O - E)^2 / E`` over the children and classes of the node, without correction for continuity. For s
    children with cases in them and the C classes of the whole problem there are ``(s - 1)(C - 1)`` degrees of freedom.

    Parameters
    ----------
    alpha : float, default=0.05
        Level of the test (0.1 in Fierens et al. 2005).
    bonferroni : bool, default=True
        Whether the level is divided by the number of candidate tests of the node.
    when : {"post", "pre"}, default="post"
        Bottom-up on stumps of a grown tree, or while growing.
    correction : {None, "cases"}, default=None
        With None an accepted test keeps all nodes above it, and in a large tree some test is always accepted. With
        "cases" it keeps a node above only at its share of that node's cases (`petree.pruning.engine.correction`). For
        levels so small ``X^2`` is wrong where single cases stand alone, so the smaller of it and ``G = 2 ln(2) N gain``
        is taken.
    """

    names = ("how far the branches differ (chi-square)", "needed to be more than chance")
    judges_at_once = True

    def __init__(
        self, alpha: float = 0.05, bonferroni: bool = True, when: str = "post", correction: str | None = None
    ) -> None:
        self.alpha = alpha
        self.bonferroni = bonferroni
        self.when = when
        self.correction = correction

    def check(self) -> None:
        super().check()
        check_number(self, "alpha", 0, above=True, most=1)
        check_choice(self, "bonferroni", (True, False))

    def judge(self, stumps: Stumps, context: Context) -> Verdicts:
        statistic = chi_square(stumps)
        critical = self.critical(stumps)
        return Verdicts(statistic, critical, statistic >= critical)

    def supported_cases(self, stumps: Stumps, context: Context, most: NDArray[np.float64]) -> NDArray[np.float64]:
        """``n alpha / (N_test p)``, and all n where the node's own test is accepted."""
        statistic = chi_square(stumps)
        cases = number_of_cases(stumps.counts)
        chance = chdtrc(freedom(stumps), np.minimum(statistic, likelihood_ratio(stumps)))
        supported = cases * self.level(stumps) / np.maximum(chance, np.finfo(float).tiny)
        return np.maximum(supported, np.where(statistic >= self.critical(stumps), cases, 0.0))

    def critical(self, stumps: Stumps) -> NDArray[np.float64]:
        """The chi-square that is just significant at each node."""
        degrees = freedom(stumps)
        level = self.level(stumps)
        if len(stumps) and (degrees == degrees[0]).all() and (level == level[0]).all():  # as in binary trees of a table
            return np.full(len(stumps), chdtri(degrees[0], level[0]))
        return np.asarray(chdtri(degrees, level), np.float64)

    def level(self, stumps: Stumps) -> NDArray[np.float64]:
        """The level at which each node's best test is tested."""
        return float(self.alpha) / (np.maximum(stumps.n_tests, 1) if self.bonferroni else np.ones(len(stumps)))


def freedom(stumps: Stumps) -> NDArray[np.intp]:
    """Degrees of freedom of each stump."""
    n_filled = stumps.sum((stumps.children.sum(axis=1) > 0).astype(np.intp))
    return np.maximum(n_filled - 1, 1) * (stumps.counts.shape[1] - 1)


def chi_square(stumps: Stumps) -> NDArray[np.float64]:
    """Pearson's statistic of each stump; empty children and absent classes add nothing."""
    totals = stumps.counts.sum(axis=1, keepdims=True)
    shares = stumps.counts / np.where(totals > 0, totals, 1.0)
    expected = stumps.children.sum(axis=1, keepdims=True) * np.repeat(shares, np.diff(stumps.child_start), axis=0)
    distance = (stumps.children - expected) ** 2 / np.where(expected > 0, expected, 1.0)
    return stumps.sum(distance.sum(axis=1))


def likelihood_ratio(stumps: Stumps) -> NDArray[np.float64]:
    """G of each stump."""
    saved = bits(stumps.counts) - stumps.sum(bits(stumps.children))
    return 2 * math.log(2) * np.maximum(saved, 0.0)
