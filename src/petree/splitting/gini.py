"""Gini's index."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.splitting.base import SplitScore
from petree.splitting.codes import GrowthSetting, ScoreCode
from petree.splitting.decrease import decrease, shares


class Gini(SplitScore):
    """Decrease of Gini's index ``G(p) = 1 - sum_i p_i^2`` (CART 1984; "MGINI" in Ferri et al. 2003)."""

    additive = True

    def score(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        return decrease(counts, lambda n: 1 - (shares(n) ** 2).sum(axis=-1))

    def code(self, setting: GrowthSetting) -> ScoreCode:
        return ScoreCode("gini")
