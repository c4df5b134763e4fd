"""Random trees for pruning criteria."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from petree.tree import Tree

# A number of cases: often none, sometimes many.
COUNTS = st.one_of(st.just(0), st.integers(0, 4), st.integers(0, 40))


@st.composite
def trees(draw: Any, max_children: int = 3, classes: tuple[int, ...] = (2, 3, 5), max_leaves: int = 12) -> Tree:
    """Trees of whole counts with empty nodes, and numbers of candidate tests that differ from node to node."""
    n_classes = draw(st.sampled_from(classes))
    leaf = st.lists(COUNTS, min_size=n_classes, max_size=n_classes)
    nested = draw(
        st.recursive(leaf, lambda below: st.lists(below, min_size=2, max_size=max_children), max_leaves=max_leaves)
    )
    tree = Tree.from_counts(nested)
    n_tests = draw(st.lists(st.sampled_from((1, 2, 6, 50)), min_size=tree.n_nodes, max_size=tree.n_nodes))
    return replace(tree, n_tests=np.array(n_tests))


def with_class_weight(tree: Tree, weight: float) -> Tree:
    """The first class weighs more, or less, than the others."""
    return replace(tree, class_weight=np.array([weight] + [1.0] * (tree.n_classes - 1)))
