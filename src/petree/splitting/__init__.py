"""Split scores: how good is this table of child class counts?

A member is a `SplitScore`, which tells all that it may have: ``score(counts)`` over blocks of counts (..., children,
classes), higher being better and 0 for a test that does not divide. With ``code(setting)`` it names its twin in the
compiled loops; without, trees grow by `score` itself, more slowly. Every object with a method ``score`` will do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from petree.parts import resolve
from petree.splitting.base import Scores, SplitScore
from petree.splitting.bayes import Bayes
from petree.splitting.chi_square import ChiSquare
from petree.splitting.dkm import DKM
from petree.splitting.gain import Gain
from petree.splitting.gain_ratio import GainRatio
from petree.splitting.gini import Gini
from petree.splitting.mauc import MAUC
from petree.splitting.msee import MSEE

MEMBERS: dict[str, type[SplitScore]] = {
    "gain": Gain,
    "gain_ratio": GainRatio,
    "gini": Gini,
    "dkm": DKM,
    "chi_square": ChiSquare,
    "msee": MSEE,
    "mauc": MAUC,
    "bayes": Bayes,
}


def resolve_split(split: str | Scores) -> Scores:
    """A member from its alias or itself."""
    return resolve(split, MEMBERS, "split", "score")


def score(split: str | Scores, counts: ArrayLike) -> float:
    """Score of one table of class counts, one row a child.

    Examples
    --------
    >>> round(score("gain", [[8, 2], [2, 8]]), 6)
    0.278072
    """
    table = np.asarray(counts, np.float64)
    if table.ndim != 2 or not np.isfinite(table).all() or (table < 0).any():
        raise ValueError("A table of class counts has one row a child, one column a class, and no negative numbers.")
    return float(resolve_split(split).score(table))


__all__ = [
    "DKM",
    "MAUC",
    "MEMBERS",
    "MSEE",
    "Bayes",
    "ChiSquare",
    "Gain",
    "GainRatio",
    "Gini",
    "SplitScore",
    "resolve_split",
    "score",
]
