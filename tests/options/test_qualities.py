"""The quality of every test of a node."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bayes.oracles import leaf_value
from tests.options.columns import number, words
from tests.options.made import ALL_TESTS, KINDS, fit, options_of, pair, priors, qualities
from tests.strategies import RawTable, tables

from petree import OptionTreeClassifier
from petree.bayes import Prior
from petree.conditions import EQUALS, IS_MISSING, MULTIWAY, THRESHOLD


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
