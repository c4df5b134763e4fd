"""Rows of a tree that was not grown from them: each node is a slice."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from petree.sources.table import slices_of
from petree.tree import Tree


def nested_counts():
    leaf = st.lists(st.integers(0, 9), min_size=2, max_size=2)
    return st.recursive(leaf, lambda below: st.lists(below, min_size=2, max_size=3), max_leaves=12)


def above(tree, node):
    return {node} if node == 0 else {node, *above(tree, int(tree.parents[node]))}


@given(nested_counts(), st.integers(0, 99))
def test_the_slice_of_a_node_has_its_rows(nested, seed):
    tree = Tree.from_counts(nested)
    leaves = np.random.default_rng(seed).choice(np.flatnonzero(tree.is_leaf), 30)
    order, slices = slices_of(tree, leaves)
    assert sorted(order.tolist()) == list(range(30))
    for node in range(tree.n_nodes):
        rows = order[slice(*slices[node])].tolist()
        assert sorted(rows) == [row for row in range(30) if node in above(tree, int(leaves[row]))]
        if tree.is_leaf[node]:
            assert rows == sorted(rows)
