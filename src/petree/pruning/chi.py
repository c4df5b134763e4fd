"""The chi-square test of a node's best test."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

from petree.parts import check_number
from petree.pruning.acceptance import Acceptance
from petree.pruning.context import Context
from petree.pruning.stumps import Stumps, Verdicts


class Chi(Acceptance):
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
    """

    names: ClassVar[tuple[str, str]] = ("chi-square", "critical value")

    def __init__(self, alpha: float = 0.05, bonferroni: bool = True, when: str = "post") -> None:
        self.alpha = alpha
        self.bonferroni = bonferroni
        self.when = when

    def judge(self, stumps: Stumps, context: Context | None) -> Verdicts:
        statistic, critical = chi_square(stumps), self.critical(stumps)
        return Verdicts(statistic, critical, statistic >= critical)

    def critical(self, stumps: Stumps) -> NDArray[np.float64]:
        """The chi-square that is just significant at each node."""
        level = check_number(self, "alpha", 0, above=True, most=1)
        n_filled = stumps.sum((stumps.children.sum(axis=1) > 0).astype(np.intp))
        freedom = np.maximum(n_filled - 1, 1) * (stumps.counts.shape[1] - 1)
        n_tests = np.maximum(stumps.n_tests, 1) if self.bonferroni else 1
        critical: NDArray[np.float64] = chdtri(freedom, np.broadcast_to(level / n_tests, freedom.shape))
        return critical


def chi_square(stumps: Stumps) -> NDArray[np.float64]:
    """Pearson's statistic of each stump; empty children and absent classes add nothing."""
    totals = stumps.counts.sum(axis=1, keepdims=True)
    shares = stumps.counts / np.where(totals > 0, totals, 1.0)
    expected = stumps.children.sum(axis=1, keepdims=True) * np.repeat(shares, np.diff(stumps.child_start), axis=0)
    distance = (stumps.children - expected) ** 2 / np.where(expected > 0, expected, 1.0)
    return stumps.sum(distance.sum(axis=1))
