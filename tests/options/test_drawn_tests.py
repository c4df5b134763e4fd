"""Tests of columns that several searches draw, each by its share of the quality of its column."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from tests.options.columns import number, words
from tests.options.made import fit
from tests.options.qualities import FittingContext
from tests.oracles.growing import Candidate
from tests.strategies import RawTable

from petree import OptionTreeClassifier
from petree.bayes import resolve_prior
from petree.conditions import EQUALS, THRESHOLD

VALUES = (1.0, 2.0, 4.0, 7.0, 7.5, 9.0)
LABELS = (0, 0, 1, 0, 1, 1)
NUMBERS = RawTable((number(*VALUES),), LABELS)
WORDS = RawTable((words(*"aabbcd"),), LABELS)
SEARCHES = 2000


def searches(table, **parameters):
    """What is drawn at the root: the values of the tests, what their choice costs, and what they must be."""
    many = {"n_searches": SEARCHES, "max_features": 1, "max_options": 1, "max_depth": 1}
    model = fit(table, **{**many, **parameters})
    world = FittingContext(table.plain(), prior=resolve_prior(parameters.get("prior", "I")), max_depth=1)
    expected = dict(cuts_of(world) if table is NUMBERS else values_of(world))
    return model.tree_.conditions.value, model.tree_.split_annotations["cut_penalty"], expected


def cuts_of(world):
    """The logarithm of the quality of every cut, and of its share of the whole, by its threshold."""
    for low, high in pairwise(VALUES):
        test = Candidate(0, THRESHOLD, world.threshold_between(0, low, high))
        quality = quality_of(world, test)
        yield test.value, (quality, quality + math.log((high - low) / (VALUES[-1] - VALUES[0])))


def values_of(world):
    """The same of every test `x = v`, which all have the same share of the mean."""
    for value in range(4):
        quality = quality_of(world, Candidate(0, EQUALS, value))
        yield value, (quality, quality - math.log(4))


def quality_of(world, test):
    return world.node(0) + sum(world.leaf(branch) for branch in world.branches(test, world.all_rows))


@pytest.mark.parametrize("table", [NUMBERS, WORDS])
@pytest.mark.parametrize("prior", ["I", "drawn"])
def test_a_test_is_drawn_by_its_share_of_all(table, prior):
    drawn, _, expected = searches(table, prior=prior)
    found = Counter(drawn.tolist())
    whole = np.logaddexp.reduce([weighted for _, weighted in expected.values()])
    assert set(found) == set(expected)
    for value, (_, weighted) in expected.items():
        assert found[value] / SEARCHES == pytest.approx(math.exp(weighted - whole), abs=0.03)


@pytest.mark.parametrize("table", [NUMBERS, WORDS])
def test_what_a_drawn_test_costs_is_the_whole_over_its_own_quality(table):
    drawn, penalties, expected = searches(table)
    whole = np.logaddexp.reduce([weighted for _, weighted in expected.values()])
    for value, penalty in zip(drawn, penalties, strict=True):
        assert penalty == pytest.approx(whole - expected[value][0])


@pytest.mark.parametrize("table", [NUMBERS, WORDS])
@pytest.mark.parametrize("parameters", [{"n_searches": 1}, {"max_features": None}])
def test_one_search_and_searches_that_look_at_everything_take_the_best_test(table, parameters):
    drawn, penalties, expected = searches(table, **parameters)
    best = max(expected, key=lambda value: expected[value][0])
    assert set(drawn) == {best}
    whole = np.logaddexp.reduce([weighted for _, weighted in expected.values()])
    cost = whole - expected[best][0] if table is NUMBERS else 0.0
    np.testing.assert_allclose(penalties, cost)


def test_what_categories_are_called_does_not_matter_but_for_ties():
    rng = np.random.default_rng(3)
    tone = rng.choice(["red", "green", "blue", "grey"], 200, p=[0.4, 0.3, 0.2, 0.1])
    y = (tone == "green") ^ (rng.random(200) < 0.2)
    size = rng.normal(size=200)
    answers = []
    for names in ({}, {"red": "z", "green": "y", "blue": "x", "grey": "w"}):
        X = pd.DataFrame({"tone": [names.get(one, one) for one in tone], "size": size})
        answers.append(OptionTreeClassifier(n_searches=10, min_samples_leaf=15).fit(X, y).predict_proba(X))
    np.testing.assert_allclose(*answers)


@pytest.mark.parametrize("order", [(1, 2, 0), (2, 1, 0)])
def test_what_classes_are_called_does_not_matter(order):
    """Values whose qualities are equal but for rounding are drawn alike; here each class has two of them."""
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1, 2], 40)
    tone = np.array(list("abcdef"))[2 * y + rng.integers(0, 2, 120)]
    X = pd.DataFrame({"tone": np.where(np.arange(120) % 10 < 7, tone, "g"), "other": rng.choice(list("uvw"), 120)})
    answers = OptionTreeClassifier(n_searches=20).fit(X, y).predict_proba(X)
    renamed = OptionTreeClassifier(n_searches=20).fit(X, np.array(order)[y]).predict_proba(X)
    np.testing.assert_allclose(renamed[:, order], answers, atol=1e-9)


def test_a_cut_between_the_smallest_numbers_is_drawn():
    """Its part of the integral is the smallest number there is, of which no smaller part can be drawn."""
    values = np.repeat([0.0, 5e-324, 1.0], [20, 20, 2])
    y = np.repeat([0, 1, 1, 0, 0, 1], [18, 2, 18, 2, 1, 1])
    model = OptionTreeClassifier(n_searches=40, min_samples_leaf=5).fit(values[:, None], y)
    assert np.isfinite(model.tree_.split_annotations["cut_penalty"]).all()
    assert np.isfinite(model.predict_proba(values[:, None])).all()


def test_the_default_prior_goes_by_whether_tests_are_drawn():
    X = pd.DataFrame({"a": np.arange(20.0)})
    y = np.arange(20) > 9
    assert OptionTreeClassifier().fit(X, y).prior_.power == resolve_prior("drawn").power
    for parameters in ({"n_searches": 1}, {"max_features": None}):
        assert OptionTreeClassifier(**parameters).fit(X, y).prior_.power == resolve_prior("averaged").power
