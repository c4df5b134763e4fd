"""What estimates share in which every leaf answers a row."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from petree import smoothing
from petree.smoothing.base import Smoothing, nested_parameters, strength_of
from petree.tree import Tree


class AllLeaves(Smoothing):
    """Every leaf answers a row, by an estimate of its own (`leaf`), and has its say by the tests on its path.

    The nodes' own estimates and their strengths, shown where a tree is read, are those of `leaf`.
    """

    by_row = True
    leaf: Any

    @abstractmethod
    def hear(
        self, router: Any, table: Any, node_probabilities: NDArray[np.float64], threads: Any
    ) -> NDArray[np.float64]:
        """Answers to the rows of a table, when the leaves say this; any number of columns, each by itself."""

    @abstractmethod
    def _check(self) -> float:
        """The parameter that weighs the leaves."""

    def estimate(self, tree: Tree) -> NDArray[np.float64]:
        return self._checked_leaf().estimate(tree)

    def strength(self, tree: Tree) -> NDArray[np.float64]:
        return strength_of(self._checked_leaf(), tree)

    def answer(self, tree: Tree, router: Any, table: Any, threads: Any) -> NDArray[np.float64]:
        """Class probabilities of the rows of a table, sent down the tree by its router."""
        return self.hear(router, table, self.estimate(tree), threads)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        parameters: dict[str, Any] = super().get_params(deep=False)
        return parameters | nested_parameters("leaf", smoothing.resolve_smoothing(self.leaf)) if deep else parameters

    def set_params(self, **parameters: Any) -> Self:
        self.leaf = parameters.pop("leaf", self.leaf)
        if any(name.startswith("leaf__") for name in parameters):
            self.leaf = smoothing.resolve_smoothing(self.leaf)
        return super().set_params(**parameters)

    def _checked_leaf(self) -> Any:
        self._check()
        leaf = smoothing.resolve_smoothing(self.leaf)
        if getattr(leaf, "by_row", False):
            raise ValueError(
                f"The 'leaf' parameter of {type(self).__name__} must be a smoothing of leaves, but the answers of "
                f"{type(leaf).__name__} depend on the row; choose another, such as 'hierarchical'."
            )
        return leaf
