"""The split as a ranking."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.splitting.codes import ScoreCode
from petree.splitting.penalty import PenalisedScore

# Shares that differ by no more than this are equal.
EQUAL_SHARES = 1e-12


class MAUC(PenalisedScore):
    """Hand and Till's measure of the children, taken as leaves, less 1/2 (Ferri et al. 2003, Definition 2).

    ``A(i|j)`` is the chance that a case of class i has a larger p_i than one of class j, equal ones counting half; M is
    the mean of ``(A(i|j) + A(j|i)) / 2`` over the pairs of classes present at the node.

    Parameters
    ----------
    laplace : bool, default=False
        Whether the children are ranked by ``(n_i + 1) / (N + C)`` instead of frequencies.
    penalty : bool or None, default=None
        Whether ``2M - 1`` is divided by the split information; None means only for multiway tests.
    """

    numerator = 2.0

    def plain_score(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._mean_area(counts) - 0.5

    def _mean_area(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        smoothed = counts + bool(self.laplace)
        total = smoothed.sum(axis=-1, keepdims=True)
        p = smoothed / np.where(total > 0, total, 1.0)
        lead = p[..., :, None, :] - p[..., None, :, :]  # (children a, children b, classes)
        wins = np.where(np.abs(lead) <= EQUAL_SHARES, 0.5, lead > 0)
        beaten = np.einsum("...ac,...bd,...abc->...cd", counts, counts, wins)  # pairs of cases, by their classes
        node = counts.sum(axis=-2)
        cases = node[..., :, None] * node[..., None, :]
        is_pair = (cases > 0) & ~np.eye(counts.shape[-1], dtype=bool)
        areas = np.where(is_pair, beaten / np.where(is_pair, cases, 1.0), 0.0).sum(axis=(-2, -1))
        n_pairs = is_pair.sum(axis=(-2, -1))
        return np.where(n_pairs > 0, areas / np.maximum(n_pairs, 1), 0.5)

    def plain_code(self, factor: float) -> ScoreCode:
        return ScoreCode("mauc", (float(bool(self.laplace)), factor))
