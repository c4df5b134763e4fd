"""No pruning."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator

from petree.tree import Tree


class NoPruning(BaseEstimator):
    """The tree as it was grown (C4.4, and the baseline of every comparison)."""

    def prune(self, tree: Tree, context: Any = None) -> Tree:
        return tree
