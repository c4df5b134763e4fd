"""Credible intervals of option trees: quantiles of mixtures of Beta distributions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import beta
from tests.options.made import KINDS, fit, new_rows, pair, priors
from tests.options.trees import contained, grow, mixture
from tests.strategies import tables

from lab.papers.data.generators import led7
from petree import OptionTreeClassifier
from petree.bayes import Prior

LEVELS = st.sampled_from((0.05, 0.5, 0.9, 0.999))


def quantile(parts, share):
    """Where the distribution function of a mixture of Beta distributions, by weight, reaches a share."""
    return brentq(lambda x: sum(w * beta(a, b).cdf(x) for w, a, b in parts) - share, 0, 1, xtol=1e-9)


def posteriors(root, row, label):
    """The Beta distributions of the probability of a class in all leaves of all trees that answer for a row."""
    found = {}
    for weight, leaf in mixture(root, row):
        prior, counts = leaf.world.prior, leaf.world.counts(leaf.rows)
        strength, p = sum(counts) + prior.alpha * prior.shrink**leaf.level, leaf.own[label]
        key = (strength * p, strength * (1 - p))
        found[key] = found.get(key, 0) + weight
    return [(weight, a, b) for (a, b), weight in found.items() if weight > 1e-9]


@settings(max_examples=6)
@given(table=tables(max_rows=10, kinds=KINDS), prior=priors(), level=st.sampled_from((0.5, 0.9)), data=st.data())
def test_bounds_are_quantiles_of_the_mixture_of_all_trees(table, prior, level, data):
    model, world = pair(table, prior=prior, max_depth=2, max_options=2)
    root = grow(world)
    assert len(contained(root)) < 100
    frame, rows = data.draw(new_rows(table))
    lower, upper, n = model.predict_interval(frame[:2], level)
    answers = model.predict_proba(frame[:2])
    for place, row in enumerate(rows[:2]):
        sizes = sum(weight * world.size(leaf.rows) for weight, leaf in mixture(root, row))
        assert n[place] == pytest.approx(sizes, abs=0.51)
        for label in range(answers.shape[1]):
            parts = posteriors(root, row, label)
            low, high = (quantile(parts, (1 + sign * level) / 2) for sign in (-1, 1))
            assert lower[place, label] == pytest.approx(min(low, answers[place, label]), abs=1e-3)
            assert upper[place, label] == pytest.approx(max(high, answers[place, label]), abs=1e-3)


@settings(max_examples=13)
@given(table=tables(max_rows=16), tests=st.sampled_from(["binary", "multiway"]), level=LEVELS, data=st.data())
def test_every_interval_contains_the_answer_and_grows_with_the_level(table, tests, level, data):
    model = fit(table, tests=tests, max_depth=3)
    frame, _ = data.draw(new_rows(table))
    answers, intervals = model.predict_proba(frame), model.predict_interval(frame, level)
    assert intervals.lower.shape == intervals.upper.shape == answers.shape
    assert (intervals.lower >= 0).all()
    assert (intervals.lower <= answers).all()
    assert (answers <= intervals.upper).all()
    assert (intervals.upper <= 1).all()
    wider = model.predict_interval(frame, (1 + level) / 2)
    assert (wider.lower <= intervals.lower).all()
    assert (wider.upper >= intervals.upper).all()


def test_more_cases_make_the_interval_narrower():
    widths = []
    for n_rows in (50, 300, 1800):
        data = led7(n_rows, 0)
        lower, upper, _ = (
            OptionTreeClassifier("II", n_searches=2).fit(data.columns, data.y).predict_interval(led7(50, 1).columns)
        )
        widths.append((upper - lower).mean())
    assert widths[0] > widths[1] > widths[2]


def test_intervals_of_a_large_leaf():
    """A lone root of so many cases that its posterior is narrower than the points lie apart."""
    X, y = np.zeros((1, 1)), [0, 1]
    model = OptionTreeClassifier(Prior(alpha=2.0)).fit([[0.0], [0.0]], y, [300_000, 700_000])
    lower, upper, n = model.predict_interval(X)
    expected = beta(300_000.6, 700_001.4).ppf([0.05, 0.95])
    assert n.tolist() == [1_000_000]
    assert (lower[0, 0], upper[0, 0]) == pytest.approx(tuple(expected), abs=3e-3)


@pytest.mark.parametrize("level", [0, 1, 90, -0.1, np.nan, "0.9", None])
def test_other_levels_are_refused(level):
    model = OptionTreeClassifier().fit([[0], [1]], [0, 1])
    with pytest.raises(ValueError, match=r"level of an interval must be a number between 0 and 1\. Got"):
        model.predict_interval([[0]], level)
