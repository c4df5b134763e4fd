"""What the choice of a cut costs: the integral over all places between values."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.options.columns import number, words
from tests.options.made import ALL_TESTS, EXTREMES, ONE_SEARCH, fit, options_of, pair, qualities
from tests.options.qualities import FittingContext
from tests.oracles.growing import Candidate
from tests.strategies import RawColumn, RawTable, tables

from petree import OptionTreeClassifier
from petree.columns import ORDERED, Column
from petree.conditions import THRESHOLD
from petree.sources.coding import BinnedColumn
from petree.sources.quality import centres_of_bins

CUTS = RawTable((number(1.0, 2.0, 4.0, 7.0),), (0, 0, 1, 1))


def test_worked_integral_over_the_cuts():
    model, world = pair(CUTS, **ALL_TESTS)
    (option,) = world.options(world.all_rows)
    assert option.quality == pytest.approx(-2.692546, abs=5e-7)
    assert math.exp(option.penalty) == pytest.approx(0.481481, abs=5e-7)
    assert qualities(model) == pytest.approx([-2.692546], abs=5e-7)
    assert options_of(model, 0) == [option.test] == [Candidate(0, THRESHOLD, 3.0)]
    assert np.exp(model.tree_.split_annotations["cut_penalty"]) == pytest.approx([0.481481], abs=5e-7)
    assert model.prior_.leaves(model.tree_)[0] == pytest.approx(-3.753418, abs=5e-7)


# -- numbers ---------------------------------------------------------------------------------------------------------


def test_the_cut_of_a_gap_divides_the_table_as_its_middle_does():
    """A node of its own range: the values of other nodes lie in its gap."""
    values = (0.0, 1.0, 2.0, 3.0, 10.0, *[0.0, 10.0] * 6)
    column, first = number(*values), words(*["a"] * 5, *["b"] * 12)
    labels = (0, 1, 0, 1, 0, *[0, 1] * 6)
    model, world = pair(RawTable((first, column), labels), max_depth=2)
    (option,) = [one for one in world.options(tuple(range(5, 17))) if one.test.column == 1]
    assert option.test.value == 6  # the middle, 5, has 3 on one side and 10 on the other
    tree = model.tree_
    (node,) = np.flatnonzero((tree.counts == 6).all(axis=1) & ~tree.is_leaf)
    assert options_of(model, node) == [option.test]


@settings(max_examples=10)
@given(st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=4, max_size=20), st.floats(0.1, 10))
def test_the_integral_depends_on_distances_and_not_on_units(cells, scale):
    labels = (False, True, *(label for _, label in cells))
    values = np.array([-9.0, 9.0, *(float(value) for value, _ in cells)])
    plain = fit(RawTable((number(*values),), labels), **ALL_TESTS)
    scaled = fit(RawTable((number(*(7 + scale * values)),), labels), **ALL_TESTS)
    np.testing.assert_allclose(qualities(scaled), qualities(plain), atol=1e-9)
    stretched = np.where(values > 0, 100 * values, values)
    far = fit(RawTable((number(*stretched),), labels), **ALL_TESTS)
    assert options_of(far, 0)[0].kind == options_of(plain, 0)[0].kind


def test_an_integral_in_bins_takes_their_centres():
    """Where several values share a bin, they lie half way between the least and the greatest of them."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=400), rng.integers(0, 2, 400)

    class Thirds:
        def thresholds(self, values, classes, weights, n_classes):
            return np.array([-0.5, 0.5])

    model = OptionTreeClassifier("I", binning=Thirds(), **ONE_SEARCH, **ALL_TESTS).fit(x[:, None], y)
    bins = np.searchsorted([-0.5, 0.5], x, side="right")
    centres = [(x[bins == b].min() + x[bins == b].max()) / 2 for b in range(3)]
    world = FittingContext(RawTable((number(*np.array(centres)[bins]),), tuple(y.tolist())).plain(), **ALL_TESTS)
    (option,) = world.options(world.all_rows)
    assert qualities(model)[0] == pytest.approx(option.quality, abs=1e-9)
    assert model.tree_.conditions.value.tolist() in ([-0.5], [0.5])


def test_a_cut_near_the_largest_number():
    """Where values are not known its bins lie within all numbers; where they are, nothing but these is looked at."""
    column = BinnedColumn(Column("size"), np.array([1.6e308]), 2, has_missing=False, is_empty=False)
    assert np.isfinite(centres_of_bins(column)).all()
    X, y = np.array([[1.5e308], [1.5e308], [1.7e308], [1.7e308]]), [0, 0, 1, 1]
    model = OptionTreeClassifier("I", **ONE_SEARCH, **ALL_TESTS).fit(X, y)
    assert model.predict(X).tolist() == y


def test_bins_without_values_are_gaps():
    class Empty:
        def thresholds(self, values, classes, weights, n_classes):
            return np.array([0.5, 1.5, 2.5, 3.5, 4.5])

    X, y = np.array([[0.0], [0.0], [5.0], [5.0]]), [0, 0, 1, 1]
    model = OptionTreeClassifier("I", binning=Empty(), **ONE_SEARCH, **ALL_TESTS).fit(X, y)
    assert model.tree_.conditions.value.tolist() == [2.5]
    grades = pd.CategoricalDtype(["a", "b", "c", "d"], ordered=True)
    frame = pd.DataFrame({"grade": pd.Series(["a", "a", "d", "d"], dtype=grades)})
    model = OptionTreeClassifier("I", **ONE_SEARCH, **ALL_TESTS).fit(frame, y)
    assert model.tree_.conditions.value.tolist() == [2.0]


def test_ordered_categories_are_numbers():
    dtype = pd.CategoricalDtype(["low", "middle", "high"], ordered=True)
    cells = ("low", "low", "middle", "high", "high", "middle")
    table = RawTable((RawColumn(cells, ORDERED, dtype, ("low", "middle", "high")),), (0, 0, 0, 1, 1, 0))
    model, world = pair(table, **ALL_TESTS)
    assert options_of(model, 0) == [world.options(world.all_rows)[0].test] == [Candidate(0, THRESHOLD, 2.0)]
    assert model.tree_.split_annotations["cut_penalty"][0] < 0


@pytest.mark.parametrize("seed", range(8))
def test_very_distant_and_very_near_values(seed):
    """A wide gap counts in the integral, however bad its cut is."""
    rng = np.random.default_rng(seed)
    # an outlier far away: the cut behind it is worth little, and most of the range
    values = (*range(200), float(10 ** (20 + 30 * seed)))
    labels = (*(int(value >= 100) for value in values[:-1]), int(rng.integers(2)))
    model, world = pair(RawTable((number(*values),), labels), **ALL_TESTS)
    (option,) = world.options(world.all_rows)
    assert qualities(model)[0] == pytest.approx(option.quality, rel=1e-12)
    assert options_of(model, 0) == [option.test]


@settings(max_examples=15)
@given(table=tables(max_rows=20, kinds=EXTREMES), least=st.sampled_from((1, 3)))
def test_numbers_of_any_size(table, least):
    """A gap too narrow for its share of the range to be a number is the only thing that makes a difference."""
    model, world = pair(table, min_samples_leaf=least, **ALL_TESTS)
    assert np.isfinite(model.shares_.log_evidence).all()
    np.testing.assert_allclose(model.predict_proba(table.frame).sum(axis=1), 1)
    if least == 1 and all(is_told_apart(column) for column in table.columns):
        expected = world.chosen(world.all_rows, 0)
        np.testing.assert_allclose(qualities(model), [option.quality for option in expected], rtol=1e-9, atol=1e-9)
        assert options_of(model, 0) == [option.test for option in expected]


def is_told_apart(column):
    values = sorted({Fraction(value) for value in column.values if value is not None})
    gaps = [high - low for low, high in pairwise(values)]
    return all(gap > (values[-1] - values[0]) / 10**290 for gap in gaps)
