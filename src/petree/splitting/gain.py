"""Information gain."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.splitting.base import SplitScore
from petree.splitting.codes import GrowthSetting, ScoreCode
from petree.splitting.decrease import decrease, entropy


class Gain(SplitScore):
    """Information gain ``IG = H(n) - sum_k q_k H(n^k)``, entropy in base 2.

    The score of all trees of Fierens et al. (2007, section 3.1).
    """

    additive = True

    def score(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        return decrease(counts, entropy)

    def code(self, setting: GrowthSetting) -> ScoreCode:
        return ScoreCode("gain")
