"""What leaves are worth: the likelihood, where it is largest, and the folds that it is measured on."""

from __future__ import annotations

import pickle
from itertools import product
from math import exp, inf, log
from typing import Any

import numpy as np
import pytest
from scipy.stats import betabinom, norm
from sklearn.base import clone
from tests.estimators.tuning.tuned import Tilted, folds_of, make_data
from tests.plain import plain_classifier

from petree import ProbabilityTreeClassifier
from petree.estimators.intervals import certainty as module
from petree.estimators.intervals.certainty import Certainty, LeafCells, most_likely
from petree.smoothing import Confusion, Hierarchical, MEstimate


def random_cells(seed: int, n_leaves: int, n_classes: int, certainty: Certainty, most_cases: int = 80) -> LeafCells:
    """Leaves whose true probabilities are as far from their estimates as a certainty says."""
    random = np.random.default_rng(seed)
    n = random.integers(2, most_cases, n_leaves).astype(float)
    estimates = random.dirichlet(np.ones(n_classes), n_leaves)
    worth = certainty.worth(n)
    truth = [random.dirichlet(p * s) for p, s in zip(estimates, worth, strict=True)]
    counts = [random.multinomial(max(int(size) // 2, 1), p) for size, p in zip(n, truth, strict=True)]
    return LeafCells.of(n, estimates, np.array(counts, float))


def slow_posterior(cells: LeafCells, certainty: Certainty, n_cases: float) -> float:
    """The logarithm of the posterior from its definition, with what is the same for every certainty."""
    s = 1 / (1 / (certainty.each * cells.n) + 1 / certainty.most)
    chances = betabinom.logpmf(cells.counts, cells.totals, s * cells.estimates, s * (1 - cells.estimates))
    likelihood = (1 - 1 / cells.n_classes) * chances.sum()
    return float(likelihood + slow_prior(certainty, n_cases))


def slow_prior(certainty: Certainty, n_cases: float) -> float:
    return float(norm.logpdf(log(certainty.each)) + norm.logpdf(log(certainty.most), log(n_cases), 3))


def test_worth() -> None:
    worth = Certainty(0.5, 100.0).worth(np.array([0.0, 20.0, 200.0, 1e12]))
    np.testing.assert_allclose(worth, [0, 1 / (1 / 10 + 1 / 100), 50, 100], rtol=1e-6)
    np.testing.assert_array_equal(Certainty().worth(np.array([0.0, 7.5])), [0, 7.5])


@pytest.mark.parametrize("n_classes", [2, 4])
def test_the_likelihood_is_that_of_beta_binomial_counts(n_classes: int) -> None:
    cells = random_cells(0, 6, n_classes, Certainty(0.5, 50.0))
    settings = [Certainty(*numbers) for numbers in product((0.1, 1.0, 4.0), (3.0, 1000.0))]
    fast = np.array([cells.score(one)[0] + slow_prior(one, 300.0) for one in settings])
    slow = np.array([slow_posterior(cells, one, 300.0) for one in settings])
    np.testing.assert_allclose(np.diff(fast), np.diff(slow), rtol=1e-8)


def test_slopes_are_those_of_the_likelihood() -> None:
    cells, step = random_cells(1, 30, 3, Certainty(0.5, 50.0)), 1e-5
    _, slopes = cells.score(Certainty(0.7, 60.0))
    for place, slope in enumerate(slopes):
        above, below = (
            cells.score(Certainty(*np.exp(np.log([0.7, 60.0]) + sign * step * (np.arange(2) == place))))[0]
            for sign in (1, -1)
        )
        assert slope == pytest.approx((above - below) / (2 * step), rel=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_no_other_certainty_is_more_likely(seed: int) -> None:
    cells = random_cells(seed, 12, 2 + seed, Certainty(0.3, 40.0))
    found = most_likely(cells, 300.0)
    best = slow_posterior(cells, found, 300.0)
    for each, most in product(np.linspace(-3, 2, 11), np.linspace(0, 10, 11)):
        assert slow_posterior(cells, Certainty(exp(each), exp(most)), 300.0) <= best + 1e-6
    for factor in (0.9, 1.1):
        assert slow_posterior(cells, Certainty(found.each * factor, found.most), 300.0) < best
        assert slow_posterior(cells, Certainty(found.each, found.most * factor), 300.0) < best


@pytest.mark.parametrize("made", [Certainty(0.3, 1e6), Certainty(2.0, 30.0), Certainty(1.0, 8.0)], ids=str)
def test_what_leaves_were_made_with_is_found(made: Certainty) -> None:
    found = most_likely(random_cells(2, 4000, 3, made), 1e4)
    n = np.array([5.0, 20.0, 60.0])
    np.testing.assert_allclose(found.worth(n), made.worth(n), rtol=0.15)


def test_where_nothing_was_left_out_a_case_is_worth_one() -> None:
    nothing = LeafCells.of(np.array([3.0, 0.0]), np.array([[0.0, 1.0], [0.5, 0.5]]), np.array([[1.0, 2.0], [1.0, 1.0]]))
    assert len(nothing.n) == 0
    found = most_likely(nothing, 70.0)
    assert (found.each, found.most) == pytest.approx((1, 70))


# -- folds ------------------------------------------------------------------------------------------------------------


def slow_certainty(model: ProbabilityTreeClassifier, X: Any, y: Any, weights: Any) -> Certainty:
    """The same by an estimator of its own for each fold, leaf by leaf."""
    n, estimates, counts = [], [], []
    for learn_weights, own in folds_of(X, y, weights):
        learn, rest = np.flatnonzero(learn_weights), np.flatnonzero(own)
        fold = clone(model).set_params(smoothing=model.smoothing_)
        fold.fit(X.iloc[learn], y[learn], learn_weights[learn], classes=[0, 1, 2])
        is_blend = ~np.isclose(fold.predict_proba(X.iloc[rest]), fold.node_probabilities_[fold.apply(X.iloc[rest])])
        for leaf in np.flatnonzero(fold.tree_.is_leaf):
            in_leaf = rest[(fold.apply(X.iloc[rest]) == leaf) & ~is_blend.any(axis=1)]
            n.append(fold.tree_.counts[leaf].sum())
            estimates.append(fold.node_probabilities_[leaf])
            counts.append(np.bincount(y[in_leaf], own[in_leaf], 3))
    found = most_likely(LeafCells.of(np.array(n), np.array(estimates), np.array(counts)), weights.sum())
    return Certainty(found.each * 2 / 3, found.most)


@pytest.mark.parametrize("smoothing", [MEstimate("auto"), Hierarchical("auto")], ids=repr)
@pytest.mark.parametrize("weighted", [False, True])
def test_certainty_is_that_of_the_cases_that_folds_left_out(smoothing: Any, weighted: bool) -> None:
    X, y = make_data(150)
    y[::9] = 2
    weights = np.random.default_rng(0).random(150) + 0.5 if weighted else np.ones(150)
    model = plain_classifier(smoothing=smoothing, min_samples_leaf=8).fit(X, y, weights)
    slow = slow_certainty(model, X, y, weights)
    assert (model.certainty_.each, model.certainty_.most) == pytest.approx((slow.each, slow.most), rel=1e-3)


def test_of_many_leaves_an_even_sample_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = make_data(400)
    model = plain_classifier(smoothing=MEstimate("auto"))
    whole, looked_at = model.fit(X, y).certainty_, []
    monkeypatch.setattr(module, "MOST_CELLS", 60)
    monkeypatch.setattr(module, "most_likely", lambda cells, n: looked_at.append(len(cells.n)) or most_likely(cells, n))
    assert model.fit(X, y).certainty_ != whole
    assert 20 < looked_at[0] <= 80


def test_trees_without_folds_and_without_leaves_of_their_own_have_none() -> None:
    X, y = make_data()
    model = ProbabilityTreeClassifier().fit(X, y)
    assert 0 < model.certainty_.each < inf
    for smoothing in ("laplace", Confusion("auto"), Tilted()):
        assert not hasattr(model.set_params(pruning="none", smoothing=smoothing).fit(X, y), "certainty_")


def test_certainty_is_pickled_and_not_cloned() -> None:
    X, y = make_data()
    model = ProbabilityTreeClassifier().fit(X, y)
    assert pickle.loads(pickle.dumps(model)).certainty_ == model.certainty_
    assert not hasattr(clone(model), "certainty_")
