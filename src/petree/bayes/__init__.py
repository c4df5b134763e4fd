"""Bayesian trees (Buntine 1992): priors over trees, and averages over all trees that a grown one contains."""

from __future__ import annotations

from petree.bayes.averaging import Shares, arriving, held_by, mix_down, share_out
from petree.bayes.priors import Prior, WithPrior, log_evidence, resolve_prior

__all__ = [
    "Prior",
    "Shares",
    "WithPrior",
    "arriving",
    "held_by",
    "log_evidence",
    "mix_down",
    "resolve_prior",
    "share_out",
]
