"""What rows count, as whole numbers: sums of these are the same in any order.

Copies are whole as they are. Fractional weights are counted in units so small that the rounding of a weight is less
than that of a sum of floats, and so large that a sum of all fits a whole number of 64 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import frexp
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from petree.inputs.target import MOST_COPIES, is_whole
from petree.partitions.engines.base import Engine, Part, Working
from petree.partitions.partition import Partition
from petree.partitions.sampling import FoldRows

# Sums of weights in units are below two to this power.
BITS_OF_SUM = 61
ONE_EACH = np.empty(0, np.int64)


@dataclass(frozen=True)
class Amounts:
    """How rows are counted: by copies, or by weight in units; then the number of rows is counted apart.

    Parameters
    ----------
    unit : float or None
        What one stands for where weights are fractions, or where there are too many copies for tables of counts.
    rows : FoldRows or None
        Those that count, where not all do.
    """

    unit: float | None = None
    rows: FoldRows | None = None

    @classmethod
    def of(cls, are_whole: bool, total: float) -> Amounts:
        """For all rows of a data set that weigh so much together."""
        if are_whole and total < MOST_COPIES:
            return cls()
        return cls(2.0 ** (frexp(total)[1] - BITS_OF_SUM))

    @property
    def counts_rows(self) -> bool:
        return self.unit is not None

    def copies(
        self, weights: NDArray[np.float64] | None, n_rows: int, numbers: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """How many copies of each row count, rows having these numbers; none at all, an empty array, is one each."""
        if weights is None and self.rows is None:
            return ONE_EACH
        copies = np.ones(n_rows, np.int64)
        if weights is not None:
            copies = (weights > 0).astype(np.int64) if self.counts_rows else weights.astype(np.int64)
        return copies if self.rows is None else self.rows.copies(numbers, copies)

    def of_rows(self, part: Partition, copies: NDArray[np.int64]) -> NDArray[np.int64]:
        """What each row amounts to, given its copies."""
        if self.unit is None:
            return copies
        weights = np.ones(len(part)) if part.weights is None else part.weights
        amounts = np.rint(weights / self.unit).astype(np.int64)
        return amounts if not len(copies) else amounts * copies

    def weigh(self, amounts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Sums of amounts on the scale of the data."""
        return amounts.astype(np.float64) * (1.0 if self.unit is None else self.unit)


@dataclass(frozen=True)
class Weighed:
    """What is known of the weights of all rows: how many rows have any, and whether all are whole."""

    n_rows: int
    are_whole: bool


@dataclass(frozen=True)
class Weigh:
    """A task: the weights of a part."""

    is_joined_here: ClassVar[bool] = False

    def __call__(self, part: Part, working: Working) -> Weighed:
        weights = part.read().weights
        if weights is None:
            return Weighed(part.n_rows, True)
        return Weighed(int(np.count_nonzero(weights)), is_whole(weights))

    def join(self, one: Weighed, other: Weighed) -> Weighed:
        return Weighed(one.n_rows + other.n_rows, one.are_whole and other.are_whole)


def weigh(engine: Engine, parts: Sequence[Part]) -> Weighed:
    """Look at the weights of all rows, unless all readers say that there are none."""
    if not any(getattr(part.reader, "has_weights", True) for part in parts):
        return Weighed(sum(part.n_rows for part in parts), True)
    return engine.reduce(Weigh(), parts)
