"""What estimates share in which every leaf answers a row."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from petree import smoothing
from petree.parts import WithNestedPart
from petree.smoothing.base import Estimates, Probabilities, Router, Smoothing, Table, goes_by_row, strength_of
from petree.threads import Threads
from petree.tree import Tree


class AllLeaves(WithNestedPart, Smoothing):
    """Every leaf answers a row, by an estimate of its own (`leaf`), and counts by the tests on its path.

    The nodes' own estimates and their strengths, shown where a tree is read, are those of `leaf`.
    """

    by_row = True
    nested = "leaf"
    leaf: str | Estimates

    @abstractmethod
    def blend(
        self, router: Router[Table], table: Table, node_probabilities: Probabilities, threads: Threads
    ) -> Probabilities:
        """Answers to the rows of a table, given the estimates of the nodes; any number of columns, each by itself."""

    @abstractmethod
    def weight(self) -> float:
        """The parameter that weighs the leaves, checked."""

    def estimate(self, tree: Tree) -> Probabilities:
        return self._checked_leaf().estimate(tree)

    def strength(self, tree: Tree) -> NDArray[np.float64]:
        return strength_of(self._checked_leaf(), tree)

    def answer(self, tree: Tree, router: Router[Table], table: Table, threads: Threads) -> Probabilities:
        return self.blend(router, table, self.estimate(tree), threads)

    def nested_part(self) -> Estimates:
        return smoothing.resolve_smoothing(self.leaf)

    def _checked_leaf(self) -> Estimates:
        self.weight()
        leaf = self.nested_part()
        if goes_by_row(leaf):
            raise ValueError(
                f"The 'leaf' parameter of {type(self).__name__} must be a smoothing of leaves, but the answers of "
                f"{type(leaf).__name__} depend on the row; choose another, such as 'hierarchical'."
            )
        return leaf
