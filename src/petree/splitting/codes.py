"""What the compiled loops know of the built-in split scores.

A score is known there by its name, and has loops compiled for it alone. `GrowthSetting` is what a member may want to
know before it names its code.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.bayes import Prior

# Whole counts below this look up n log2 n; larger ones are rare enough to compute.
TABLE_SIZE = 65_536


class GrowthSetting(NamedTuple):
    """How a tree is grown: the kind of tests, and the number of training cases."""

    tests: str
    n_cases: float


class ScoreCode(NamedTuple):
    """The name of a score in the compiled loops (``core/scores``), and its parameters."""

    name: str
    parameters: tuple[float, ...] = ()


class RatioCode(NamedTuple):
    """A score divided by the split information, among the candidates whose score is at least the mean less `slack`.

    Where candidates are whole columns (`by_column`) each column offers its best cut alone. `is_restricted` says whether
    C4.5's rules about cuts hold; a column of at least `many_values` categories is left out of the mean.
    """

    base: ScoreCode
    slack: float
    by_column: bool
    is_restricted: bool
    many_values: float


class BayesCode(NamedTuple):
    """Buntine's quality, with the prior that it depends on; it has loops of its own."""

    prior: Prior


Code = ScoreCode | RatioCode | BayesCode


@cache
def n_log_n_table() -> NDArray[np.float64]:
    """``n log2 n`` for n below `TABLE_SIZE`; the same for all fits, so nobody may write into it."""
    n = np.arange(TABLE_SIZE, dtype=np.float64)
    logarithms = np.zeros(TABLE_SIZE)
    core.numbers.binary_log(n[1:], logarithms[1:])
    table = n * logarithms
    table.flags.writeable = False
    return table
