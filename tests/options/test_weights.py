"""Averages over trees that are not by their posterior, beside lists of all trees."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.options.made import KINDS, ONE_SEARCH, PAPER, new_rows, pair, priors
from tests.options.test_searches import made
from tests.options.trees import contained, grow, leaf_weights
from tests.strategies import tables

from petree import OptionTreeClassifier, presets
from petree.bayes import Prior
from petree.bayes.weighing import information_weights
from petree.storage import dumps, loads
from petree.tree import Tree

SIZES = st.sampled_from(({"max_depth": 2}, {"max_depth": 3, "max_options": 2}, {"max_depth": 3, "option_depth": 1}))


def leaves_of(tree):
    """The nodes where a single tree ends."""
    node, option, below = tree
    return [node] if option is None else [leaf for one in below for leaf in leaves_of(one)]


def weight_of_tests(tree):
    """What the tests of a single tree weigh in the prior, as logarithms."""
    node, option, below = tree
    if option is None:
        return 0.0
    return node.world.node(option.test.column) + option.penalty + sum(map(weight_of_tests, below))


def mean_of(trees, weights, row):
    """What single trees answer on average, with such weights."""
    answer = np.zeros(len(trees[0][0].own))
    for tree, weight in zip(trees, weights, strict=True):
        for leaf, part in leaf_weights(tree, row):
            answer += weight * part * np.array(leaf.own)
    return answer


def information(tree):
    """Minus N I(C | T) of Equation 4, in nats, with the weight of the leaves in the prior."""
    total = 0.0
    for leaf in leaves_of(tree):
        prior = leaf.world.prior
        entropy = -sum(p * math.log(p) for p in leaf.own if p > 0)
        total += prior.leaf_weight() - prior.power * leaf.weight * entropy
    return total


@pytest.mark.parametrize("weights", ["even", "information"])
@settings(max_examples=5)
@given(data=st.data())
def test_the_mean_over_all_trees_one_by_one(weights, data):
    table = data.draw(tables(max_rows=10, kinds=KINDS))
    prior = data.draw(priors())
    parameters = data.draw(SIZES)
    _, world = pair(table, prior=prior, **parameters)
    model = OptionTreeClassifier(**{**PAPER, "prior": prior, "weights": weights, **parameters}).fit(
        table.frame, table.y
    )
    trees = contained(grow(world))
    if len(trees) > 800:
        return  # so many are not listed one by one
    if weights == "even":
        trees = [tree for tree in trees if not any(leaf.options for leaf in leaves_of(tree))]
        shares = np.full(len(trees), 1 / len(trees))
    else:
        logs = np.array([weight_of_tests(tree) + information(tree) for tree in trees])
        shares = np.exp(logs - np.logaddexp.reduce(logs))
    frame, rows = data.draw(new_rows(table))
    expected = [mean_of(trees, shares, row) for row in rows]
    np.testing.assert_allclose(model.predict_proba(frame), expected, rtol=1e-9, atol=1e-12)


def test_worked_information():
    """[8, 2] and [2, 8] with half a case of each class: p is 8.5 / 11, I is 0.535960 nats, 10 cases each."""
    leaves, splits = information_weights(Tree.from_counts([[8, 2], [2, 8]]), Prior("II"))
    expected = [math.log(0.5) - 20 * math.log(2), *[math.log(0.5) - 10 * 0.535960] * 2]
    assert leaves == pytest.approx(expected, abs=1e-5)
    assert splits == pytest.approx([math.log(0.5)])


def test_even_searches_count_alike_and_their_trees_too():
    X, y = made(80)
    model = OptionTreeClassifier(n_searches=4, max_options=1, weights="even").fit(X, y)
    tree = model.tree_
    assert (model.shares_.stay[~tree.is_leaf] == 0).all()
    np.testing.assert_allclose(model.shares_.go[:4], 1 / 4)
    assert (model.shares_.go[4:] == 1).all()


def test_kwok_and_carter_average_trees_with_different_tests_near_the_root():
    X, y = made(150)
    model = presets["kwok-carter"]().fit(X, y)
    n_options = np.diff(model.tree_.split_start)
    assert set(n_options[model.tree_.levels < 2]) <= {0, 1, 2, 3}
    assert n_options[0] == 3
    assert n_options[model.tree_.levels >= 2].max() == 1
    with_root = [presets["kwok-carter"](option_depth=1, max_options=k).fit(X, y).predict_proba(X) for k in (1, 2, 3)]
    one = presets["kwok-carter"](option_depth=1, max_options=1).fit(X, y).tree_
    assert not one.is_dag
    # the second tree is what two trees have besides the first
    second, third = 2 * with_root[1] - with_root[0], 3 * with_root[2] - 2 * with_root[1]
    for tree in (second, third):
        assert tree.min() > 0
        np.testing.assert_allclose(tree.sum(axis=1), 1)


@pytest.mark.parametrize("weights", ["posterior", "information", "even"])
@pytest.mark.parametrize("parameters", [{"n_searches": 3}, {**ONE_SEARCH, "max_depth": 4, "growing": "best_first"}])
def test_files_keep_it(weights, parameters):
    X, y = made(80)
    model = OptionTreeClassifier(weights=weights, max_nodes=700, **parameters).fit(X, y)
    again = loads(dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.get_params() == model.get_params()
    assert again.summary().export_text() == model.summary().export_text()
    model.set_params(weights="even" if weights == "posterior" else "posterior")
    with pytest.raises(ValueError, match="cannot be saved as it is now"):
        dumps(model)


def test_the_summary_does_not_depend_on_it():
    X, y = made(80)
    found = {
        OptionTreeClassifier(n_searches=3, weights=weights).fit(X, y).summary().export_text()
        for weights in ("posterior", "information", "even")
    }
    assert len(found) == 1
