"""The penalty for many children."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from petree.parts import check_choice
from petree.splitting.base import SplitScore
from petree.splitting.codes import GrowthSetting, RatioCode, ScoreCode
from petree.splitting.decrease import over_information

# How far below the mean a score may be and still win by its ratio, as for C4.5's gain ratio.
SLACK = 1e-3


class PenalisedScore(SplitScore):
    """A score that may be divided by the split information: by default for multiway tests alone.

    Ferri et al. (2003, section 4.2) penalise many children without saying how; this is the analogue of the gain ratio,
    with its rule that only scores of about the mean or above may win. What is divided is `numerator` times the score.
    """

    numerator: ClassVar[float] = 1.0

    def __init__(self, laplace: bool = False, penalty: bool | None = None) -> None:
        self.laplace = laplace
        self.penalty = penalty

    @abstractmethod
    def plain_score(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """The score without the penalty."""

    @abstractmethod
    def plain_code(self, factor: float) -> ScoreCode:
        """The twin in the compiled loops of the score without the penalty, times a factor."""

    def score(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        self._check()
        score = self.plain_score(counts)
        return over_information(self.numerator * score, counts) if self.penalty else score

    def code(self, setting: GrowthSetting) -> ScoreCode | RatioCode:
        self._check()
        by_column = setting.tests == "multiway"
        if not (by_column if self.penalty is None else self.penalty):
            return self.plain_code(1.0)
        return RatioCode(self.plain_code(self.numerator), SLACK, by_column, False, np.inf)

    def _check(self) -> None:
        check_choice(self, "laplace", (True, False))
        check_choice(self, "penalty", (None, True, False))
