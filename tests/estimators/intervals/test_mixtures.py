"""Intervals of option trees: quantiles of mixtures, read off at points that are computed when they are needed."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from scipy.special import betainc
from sklearn.datasets import load_iris

from petree import OptionTreeClassifier, core
from petree.estimators.intervals import distributions
from petree.estimators.intervals.distributions import POINTS

X, y = load_iris(return_X_y=True)
SOME = np.vstack((X[::10], np.full((1, 4), np.nan)))


def fitted(n_searches: int = 5) -> OptionTreeClassifier:
    return OptionTreeClassifier(n_searches=n_searches).fit(X, y)


def by_all_points(model: OptionTreeClassifier, rows: Any, label: int, share: float) -> Any:
    """Quantiles from the distribution functions of all nodes at all points."""
    own, cases = model.prior_.estimate(model.tree_)[:, label], model.prior_.strength(model.tree_)
    a, b = (np.maximum(cases * part, 1e-12)[:, None] for part in (own, 1 - own))
    mixed = np.empty((len(rows), len(POINTS)))
    core.prediction.mix_rows(model._packed.packed, rows, betainc(a, b, POINTS), mixed, core.NO_STOP)
    return [np.interp(share, one, POINTS) for one in mixed]


@pytest.mark.parametrize("level", [0.5, 0.9])
@pytest.mark.parametrize("most_kept", [0, distributions.MOST_KEPT])
def test_bounds_are_those_of_all_points(monkeypatch: pytest.MonkeyPatch, level: float, most_kept: int) -> None:
    monkeypatch.setattr(distributions, "MOST_KEPT", most_kept)
    model = fitted()
    answers = model.predict_proba(SOME)
    for _ in range(2):
        found = model.predict_interval(SOME, level)
        for label in range(3):
            lower, upper = (by_all_points(model, SOME, label, (1 + sign * level) / 2) for sign in (-1, 1))
            np.testing.assert_allclose(found.lower[:, label], np.minimum(lower, answers[:, label]), atol=1e-12)
            np.testing.assert_allclose(found.upper[:, label], np.maximum(upper, answers[:, label]), atol=1e-12)


def count_computed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many values of distribution functions are computed at a time, from now on."""
    counts: list[int] = []

    def counted(a: Any, b: Any, x: Any) -> Any:
        found = betainc(a, b, x)
        counts.append(found.size)
        return found

    monkeypatch.setattr(distributions, "betainc", counted)
    return counts


def test_what_a_call_has_computed_later_ones_have(monkeypatch: pytest.MonkeyPatch) -> None:
    model = fitted()
    computed = count_computed(monkeypatch)
    first = model.predict_interval(SOME)
    assert 0 < sum(computed) < 0.2 * model.tree_.n_nodes * model.tree_.n_classes * len(POINTS)
    computed.clear()
    np.testing.assert_array_equal(model.predict_interval(SOME).lower, first.lower)
    assert not computed
    model.fit(X, y)
    model.predict_interval(SOME)
    assert computed


def test_one_row_asks_for_the_nodes_that_it_reaches_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    model = fitted(20)
    computed = count_computed(monkeypatch)
    model.predict_interval(X[:1])
    starts, nodes, _ = core.prediction.find_ends(model._packed.packed, X[:1], 10**6, core.NO_STOP)
    assert len(nodes) < model.tree_.n_nodes / 4
    assert sum(computed) <= len(nodes) * 2 * distributions.N_HALVINGS * 3
    assert starts.tolist() == [0, len(nodes)]


@pytest.mark.parametrize("again", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_what_is_kept_for_later_is_not_in_pickles(again: Any) -> None:
    model = fitted()
    size = len(pickle.dumps(model))
    expected = model.predict_interval(SOME)
    assert len(pickle.dumps(model)) == size
    np.testing.assert_array_equal(again(model).predict_interval(SOME).upper, expected.upper)
