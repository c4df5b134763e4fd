"""The m-estimate."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from petree.parts import check_number
from petree.smoothing.base import Smoothing
from petree.tree import Tree

PRIORS = ("uniform", "base_rate")


class MEstimate(Smoothing):
    """``(n_i + m p_i) / (N + m)``: m cases, divided among the classes as the prior says, are added.

    With m = C and the uniform prior this is Laplace's estimate (Cestnik 1990; Ferri et al. 2003 use m = 4).

    Parameters
    ----------
    m : float or "auto", default=4.0
        Weight of the prior, in cases.
    prior : {"uniform", "base_rate"}, default="uniform"
        All classes alike, or as often as in the training data.
    """

    candidates: ClassVar = {"m": (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0)}

    def __init__(self, m: float | str = 4.0, prior: str = "uniform") -> None:
        self.m = m
        self.prior = prior

    def estimate(self, tree: Tree) -> NDArray[np.float64]:
        m = check_number(self, "m", 0, above=True)
        if self.prior not in PRIORS:
            raise ValueError(
                f"The 'prior' parameter of MEstimate must be one of {', '.join(PRIORS)}. Got {self.prior!r} instead."
            )
        total = tree.counts[0].sum()
        is_uniform = self.prior == "uniform" or total == 0
        prior = np.full(tree.n_classes, 1 / tree.n_classes) if is_uniform else tree.counts[0] / total
        return (tree.counts + m * prior) / self.strength(tree)[:, None]

    def strength(self, tree: Tree) -> NDArray[np.float64]:
        return tree.counts.sum(axis=1) + check_number(self, "m", 0, above=True)
