"""Worked numbers of the other criteria that read nothing but counts."""

import numpy as np
import pytest
from tests.oracles.pruning import class_string_bits, exception_bits

from petree import smoothing
from petree.pruning import (
    CardPerClass,
    MinimumError,
    Pessimistic,
    QuinlanRivest,
    SafePruning,
    SmoothedCost,
    WallacePatrick,
)
from petree.pruning.criteria.likelihood.quinlan_rivest import exception_length
from petree.tree import Tree


def verdict(member, tree):
    """Statistic, threshold and number of leaves of a tree of which the root is examined."""
    pruned = member.prune(tree)
    verdicts = pruned.pruning_log.verdicts
    return verdicts.statistic[0], verdicts.threshold[0], pruned.n_leaves


def test_pessimistic_pruning_of_the_worked_trees():
    found = verdict(Pessimistic(), Tree.from_counts([[6, 0], [9, 0], [0, 1]]))  # e = 0, L = 3, N = 16, E = 1
    assert found == (pytest.approx(2.665922, abs=5e-7), 1.5, 1)
    kept = Tree.from_counts([[[20, 1], [21, 1]], [[3, 0], [0, 4]]])  # e = 2, L = 4, N = 50, E = 6
    found = verdict(Pessimistic(), kept)
    assert found == (pytest.approx(5.918333, abs=5e-7), 6.5, 3)


def test_pessimistic_pruning_does_not_look_below_a_cut():
    log = Pessimistic().prune(Tree.from_counts([[[6, 0], [0, 6]], [[1, 11], [11, 1]]])).pruning_log
    assert log.nodes.tolist() == [0, 1, 2]
    log = Pessimistic().prune(Tree.from_counts([[[2, 1], [1, 2]], [[1, 2], [2, 1]]])).pruning_log
    assert (log.nodes.tolist(), log.cut.tolist()) == ([0], [0])


def test_minimum_error_of_the_worked_tree():
    tree = Tree.from_counts([[5, 0], [3, 2]])
    statistic, threshold, n_leaves = verdict(MinimumError(prior="uniform"), tree)
    assert (statistic / 10, threshold / 10, n_leaves) == (pytest.approx(0.285714, abs=5e-7), pytest.approx(0.25), 1)
    beside = Tree.from_counts([[[5, 0], [3, 2]], [2, 8]])  # base rates of one half
    assert MinimumError().prune(beside).pruning_log.cut.tolist() == [1]
    assert MinimumError().prune(beside).pruning_log.verdicts.threshold[1] == pytest.approx(2.5)


@pytest.mark.parametrize(
    ("member", "needed"),
    [
        (CardPerClass(), {2: 4, 5: 10}),
        (CardPerClass(4), {2: 16, 5: 40}),
        (CardPerClass(5, "printed"), {2: 5, 5: 2}),
        (CardPerClass(5, "Kc/2"), {2: 5, 5: 12.5}),
        (CardPerClass(0), {2: 0, 5: 0}),
    ],
)
def test_cases_that_card_per_class_needs(member, needed):
    for n_classes, cases in needed.items():
        assert member.cases_needed(n_classes) == cases
        counts = np.zeros((3, n_classes))
        counts[:, 0] = [cases - 0.5, cases, cases + 0.5]
        assert member.opens(counts, np.ones(3, int), 100.0).accepted.tolist() == [False, True, True]


def test_lengths_of_quinlan_and_rivest():
    numbers = np.array([14.0, 20.0]), np.array([5.0, 10.0])
    assert exception_length(*numbers, 2) == pytest.approx([13.967226, 20.954693], abs=5e-7)
    found = verdict(QuinlanRivest(), Tree.from_counts([[8, 2], [2, 8]], n_tests=10))
    assert found == (pytest.approx(24.475559, abs=5e-7), pytest.approx(22.954693, abs=5e-7), 1)
    assert QuinlanRivest(c=2).prune(Tree.from_counts([[8, 2], [2, 8]], n_tests=10)).n_leaves == 2


def test_exceptions_among_several_classes_are_coded_class_by_class():
    # [6, 3, 1]: 4 of 10 are not of the first of 3 classes (at most 7), 1 of these 4 not of the first of 2 (at most 2).
    expected = np.log2(8) + np.log2(210) + np.log2(2) + np.log2(3) + np.log2(4)
    assert exception_bits([3, 6, 1], 1.0) == pytest.approx(expected)
    found = QuinlanRivest().leaf_costs(np.array([[3.0, 6.0, 1.0], [0.0, 7.0, 0.0], [0.0, 0.0, 0.0]]))
    assert found == pytest.approx(1 + np.log2(3) + np.array([expected, np.log2(6), 0.0]))


def test_messages_of_wallace_and_patrick():
    strings = [class_string_bits(counts, 1.0) for counts in ([10, 10], [8, 2], [10, 0])]
    assert strings == pytest.approx([21.887579, 8.951285, 3.459432], abs=5e-7)
    stump = Tree.from_counts([[8, 2], [2, 8]], n_tests=10)
    found = verdict(WallacePatrick(), stump)
    assert found == (pytest.approx(23.376501, abs=5e-7), pytest.approx(25.209507, abs=5e-7), 2)
    # 21.887579 - 8.951285 bits in each of three branches, which are leaves with a chance of 2 / 3.
    wide = verdict(WallacePatrick(), Tree.from_counts([[8, 2], [2, 8], [8, 2]], n_tests=10))
    assert wide[0] == pytest.approx(np.log2(10 / 0.9) + 3 * (np.log2(3 / 2) + 8.951285), abs=5e-6)


def test_a_root_of_one_test_can_be_split_under_wallace_and_patrick():
    tree = Tree.from_counts([[20, 0], [0, 20]], n_tests=1)
    assert verdict(WallacePatrick(), tree)[0] == pytest.approx(1 + 2 * (1 + np.log2(21)))


def test_safe_pruning_merges_leaves_of_one_class_alone():
    tree = Tree.from_counts([[[5, 1], [9, 0]], [[[0, 3], [1, 4]], [3, 3]]])  # a tie goes to the first class
    pruned = SafePruning().prune(tree)
    assert pruned.counts[pruned.is_leaf].tolist() == [[14, 1], [1, 7], [3, 3]]
    assert pruned.pruning_log.nodes.tolist() == [0, 1, 2, 5]


def test_an_empty_leaf_predicts_what_the_node_above_does():
    assert SafePruning().prune(Tree.from_counts([[0, 0], [1, 9]])).n_leaves == 1
    assert SafePruning().prune(Tree.from_counts([[[0, 0], [0, 0]], [1, 9], [9, 2]])).n_leaves == 3


def test_smoothed_costs_by_hand():
    tree = Tree.from_counts([[3, 0], [1, 2]], n_tests=4)
    lengths = SmoothedCost().leaf_length(tree)
    assert lengths[0] == pytest.approx(4 * np.log2(7 / 4) + 2 * np.log2(7 / 2))
    assert lengths[1:] == pytest.approx([3 * np.log2(4 / 3), np.log2(4) + 2 * np.log2(4 / 2)])
    statistic, threshold, n_leaves = verdict(SmoothedCost(), tree)
    assert (statistic, threshold) == (pytest.approx(lengths[1:].sum() + 2), pytest.approx(lengths[0]))
    assert n_leaves == 1
    assert SmoothedCost(pay_tests=False).prune(tree).n_leaves == 2


def test_smoothed_costs_of_the_laplace_member_are_the_default():
    tree = Tree.from_counts([[[4, 0, 1], [2, 2, 2]], [[0, 7, 0], [1, 5, 9], [0, 0, 0]]])
    own = SmoothedCost().leaf_length(tree)
    assert own == pytest.approx(SmoothedCost(smoothing.Laplace()).leaf_length(tree))
    assert own != pytest.approx(SmoothedCost(smoothing.MBranch()).leaf_length(tree))


def test_a_class_that_is_taken_for_impossible_costs_a_limited_number_of_bits():
    tree = Tree.from_counts([[3, 1], [1, 2]])
    lengths = SmoothedCost(smoothing.Frequency()).leaf_length(tree)
    assert lengths[1] == pytest.approx(3 * np.log2(3 / 2) + np.log2(1e6))


@pytest.mark.parametrize("wrong", ["m_branch", 4, smoothing.MBranch])
def test_a_smoothing_must_be_an_object_that_estimates(wrong):
    with pytest.raises(TypeError, match="'smoothing' parameter of SmoothedCost must be None or an object"):
        SmoothedCost(wrong).prune(Tree.from_counts([[3, 1], [1, 2]]))


def test_a_smoothing_by_row_is_refused():
    with pytest.raises(ValueError, match="those of Confusion depend on the row; choose another smoothing"):
        SmoothedCost(smoothing.Confusion()).prune(Tree.from_counts([[3, 1], [1, 2]]))
