"""Answers of fitted trees against a walk of each row through the tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.prediction import (
    Cell,
    confused_probabilities,
    doubted_probabilities,
    ends_of_ways,
    leaf_shares,
    node_estimates,
    probabilities,
)
from tests.plain import plain_classifier
from tests.strategies import FEW, RawColumn, RawTable, tables

from petree import ProbabilityTreeClassifier
from petree.columns import NUMBER
from petree.routing import LEAST_WEIGHT
from petree.smoothing import Average, Confusion, Doubt

often = settings(max_examples=5, deadline=None)


def fit(table: RawTable, **parameters: Any) -> ProbabilityTreeClassifier:
    model = plain_classifier(class_weight=table.class_weight, **parameters)
    return model.fit(table.frame, table.y, sample_weight=table.sample_weight)


@st.composite
def new_columns(draw: Any, column: RawColumn) -> RawColumn:
    """Other rows for a trained column: old values, missing ones, values never seen."""
    known = list(column.declared or {value for value in column.values if value is not None})
    cells = st.one_of(st.sampled_from(known), st.none(), st.sampled_from(_strangers(column)))
    values = draw(st.lists(cells, min_size=6, max_size=6))
    return replace(column, values=tuple(values), dtype=_wider_dtype(column, known))


def _strangers(column: RawColumn) -> tuple[Any, ...]:
    """Values that the training table need not contain."""
    if column.kind == NUMBER:
        return FEW if column.dtype is float else (-10, 0, 2, 10)
    if column.dtype in ("bool", "boolean"):
        return (False, True)
    return (40, 50) if isinstance(column.values[0], int) else ("yew", "zelkova")


def _wider_dtype(column: RawColumn, known: list[Any]) -> Any:
    """A dtype that also holds missing values and strangers, its categories in another order."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return pd.CategoricalDtype([*_strangers(column), *reversed(known)], ordered=column.dtype.ordered)
    return {"int64": "Int64", "bool": "boolean"}.get(column.dtype, column.dtype)


def encoded_rows(table: RawTable, new: list[RawColumn]) -> list[list[Cell]]:
    """The new rows as the numbers that the trained tree tests."""
    codes = [trained.codes(column.values, table.keep) for trained, column in zip(table.columns, new, strict=True)]
    return [list(row) for row in zip(*codes, strict=True)]


@pytest.mark.parametrize("smoothing", ["none", "laplace"])
@pytest.mark.parametrize("tests", ["binary", "multiway"])
@pytest.mark.parametrize("weights", ["none", "whole", "fractions", "classes"])
@often
@given(data=st.data())
def test_every_row_gets_the_blend_of_its_leaves(weights: str, tests: str, smoothing: str, data: Any) -> None:
    table = data.draw(tables(weights, max_rows=14))
    model = fit(table, tests=tests, smoothing=smoothing)
    new = [data.draw(new_columns(column)) for column in table.columns]
    frame = pd.DataFrame({f"column {i}": column.series() for i, column in enumerate(new)})
    found, leaves = model.predict_proba(frame), model.apply(frame)
    np.testing.assert_allclose(model.node_probabilities_, node_estimates(model.tree_, smoothing), rtol=1e-12)
    for row, cells in enumerate(encoded_rows(table, new)):
        np.testing.assert_allclose(found[row], probabilities(model.tree_, cells, smoothing), rtol=1e-9, atol=1e-12)
        shares = leaf_shares(model.tree_, cells)
        assert shares[leaves[row]] >= max(shares.values()) - 1e-9
    assert_predictions_are_likeliest(model, frame, found)


@pytest.mark.parametrize("tests", ["binary", "multiway"])
@pytest.mark.parametrize("weights", ["none", "fractions"])
@often
@given(data=st.data(), factor=st.sampled_from((0.0, 0.05, 0.3, 1.0)), leaf=st.sampled_from(("none", "laplace")))
def test_every_leaf_answers_a_confused_row(weights: str, tests: str, factor: float, leaf: str, data: Any) -> None:
    table = data.draw(tables(weights, max_rows=14))
    model = fit(table, tests=tests, smoothing=Confusion(factor, leaf))
    averaged = fit(table, tests=tests, smoothing=Average(("laplace", Confusion(factor, leaf))))
    new = [data.draw(new_columns(column)) for column in table.columns]
    frame = pd.DataFrame({f"column {i}": column.series() for i, column in enumerate(new)})
    found, mean = model.predict_proba(frame), averaged.predict_proba(frame)
    estimates = node_estimates(model.tree_, leaf)
    np.testing.assert_allclose(model.node_probabilities_, estimates, rtol=1e-12)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    for row, cells in enumerate(encoded_rows(table, new)):
        expected = confused_probabilities(model.tree_, cells, estimates, factor)
        np.testing.assert_allclose(found[row], expected, rtol=1e-9, atol=1e-12)
        laplace = probabilities(model.tree_, cells, "laplace")
        np.testing.assert_allclose(mean[row], (expected + laplace) / 2, rtol=1e-9, atol=1e-12)
        if factor == 0:
            np.testing.assert_allclose(found[row], probabilities(model.tree_, cells, leaf), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("tests", ["binary", "multiway"])
@pytest.mark.parametrize("weights", ["none", "fractions", "classes"])
@often
@given(data=st.data(), doubt=st.sampled_from((0.0, 0.05, 0.3, 1.0)), leaf=st.sampled_from(("none", "laplace")))
def test_every_leaf_answers_a_doubting_row(weights: str, tests: str, doubt: float, leaf: str, data: Any) -> None:
    table = data.draw(tables(weights, max_rows=14))
    model = fit(table, tests=tests, smoothing=Doubt(doubt, leaf))
    averaged = fit(table, tests=tests, smoothing=Average(("laplace", Doubt(doubt, leaf))))
    new = [data.draw(new_columns(column)) for column in table.columns]
    frame = pd.DataFrame({f"column {i}": column.series() for i, column in enumerate(new)})
    found, mean = model.predict_proba(frame), averaged.predict_proba(frame)
    tree, estimates = model.tree_, node_estimates(model.tree_, leaf)
    np.testing.assert_allclose(model.node_probabilities_, estimates, rtol=1e-12)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    for row, cells in enumerate(encoded_rows(table, new)):
        expected = doubted_probabilities(tree, cells, estimates, doubt)
        ends = ends_of_ways(tree, cells, doubt, LEAST_WEIGHT)
        cut_off = sum(weight for node, weight in ends if not tree.is_leaf[node])
        assert np.abs(found[row] - expected).max() <= cut_off + 1e-12
        laplace = probabilities(tree, cells, "laplace")
        np.testing.assert_allclose(mean[row], (found[row] + laplace) / 2, rtol=1e-9, atol=1e-12)
        if doubt == 0:
            np.testing.assert_allclose(found[row], probabilities(tree, cells, leaf), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("leaf", ["none", "hierarchical"])
@often
@given(data=st.data(), tests=st.sampled_from(("binary", "multiway")))
def test_who_doubts_everything_answers_with_the_base_rates(leaf: str, tests: str, data: Any) -> None:
    """All leaves by their share; the children of a node mean what the node says, also when their steps are shrunk."""
    table = data.draw(tables("fractions"))
    model = fit(table, tests=tests, smoothing=Doubt(1, leaf))
    new = [data.draw(new_columns(column)) for column in table.columns]
    found = model.predict_proba(pd.DataFrame({f"column {i}": column.series() for i, column in enumerate(new)}))
    base_rates = model.tree_.counts[0] / model.tree_.counts[0].sum()
    np.testing.assert_allclose(found, np.tile(base_rates, (len(found), 1)), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("leaf", ["none", "m_branch", "hierarchical"])
@often
@given(table=tables(), tests=st.sampled_from(("binary", "multiway")))
def test_who_doubts_nothing_answers_with_the_leaf(leaf: str, table: RawTable, tests: str) -> None:
    for doubting in (Doubt(0, leaf), Confusion(0, leaf)):
        found = fit(table, tests=tests, smoothing=doubting).predict_proba(table.frame)
        plain = fit(table, tests=tests, smoothing=leaf).predict_proba(table.frame)
        np.testing.assert_allclose(found, plain, rtol=1e-12, atol=1e-15)


def assert_predictions_are_likeliest(model: Any, frame: pd.DataFrame, found: Any) -> None:
    """The class of largest weighted probability."""
    factors = np.ones(len(model.classes_)) if model.class_weight is None else model.tree_.class_weight
    weighted = found * factors
    codes = np.searchsorted(model.classes_, model.predict(frame))
    assert (weighted[np.arange(len(codes)), codes] >= weighted.max(axis=1) - 1e-9).all()


@often
@given(table=tables())
def test_training_rows_reach_the_leaves_that_counted_them(table: RawTable) -> None:
    model = fit(table)
    leaves = model.apply(table.frame)
    codes = np.searchsorted(model.classes_, table.y)
    counts = np.zeros_like(model.tree_.counts)
    np.add.at(counts, (leaves, codes), 1)
    is_leaf = model.tree_.is_leaf
    np.testing.assert_array_equal(counts[is_leaf], model.tree_.counts[is_leaf])


def test_leaves_of_equal_share_answer_by_the_lowest_index() -> None:
    X, y = np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([0, 0, 1, 1])
    model = plain_classifier().fit(X, y)
    missing = np.array([[np.nan]])
    assert model.apply(missing).tolist() == [1]
    assert model.predict_proba(missing).tolist() == [[0.5, 0.5]]


def test_the_blend_is_in_proportion_to_training_weight() -> None:
    X, y = np.array([[0.0], [1.0], [1.0], [1.0]]), np.array([0, 1, 1, 1])
    model = plain_classifier().fit(X, y)
    # Laplace leaves: one case of the first class says (2/3, 1/3), three of the second say (1/5, 4/5).
    expected = 0.25 * np.array([2 / 3, 1 / 3]) + 0.75 * np.array([1 / 5, 4 / 5])
    np.testing.assert_allclose(model.predict_proba([[np.nan]])[0], expected, rtol=1e-12)
    assert model.apply([[np.nan]]).tolist() == [2]


def test_an_ordered_category_never_seen_is_answered_by_the_blend() -> None:
    low_to_high = pd.CategoricalDtype(["low", "high"], ordered=True)
    frame = pd.DataFrame({"grade": pd.Series(["low", "high", "high", "high"], dtype=low_to_high)})
    model = plain_classifier(smoothing="none").fit(frame, [0, 1, 1, 1])
    new = pd.DataFrame({"grade": pd.Series(["huge"], dtype=pd.CategoricalDtype(["low", "high", "huge"], ordered=True))})
    assert model.predict_proba(new).tolist() == [[0.25, 0.75]]
    assert model.apply(new).tolist() == [2]


def test_an_empty_leaf_answers_with_its_parent() -> None:
    word = pd.Series(["oak", "ash", "oak", "ash"], dtype=pd.CategoricalDtype(["ash", "elm", "oak"]))
    frame, y = pd.DataFrame({"word": word}), np.array([0, 1, 0, 0])
    elm = pd.DataFrame({"word": pd.Series(["elm"], dtype=word.dtype)})
    shares = plain_classifier(tests="multiway", smoothing="none").fit(frame, y)
    assert shares.predict_proba(elm).tolist() == [[0.75, 0.25]]
    laplace = plain_classifier(tests="multiway", smoothing="laplace").fit(frame, y)
    assert laplace.predict_proba(elm).tolist() == [[0.5, 0.5]]


def test_confusion_of_the_worked_leaves() -> None:
    """Leaves of .9, .5 and .1, to which a row fails 0, 1 and 2 tests."""
    X = np.repeat([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], 10, axis=0)
    y = np.repeat([0, 1, 0, 1, 0, 1], [9, 1, 5, 5, 1, 9])
    model = plain_classifier(smoothing="confusion").fit(X, y)
    assert model.get_n_leaves() == 3
    first = model.tree_.counts[model.apply([[0.0, 0.0]])[0]]
    assert first.tolist() == [9, 1]
    assert model.predict_proba([[0.0, 0.0]])[0, 0] == pytest.approx(0.761871, abs=5e-7)


def test_doubt_of_the_worked_leaves() -> None:
    """Leaves of .9, .5 and .1, ten cases each; the first test parts off the first leaf, a third of the cases."""
    X = np.repeat([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], 10, axis=0)
    y = np.repeat([0, 1, 0, 1, 0, 1], [9, 1, 5, 5, 1, 9])
    model = plain_classifier(smoothing=Doubt(0.3, "none")).fit(X, y)
    tree, first = model.tree_, model.apply([[0.0, 0.0]])[0]
    assert (tree.n_leaves, tree.counts[first].tolist(), tree.levels[first]) == (3, [9, 1], 1)
    # .7 + .3 / 3 to the first leaf; of the other .3 * 2 / 3, .7 + .3 / 2 to the second and .3 / 2 to the third.
    expected = 0.8 * 0.9 + 0.2 * (0.85 * 0.5 + 0.15 * 0.1)
    assert model.predict_proba([[0.0, 0.0]])[0, 0] == pytest.approx(expected)


@pytest.mark.parametrize("smoothing", ["confusion", "doubt"])
@pytest.mark.parametrize("n_rows", [1, 7, 8, 9, 1500])
def test_answers_of_all_leaves_depend_on_neither_threads_nor_the_other_rows(n_rows: int, smoothing: str) -> None:
    rng = np.random.default_rng(n_rows)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 3, 200)
    new = np.where(rng.random((n_rows, 3)) < 0.1, np.nan, rng.normal(size=(n_rows, 3)))
    model = plain_classifier(smoothing=smoothing, n_jobs=1).fit(X, y)
    found = model.predict_proba(new)
    np.testing.assert_array_equal(model.set_params(n_jobs=2).predict_proba(new), found)
    alone = np.vstack([model.predict_proba(row[None]) for row in new[:9]])
    np.testing.assert_allclose(alone, found[:9], rtol=1e-12)


def test_rows_beyond_one_chunk_get_the_answers_of_the_same_rows_alone() -> None:
    """A frame is read in chunks that are no multiple of the pieces that threads take."""
    generator = np.random.default_rng(0)
    frame = pd.DataFrame({"number": generator.normal(size=140_000), "word": generator.choice(list("abc"), 140_000)})
    labels = (frame["number"] > 0) ^ (frame["word"] == "a")
    model = ProbabilityTreeClassifier(pruning="none", n_jobs=2).fit(frame[:500], labels[:500])
    alone = np.concatenate([model.predict_proba(frame[start : start + 10_000]) for start in range(0, 140_000, 10_000)])
    np.testing.assert_array_equal(model.predict_proba(frame), alone)
    np.testing.assert_array_equal(model.apply(frame)[-5:], model.apply(frame[-5:]))
