"""Two trees of one root as options of it."""

from __future__ import annotations

import numpy as np
import pytest

from petree import OptionTreeClassifier
from petree.tree import joined_at_root


@pytest.mark.parametrize("seed", range(3))
def test_each_tree_is_there_below_the_root(seed: int) -> None:
    random = np.random.default_rng(seed)
    X = random.random((40, 3)).round(1)
    y = random.choice(["a", "b"], 40)
    first, second = (
        OptionTreeClassifier(n_searches=1, max_depth=depth, max_features=1, random_state=seed).fit(X, y).tree_
        for depth in (2, 3)
    )
    tree = joined_at_root(first, second)
    assert tree.n_nodes == first.n_nodes + second.n_nodes - 1
    assert (np.diff(tree.levels) >= 0).all()
    options = slice(0, tree.split_start[1])
    n_first = first.split_start[1]
    texts = [str(one) for one in tree.conditions][options]
    assert (
        texts
        == [str(one) for one in first.conditions][:n_first]
        + [str(one) for one in second.conditions][: second.split_start[1]]
    )
    for split in range(options.stop):
        old, place = (first, split) if split < n_first else (second, split - n_first)
        assert _below(tree, split) == _below(old, place)
    for split, penalty in enumerate(tree.split_annotations["cut_penalty"][options]):
        old, place = (first, split) if split < n_first else (second, split - n_first)
        assert penalty == old.split_annotations["cut_penalty"][place]


def _below(tree, split):
    """Test, counts and all that follows of a split, whatever the nodes are called."""
    children = tree.children[tree.child_start[split] : tree.child_start[split + 1]]
    found = [
        (tree.counts[child].tolist(), [_below(tree, one) for one in range(*tree.split_start[child : child + 2])])
        for child in children.tolist()
    ]
    return str(tree.conditions[split]), found
