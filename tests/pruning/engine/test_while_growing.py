"""Criteria at work while a tree grows leave what they would leave of the grown tree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.pruning import plain_tree, shape
from tests.plain import plain_classifier

from petree.pruning import BIC, MDL, CardPerClass, Chi

MEMBERS = [
    Chi(when="pre"),
    Chi(alpha=0.5, bonferroni=False, when="pre"),
    MDL(),
    MDL(when="pre"),
    MDL(by="stump"),
    MDL(class_exponent=0.5),
    BIC(),
    BIC(when="pre", keep_equal=True),
    CardPerClass(4),
]


def make(seed, n_rows, n_classes):
    """Three numbers, the first of which says something of the class."""
    numbers = np.random.default_rng(seed)
    X = numbers.integers(0, 8, (n_rows, 3)).astype(float)
    y = np.where(numbers.random(n_rows) < 0.3, numbers.integers(0, n_classes, n_rows), X[:, 0] // 3 % n_classes)
    y[:n_classes] = np.arange(n_classes)
    return X, y.astype(int)


@pytest.mark.parametrize("member", MEMBERS, ids=repr)
@pytest.mark.parametrize("class_weight", [None, "balanced"])
@settings(max_examples=5)
@given(seed=st.integers(0, 10**6), n_rows=st.sampled_from((30, 200)), n_classes=st.sampled_from((2, 4)))
def test_trees_pruned_while_growing_equal_trees_pruned_after_it(member, class_weight, seed, n_rows, n_classes):
    X, y = make(seed, n_rows, n_classes)
    unpruned, pruned = (
        plain_classifier(pruning=pruning, class_weight=class_weight).fit(X, y).tree_ for pruning in ("none", member)
    )
    assert shape(plain_tree(pruned)) == shape(plain_tree(member.prune(unpruned)))


@pytest.mark.parametrize("member", [MDL(), BIC(), CardPerClass(8), MDL(when="pre"), Chi(when="pre")], ids=repr)
def test_little_is_grown_that_does_not_stay(member):
    X, y = make(0, 400, 2)
    grown = plain_classifier(pruning=member).fit(X, y).tree_.pruning_log.grown
    assert 1 < grown.n_leaves < plain_classifier(pruning="none").fit(X, y).tree_.n_leaves
