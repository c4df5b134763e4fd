"""The subtree of the size that predicts best."""

from __future__ import annotations

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
# Beyond so many standard errors a tree surely ranks better than chance; below that it has but a few leaves.
SURE = 3.5
FEW_LEAVES = 5
# Of what a tree saves over a single leaf, a share so many times as large is enough.
OF_GAIN = 3.0


class BestSize(Criterion):
    """The best subtree of the size that predicts cases best that it was not grown from.

    An estimator grows a tree, and one without each of five inner folds (three in tables of more than 5,000 rows).
    Weakest links (CART) order the subtrees of each by size, where a leaf costs ``-sum_i n_i log2 p_i`` bits with the
    smoothed probabilities of the estimator. Each size has the strength of the smoothing under which the left-out cases
    have the fewest bits, where a value one step weaker must save one bit in all.

    The tree is a single leaf unless the trees of the folds rank left-out cases better than chance. Otherwise size is
    chosen by the bits of the left-out cases, but a larger tree must be worth its leaves. Doubling their number must
    save a share of the bits, or three times this share of what the best size saves over a single leaf, whichever is
    less; from this the bits of one case of a class that is not the most frequent are taken off, which may be luck. So
    few cases, or few cases of a rare class, do not ask for a smaller tree but for stronger smoothing. A tree that ranks
    better than chance by no more than 3.5 standard errors has at most 5 leaves.

    By itself, without an estimator and its folds, it cuts nothing.

    Parameters
    ----------
    min_samples_leaf : int or "auto", default="auto"
        Least number of rows on either side of a split, where that of the estimator is not larger. "auto" is 2, or one
        of every 20,000 rows if that is more: in large tables smaller leaves are not kept, but take time.
    standard_errors : float, default=2.0
        Standard errors by which a tree must rank left-out cases better than chance. With 2 about 4% of the tables
        without structure get a tree. Larger values ask for more evidence.
    saving : float, default=0.015
        Share of the bits that doubling the number of leaves must save, at most .5. With 0 leaves cost nothing.
    """

    chooses_size = True
    names = (
        "bits of log loss per case that each of its leaves saves",
        "more than this was needed at the size that was chosen",
    )
    check_names: ClassVar[tuple[str, str]] = (
        "standard errors by which left-out cases are ranked better than by chance",
        "needed to be more than luck",
    )

    no_better: ClassVar[str] = (
        "The tree is a single leaf: on rows that were left out while it grew, trees rank the classes {evidence:.2f} "
        "standard errors better than chance (Mann-Whitney test), and more than {least:g} are needed. "
        "resized(max_leaf_nodes) gives a tree nevertheless, and BestSize(standard_errors=...) sets another threshold."
    )
    none_so_small: ClassVar[str] = (
        "The tree is a single leaf: of its subtrees that are the best of their number of leaves, the smallest other "
        "one has {n_leaves} leaves."
    )

    def __init__(
        self, min_samples_leaf: int | str = "auto", standard_errors: float = 2.0, saving: float = 0.015
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

    def worth(
        self,
        bits: NDArray[np.float64],
        n_leaves: NDArray[np.int64],
        luck: float,
        evidence: float,
        most_leaves: int | None,
    ) -> NDArray[np.float64]:
        """How much each size is worth: the bits that it saves on left-out cases, less the price of its leaves.

        Twice as many leaves cost a share of the bits of the best size or of what it saves over a single leaf, whichever
        is less, minus what one case may change by luck. So the price is negative where there are few cases.

        Parameters
        ----------
        bits : array (sizes,)
            Log loss of all left-out cases.
        n_leaves : array (sizes,)
            Descending; the last is a single leaf.
        luck : float
            Bits of one case of a class that is not the most frequent one.
        evidence : float
            By how many standard errors left-out cases are ranked better than by chance.
        most_leaves : int or None
        """
        allowed = (n_leaves > 1) & (n_leaves <= (n_leaves[0] if most_leaves is None else most_leaves))
        if not allowed.any():
            return np.where(n_leaves > 1, -np.inf, 0.0)
        if evidence <= SURE:
            allowed &= n_leaves <= max(FEW_LEAVES, n_leaves[allowed].min())
        fewest = float(bits[allowed].min())
        price = self.saving * min(fewest, OF_GAIN * max(float(bits[-1]) - fewest, 0.0)) - luck
        return np.where(allowed, -bits - price * np.log2(n_leaves), -np.inf)

    def cut(self, path: PruningPath, price: float) -> Tree:
        """The tree of a path at this price of a leaf."""
        return path.pruned(self, self.names, price)

    def confirm(self, tree: Tree, evidence: float) -> Tree:
        """The tree, or its root alone if left-out cases are not ranked better than by chance.

        Parameters
        ----------
        tree : Tree
        evidence : float
            In standard errors.
        """
        least = self.standard_errors
        if evidence > least:
            return tree
        refused = Verdicts(np.array([evidence]), np.array([least]), np.zeros(1, bool))
        pruned = log_of(self, self.check_names, tree, np.zeros(1, np.intp), refused).pruned()
        return noted(pruned, self.no_better.format(evidence=evidence, least=least))
