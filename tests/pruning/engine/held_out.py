"""Drawn trees with cases that they were not grown from."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from tests.oracles.cases import (
    Case,
    grown_leaves,
)
from tests.oracles.pruning import PlainNode
from tests.pruning.trees import trees

from petree.pruning.engine.routed_cases import RoutedCases
from petree.tree import Tree

WORKED = Tree.from_counts([[[12, 0], [3, 5]], [[1, 9], [6, 4]]], n_tests=6)


def reached(tree: Tree, cases: list[Case]) -> RoutedCases:
    leaves, classes = np.array(cases, np.intp).reshape(-1, 2).T
    return RoutedCases(leaves, classes, np.ones(len(cases)))


@st.composite
def trees_and_cases(draw: Any) -> tuple[Tree, list[Case]]:
    """A tree, and cases that reach its leaves."""
    tree = draw(trees(max_leaves=10))
    case = st.tuples(st.sampled_from(np.flatnonzero(tree.is_leaf).tolist()), st.integers(0, tree.n_classes - 1))
    return tree, draw(st.lists(case, min_size=1, max_size=40))


def those_that_reach(node: PlainNode, cases: list[Case]) -> list[Case]:
    return [case for case in cases if case[0] in grown_leaves(node)]
