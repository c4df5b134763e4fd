"""The impurity of Dietterich, Kearns and Mansour."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.parts import check_choice
from petree.splitting.base import SplitScore
from petree.splitting.codes import GrowthSetting, ScoreCode
from petree.splitting.decrease import decrease, shares

FORMS = ("one_vs_rest", "majority")


def one_versus_rest(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    p = shares(counts)
    return np.sqrt(p * (1 - p)).sum(axis=-1)


def majority(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    largest = shares(counts).max(axis=-1)
    return 2 * np.sqrt(largest * (1 - largest))


class DKM(SplitScore):
    """Decrease of ``D(q) = 2 sqrt(q (1 - q))`` (Dietterich, Kearns & Mansour 1996), defined for two classes.

    For more classes there are two forms, equal to it for two: ``sum_i sqrt(p_i (1 - p_i))``, and D of the largest
    share. The second is no sound impurity: it rates (1/2, 1/2, 0) above three equal shares, and a split may score below
    0.

    Parameters
    ----------
    form : {"one_vs_rest", "majority"}, default="one_vs_rest"
    """

    additive = True

    def __init__(self, form: str = "one_vs_rest") -> None:
        self.form = form

    def score(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        return decrease(counts, one_versus_rest if self._is_one_versus_rest() else majority)

    def code(self, setting: GrowthSetting) -> ScoreCode:
        return ScoreCode("one_versus_rest" if self._is_one_versus_rest() else "majority")

    def _is_one_versus_rest(self) -> bool:
        check_choice(self, "form", FORMS)
        return bool(self.form == "one_vs_rest")
