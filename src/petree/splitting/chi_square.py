"""Pearson's chi-square."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.splitting.base import SplitScore
from petree.splitting.codes import GrowthSetting, ScoreCode


class ChiSquare(SplitScore):
    """``X^2 = sum (O - E)^2 / E`` with ``E = row * column / N`` (Fierens et al. 2005), not corrected for continuity.

    Empty children and absent classes are skipped. The statistic grows with the cases: it is no mean over them.
    """

    per_case = False

    def score(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        children = counts.sum(axis=-1, keepdims=True)
        classes = counts.sum(axis=-2, keepdims=True)
        total = counts.sum(axis=(-2, -1), keepdims=True)
        expected = children * classes / np.where(total > 0, total, 1.0)
        return ((counts - expected) ** 2 / np.where(expected > 0, expected, 1.0)).sum(axis=(-2, -1))

    def code(self, setting: GrowthSetting) -> ScoreCode:
        return ScoreCode("chi_square")
