"""Pruning criteria, member by member."""

import pytest
from tests.families.prunings import PRUNINGS

from petree import pruning
from petree.tree import Tree


@pytest.mark.parametrize(("alias", "n_leaves"), PRUNINGS)
def test_pruning_of_the_worked_tree(alias, n_leaves):
    tree = Tree.from_counts([[[12, 0], [3, 5]], [[1, 9], [6, 4]]], n_tests=6)
    assert pruning.prune(alias, tree).n_leaves == n_leaves
