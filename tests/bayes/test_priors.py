"""Priors over trees."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from sklearn.base import clone
from tests.bayes.made import PRIORS
from tests.bayes.oracles import leaf_value, node_value, own_answer
from tests.pruning.trees import trees
from tests.random_trees import COLUMNS, ROUTABLE, small_tree
from tests.random_trees import trees as trees_of_columns

from petree.bayes import Prior, WithPrior, log_evidence, resolve_prior
from petree.conditions import QUERY
from petree.splitting import Bayes as SplitBayes
from petree.splitting import score
from petree.tree import Tree

SPLITS = {
    "S1": ([[8, 2], [2, 8]], -12.830385, -15.599096),
    "S3": ([[10, 0], [0, 10]], -3.472305, -15.599096),
    "S4": ([[10, 1, 0], [2, 8, 3], [0, 1, 9]], -27.103436, -41.341034),
    "S5": ([[40, 1], [55, 4]], -24.477419, -22.898473),
}


@pytest.mark.parametrize("name", SPLITS)
def test_qualities_of_the_worked_splits(name):
    nested, quality, leaf = SPLITS[name]
    tree = Tree.from_counts(nested)
    leaves = Prior().leaves(tree)
    assert Prior().splits(tree)[0] + leaves[1:].sum() == pytest.approx(quality, abs=5e-7)
    assert leaves[0] == pytest.approx(leaf, abs=5e-7)


@given(trees(), PRIORS)
def test_weights_and_evidence_equal_their_definitions(tree, prior):
    leaves, splits, own = prior.leaves(tree), prior.splits(tree), prior.estimate(tree)
    root = tree.counts[0].tolist()
    for node, level in enumerate(tree.levels.tolist()):
        counts = tree.counts[node].tolist()
        assert leaves[node] == pytest.approx(leaf_value(prior, counts, root, level))
        np.testing.assert_allclose(own[node], own_answer(prior, counts, root, level), atol=1e-12)
    expected = [node_value(prior, n_tests) for n_tests in tree.n_tests[tree.split_nodes]]
    np.testing.assert_allclose(splits, expected, atol=1e-12)


@given(trees(), PRIORS)
def test_empty_leaves_say_what_the_prior_says_and_weigh_nothing(tree, prior):
    is_empty = tree.counts.sum(axis=1) == 0
    assert (prior.leaves(tree)[is_empty] == prior.leaf_weight()).all()
    a = prior.pseudo_counts(tree.counts[0], tree.levels)
    np.testing.assert_allclose(prior.estimate(tree)[is_empty], (a / a.sum(axis=1, keepdims=True))[is_empty])
    np.testing.assert_allclose(prior.strength(tree), tree.counts.sum(axis=1) + a.sum(axis=1))


def test_a_class_that_does_not_occur():
    with_it, without = Tree.from_counts([[8, 0, 2], [2, 0, 8]]), Tree.from_counts([[8, 2], [2, 8]])
    np.testing.assert_allclose(Prior().leaves(with_it), Prior().leaves(without))
    assert (Prior().estimate(with_it)[:, 1] == 0).all()
    assert (Prior(mean="uniform").estimate(with_it)[:, 1] > 0).all()


def test_the_strength_may_shrink_with_depth():
    tree = Tree.from_counts([[[8, 0], [0, 2]], [2, 8]])
    prior = Prior(alpha=4.0, shrink=0.5)
    assert (prior.strength(tree) - tree.counts.sum(axis=1)).tolist() == [4, 2, 2, 1, 1]
    assert prior.estimate(tree)[3].tolist() == [8.5 / 9, 0.5 / 9]
    assert np.isfinite(Prior(shrink=0.5).pseudo_counts(np.array([1.0, 1.0]), 10_000)).all()


@given(tree=trees())
def test_stronger_priors_make_splits_less_probable(tree):
    leaves = np.add.reduceat(np.ones(len(tree.children)), tree.child_start[:-1]) if len(tree.children) else np.zeros(0)
    odds = []
    for structure in ("I", "II", "III", "IV"):
        prior = Prior(structure)
        odds.append(prior.splits(tree) + (leaves - 1) * prior.leaf_weight())
    first, second, third, fourth = odds
    assert (first >= second).all()
    assert (first >= third).all()
    assert (np.minimum(second, third) >= fourth - 1e-12).all()


# -- what a tree knows of its tests -------------------------------------------------------------------------------


def test_numbers_of_tests_and_penalties_of_cuts_are_read_off_the_tree():
    tree, prior = Tree.from_counts([[[8, 0], [0, 2]], [2, 8]], n_tests=10), Prior("III")
    plain = prior.splits(tree)
    np.testing.assert_allclose(plain, -np.log(10))
    noted = tree.with_annotations(n_prior_tests=np.array([4, 2, 9, 9, 9]))
    np.testing.assert_allclose(prior.splits(noted), -np.log([4, 2]))
    cut = tree.with_annotations(cut_penalty=np.array([np.log(0.481481), np.nan, np.nan, np.nan, np.nan]))
    np.testing.assert_allclose(prior.splits(cut), plain + np.array([np.log(0.481481), 0]))
    pruned = noted.cut([1])
    np.testing.assert_allclose(prior.splits(pruned), -np.log([4]))


@given(trees_of_columns(ROUTABLE))
def test_columns_may_be_penalised(tree):
    names = [column.name for column in COLUMNS]
    prior = Prior("II", penalties={names[0]: 0.1, names[2]: 3.0})
    columns = [condition.column.name for condition in tree.conditions]
    expected = [np.log(0.5 * {names[0]: 0.1, names[1]: 1.0, names[2]: 3.0}[name]) for name in columns]
    np.testing.assert_allclose(prior.splits(tree), expected)


@given(trees_of_columns((QUERY,)))
def test_a_test_without_a_column_has_no_penalty(tree):
    assert (Prior(penalties={COLUMNS[0].name: 0.1}).splits(tree) == 0).all()


def test_a_power_weakens_the_evidence_and_changes_no_answer_of_a_leaf():
    tree = Tree.from_counts([[8, 2], [2, 8]])
    weights = {power: Prior("II", power=power).leaves(tree) - np.log(0.5) for power in (1.0, 0.25)}
    np.testing.assert_allclose(weights[0.25], weights[1.0] / 4)
    np.testing.assert_array_equal(Prior(power=0.25).estimate(tree), Prior().estimate(tree))
    assert score(SplitBayes(Prior(power=0.25)), [[8, 2], [2, 8]]) == pytest.approx(2.768711 / 4, abs=5e-7)


# -- parameters ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prior", "sentence"),
    [
        (Prior("V"), "'structure' parameter of Prior must be one of I, II, III, IV. Got 'V' instead"),
        (Prior("II", omega=0), "'omega' parameter of Prior must be a finite number above 0 and not above 1. Got 0"),
        (Prior("II", omega=1.5), "'omega' parameter of Prior must be .* Got 1.5"),
        (Prior(alpha=0), "'alpha' parameter of Prior must be a finite number above 0. Got 0"),
        (Prior(alpha="auto"), "'alpha' parameter of Prior is 'auto', which an estimator chooses while fitting"),
        (Prior(mean="median"), "'mean' parameter of Prior must be one of base_rate, uniform. Got 'median'"),
        (Prior(shrink=2), "'shrink' parameter of Prior must be a finite number above 0 and not above 1. Got 2"),
        (Prior(power=0), "'power' parameter of Prior must be a finite number above 0 and not above 1. Got 0"),
        (Prior(penalties={"grade": 0}), "'penalties' parameter of Prior must be a dict .* above 0. Got {'grade': 0}"),
        (Prior(penalties=["grade"]), "'penalties' parameter of Prior must be a dict .* Got \\['grade'\\]"),
        (Prior(penalties={"age": 0.5}), "penalises the column 'age', but the tree has size \\(cm\\), colour, grade"),
    ],
)
def test_parameters_of_priors_are_checked(prior, sentence):
    with pytest.raises(ValueError, match=sentence):
        prior.leaves(small_tree()), prior.splits(small_tree())


def test_priors_by_name():
    assert repr(resolve_prior("II")) == "Prior(structure='II')"
    assert repr(resolve_prior("cautious")) == "Prior(omega=0.7, power=0.25, shrink=0.6, structure='II')"
    prior = Prior(alpha=2.0)
    assert resolve_prior(prior) is prior
    for wrong in (2, None, Prior):
        names = "I, II, III, IV, cautious, averaged, drawn"
        with pytest.raises(TypeError, match=rf"'prior' parameter must be one of {names}, or a Prior\. Got"):
            resolve_prior(wrong)


class Holder(WithPrior):
    def __init__(self, prior="I"):
        self.prior = prior


def test_parameters_of_a_prior_are_parameters_of_what_holds_it():
    whole = Holder("II")
    assert whole.get_params(deep=False) == {"prior": "II"}
    assert whole.get_params()["prior__omega"] == 0.5
    assert whole.set_params(prior__alpha=2.0) is whole
    assert repr(whole.prior) == "Prior(alpha=2.0, structure='II')"
    copy = clone(whole).set_params(prior__alpha=3.0)
    assert (copy.prior.alpha, whole.prior.alpha) == (3.0, 2.0)
    whole.set_params(prior="III", prior__mean="uniform")
    assert repr(whole.prior) == "Prior(mean='uniform', structure='III')"
    assert Holder(3).set_params(prior="I").prior == "I"
    with pytest.raises(ValueError, match="Invalid parameter 'beta' for estimator Prior"):
        whole.set_params(prior__beta=1.0)


def test_counts_that_are_not_whole():
    counts = np.array([[0.25, 1.5]])
    expected = leaf_value(Prior(), counts[0].tolist(), [1.0, 3.0], 0)
    assert log_evidence(counts, np.array([0.25, 0.75])) == pytest.approx([expected])
    tree = Tree.from_counts([[0.25, 1.5], [0.75, 1.5]])
    assert Prior().leaves(tree)[1] == pytest.approx(expected)
    assert Prior().leaves(replace(tree, counts=tree.counts * 2))[1] != pytest.approx(expected)
