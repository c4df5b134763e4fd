"""What the kernels know of the built-in split scores.

Each code is a type of its own, and numba compiles a kernel once for each type of its arguments: so every score gets
loops made for it alone, the first time it is used. `Setting` is what a member may want to know before it names its
code.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

# Whole counts below this look up n log2 n; larger ones are rare enough to compute.
TABLE_SIZE = 65_536


class Setting(NamedTuple):
    """How a tree is grown: binary or multiway tests, whole or fractional counts, and the number of training cases."""

    tests: str
    is_whole: bool
    n_cases: float


class GainCode(NamedTuple):
    """Information gain; `table` holds n log2 n of whole counts, and is empty for fractional ones."""

    table: NDArray[np.float64]


class GiniCode(NamedTuple):
    """Decrease of Gini's index."""


class OneVersusRestCode(NamedTuple):
    """Decrease of the DKM impurity, summed over the classes."""


class MajorityCode(NamedTuple):
    """Decrease of the DKM impurity of the largest class."""


class ChiSquareCode(NamedTuple):
    """Pearson's statistic."""


class MSEECode(NamedTuple):
    """Decrease of the expected squared error; `added` cases of every class go to each child (0 or 1)."""

    added: float


class MAUCCode(NamedTuple):
    """Hand and Till's measure of the split as a ranking, times `scale`; `added` as for `MSEECode`."""

    added: float
    scale: float


class RatioCode(NamedTuple):
    """A score divided by the split information, among the candidates whose score is at least the mean less `slack`.

    `table` as for `GainCode`. Where candidates are whole columns (`by_column`) each column offers its best cut alone.
    `restricted` is 1 for C4.5's rules about cuts; a column of at least `many_values` categories is left out of the
    mean.
    """

    base: Any
    table: NDArray[np.float64]
    slack: float
    by_column: bool
    restricted: bool
    many_values: float


class BayesCode(NamedTuple):
    """Buntine's quality, with the prior that it depends on; it has kernels of its own."""

    prior: Any


def n_log_n_table(setting: Setting) -> NDArray[np.float64]:
    """``n log2 n`` for n below `TABLE_SIZE`; nothing for fractional counts."""
    return _table_of_whole_counts() if setting.is_whole else np.empty(0)


@cache
def _table_of_whole_counts() -> NDArray[np.float64]:
    """The same for all fits; nobody writes into it."""
    n = np.arange(TABLE_SIZE, dtype=np.float64)
    n[1:] *= np.log2(n[1:])
    return n
