"""Buntine's quality of a test."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.bayes import Prior, WithPrior, resolve_prior
from petree.splitting.base import SplitScore
from petree.splitting.codes import BayesCode, GrowthSetting


class Bayes(WithPrior, SplitScore):
    """How much more probable the classes are with the test than without it (Buntine 1992, Equations 6 and 7).

    ``ln P(test) + sum_k [ln B(n^k + a) - ln B(a)]`` less the same of the unsplit node, in nats. Numbers compete by the
    integral over all their cuts and are cut where the quality is best; what that choice costs stands in the tree's
    annotation "cut_penalty", for the prior of the node.

    Parameters
    ----------
    prior : str or Prior, default="I"
        "I", "II", "III", "IV" or a `petree.bayes.Prior`. Its pseudo-counts are those of the root at every level.

    Examples
    --------
    >>> from petree.splitting import score
    >>> round(score("bayes", [[8, 2], [2, 8]]), 6)
    2.768711
    """

    per_case = False
    additive = True
    looks_at_values = True

    def __init__(self, prior: str | Prior = "I") -> None:
        self.prior = prior

    def score(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        prior = resolve_prior(self.prior)
        totals = counts.sum(axis=-2)
        n_cases = totals.sum(axis=-1, keepdims=True)
        uniform = np.full(totals.shape, 1 / totals.shape[-1])
        share = np.divide(totals, n_cases, out=uniform.copy(), where=n_cases > 0)
        strength = prior.pseudo_counts(np.ones(totals.shape[-1])).sum()
        alphas = strength * (uniform if prior.mean == "uniform" else share)
        gain = prior.evidence(counts, alphas[..., None, :]).sum(axis=-1) - prior.evidence(totals, alphas)
        weight = prior.test_weights(np.ones(1))[0] + (counts.shape[-2] - 1) * prior.leaf_weight()
        divides = (counts.sum(axis=-1) > 0).sum(axis=-1) > 1
        return np.where(divides, gain + weight, 0.0)

    def code(self, setting: GrowthSetting) -> BayesCode:
        if setting.tests == "sets":
            raise ValueError("The split score 'bayes' has no prior over sets of categories; set tests='binary'.")
        return BayesCode(resolve_prior(self.prior))
