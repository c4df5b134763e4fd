"""What MDL and BIC share: a tree is worth the bits it saves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.parts import check_choice, check_number
from petree.pruning.by_cost import CountCostCriterion
from petree.pruning.by_stump import StumpCriterion
from petree.pruning.engine.bottom_up import is_cheaper
from petree.pruning.engine.context import Context
from petree.pruning.engine.counts import bits, n_children
from petree.pruning.engine.stumps import Stumps, Verdicts
from petree.tree import Tree


class DescriptionLength(StumpCriterion, CountCostCriterion):
    """``DL(T) + sum_leaves N_l H_l`` is to be small; members say how long a leaf and the choice of a test are.

    Replacing a leaf by a stump costs the `price` of the stump and saves ``N_l IG`` bits.
    """

    judges_at_once = True
    closes_nodes = True

    def __init__(
        self, when: str = "post", by: str = "subtree", class_exponent: float = 1.0, keep_equal: bool = False
    ) -> None:
        self.when = when
        self.by = by
        self.class_exponent = class_exponent
        self.keep_equal = keep_equal

    @property
    def compares_subtrees(self) -> bool:
        return (self.when, self.by) == ("post", "subtree")

    @property
    def names(self) -> tuple[str, str]:
        if self.compares_subtrees:
            return ("bits to write down the subtree and its cases", "bits to write down one leaf and its cases")
        return ("bits that the test saves in writing down the classes", "bits to write down the test")

    def check(self) -> None:
        super().check()
        check_choice(self, "by", ("subtree", "stump"))
        check_choice(self, "keep_equal", (True, False))
        check_number(self, "class_exponent", 0)

    def leaf_length(self, n_classes: int, n_cases: float) -> float:
        """Bits of a leaf."""
        raise NotImplementedError

    def test_length(self, n_tests: NDArray[np.int64]) -> NDArray[np.float64]:
        """Bits of an inner node without what lies below it."""
        raise NotImplementedError

    def price(
        self, n_children: NDArray[np.intp] | int, n_tests: NDArray[np.int64], n_classes: int, n_cases: float
    ) -> NDArray[np.float64]:
        """Bits that a node with children costs more than a leaf."""
        return self.test_length(n_tests) + (n_children - 1) * self.leaf_length(n_classes, n_cases)

    def parameter_length(self, n_classes: int, n_cases: float) -> float:
        """Bits of the probabilities of a leaf."""
        return 0.5 * float(n_classes - 1) ** float(self.class_exponent) * float(np.log2(max(n_cases, 1.0)))

    def opens(self, counts: NDArray[np.float64], n_tests: NDArray[np.int64], n_cases: float) -> Verdicts:
        """Whether nodes can save what the cheapest stump costs; no other would keep a split.

        This is the stop while growing of Fierens et al. (2007), Appendix A.
        """
        saved = bits(counts)
        paid = self.price(2, n_tests, counts.shape[1], n_cases)
        if self.when == "pre":
            return Verdicts(saved, paid, is_cheaper(paid, saved, or_equal=True))
        if self.by == "subtree":
            return Verdicts(paid, saved, is_cheaper(paid, saved, or_equal=True))
        return Verdicts(saved, paid, np.ones(len(counts), bool))  # below, with fewer tests to choose from, one may stay

    def judge(self, stumps: Stumps, context: Context) -> Verdicts:
        price = self.price(np.diff(stumps.child_start), stumps.n_tests, stumps.counts.shape[1], stumps.n_cases)
        leaf = bits(stumps.counts)
        below = stumps.sum(bits(stumps.children))
        return Verdicts(leaf - below, price, is_cheaper(price + below, leaf, self.keep_equal))

    def _prune(self, tree: Tree, context: Context) -> Tree:
        kind = CountCostCriterion if self.compares_subtrees else StumpCriterion
        return kind._prune(self, tree, context)

    def leaf_costs(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        return bits(counts)

    def split_costs(self, tree: Tree, n_cases: float) -> NDArray[np.float64]:
        return self.price(n_children(tree), tree.n_tests, tree.n_classes, n_cases)
