"""Tests that stand in for those of a tree where the value that these ask for is missing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree.conditions import Condition, Conditions
from petree.tree.spans import offsets, ranges


@dataclass(frozen=True, eq=False)
class Surrogates:
    """The surrogates of every split, in the order in which they are asked (Breiman et al. 1984, section 5.3).

    Parameters
    ----------
    start : array (splits + 1,)
        Split s has the surrogates ``start[s]:start[s + 1]``.
    tests : Conditions
        One a surrogate; each has two branches.
    turned : array (surrogates,)
        Whether rows go to branch 1 of the split where the surrogate holds.
    agreement : array (surrogates,)
        Share of the training weight with a value at the split that the surrogate sends the same way.
    """

    start: NDArray[np.int32]
    tests: Conditions
    turned: NDArray[np.bool_]
    agreement: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.tests)

    def take(self, splits: NDArray[np.intp]) -> Surrogates:
        """Those of some splits, in the order asked for."""
        which = ranges(self.start[splits], self.start[splits + 1])
        lengths = np.diff(self.start)[splits]
        start = offsets(lengths).astype(np.int32)
        return Surrogates(start, self.tests.take(which), self.turned[which], self.agreement[which])

    def of(self, split: int) -> list[tuple[Condition, bool, float]]:
        """The tests that stand in for that of a split, whether each is turned, and how well it agrees."""
        which = range(int(self.start[split]), int(self.start[split + 1]))
        return [(self.tests[k], bool(self.turned[k]), float(self.agreement[k])) for k in which]

    def texts(self, split: int) -> list[str]:
        """What sends rows to the first branch of a split where its own value is missing, in the user's words."""
        return [test.branches[int(is_turned)] for test, is_turned, _ in self.of(split)]
