"""Weights of the rows of a table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree.inputs.target import MOST_COPIES, is_whole


@dataclass(frozen=True)
class Weights:
    """Row weights: whole ones are copies of the row, others are plain weights; none at all is the usual case."""

    copies: NDArray[np.uint32]
    fractions: NDArray[np.float64]

    @classmethod
    def of(cls, sample_weight: NDArray[np.float64] | None) -> Weights:
        none = np.empty(0, np.uint32), np.empty(0)
        if sample_weight is None or (sample_weight == 1).all():
            return cls(*none)
        if is_whole(sample_weight) and sample_weight.sum() < MOST_COPIES:
            return cls(sample_weight.astype(np.uint32), none[1])
        return cls(none[0], sample_weight.astype(np.float64))

    @property
    def are_fractional(self) -> bool:
        return len(self.fractions) > 0

    def take(self, cases: NDArray[np.intp]) -> Weights:
        """Weights of cases: a row of several copies is as many cases, each of weight 1."""
        return Weights(np.empty(0, np.uint32), self.fractions[cases] if self.are_fractional else self.fractions)
