"""No pruning."""

from __future__ import annotations

from petree.pruning.criterion import Criterion
from petree.pruning.engine.context import Context
from petree.tree import Tree


class NoPruning(Criterion):
    """The tree as it was grown (C4.4, and the baseline of every comparison)."""

    def _prune(self, tree: Tree, context: Context) -> Tree:
        return tree
