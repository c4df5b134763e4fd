"""Which rows of a data set an inner fold leaves out, or are held out from growing.

A row is known by its number, counted through all parts, so that folds depend neither on where the data are cut in parts
nor on who counts them. (Equal rows have equal contents, and by these alone all of them would be left out together, and
the tree would never have seen their like.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree.keys import combine_keys, root_key

# Folds, and cases that are held out from growing within each of them, are dealt from different seeds, so that neither
# follows from the other. No seed of a user is as large.
HOLDING_OUT = 2**32


@dataclass(frozen=True)
class FoldRows:
    """The rows that one of some folds leaves out, or all others; of all rows, or of those that others count."""

    seed: int
    n_folds: int
    fold: int
    are_held: bool
    within: FoldRows | None = None

    def are_counted(self, numbers: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Whether rows of these numbers are among them, each with all its weight."""
        draws = combine_keys(root_key(self.seed), numbers)
        is_counted = (draws % np.uint64(self.n_folds) == np.uint64(self.fold)) == self.are_held
        return is_counted if self.within is None else is_counted & self.within.are_counted(numbers)
