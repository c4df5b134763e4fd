"""Sums over all trees that a tree contains."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bayes.made import PRIORS, make, option_trees
from tests.bayes.oracles import contained, option_posterior, plain_options, split_weights, weighed_prunings
from tests.oracles.pruning import plain_tree
from tests.pruning.trees import trees
from tests.random_trees import chain, option_tree

from petree.bayes import Prior, Shares, average_down, posterior_shares, reach_probability
from petree.tree import Tree

WORKED = Tree.from_counts([[[8, 0], [0, 2]], [2, 8]], n_tests=10)


def shares_of(tree, prior):
    return posterior_shares(tree, prior.leaves(tree), prior.splits(tree))


def answer(tree, shares, own, branches, node=0):
    """The mean along all ways down that a row takes, by the branch it takes of each split."""
    mean = shares.stay[node] * own[node]
    for split in range(tree.split_start[node], tree.split_start[node + 1]):
        children = tree.children[tree.child_start[split] : tree.child_start[split + 1]]
        child = children[branches[split] % len(children)]
        mean = mean + shares.go[split] * answer(tree, shares, own, branches, child)
    return mean


# -- worked numbers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("structure", "log_sum", "leaves"),
    [
        ("I", -9.000380, [0.001362, 0.02171, 0.998638, 0.976928, 0.976928]),
        ("II", -12.384020, [0.020076, 0.079994, 0.979924, 0.89993, 0.89993]),
        ("III", -13.320195, None),
        ("IV", -15.678837, [0.541503]),
    ],
)
def test_shares_of_the_worked_tree(structure, log_sum, leaves):
    shares = shares_of(WORKED, Prior(structure))
    assert shares.log_evidence[0] == pytest.approx(log_sum, abs=5e-7)
    found = reach_probability(WORKED, shares) * shares.stay
    for node, expected in enumerate(leaves or []):
        assert found[node] == pytest.approx(expected, abs=5e-7)


def test_the_example_of_the_paper():
    """Shares .000, .355, .348 and .296 along a branch of .35, .76, .88 and .75 give .80."""
    tree = Tree.from_counts([[[[1, 1], [1, 1]], [1, 1]], [1, 1]])
    branch = [0, 1, 3, 5]
    stay, values = np.ones(tree.n_nodes), np.zeros((tree.n_nodes, 1))
    stay[branch[:3]] = 0, 0.355, 0.348 / (1 - 0.355)
    values[branch, 0] = 0.35, 0.76, 0.88, 0.75
    mixed = average_down(tree, Shares(np.zeros(0), stay, 1 - stay[tree.split_nodes]), values)
    assert mixed[5, 0] == pytest.approx(0.7980, abs=0.001)  # the printed shares sum to .999


def test_options_of_the_worked_node():
    """[6, 6] with the options [6, 0], [0, 6] and [5, 1], [1, 5]; a row goes left in the first, right in the second."""
    tree, prior = make([[6, 6], [6, 0], [0, 6], [5, 1], [1, 5]], [0, 0], [[1, 2], [3, 4]]), Prior()
    shares = shares_of(tree, prior)
    assert shares.stay[0] == pytest.approx(0.001072, abs=5e-7)
    assert shares.go == pytest.approx([0.99074, 0.008188], abs=5e-7)
    assert answer(tree, shares, prior.estimate(tree), [0, 1])[0] == pytest.approx(0.922263, abs=5e-7)


# -- every tree that is contained, one by one ----------------------------------------------------------------------


@settings(max_examples=13)
@given(option_trees(), PRIORS, st.lists(st.integers(0, 5), min_size=60, max_size=60))
def test_options_are_averaged_over_all_trees(tree, prior, branches):
    shares = shares_of(tree, prior)
    log_sum, expected = plain_options(prior, tree, branches)
    assert shares.log_evidence[0] == pytest.approx(log_sum)
    np.testing.assert_allclose(answer(tree, shares, prior.estimate(tree), branches), expected, rtol=1e-9)


def test_shared_nodes_are_counted_for_each_way_to_them():
    tree, prior = option_tree(), Prior()
    assert len(contained(tree)) == 3
    logs = [option_posterior(prior, tree, one) for one in contained(tree)]
    assert shares_of(tree, prior).log_evidence[0] == pytest.approx(np.logaddexp.reduce(logs))


@settings(max_examples=13)
@given(trees(), PRIORS)
def test_shares_are_those_of_all_prunings(tree, prior):
    shares, root = shares_of(tree, prior), plain_tree(tree)
    reached, weights = reach_probability(tree, shares), split_weights(prior, root)
    for node, weight in weights.items():
        assert reached[node] * (1 - shares.stay[node]) == pytest.approx(weight, rel=1e-9, abs=1e-12)
    ends = np.zeros(tree.n_nodes)
    for weight, pruned in weighed_prunings(prior, root):
        ends[[leaf.index for leaf in pruned.leaves]] += weight
    np.testing.assert_allclose(reached * shares.stay, ends, rtol=1e-9, atol=1e-12)


# -- what holds of all shares ---------------------------------------------------------------------------------------


@given(trees(), PRIORS)
def test_shares_sum_to_one_on_every_branch(tree, prior):
    shares = shares_of(tree, prior)
    is_leaf = reach_probability(tree, shares) * shares.stay
    for leaf in np.flatnonzero(tree.is_leaf):
        total, node = 0.0, int(leaf)
        while node >= 0:
            total, node = total + is_leaf[node], int(tree.parents[node])
        assert total == pytest.approx(1, abs=1e-12)


@given(option_trees(), PRIORS)
def test_a_node_and_its_options_share_one(tree, prior):
    shares = shares_of(tree, prior)
    sums = shares.stay + np.bincount(tree.split_nodes, shares.go, tree.n_nodes)
    np.testing.assert_allclose(sums, 1, rtol=1e-14)
    assert (shares.stay[tree.is_leaf] == 1).all()


@given(trees(), PRIORS)
def test_mixing_by_shares_is_mixing_down(tree, prior):
    """What any predictor gets from `stay` and `go` is what the pass down has at the leaf."""
    shares, own = shares_of(tree, prior), prior.estimate(tree)
    mixed = average_down(tree, shares, own)
    for leaf in np.flatnonzero(tree.is_leaf):
        branches, node = [0] * len(tree.conditions), int(leaf)
        while node:
            split = int(tree.split_start[tree.parents[node]])
            branches[split] = node - int(tree.children[tree.child_start[split]])
            node = int(tree.parents[node])
        np.testing.assert_allclose(answer(tree, shares, own, branches), mixed[leaf], rtol=1e-9)


def test_shares_of_very_many_cases_are_exact():
    tree = Tree.from_counts([[[3e8, 1e8], [3e8 + 1e4, 1e8]], [1e8, 9e8]])
    shares = shares_of(tree, Prior())
    np.testing.assert_allclose(shares.stay + np.bincount(tree.split_nodes, shares.go, 5), 1, rtol=1e-15)
    assert 0 < shares.stay[1] < 1
    assert shares.stay[0] == 0


def test_a_deep_tree():
    tree = chain(2000)
    mixed = average_down(tree, shares_of(tree, Prior("III")), Prior("III").estimate(tree))
    np.testing.assert_allclose(mixed.sum(axis=1), 1)


def test_the_way_to_a_node_needs_a_tree_without_options():
    tree = option_tree()
    with pytest.raises(ValueError, match="path-based methods need an ordinary tree"):
        reach_probability(tree, shares_of(tree, Prior()))
