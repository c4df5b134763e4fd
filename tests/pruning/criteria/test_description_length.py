"""MDL and BIC: the papers' numbers, the order of sizes, and the stop while growing."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.pruning import data_length, plain_tree, shape, tree_length
from tests.pruning.trees import trees

from petree.pruning import BIC, MDL
from petree.pruning.engine.counts import bits, n_children
from petree.pruning.engine.stumps import Stumps
from petree.tree import Tree

WORKED = Tree.from_counts([[[12, 0], [3, 5]], [[1, 9], [6, 4]]], n_tests=6)
STUMP = Tree.from_counts([[8, 2], [2, 8]], n_tests=10)
WAYS = [{"by": "stump"}, {"by": "subtree"}, {"when": "pre"}]
CRITERIA = st.sampled_from((MDL, BIC))


@pytest.mark.parametrize(
    ("n_classes", "n_cases", "n_tests", "mdl", "bic"),
    [(2, 20, 10, 7.482892, 2.160964), (2, 435, 48, 11.967398, 4.382436), (10, 7494, 112, 66.729196, 57.921841)],
)
def test_a_test_costs_what_the_papers_say(n_classes, n_cases, n_tests, mdl, bic):
    for criterion, expected in ((MDL(), mdl), (BIC(), bic)):
        found = criterion.price(2, np.array([n_tests]), n_classes, n_cases)
        assert found == pytest.approx([expected], abs=5e-7)


def test_limits_and_gains_of_the_worked_tree():
    stumps = Stumps.of(WORKED, np.array([0, 1, 2]))
    for criterion, limit in ((MDL(when="pre"), 7.245927), (BIC(when="pre"), 2.660964)):
        verdicts = criterion.judge(stumps, None)
        assert verdicts.statistic == pytest.approx([4.804055, 8.590090, 4.281899], abs=5e-7)
        assert verdicts.threshold == pytest.approx([limit] * 3, abs=5e-7)
        assert verdicts.accepted.tolist() == (verdicts.statistic > limit).tolist()


@pytest.mark.parametrize(
    ("criterion", "is_mdl", "model", "leaf"),
    [(MDL(), True, 25.398744, 43.371942), (BIC(), False, 10.643856, 42.371942)],
)
def test_description_lengths_of_the_worked_tree(criterion, is_mdl, model, leaf):
    price = criterion.price(n_children(WORKED), WORKED.n_tests, 2, 40.0)[~WORKED.is_leaf]
    own = criterion.leaf_length(2, 40.0)
    assert own + price.sum() == pytest.approx(model, abs=5e-7)
    assert bits(WORKED.counts[WORKED.is_leaf]).sum() == pytest.approx(22.034934, abs=5e-7)
    assert own + bits(WORKED.counts)[0] == pytest.approx(leaf, abs=5e-7)
    assert tree_length(plain_tree(WORKED), 40, is_mdl) == pytest.approx(model, abs=5e-7)
    assert data_length(plain_tree(WORKED)) == pytest.approx(22.034934, abs=5e-7)


def test_sizes_of_the_worked_tree():
    assert [MDL(**way).prune(WORKED).n_leaves for way in WAYS] == [3, 1, 1]
    assert [BIC(**way).prune(WORKED).n_leaves for way in WAYS] == [4, 4, 4]


def test_verdicts_on_the_worked_stump():
    for way in WAYS:
        assert MDL(**way).prune(STUMP).n_leaves == 1
        assert BIC(**way).prune(STUMP).n_leaves == 2
    assert MDL(when="pre").prune(STUMP).pruning_log.verdicts.statistic == pytest.approx([5.561438], abs=5e-7)


@given(trees(), CRITERIA)
def test_stumps_leave_more_than_subtrees_and_these_more_than_prepruning(tree, criterion):
    sizes = [tree.n_leaves, *(criterion(**way).prune(tree).n_leaves for way in WAYS)]
    assert sizes == sorted(sizes, reverse=True)


@given(trees(), st.sampled_from(WAYS))
def test_bic_leaves_more_than_mdl(tree, way):
    assert BIC(**way).prune(tree).n_leaves >= MDL(**way).prune(tree).n_leaves


@given(trees(classes=(3, 5)), CRITERIA, st.sampled_from(WAYS))
def test_a_smaller_class_exponent_leaves_more(tree, criterion, way):
    sizes = [criterion(class_exponent=exponent, **way).prune(tree).n_leaves for exponent in (1.0, 0.5, 0.0)]
    assert sizes == sorted(sizes)


@given(trees(classes=(2,)), CRITERIA)
def test_two_classes_cost_the_same_by_any_class_exponent(tree, criterion):
    assert criterion(class_exponent=0.3).prune(tree).n_leaves == criterion().prune(tree).n_leaves


@given(trees(), CRITERIA, st.sampled_from(WAYS), st.booleans())
def test_the_stop_while_growing_changes_nothing(tree, criterion, way, keep_equal):
    member = criterion(keep_equal=keep_equal, **way)
    opens = member.opens(tree.weighted_counts, tree.n_tests, tree.counts[0].sum()).accepted
    stopped = tree.cut(np.flatnonzero(~opens & ~tree.is_leaf))
    assert shape(plain_tree(member.prune(stopped))) == shape(plain_tree(member.prune(tree)))


def test_the_stop_while_growing_closes_nodes_that_cannot_pay():
    counts, n_tests = np.array([[1.0, 1.0], [8.0, 8.0], [7.0, 0.0]]), np.array([10, 10, 10])
    held, limits = [2.0, 16.0, 0.0], {MDL: 7.482892, BIC: 2.160964}
    for member, limit in limits.items():
        after, before = (member(when=when).opens(counts, n_tests, 20.0) for when in ("post", "pre"))
        assert after.accepted.tolist() == before.accepted.tolist() == [False, True, False]
        np.testing.assert_allclose((after.statistic, after.threshold), ([limit] * 3, held), atol=5e-7)
        np.testing.assert_allclose((before.statistic, before.threshold), (held, [limit] * 3), atol=5e-7)
    assert MDL(by="stump").opens(counts, n_tests, 20.0).accepted.all()


def test_on_equality_a_flag_decides():
    tree = Tree.from_counts([[1, 0], [0, 1]], n_tests=1)  # saves 2 bits; N = 2: BIC costs 0.5, MDL 2.5
    free = replace(tree, counts=tree.counts / 2)  # saves 1 bit; N = 1: BIC costs nothing, MDL 2
    even = Tree.from_counts([[1, 1], [1, 1]], n_tests=1)  # saves nothing; N = 4: BIC costs 1
    half = replace(even, counts=even.counts / 4)  # saves nothing and BIC costs nothing
    assert [BIC().prune(one).n_leaves for one in (tree, free, even, half)] == [2, 2, 1, 1]
    for way in WAYS:
        assert BIC(keep_equal=True, **way).prune(half).n_leaves == 2
        assert BIC(keep_equal=False, **way).prune(half).n_leaves == 1
        assert MDL(keep_equal=True, **way).prune(half).n_leaves == 1
