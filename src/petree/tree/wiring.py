"""A tree as the compiled loops know it."""

from __future__ import annotations

import numpy as np

from petree import core
from petree.tree.tree import Tree


def wiring_of(tree: Tree) -> core.trees.Wiring:
    """Which nodes hang on which, checked: children stand behind their parents."""
    starts = (np.ascontiguousarray(one, np.int32) for one in (tree.split_start, tree.child_start, tree.children))
    return core.trees.Wiring(*starts)
