"""Probability estimates, member by member."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.families.smoothings import SMOOTHINGS

from petree import smoothing
from petree.tree import Tree


def nested_counts(n_classes=3):
    leaf = st.lists(st.integers(0, 9), min_size=n_classes, max_size=n_classes)
    return st.recursive(leaf, lambda below: st.lists(below, min_size=2, max_size=3), max_leaves=10)


@pytest.mark.parametrize(("alias", "_", "worked"), SMOOTHINGS)
def test_estimates_of_the_worked_leaf(alias, _, worked):
    if worked is None:
        pytest.skip("worked on a path, below")
    leaf, expected = worked
    np.testing.assert_allclose(smoothing.estimate(alias, Tree.from_counts([leaf, [1, 1, 1]]))[1], expected, atol=5e-7)


@pytest.mark.parametrize(("alias", "plain", "_"), SMOOTHINGS)
@settings(deadline=None)
@given(nested=nested_counts())
def test_estimates_equal_their_definition_and_sum_to_one(alias, plain, _, nested):
    tree = Tree.from_counts(nested)
    estimates = smoothing.estimate(alias, tree)
    np.testing.assert_allclose(estimates.sum(axis=1), 1)
    assert ((estimates >= 0) & (estimates <= 1)).all()
    for node in range(tree.n_nodes):
        path = [node]
        while path[0]:
            path.insert(0, int(tree.parents[path[0]]))
        np.testing.assert_allclose(estimates[node], plain(tree.counts[path].tolist(), tree.n_classes))


# -- worked numbers of members with parameters -------------------------------------------------------------------


PATH = Tree.from_counts([[[[3, 0], [5, 2]], [22, 8]], [30, 30]])  # [60, 40], [30, 10], [8, 2], [3, 0]
LEAF = 5


@pytest.mark.parametrize(
    ("member", "expected"),
    [
        (smoothing.MBranch(4), 0.834848),
        (smoothing.Curtailment(5), 0.8),
        (smoothing.Hierarchical(10), 0.876364),
    ],
)
def test_estimates_of_the_worked_path(member, expected):
    assert PATH.counts[[0, 1, 3, LEAF], 0].tolist() == [60, 30, 8, 3]
    assert member.estimate(PATH)[LEAF, 0] == pytest.approx(expected, abs=5e-7)


def test_m_branch_of_a_lone_root_and_m_estimate_of_base_rates():
    assert smoothing.MBranch(4).estimate(PATH.cut([0]))[0, 0] == pytest.approx(62 / 104)
    tree = Tree.from_counts([[3, 0, 1], [2, 3, 1]])  # base rates .5, .3, .2
    found = smoothing.MEstimate(2, "base_rate").estimate(tree)[1]
    np.testing.assert_allclose(found, [2 / 3, 0.1, 0.233333], atol=5e-7)


@settings(deadline=None)
@given(nested=nested_counts())
def test_estimates_that_are_the_same(nested):
    tree = Tree.from_counts(nested)
    plain = smoothing.Frequency().estimate(tree)
    np.testing.assert_allclose(smoothing.MEstimate(3).estimate(tree), smoothing.Laplace().estimate(tree))
    np.testing.assert_allclose(smoothing.Hierarchical(0).estimate(tree), plain, atol=1e-12)
    np.testing.assert_allclose(smoothing.Curtailment(1).estimate(tree), plain)


@pytest.mark.parametrize(
    ("member", "sentence"),
    [
        (smoothing.MEstimate(0), "'m' parameter of MEstimate must be a finite number above 0. Got 0"),
        (smoothing.MEstimate(4, "bayes"), "'prior' parameter of MEstimate must be one of uniform, base_rate"),
        (smoothing.MBranch(-1), "'m' parameter of MBranch must be a finite number above 0"),
        (smoothing.Curtailment("5"), "'v' parameter of Curtailment must be a finite number not below 0"),
        (smoothing.Hierarchical(np.inf), "'shrinkage' parameter of Hierarchical must be a finite number not below 0"),
    ],
)
def test_parameters_of_estimates_are_checked(member, sentence):
    with pytest.raises(ValueError, match=sentence):
        member.estimate(PATH)
