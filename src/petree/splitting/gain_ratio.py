"""C4.5's gain ratio."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.parts import check_choice, check_number
from petree.splitting.base import SplitScore
from petree.splitting.codes import GrowthSetting, RatioCode, ScoreCode
from petree.splitting.decrease import decrease, entropy, over_information

# A nominal column with this share of the training cases as its number of values, or more, does not count for the mean.
MANY_VALUES = 0.3


class GainRatio(SplitScore):
    """Gain over split information, ``IG / SI``, among candidates whose gain is at least the mean (Quinlan 1993).

    The mean goes over all candidates of the node that leave enough rows: tests where `tests` is "binary" or "sets" (one
    threshold for each gap between values present there), columns where it is "multiway". The test "is missing" is a
    candidate of its own. A node without any candidate at ``IG >= mean - slack`` and ``SI > 0.001`` is a leaf.

    Parameters
    ----------
    slack : float, default=0.001
        How far below the mean a gain may be, in bits.
    restrictions : bool, default=True
        In multiway trees, C4.5's rules for columns: a number may only be cut where both sides have a tenth of the mean
        number of cases of a class (at least 2, at most 25 cases), pays ``log2(cuts tried) / cases`` for its cut, and is
        no candidate if that leaves no gain; a nominal column of nearly as many values as cases does not count for the
        mean, unless all candidates of the node are such. (C4.5 also keeps cuts 1e-5 apart; where numbers may be cut is
        the binning's affair here.)
    """

    def __init__(self, slack: float = 1e-3, restrictions: bool = True) -> None:
        self.slack = slack
        self.restrictions = restrictions

    def score(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        self._check()
        return over_information(decrease(counts, entropy), counts)

    def _check(self) -> None:
        check_number(self, "slack", 0)
        check_choice(self, "restrictions", (True, False))

    def code(self, setting: GrowthSetting) -> RatioCode:
        self._check()
        by_column = setting.tests == "multiway"
        is_restricted = by_column and self.restrictions
        many_values = MANY_VALUES * setting.n_cases if is_restricted else np.inf
        return RatioCode(ScoreCode("gain"), float(self.slack), by_column, bool(is_restricted), float(many_values))
