"""Which rows of a data set an inner fold leaves out, or are held out from growing.

A row is known by its number, counted through all parts, so that folds depend neither on where the data are cut in parts
nor on who counts them. (Equal rows have equal contents, and by these alone all of them would be left out together, and
the tree would never have seen their like.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree.keys import Keys, combine_keys, root_key

# Folds, and cases that are held out from growing within each of them, are dealt from different seeds, so that neither
# follows from the other. No seed of a user is as large.
HOLDING_OUT = 2**32


def held_copies(draws: Keys, copies: NDArray[np.int64], n_folds: int, fold: int) -> NDArray[np.int64]:
    """How many copies of each row a fold leaves out: they go round the folds, beginning with the one that is drawn."""
    first = (draws % np.uint64(n_folds)).astype(np.int64)
    return copies // n_folds + ((fold - first) % n_folds < copies % n_folds)


@dataclass(frozen=True)
class FoldRows:
    """The rows that one of some folds leaves out, or all others; of all rows, or of those that others count."""

    seed: int
    n_folds: int
    fold: int
    are_held: bool
    within: FoldRows | None = None

    def copies(self, numbers: NDArray[np.uint64], copies: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many copies there are of rows of these numbers, given how many the whole data set has."""
        copies = copies if self.within is None else self.within.copies(numbers, copies)
        draws = combine_keys(root_key(self.seed), numbers)
        held = held_copies(draws, copies, self.n_folds, self.fold)
        return held if self.are_held else copies - held
