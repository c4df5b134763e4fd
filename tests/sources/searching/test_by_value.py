"""What is left of a tree in one go, against the same tree wave by wave."""

import numpy as np
import pytest

from petree import ProbabilityTreeClassifier
from petree.sources import pieces
from petree.sources.searching import by_value

ARRAYS = ("counts", "sizes", "n_tests", "split_start", "child_start", "children")


def fit(X, y, n_jobs=1, **parameters):
    return ProbabilityTreeClassifier("gain", "none", "laplace", n_jobs=n_jobs, **parameters).fit(X, y).tree_


def assert_same(tree, other):
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(tree, name), getattr(other, name))
    np.testing.assert_array_equal(tree.annotations["gain"], other.annotations["gain"])
    assert list(map(str, tree.conditions)) == list(map(str, other.conditions))


@pytest.fixture
def data():
    generator = np.random.default_rng(0)
    X = np.round(generator.normal(size=(600, 6)), 1)
    X[generator.random(X.shape) < 0.1] = np.nan
    # Some of the nine classes are absent from most nodes.
    return X, np.digitize(np.nan_to_num(X[:, 0]) + generator.normal(size=600), np.linspace(-2, 2, 8))


@pytest.mark.parametrize("parameters", [{}, {"min_samples_leaf": 4}, {"max_depth": 5}, {"min_gain": 0.1}])
def test_the_rest_in_one_go_is_the_rest_wave_by_wave(data, parameters, monkeypatch):
    at_once = fit(*data, **parameters)
    monkeypatch.setattr(by_value, "SMALL_ROWS", 0)
    assert_same(at_once, fit(*data, **parameters))
    assert at_once.n_nodes > 10


def test_pieces_of_several_threads_are_joined_level_by_level(data, monkeypatch):
    whole = fit(*data)
    monkeypatch.setattr(by_value, "SMALL_ROWS", 200)
    monkeypatch.setattr(pieces, "CELLS_PER_PIECE", 100)
    assert_same(whole, fit(*data, n_jobs=3))


def test_a_node_that_nothing_divides_stays_a_leaf():
    assert fit(np.ones((20, 2)), np.arange(20) % 3).n_nodes == 1
