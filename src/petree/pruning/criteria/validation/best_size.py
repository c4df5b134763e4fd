"""The subtree of the size that predicts best."""

from __future__ import annotations

from math import log2
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from petree.parts import check_integer, check_number
from petree.pruning.criterion import Criterion
from petree.pruning.engine.context import Context
from petree.pruning.engine.log import log_of, noted
from petree.pruning.engine.stumps import Verdicts
from petree.pruning.engine.weakest_links import PruningPath
from petree.tree import Tree

# In a table of more than twice as many rows, the smallest leaf grows with them.
LARGE = 20_000
# A gain over the base rates of more standard errors is sure; of the gain of the best size no smaller one keeps less
# than this share, if what it keeps is sure.
SURE = 2.5
KEPT = 0.8


class BestSize(Criterion):
    """The best subtree of the size that predicts cases best that it was not grown from.

    An estimator grows a tree, and one without each of five inner folds (three in tables of more than 5,000
    rows). Weakest links (CART) order the subtrees of each by size, where a leaf costs ``-sum_i n_i log2 p_i`` bits with
    the smoothed probabilities of the estimator. Each size has the strength of the smoothing under which the left-out
    cases have the fewest bits, and the size is chosen by these bits too, but a larger tree must be worth its leaves:
    twice as many must save one percent of the bits. Of what the best size saves over the base rates, a smaller one
    keeps at least four fifths, if what it saves then is more than 2.5 standard errors. A tree that does not save more
    than one is a single leaf.

    By itself, without an estimator and its folds, it cuts nothing.

    Parameters
    ----------
    min_samples_leaf : int or "auto", default="auto"
        Least number of rows on either side of a split, where that of the estimator is not larger. "auto" is 2, or one
        of every 20,000 rows if that is more: in large tables smaller leaves are not kept, but take time.
    standard_errors : float, default=1.0
        Standard errors by which a tree must beat the base rates.
    saving : float, default=0.01
        Share of the bits that twice as many leaves must save, at most .5. With 0 the size is that of the fewest bits,
        however little the last leaves save.
    """

    chooses_size = True
    names = (
        "bits of log loss per case that each of its leaves saves",
        "more than this was needed at the size that was chosen",
    )
    check_names: ClassVar[tuple[str, str]] = (
        "bits of log loss that the tree saves per left-out case",
        "needed to be more than luck",
    )

    none_better: ClassVar[str] = (
        "The tree is a single leaf: on rows that were left out while it grew, no tree that is allowed predicted the "
        "classes so much better than their base rates that it is worth its leaves."
    )
    none_so_small: ClassVar[str] = (
        "The tree is a single leaf: of its subtrees that are the best of their number of leaves, the smallest other "
        "one has {n_leaves} leaves."
    )
    no_surely_better: ClassVar[str] = (
        "The tree is a single leaf: on rows that were left out while it grew, trees predicted the classes better than "
        "their base rates by so little that it may be luck."
    )

    def __init__(
        self, min_samples_leaf: int | str = "auto", standard_errors: float = 1.0, saving: float = 0.01
    ) -> None:
        self.min_samples_leaf = min_samples_leaf
        self.standard_errors = standard_errors
        self.saving = saving

    def check(self) -> None:
        if self.min_samples_leaf != "auto":
            check_integer(self, "min_samples_leaf", 1)
        check_number(self, "standard_errors", 0)
        check_number(self, "saving", 0, most=0.5)

    def _prune(self, tree: Tree, context: Context) -> Tree:
        return tree

    def least_rows(self, n_rows: int) -> int:
        """Least number of rows on either side of a split of a table."""
        return max(2, n_rows // LARGE) if self.min_samples_leaf == "auto" else int(self.min_samples_leaf)

    def priced(self, bits: NDArray[np.float64], n_leaves: NDArray[np.int64]) -> NDArray[np.float64]:
        """The bits of trees and the price of their leaves in one number, of which the least is best.

        ``b L^a`` with ``2^-a = 1 - saving``: a tree of twice as many leaves L is as good as another if its bits b are
        fewer by the share `saving`.
        """
        return bits * n_leaves ** -log2(1 - self.saving)

    def is_sure(self, gain: float, error: float) -> bool:
        """Whether a gain over the base rates of this standard error leaves no doubt."""
        return gain > SURE * error

    def cut(self, path: PruningPath, price: float) -> Tree:
        """The tree of a path at this price of a leaf."""
        return path.pruned(self, self.names, price)

    def confirm(self, tree: Tree, gain: float, error: float) -> Tree:
        """The tree, or its root alone where it does not predict.

        Parameters
        ----------
        tree : Tree
        gain, error : float
            Bits per left-out case that the trees of the folds save over the base rates, and the standard error of it.
        """
        least = self.standard_errors * error
        if gain > least:
            return tree
        refused = Verdicts(np.array([gain]), np.array([least]), np.zeros(1, bool))
        return noted(
            log_of(self, self.check_names, tree, np.zeros(1, np.intp), refused).pruned(), self.no_surely_better
        )
