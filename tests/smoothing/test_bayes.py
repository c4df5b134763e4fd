"""Bayesian smoothing."""

import numpy as np
import pytest
from hypothesis import given, settings
from tests.bayes.made import PRIORS
from tests.bayes.oracles import bayes_strength, plain_bayes
from tests.oracles.pruning import plain_tree
from tests.plain import plain_classifier
from tests.pruning.trees import trees

from petree.bayes import Prior
from petree.pruning import MAP
from petree.smoothing import Average, Bayes, MEstimate
from petree.storage import dumps, loads
from petree.tree import Tree

WORKED = Tree.from_counts([[[8, 0], [0, 2]], [2, 8]], n_tests=10)


@pytest.mark.parametrize(
    ("prior", "expected"),
    [
        ("I", [0.940111, 0.180278, 0.227644]),
        ("II", [0.921785, 0.22184, 0.232748]),
        ("III", [0.87091, 0.299708, 0.255199]),
    ],
)
def test_estimates_of_the_worked_tree(prior, expected):
    assert Bayes(prior).estimate(WORKED)[[3, 4, 2], 0] == pytest.approx(expected, abs=5e-7)


@settings(max_examples=15)
@given(trees(), PRIORS)
def test_smoothing_is_the_mean_over_all_prunings(tree, prior):
    estimates, strengths, root = Bayes(prior).estimate(tree), Bayes(prior).strength(tree), plain_tree(tree)
    np.testing.assert_allclose(estimates.sum(axis=1), 1)
    for node in range(tree.n_nodes):
        np.testing.assert_allclose(estimates[node], plain_bayes(prior, root, node), rtol=1e-9, atol=1e-12)
        assert strengths[node] == pytest.approx(bayes_strength(prior, root, node), rel=1e-6)


@given(trees(), PRIORS)
def test_the_strength_lies_between_those_of_a_leaf_and_less(tree, prior):
    """A mixture is no surer than its surest part."""
    own, found = prior.strength(tree), Bayes(prior).strength(tree)
    assert (found > 0).all()
    assert (found <= own[0] + prior.alpha).all()


def test_a_lone_root_has_the_estimate_of_its_prior():
    tree = Tree.from_counts([6, 2])
    np.testing.assert_allclose(Bayes(Prior(mean="uniform", alpha=2.0)).estimate(tree), [[0.7, 0.3]])
    np.testing.assert_allclose(Bayes().strength(tree), [9])


def test_children_that_say_the_same_are_answered_by_the_node_above():
    tree = Tree.from_counts([[50, 50], [50, 50]])
    own = Prior("III").estimate(tree)
    assert np.abs(Bayes("III").estimate(tree) - own).max() < 1e-12
    assert Bayes("III").strength(tree)[1] > 101  # most prunings answer from 200 cases


def test_a_single_class():
    tree = Tree.from_counts([[5, 0], [3, 0]])
    assert Bayes().estimate(tree)[:, 0].tolist() == [1, 1, 1]
    assert (Bayes().strength(tree) > 0).all()
    assert (Bayes(Prior(mean="uniform")).estimate(tree)[:, 0] < 1).all()


# -- in an estimator -------------------------------------------------------------------------------------------------

NUMBERS = np.random.default_rng(5)
X = NUMBERS.normal(size=(200, 3))
Y = np.where(NUMBERS.random(200) < 0.2, NUMBERS.random(200) < 0.5, X[:, 0] > 0)


def test_the_strength_of_the_prior_may_be_chosen_by_an_estimator():
    model = plain_classifier(smoothing=Bayes(Prior("II", alpha="auto"))).fit(X, Y)
    assert model.tuning_.names == ("prior__alpha",)
    assert [value for (value,) in model.tuning_.tried] == list(Prior.candidates["alpha"])
    assert len(set(model.tuning_.losses)) > 1
    chosen = model.tuning_.chosen["prior__alpha"]
    assert repr(model.smoothing_) == repr(Bayes(Prior("II").set_params(alpha=chosen)))
    again = loads(dumps(model))
    assert again.tuning_ == model.tuning_
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_it_may_be_part_of_a_mean_whose_parts_are_chosen():
    mean = Average((Bayes(Prior(alpha="auto")), MEstimate("auto")))
    model = plain_classifier(smoothing=mean).fit(X, Y)
    assert model.tuning_.names == ("0__prior__alpha", "1__m")
    assert model.smoothing_.get_params()["0__prior__alpha"] in Prior.candidates["alpha"]


def test_models_come_back_from_a_file():
    prior = Prior("IV", alpha=2.0, mean="uniform", shrink=0.9, penalties={"x1": 0.25})
    model = plain_classifier(pruning=MAP(prior, when="pre"), smoothing=Bayes(prior)).fit(X, Y)
    again = loads(dumps(model))
    assert repr(again.smoothing_) == repr(model.smoothing_) == repr(Bayes(prior))
    assert repr(again.pruning) == repr(model.pruning)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert dumps(again) == dumps(model)


def test_probabilities_stay_on_the_scale_of_the_data():
    weighed = plain_classifier(smoothing="bayes", class_weight={True: 5.0}, max_depth=2).fit(X, Y)
    counts = weighed.tree_.counts
    np.testing.assert_allclose(weighed.node_probabilities_[0], (counts[0] + counts[0] / 200) / 201)
