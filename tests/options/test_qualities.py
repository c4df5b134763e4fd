"""The quality of every test of a node."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bayes.oracles import leaf_value
from tests.options.made import ALL_TESTS, EXTREMES, KINDS, ONE_SEARCH, fit, options_of, pair, priors, qualities
from tests.options.qualities import FittingContext
from tests.oracles.growing import Candidate
from tests.strategies import RawColumn, RawTable, tables

from petree import OptionTreeClassifier
from petree.bayes import Prior
from petree.columns import NOMINAL, NUMBER, ORDERED
from petree.conditions import EQUALS, IS_MISSING, MULTIWAY, THRESHOLD


def number(*values):
    return RawColumn(values, NUMBER, float)


def words(*values):
    return RawColumn(values, NOMINAL, object)


def by_counts(*branches):
    """A table of one nominal column, one value a branch, whose classes are so many each."""
    cells = [(f"v{i}", c) for i, counts in enumerate(branches) for c, n in enumerate(counts) for _ in range(n)]
    return RawTable((words(*(value for value, _ in cells)),), tuple(label for _, label in cells))


# -- worked numbers ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("branches", "quality", "leaf"),
    [
        ([[8, 2], [2, 8]], -12.830385, -15.599096),
        ([[10, 0], [0, 10]], -3.472305, -15.599096),
        ([[10, 1, 0], [2, 8, 3], [0, 1, 9]], -27.103436, -41.341034),
        ([[40, 1], [55, 4]], -24.477419, -22.898473),
    ],
)
@pytest.mark.parametrize("tests", ["binary", "multiway"])
def test_worked_splits(branches, quality, leaf, tests):
    if tests == "binary" and len(branches) > 2:
        pytest.skip("no binary test divides into three")
    model, world = pair(by_counts(*branches), tests=tests, **ALL_TESTS)
    assert qualities(model)[0] == pytest.approx(quality, abs=5e-7)
    assert world.options(world.all_rows)[0].quality == pytest.approx(quality, abs=5e-7)
    assert model.prior_.leaves(model.tree_)[0] == pytest.approx(leaf, abs=5e-7)
    assert world.leaf(world.all_rows) == pytest.approx(leaf, abs=5e-7)


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


def xor():
    """Two bits whose sum decides, and one that says nothing: 16 rows."""
    bits = np.tile([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], (2, 1))
    columns = tuple(words(*(f"v{bit}" for bit in column)) for column in bits.T.tolist())
    return RawTable(columns, tuple((bits[:, 0] ^ bits[:, 1]).tolist()))


def test_worked_lookahead():
    _, world = pair(xor(), lookahead=2)
    options = world.options(world.all_rows)
    assert [one.quality for one in options] == pytest.approx([-13.683719] * 3, abs=5e-7)
    assert world.leaf(world.all_rows) == pytest.approx(-12.718055, abs=5e-7)
    ahead = [world.ahead(one, 2) for one in options]
    assert ahead == pytest.approx([-5.186729, -5.186729, -13.683719], abs=5e-7)


@pytest.mark.parametrize("max_options", [1, 4])
def test_lookahead_solves_what_one_ply_does_not(max_options):
    """One ply cannot tell the columns apart, and keeps the first of equals; two plies see what two tests can do."""
    table = RawTable(xor().columns[::-1], xor().labels)  # the column that says nothing comes first
    near, far = (fit(table, lookahead=plies, max_options=max_options, max_depth=2) for plies in (1, 2))
    assert [test.column for test in options_of(near, 0)] == [0, 1, 2][:max_options]
    assert [test.column for test in options_of(far, 0)] == [1, 2][:max_options]
    sure = far.predict_proba(table.frame)[np.arange(16), list(table.labels)]
    assert (sure > 0.8).all()
    if max_options == 1:
        np.testing.assert_allclose(near.predict_proba(table.frame), 0.5, atol=1e-12)


def test_one_ply_where_the_depth_allows_no_more():
    near, far = (fit(xor(), lookahead=plies, max_depth=1) for plies in (1, 3))
    assert options_of(far, 0) == options_of(near, 0)
    assert [test.column for test in options_of(far, 0)] == [0, 1, 2]


# -- against the definition ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("tests", ["binary", "multiway"])
@pytest.mark.parametrize("weights", ["none", "whole", "fractions"])
@settings(max_examples=15)
@given(data=st.data())
def test_every_test_of_a_root(weights, tests, data):
    table, prior = data.draw(tables(weights, max_rows=24, kinds=KINDS)), data.draw(priors())
    parameters = {"prior": prior, "tests": tests, "min_samples_leaf": data.draw(st.sampled_from((1, 1, 2, 4)))}
    model, world = pair(table, **parameters, **ALL_TESTS)
    expected = world.chosen(world.all_rows, 0)
    assert options_of(model, 0) == [option.test for option in expected]
    # shrinking pseudo-counts count in the sum over trees, but not where tests are compared
    root = world.counts(world.all_rows)
    shrunk = [
        option.quality
        + sum(leaf_value(prior, world.counts(rows), root, 1) - world.leaf(rows) for rows in option.branches)
        for option in expected
    ]
    np.testing.assert_allclose(qualities(model), shrunk, rtol=1e-9, atol=1e-9)
    penalties = model.tree_.split_annotations["cut_penalty"]
    np.testing.assert_allclose(penalties, [option.penalty for option in expected], atol=1e-9)
    assert (penalties <= 1e-12).all()


@pytest.mark.parametrize("structure", ["I", "II", "III", "IV"])
def test_qualities_are_compared_with_the_weights_of_all_children(structure):
    """A leaf costs as much as its prior says, so that many branches cost more than two."""
    labels = (0, 0, 0, 1, 1, 1, 0, 1)
    table = RawTable((words(*"abcdefgh"), number(1, 1, 1, 2, 2, 2, 2, 1)), labels)
    model, world = pair(table, prior=Prior(structure, omega=0.1), tests="multiway", **ALL_TESTS)
    expected = {option.test.kind: option.quality for option in world.options(world.all_rows)}
    found = dict(zip([test.kind for test in options_of(model, 0)], qualities(model), strict=True))
    assert found == pytest.approx(expected)
    cheap, dear = (
        fit(table, tests="multiway", max_options=1),
        fit(table, prior=Prior("II", omega=0.1), tests="multiway", max_options=1),
    )
    assert options_of(cheap, 0)[0].kind == MULTIWAY
    assert options_of(dear, 0)[0].kind == THRESHOLD


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


# -- missing values ---------------------------------------------------------------------------------------------------


def test_missing_values_try_both_branches_and_a_test_of_their_own():
    none = None
    table = RawTable(
        (words("a", "a", "b", "b", "c", none, none, none), number(1, 2, none, none, 3, 4, 5, none)),
        (0, 0, 1, 1, 1, 0, 0, 1),
    )
    model, world = pair(table, **ALL_TESTS)
    found, expected = options_of(model, 0), world.chosen(world.all_rows, 0)
    assert found == [option.test for option in expected]
    assert {(test.column, test.kind) for test in found} == {
        (0, IS_MISSING), (0, EQUALS), (1, IS_MISSING), (1, THRESHOLD)
    }  # fmt: skip
    assert {test.missing for test in found if test.kind == EQUALS} == {0, 1}
    assert len([test for test in found if test.kind == EQUALS]) == 3


def test_tests_that_divide_alike_are_offered_once():
    """Two values, also with missing ones; and a lone value beside missing ones, which "is missing" divides alike."""
    none = None
    for cells, kinds in [
        (("a", "a", "b", "b"), [EQUALS]),
        (("a", "b", "b", none), [EQUALS, IS_MISSING]),
        (("a", "a", "a", none), [IS_MISSING]),
    ]:
        model = fit(RawTable((words(*cells),), (0, 0, 1, 1)), **ALL_TESTS)
        assert sorted(test.kind for test in options_of(model, 0)) == kinds
    model = fit(RawTable((words("a", "a", none, none),), (0, 0, 1, 1)), tests="multiway", **ALL_TESTS)
    assert [test.kind for test in options_of(model, 0)] == [IS_MISSING]


# -- weights ----------------------------------------------------------------------------------------------------------


@settings(max_examples=10)
@given(table=tables("whole", max_rows=20), prior=priors(), least=st.sampled_from((1, 2, 5)))
def test_a_whole_weight_is_so_many_copies(table, prior, least):
    copies = table.take(np.repeat(np.arange(len(table.labels)), np.array(table.weights, int)).tolist())
    parameters = {"prior": prior, "min_samples_leaf": least, "max_depth": 3}
    weighed, copied = fit(table, **parameters), fit(copies, **parameters)
    for name in ("counts", "sizes", "split_start", "children"):
        np.testing.assert_array_equal(getattr(weighed.tree_, name), getattr(copied.tree_, name))
    for node in range(weighed.tree_.n_nodes):
        assert options_of(weighed, node) == options_of(copied, node)
    np.testing.assert_allclose(weighed.shares_.log_evidence, copied.shares_.log_evidence, rtol=1e-9)
    np.testing.assert_allclose(weighed.predict_proba(table.frame), copied.predict_proba(table.frame), rtol=1e-9)


def test_rows_of_fractional_weight_count_once():
    X, y = [[0.0], [1.0], [2.0]], [0, 1, 1]
    model = OptionTreeClassifier(min_samples_leaf=2)
    assert model.fit(X, y, [2, 1, 3]).tree_.depth == 1
    assert model.fit(X, y, [2, 1.5, 3]).tree_.depth == 0
    assert model.tree_.sizes[0] == 3


def test_very_small_pseudo_counts_and_weights():
    """Rounding must not make a count of nothing negative."""
    rng = np.random.default_rng(0)
    table = RawTable(
        (number(*rng.integers(0, 9, 60).astype(float)), words(*rng.choice(list("abcd"), 60))),
        tuple(rng.integers(0, 3, 60).tolist()),
        tuple(rng.choice([0.1, 0.7, 1e-9, 3.3], 60)),
    )
    model, world = pair(table, prior=Prior(alpha=1e-25), **ALL_TESTS)
    expected = world.chosen(world.all_rows, 0)
    np.testing.assert_allclose(sorted(qualities(model)), sorted(one.quality for one in expected), rtol=1e-6)


def test_more_cases_than_the_table_of_logarithms_holds():
    table = RawTable((number(1, 1, 2, 2),), (0, 1, 0, 1), (90_000, 20, 40, 70_000))
    model, world = pair(table, **ALL_TESTS)
    assert qualities(model)[0] == pytest.approx(world.options(world.all_rows)[0].quality, rel=1e-9)
