"""The minimum squared expected error."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.splitting.base import SplitScore
from petree.splitting.codes import RatioCode, ScoreCode, Setting
from petree.splitting.decrease import decrease, over_information
from petree.splitting.penalty import check_flags, with_penalty


class MSEE(SplitScore):
    """Decrease of the squared error that a node's probabilities expect of themselves (Ferri et al. 2003, Definition 3).

    ``e = sum_i p_i (1 - p_i) [(1 - p_i)^2 + sum_(j != i) p_j^2] = 1 - 2S - S^2 + 2T``, where S and T are the sums of
    p^2 and p^3; the score is e of the node less the mean of its children's.

    Parameters
    ----------
    laplace : bool, default=False
        Whether p is ``(n_i + 1) / (N + C)`` ("split smoothing"); a split may then score below 0.
    penalty : bool or None, default=None
        Whether the score is divided by the split information; None means only for multiway tests.
    """

    additive = True

    def __init__(self, laplace: bool = False, penalty: bool | None = None) -> None:
        self.laplace = laplace
        self.penalty = penalty

    def score(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        check_flags(self)
        score = decrease(counts, self._squared_error)
        return over_information(score, counts) if self.penalty else score

    def _squared_error(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        counts = counts + bool(self.laplace)
        total = counts.sum(axis=-1, keepdims=True)
        p = counts / np.where(total > 0, total, 1.0)
        squares = (p**2).sum(axis=-1)
        cubes = (p**3).sum(axis=-1)
        error: NDArray[np.float64] = 1 - 2 * squares - squares**2 + 2 * cubes
        return error

    def code(self, setting: Setting) -> ScoreCode | RatioCode:
        check_flags(self)
        code = ScoreCode("msee", (float(bool(self.laplace)),))
        return with_penalty(code, code, self.penalty, setting)
