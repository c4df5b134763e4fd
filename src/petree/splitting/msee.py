"""The minimum squared expected error."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.splitting.codes import ScoreCode
from petree.splitting.decrease import decrease
from petree.splitting.penalty import PenalisedScore


class MSEE(PenalisedScore):
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

    def plain_score(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        return decrease(counts, self._squared_error)

    def _squared_error(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        counts = counts + bool(self.laplace)
        total = counts.sum(axis=-1, keepdims=True)
        p = counts / np.where(total > 0, total, 1.0)
        squares = (p**2).sum(axis=-1)
        cubes = (p**3).sum(axis=-1)
        return 1 - 2 * squares - squares**2 + 2 * cubes

    def plain_code(self, factor: float) -> ScoreCode:
        return ScoreCode("msee", (float(bool(self.laplace)),))
