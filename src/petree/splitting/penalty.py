"""The penalty for many children."""

from __future__ import annotations

import numpy as np

from petree.parts import check_choice
from petree.splitting.base import SplitScore
from petree.splitting.codes import RatioCode, ScoreCode, Setting

# How far below the mean a score may be and still win by its ratio, as for C4.5's gain ratio.
SLACK = 1e-3


def check_flags(owner: SplitScore) -> None:
    """Raise unless the parameters of a score with a penalty are right."""
    check_choice(owner, "laplace", (True, False))
    check_choice(owner, "penalty", (None, True, False))


def with_penalty(
    plain: ScoreCode, numerator: ScoreCode, penalty: bool | None, setting: Setting
) -> ScoreCode | RatioCode:
    """The plain code of a score, or that of a ratio to the split information: by default for multiway tests alone.

    Ferri et al. (2003, section 4.2) penalise many children without saying how; this is the analogue of the gain ratio,
    with its rule that only scores of about the mean or above may win.
    """
    by_column = setting.tests == "multiway"
    if not (by_column if penalty is None else penalty):
        return plain
    return RatioCode(numerator, SLACK, by_column, False, np.inf)
