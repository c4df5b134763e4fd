"""The subtree of the size that predicts best."""

from __future__ import annotations

from math import inf
from typing import ClassVar

import numpy as np

from petree.parts import check_integer, check_number
from petree.pruning.criterion import Criterion
from petree.pruning.engine.context import Context
from petree.pruning.engine.log import log_of, noted
from petree.pruning.engine.stumps import Verdicts
from petree.pruning.engine.weakest_links import PruningPath
from petree.tree import Tree

# In a table of more than twice as many rows, the smallest leaf grows with them.
LARGE = 20_000
# A tree of more leaves than these needs so many times the evidence.
FEW = 5
STRONG = 2.5


class BestSize(Criterion):
    """The best subtree of the size that predicts cases best that it was not grown from.

    An estimator grows a tree, and one without each of five inner folds (three in tables of more than 5,000
    rows). Weakest links (CART) order the subtrees of each by size, where a leaf costs ``-sum_i n_i log2 p_i`` bits with
    the smoothed probabilities of the estimator. The size and the strength of the smoothing are chosen together: those
    under which the left-out cases have the fewest bits. The more leaves, the more these must be fewer than under the
    base rates: by one standard error of the difference, or the tree is a single leaf; by 2.5, or it has no more than
    five leaves.

    By itself, without an estimator and its folds, it cuts nothing.

    Parameters
    ----------
    min_samples_leaf : int or "auto", default="auto"
        Least number of rows on either side of a split, where that of the estimator is not larger. "auto" is 2, or one
        of every 20,000 rows if that is more: in large tables smaller leaves are not kept, but take time.
    standard_errors : float, default=1.0
        Standard errors by which a tree must beat the base rates.
    """

    chooses_size = True
    names = (
        "bits of log loss per case that each of its leaves saves",
        "needed at the size that was chosen",
    )
    check_names: ClassVar[tuple[str, str]] = (
        "bits of log loss that the tree saves per left-out case",
        "needed to be more than luck",
    )

    none_better: ClassVar[str] = (
        "The tree is a single leaf: on rows that were left out while it grew, no tree that is allowed predicted the "
        "classes better than their base rates."
    )
    no_surely_better: ClassVar[str] = (
        "The tree is a single leaf: on rows that were left out while it grew, trees predicted the classes better than "
        "their base rates by so little that it may be luck."
    )

    def __init__(self, min_samples_leaf: int | str = "auto", standard_errors: float = 1.0) -> None:
        self.min_samples_leaf = min_samples_leaf
        self.standard_errors = standard_errors

    def check(self) -> None:
        if self.min_samples_leaf != "auto":
            check_integer(self, "min_samples_leaf", 1)
        check_number(self, "standard_errors", 0)

    def _prune(self, tree: Tree, context: Context) -> Tree:
        return tree

    def least_rows(self, n_rows: int) -> int:
        """Least number of rows on either side of a split of a table."""
        return max(2, n_rows // LARGE) if self.min_samples_leaf == "auto" else int(self.min_samples_leaf)

    def cut(self, path: PruningPath, price: float) -> Tree:
        """The tree of a path at this price of a leaf."""
        return path.pruned(self, self.names, price)

    def most_leaves(self, gain: float, error: float) -> float:
        """Most leaves of a tree whose gain over the base rates has this standard error."""
        if gain > STRONG * self.standard_errors * error:
            return inf
        return FEW if gain > self.standard_errors * error else 1

    def confirm(self, tree: Tree, gain: float, error: float) -> Tree:
        """The tree, or its root alone where it does not predict.

        Parameters
        ----------
        tree : Tree
        gain, error : float
            Bits per left-out case that the trees of the folds save over the base rates, and the standard error of it.
        """
        least = self.standard_errors * error
        if gain > least or tree.n_leaves == 1:
            return tree
        refused = Verdicts(np.array([gain]), np.array([least]), np.zeros(1, bool))
        return noted(
            log_of(self, self.check_names, tree, np.zeros(1, np.intp), refused).pruned(), self.no_surely_better
        )
