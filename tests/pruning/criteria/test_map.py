"""The most probable pruning."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bayes.made import PRIORS
from tests.bayes.oracles import plain_map, posterior
from tests.oracles.pruning import plain_tree, shape
from tests.plain import plain_classifier
from tests.pruning.trees import trees

from petree.bayes import Prior
from petree.pruning import MAP
from petree.tree import Tree

WORKED = Tree.from_counts([[[8, 0], [0, 2]], [2, 8]], n_tests=10)
XOR = Tree.from_counts([[[8, 0], [0, 8]], [[0, 8], [8, 0]]])


def same(tree, other):
    return shape(plain_tree(tree)) == shape(plain_tree(other))


def test_the_worked_tree():
    assert [MAP(prior).prune(WORKED).n_leaves for prior in ("I", "II", "III", "IV")] == [3, 3, 3, 1]
    log = MAP("I").prune(WORKED).pruning_log
    assert log.verdicts.threshold[0] == pytest.approx(15.599096, abs=5e-7)
    assert log.names == ("how improbable the subtree is (-ln P)", "how improbable one leaf is (-ln P)")


@settings(max_examples=13)
@given(trees(), PRIORS)
def test_it_is_the_best_of_all_prunings(tree, prior):
    assert shape(plain_tree(MAP(prior).prune(tree))) == shape(plain_map(plain_tree(tree), prior))


@settings(max_examples=13)
@given(trees(), PRIORS)
def test_the_log_has_the_posterior_of_what_is_left(tree, prior):
    pruned = MAP(prior).prune(tree)
    expected = posterior(prior, plain_tree(pruned), tree.counts[0].tolist())
    log = pruned.pruning_log
    if not tree.is_leaf[0]:
        value = (log.verdicts.statistic if log.verdicts.accepted[0] else log.verdicts.threshold)[0]
        assert value == pytest.approx(-expected)


@settings(max_examples=13)
@given(trees(), PRIORS)
def test_before_growing_on_a_test_must_pay_at_once(tree, prior):
    found = MAP(prior, when="pre").prune(tree)
    assert shape(plain_tree(found)) == shape(plain_map(plain_tree(tree), prior, when="pre"))


@given(trees(), PRIORS)
def test_postpruning_leaves_no_less_than_prepruning(tree, prior):
    post, pre = (MAP(prior, when=when).prune(tree) for when in ("post", "pre"))
    assert tree.n_leaves >= post.n_leaves >= pre.n_leaves
    assert same(MAP(prior, when="pre").prune(post), pre)


def test_a_test_that_pays_only_below_is_kept_by_postpruning_alone():
    assert MAP("I").prune(XOR).n_leaves == 4
    log = MAP("I", "pre").prune(XOR).pruning_log
    assert (log.nodes.tolist(), log.cut.tolist(), log.names[0]) == ([0], [0], "how improbable the test is (-ln P)")


@given(trees(), st.sampled_from((("I", "II"), ("I", "III"), ("II", "IV"), ("III", "IV"))))
def test_stronger_priors_leave_less(tree, structures):
    weak, strong = (MAP(structure).prune(tree) for structure in structures)
    assert weak.n_leaves >= strong.n_leaves


@given(trees())
def test_an_omega_of_one_is_the_prior_of_equal_trees(tree):
    assert same(MAP(Prior("II", omega=1.0)).prune(tree), MAP("I").prune(tree))


@given(trees(), PRIORS)
def test_pruning_twice_changes_nothing(tree, prior):
    pruned = MAP(prior).prune(tree)
    assert same(MAP(prior).prune(pruned), pruned)


def test_penalties_of_cuts_count():
    stump, margin = Tree.from_counts([[8, 2], [2, 8]]), 15.599096 - 12.830385
    for share, n_leaves in ((0.99, 2), (1.01, 1)):
        noted = stump.with_annotations(cut_penalty=np.array([-share * margin, np.nan, np.nan]))
        for when in ("post", "pre"):
            assert MAP(when=when).prune(noted).n_leaves == n_leaves


@pytest.mark.parametrize("when", ["pre", "post"])
def test_penalties_of_columns_count(when):
    numbers = np.random.default_rng(0)
    X = numbers.integers(0, 2, (300, 2)).astype(float)
    y = numbers.random(300) < 0.2 + 0.3 * X[:, 0] + 0.3 * X[:, 1]
    free = plain_classifier(pruning=MAP(when=when)).fit(X, y).tree_
    assert free.n_leaves == 4
    held = plain_classifier(pruning=MAP(Prior(penalties={"x0": 1e-30}), when=when)).fit(X, y).tree_
    assert {condition.column.name for condition in held.conditions} <= {"x1"}


@pytest.mark.parametrize(
    ("member", "sentence"),
    [
        (MAP("V"), "'prior' parameter must be one of I, II, III, IV, cautious, averaged, drawn, or a Prior. Got 'V'"),
        (MAP(when="before"), "'when' parameter of MAP must be 'pre' or 'post'. Got 'before'"),
        (MAP(Prior(alpha=-1)), "'alpha' parameter of Prior must be a finite number above 0. Got -1"),
    ],
)
def test_parameters_are_checked(member, sentence):
    with pytest.raises(ValueError, match=sentence):
        member.prune(WORKED)
