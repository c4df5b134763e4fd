"""Nodes that Bayesian smoothing hardly uses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bayes.made import PRIORS
from tests.bayes.oracles import plain_negligible, split_weights
from tests.oracles.pruning import plain_tree, shape
from tests.plain import plain_classifier
from tests.pruning.trees import trees

from petree.bayes import Prior
from petree.pruning import Negligible
from petree.smoothing import Bayes
from petree.tree import Tree

BOUNDS = st.sampled_from((0.0013, 0.013, 0.11, 0.43))  # no weight is exactly one of these
WORKED = Tree.from_counts([[[8, 0], [0, 2]], [2, 8]], n_tests=10)


def leaves_of(grown, pruned):
    """For each leaf of the grown tree, the leaf of the pruned one that stands for it."""
    numbered = grown.with_annotations(place=np.arange(grown.n_nodes))
    places = numbered.cut(pruned.pruning_log.cut).annotations["place"].tolist()
    for leaf in np.flatnonzero(grown.is_leaf).tolist():
        node = leaf
        while node not in places or not pruned.is_leaf[places.index(node)]:
            node = int(grown.parents[node])
        yield leaf, places.index(node)


@settings(max_examples=13)
@given(trees(), PRIORS, BOUNDS)
def test_no_probability_changes_by_more_than_the_bound(tree, prior, bound):
    pruned = Negligible(bound, prior).prune(tree)
    before, after = Bayes(prior).estimate(tree), Bayes(prior).estimate(pruned)
    for leaf, stands_for_it in leaves_of(tree, pruned):
        assert np.abs(before[leaf] - after[stands_for_it]).max() <= bound + 1e-12


@settings(max_examples=13)
@given(trees(), PRIORS, BOUNDS)
def test_the_limit_of_weights_is_lowered_only_where_it_must_be(tree, prior, bound):
    found = Negligible(bound, prior).prune(tree)
    assert shape(plain_tree(found)) == shape(plain_negligible(plain_tree(tree), bound, prior))


@given(trees(), PRIORS, BOUNDS)
def test_the_log_has_the_weights(tree, prior, bound):
    log = Negligible(bound, prior).prune(tree).pruning_log
    weights = split_weights(prior, plain_tree(tree))
    np.testing.assert_allclose(log.verdicts.statistic, [weights[node] for node in log.nodes], rtol=1e-9, atol=1e-12)
    limits = set(log.verdicts.threshold.tolist())
    assert len(limits) <= 1
    assert all(np.log2(bound / limit) % 1 == 0 for limit in limits)


def test_the_worked_tree():
    below = 1 - 0.001362 - 0.02171  # the weight of the two lowest leaves
    log = Negligible(0.5).prune(WORKED).pruning_log
    np.testing.assert_allclose(log.verdicts.statistic, [1 - 0.001362, below], atol=1e-6)
    assert len(log.cut) == 0
    assert Negligible(0.98).prune(WORKED).n_leaves == 2
    assert Negligible(1.0).prune(WORKED).n_leaves == 1


def test_many_nodes_of_little_weight_are_not_cut_all_at_once():
    """Each of ten children is split with a probability of .15, and few prunings split the root and none of them."""
    tree, prior = Tree.from_counts([[[5, 0], [4, 1]]] * 5 + [[[0, 5], [1, 4]]] * 5), Prior()
    leaves, children = prior.leaves(tree), np.arange(1, 11)
    penalty = np.zeros(tree.n_nodes)
    penalty[children] = leaves[children] - leaves[11:].reshape(10, 2).sum(axis=1) + np.log(0.3 / 0.7)
    penalty[0] = leaves[0] - (leaves[children] - np.log(0.7)).sum()
    tree = tree.with_annotations(cut_penalty=penalty)
    pruned = Negligible(0.16).prune(tree)
    np.testing.assert_allclose(pruned.pruning_log.verdicts.statistic, [0.5] + [0.15] * 10)
    assert (pruned.n_nodes, pruned.pruning_log.verdicts.threshold[0]) == (tree.n_nodes, 0.08)
    all_at_once = Bayes().estimate(tree.cut(children))
    assert np.abs(all_at_once[1] - Bayes().estimate(tree)[11]).max() > 0.17
    one_by_one = Bayes().estimate(tree.cut([1]))
    assert np.abs(one_by_one[1] - Bayes().estimate(tree)[11]).max() < 0.15


def test_a_fitted_tree_answers_within_the_bound():
    numbers = np.random.default_rng(3)
    X = numbers.normal(size=(500, 4))
    y = np.where(numbers.random(500) < 0.2, numbers.random(500) < 0.5, X[:, 0] > 0)
    smoothing = Bayes("III")
    whole = plain_classifier(pruning="none", smoothing=smoothing).fit(X, y)
    small = plain_classifier(pruning=Negligible(0.05, "III"), smoothing=smoothing).fit(X, y)
    assert 1 < small.get_n_leaves() < whole.get_n_leaves() / 4
    assert np.abs(small.predict_proba(X) - whole.predict_proba(X)).max() <= 0.05


@pytest.mark.parametrize("bound", [0, 1.5, "little"])
def test_parameters_are_checked(bound):
    with pytest.raises(ValueError, match="'bound' parameter of Negligible must be a finite number above 0 and not abo"):
        Negligible(bound).prune(WORKED)
