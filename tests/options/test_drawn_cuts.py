"""Cuts of numbers that several searches draw, each by its share of the quality of its column."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from tests.options.columns import number
from tests.options.made import fit
from tests.options.qualities import FittingContext
from tests.oracles.growing import Candidate
from tests.strategies import RawTable

from petree.bayes import resolve_prior
from petree.conditions import THRESHOLD

VALUES = (1.0, 2.0, 4.0, 7.0, 7.5, 9.0)
TABLE = RawTable((number(*VALUES),), (0, 0, 1, 0, 1, 1))
SEARCHES = 2000


def searches(**parameters):
    """What is drawn at the root: the thresholds, the costs of the cuts, and what they must be."""
    many = {"n_searches": SEARCHES, "max_features": 1, "max_options": 1, "max_depth": 1}
    prior = parameters.get("prior", "I")
    model = fit(TABLE, **{**many, **parameters})
    world = FittingContext(TABLE.plain(), prior=resolve_prior(prior), max_depth=1)
    return model.tree_.conditions.value, model.tree_.split_annotations["cut_penalty"], dict(cuts_of(world))


def cuts_of(world):
    """The logarithm of the quality of every cut, and of its share of the whole, by its threshold."""
    for low, high in pairwise(VALUES):
        value = world.threshold_between(0, low, high)
        branches = world.branches(Candidate(0, THRESHOLD, value), world.all_rows)
        quality = world.node(0) + sum(world.leaf(branch) for branch in branches)
        yield value, (quality, quality + math.log((high - low) / (VALUES[-1] - VALUES[0])))


@pytest.mark.parametrize("prior", ["I", "drawn"])
def test_a_cut_is_drawn_by_its_share_of_the_integral(prior):
    drawn, _, expected = searches(prior=prior)
    found = Counter(drawn.tolist())
    integral = np.logaddexp.reduce([weighted for _, weighted in expected.values()])
    assert set(found) == set(expected)
    for value, (_, weighted) in expected.items():
        assert found[value] / SEARCHES == pytest.approx(math.exp(weighted - integral), abs=0.03)


def test_what_a_drawn_cut_costs_is_the_integral_over_its_own_quality():
    drawn, penalties, expected = searches()
    integral = np.logaddexp.reduce([weighted for _, weighted in expected.values()])
    for value, penalty in zip(drawn, penalties, strict=True):
        assert penalty == pytest.approx(integral - expected[value][0])


@pytest.mark.parametrize("parameters", [{"n_searches": 1}, {"max_features": None}])
def test_one_search_and_searches_that_look_at_everything_take_the_best_cut(parameters):
    drawn, penalties, expected = searches(**parameters)
    best = max(expected, key=lambda value: expected[value][0])
    assert set(drawn) == {best}
    assert len(set(penalties)) == 1
