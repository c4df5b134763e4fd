"""Pruning criteria, member by member."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.tree import DecisionTreeClassifier
from tests.families.prunings import PRUNINGS, VARIANTS
from tests.oracles.pruning import plain_tree, shape
from tests.plain import plain_classifier
from tests.pruning.trees import trees, with_class_weight
from tests.random_trees import option_tree

from petree import pruning
from petree.tree import Tree

WORKED = Tree.from_counts([[[12, 0], [3, 5]], [[1, 9], [6, 4]]], n_tests=6)
BY_COUNTS = [row for row in PRUNINGS if row[1] is not None]
MEMBERS = [(pruning.MEMBERS[alias](), plain) for alias, plain, *_ in BY_COUNTS] + VARIANTS
CUTTERS = [member for member, _ in MEMBERS if not isinstance(member, pruning.NoPruning)]


def under_the_frontier(log):
    """Nodes of the grown tree below its cut nodes."""
    below, todo = set(), list(log.cut)
    while todo:
        children = log.grown.children_of(np.array([todo.pop()])).tolist()
        below.update(children)
        todo += children
    return below


def agree(verdicts):
    """Whether one side of the threshold is that of all nodes that stay, and the other that of all that go."""
    excess = verdicts.statistic - verdicts.threshold
    tie = 1e-9 * np.maximum(np.abs(verdicts.threshold), 1)
    return any((np.where(verdicts.accepted, 1, -1) * side * excess >= -tie).all() for side in (1, -1))


@pytest.mark.parametrize(("alias", "n_leaves"), [(row[0], row[2]) for row in BY_COUNTS])
def test_pruning_of_the_worked_tree(alias, n_leaves):
    assert pruning.prune(alias, WORKED).n_leaves == n_leaves


@pytest.mark.parametrize(("member", "plain"), MEMBERS, ids=[repr(member) for member, _ in MEMBERS])
@settings(max_examples=5)
@given(tree=trees())
def test_pruned_trees_are_what_the_definition_leaves(member, plain, tree):
    assert shape(plain_tree(member.prune(tree))) == shape(plain(plain_tree(tree)))


@pytest.mark.parametrize("alias", [row[0] for row in BY_COUNTS if row[0] not in ("smoothed", "negligible")])
@settings(max_examples=5)
@given(tree=trees())
def test_class_weights_are_weights_of_cases(alias, tree):
    weighed = with_class_weight(tree, 2.0)
    as_counts = replace(tree, counts=weighed.weighted_counts)
    assert pruning.prune(alias, weighed).n_nodes == pruning.prune(alias, as_counts).n_nodes


@pytest.mark.parametrize("member", CUTTERS, ids=repr)
@settings(max_examples=5)
@given(tree=trees())
def test_every_cut_is_explained(member, tree):
    pruned = member.prune(tree)
    log, verdicts = pruned.pruning_log, pruned.pruning_log.verdicts
    refused = set(log.nodes[~verdicts.accepted].tolist())
    assert log.grown is tree
    assert log.criterion == repr(member)
    assert not tree.is_leaf[log.nodes].any()
    assert sorted(set(log.nodes.tolist())) == log.nodes.tolist()
    assert np.isfinite(verdicts.statistic).all()
    assert np.isfinite(verdicts.threshold).all()
    assert agree(verdicts)
    below = under_the_frontier(log)
    frontier = set(log.cut.tolist()) - below
    assert refused - below == frontier  # whatever is refused goes, and nothing else does
    kept = np.array([node for node in range(tree.n_nodes) if node not in below])
    assert pruned.is_leaf[np.isin(kept, list(frontier))].all()
    assert (pruned.counts == tree.counts[kept]).all()


@pytest.mark.parametrize("alias", [row[0] for row in BY_COUNTS])
def test_trees_of_scikit_learn_can_be_pruned(alias):
    numbers = np.random.default_rng(0)
    X, y = numbers.normal(size=(300, 3)), numbers.random(300)
    y = y < np.where(X[:, 0] > 0, 0.1, 0.6)
    tree = Tree.from_sklearn(DecisionTreeClassifier(max_depth=7, random_state=0).fit(X, y), n_tests=30)
    pruned = pruning.prune(alias, tree)
    assert pruned.counts[0].tolist() == tree.counts[0].tolist()
    assert pruned.n_leaves > 1
    assert pruned.n_leaves < tree.n_leaves or alias in ("none", "negligible")


@pytest.mark.parametrize("alias", [row[0] for row in BY_COUNTS if row[0] != "none"])
def test_option_trees_are_refused(alias):
    with pytest.raises(ValueError, match="This tree has option nodes"):
        pruning.prune(alias, option_tree())


@pytest.mark.parametrize("alias", [row[0] for row in BY_COUNTS])
def test_a_lone_root_and_an_empty_tree_stay_as_they_are(alias):
    assert pruning.prune(alias, Tree.from_counts([3, 4])).n_nodes == 1
    assert pruning.prune(alias, Tree.from_counts([[0, 0], [0, 0]])).counts.sum() == 0


@pytest.mark.parametrize("thing", [plain_classifier(), [[1, 2], [3, 4]], None])
def test_only_trees_can_be_pruned(thing):
    with pytest.raises(TypeError, match=rf"such as model.tree_ .* Got {type(thing).__name__} instead"):
        pruning.prune("chi", thing)


# -- parameters --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("member", "sentence"),
    [
        (pruning.Chi(alpha=0), "'alpha' parameter of Chi must be a finite number above 0 and not above 1. Got 0"),
        (pruning.Chi(alpha=1.5), "'alpha' parameter of Chi must be .* Got 1.5"),
        (pruning.Chi(when="before"), "'when' parameter of Chi must be 'pre' or 'post'. Got 'before'"),
        (pruning.MDL(by="leaf"), "'by' parameter of MDL must be one of subtree, stump. Got 'leaf'"),
        (pruning.MDL(when=None), "'when' parameter of MDL must be 'pre' or 'post'. Got None"),
        (pruning.BIC(class_exponent=-1), "'class_exponent' parameter of BIC must be a finite number not below 0"),
        (pruning.BIC(class_exponent="2", when="pre"), "'class_exponent' parameter of BIC must be a finite number"),
        (pruning.ErrorBased(0), "'confidence' parameter of ErrorBased must be a finite number above 0 and not above 1"),
        (pruning.ErrorBased(0.6, "j48"), "'confidence' parameter of ErrorBased must be .* not above 0.5. Got 0.6"),
        (pruning.ErrorBased(limit="C4.5"), "'limit' parameter of ErrorBased must be one of exact, c4.5, j48"),
        (pruning.MinimumError(m=-1), "'m' parameter of MinimumError must be a finite number not below 0. Got -1"),
        (pruning.MinimumError(prior=None), "'prior' parameter of MinimumError must be one of base_rate, uniform"),
        (pruning.CardPerClass(-1), "'k' parameter of CardPerClass must be a finite number not below 0. Got -1"),
        (pruning.CardPerClass(1, "K"), "'reading' parameter of CardPerClass must be one of ratio, printed, Kc/2"),
        (pruning.QuinlanRivest("1"), "'c' parameter of QuinlanRivest must be a finite number not below 0. Got '1'"),
    ],
)
def test_parameters_of_criteria_are_checked(member, sentence):
    with pytest.raises(ValueError, match=sentence):
        member.prune(WORKED)
