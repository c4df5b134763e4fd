"""Bayesian trees (Buntine 1992): priors over trees, and averages over all trees that a grown one contains."""

from __future__ import annotations

from petree.bayes.averaging import (
    Shares,
    average_down,
    node_probability,
    posterior_shares,
    reach_probability,
    split_probability,
)
from petree.bayes.priors import Prior, WithPrior, log_evidence, resolve_prior
from petree.bayes.weighing import WEIGHTS, posterior_weights

__all__ = [
    "WEIGHTS",
    "Prior",
    "Shares",
    "WithPrior",
    "average_down",
    "log_evidence",
    "node_probability",
    "posterior_shares",
    "posterior_weights",
    "reach_probability",
    "resolve_prior",
    "split_probability",
]
