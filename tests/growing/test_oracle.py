"""Every node of a grown tree against a plain enumeration of its candidate tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.growing.checks import assert_tree_is_right, chosen_test, fit, noisy
from tests.oracles.growing import Candidate, PlainColumn, PlainTable, Rules
from tests.strategies import GRADES, RawColumn, RawTable, rules, tables

from petree.binning import Entropy, Exact, Quantile
from petree.columns import NOMINAL, NUMBER, ORDERED
from petree.conditions import EQUALS, THRESHOLD, UNSEEN

often = settings(max_examples=8, deadline=None)
seldom = settings(max_examples=4, deadline=None)


@pytest.mark.parametrize("binning", ["quantile", "exact"])
@pytest.mark.parametrize("tests", ["binary", "multiway"])
@pytest.mark.parametrize("weights", ["none", "whole", "fractions", "classes"])
@often
@given(data=st.data())
def test_every_node_has_the_first_best_test(weights: str, tests: str, binning: str, data: Any) -> None:
    table, chosen = data.draw(tables(weights)), data.draw(rules(tests))
    assert_tree_is_right(fit(table, chosen, binning=binning).tree_, table.plain(), chosen)


@pytest.mark.parametrize("weights", ["none", "whole", "fractions", "classes"])
@often
@given(data=st.data())
def test_every_node_has_the_first_best_set(weights: str, data: Any) -> None:
    table, chosen = data.draw(tables(weights)), data.draw(rules("sets"))
    assert_tree_is_right(fit(table, chosen).tree_, table.plain(), chosen)


@pytest.mark.parametrize("kind", ["few", "near", "huge", "string", "ordered"])
@often
@given(data=st.data())
def test_ties_go_to_the_candidate_generated_first(kind: str, data: Any) -> None:
    table = data.draw(tables("whole", max_rows=12, kinds=[kind]))
    assert_tree_is_right(fit(table).tree_, table.plain())


@seldom
@given(table=tables("whole", kinds=["float", "integer", "few"]), max_bins=st.integers(2, 6))
def test_thresholds_of_quantiles_serve_the_whole_tree(table: RawTable, max_bins: int) -> None:
    binning = Quantile(max_bins=max_bins)
    assert_tree_is_right(fit(table, binning=binning).tree_, with_thresholds_of(binning, table.plain()))


@seldom
@given(table=tables("whole", kinds=["float", "integer", "few"]), max_thresholds=st.integers(1, 4))
def test_thresholds_of_minimal_entropy_serve_the_whole_tree(table: RawTable, max_thresholds: int) -> None:
    binning = Entropy(max_thresholds=max_thresholds)
    assert_tree_is_right(fit(table, binning=binning).tree_, with_thresholds_of(binning, table.plain()))


def with_thresholds_of(binning: Any, table: PlainTable) -> PlainTable:
    """The table with the thresholds that a binning member finds in each column."""
    columns = []
    for column in table.columns:
        has_value = ~np.isnan(column.values)
        thresholds = binning.thresholds(
            column.values[has_value], table.classes[has_value], table.weights[has_value], len(table.class_weight)
        )
        columns.append(PlainColumn(column.kind, column.values, thresholds, column.n_categories))
    return PlainTable(tuple(columns), table.classes, table.weights, table.class_weight)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_large_nodes_have_the_first_best_test(n_jobs: int) -> None:
    random = np.random.default_rng(3)
    n_rows = 40_000
    words = random.integers(0, 4, n_rows)
    steps = np.where(random.random(n_rows) < 0.05, np.nan, random.integers(0, 30, n_rows))
    y = noisy(random, np.nan_to_num(steps, nan=4.0) + 5 * (words == 2), 3)
    table = RawTable(
        (
            RawColumn(tuple(None if np.isnan(step) else float(step) for step in steps), NUMBER, float),
            RawColumn(tuple(("ash", "elm", "fir", "oak")[word] for word in words), NOMINAL, "str"),
        ),
        tuple(y.tolist()),
    )
    assert_tree_is_right(fit(table, Rules(max_depth=3), n_jobs=n_jobs).tree_, table.plain(), Rules(max_depth=3))


def mixed_column(random: np.random.Generator, n_rows: int) -> RawColumn:
    """Numbers or words of few or many values, half of the time with missing ones."""
    n_values = int(random.choice([2, 5, 40, 254, 255, 256, 700]))
    drawn = random.integers(0, n_values, n_rows)
    is_missing = random.random(n_rows) < random.choice([0.0, 0.1])
    is_word = random.random() < 0.5
    values = [
        None if lost else f"word {value:03}" if is_word else float(value) / 8
        for value, lost in zip(drawn, is_missing, strict=True)
    ]
    return RawColumn(tuple(values), NOMINAL if is_word else NUMBER, "str" if is_word else float)


@pytest.mark.parametrize("tests", ["binary", "multiway"])
@pytest.mark.parametrize("seed", range(2))
def test_every_node_of_longer_tables(seed: int, tests: str) -> None:
    random = np.random.default_rng(seed)
    n_rows = int(random.choice([300, 500, 700]))
    columns = tuple(mixed_column(random, n_rows) for _ in range(3))
    signal = np.nan_to_num(columns[0].plain(np.ones(n_rows, bool)).values) % 50
    labels = tuple(noisy(random, signal, int(random.integers(2, 5))).tolist())
    weights = tuple(random.integers(1, 4, n_rows).tolist()) if seed % 2 else None
    table, chosen = RawTable(columns, labels, weights), Rules(tests, min_samples_leaf=1 + seed % 3, max_depth=4)
    assert_tree_is_right(fit(table, chosen, binning="exact").tree_, table.plain(), chosen)


def number_table(random: np.random.Generator, values: NDArray[np.float64], n_classes: int = 2) -> RawTable:
    y = noisy(random, np.abs(values - values.mean()), n_classes)
    return RawTable((RawColumn(tuple(values.tolist()), NUMBER, float),), tuple(y.tolist()))


@pytest.mark.parametrize("binning", ["exact", Exact()])
@pytest.mark.parametrize("has_missing", [False, True])
def test_an_exact_column_of_many_values(binning: Any, has_missing: bool) -> None:
    random = np.random.default_rng(5)
    table = number_table(random, random.normal(size=500).round(3))
    assert len(set(table.columns[0].values)) > 255
    if has_missing:
        values = tuple(None if random.random() < 0.1 else value for value in table.columns[0].values)
        table = RawTable((RawColumn(values, NUMBER, float),), table.labels)
    assert_tree_is_right(fit(table, Rules(max_depth=5), binning=binning).tree_, table.plain(), Rules(max_depth=5))


@pytest.mark.parametrize("n_values", [254, 255, 256, 257])
def test_quantiles_are_exact_up_to_255_values(n_values: int) -> None:
    random = np.random.default_rng(n_values)
    table = number_table(random, random.permutation(np.repeat(np.arange(n_values) / 4, 2)))
    tree = fit(table, Rules(max_depth=2)).tree_
    if n_values <= 255:
        assert_tree_is_right(tree, table.plain(), Rules(max_depth=2))
    else:
        assert tree.n_tests[0] <= 254
        assert_tree_is_right(tree, with_thresholds_of(Quantile(), table.plain()), Rules(max_depth=2))


@pytest.mark.parametrize("tests", ["binary", "multiway"])
@pytest.mark.parametrize("has_missing", [False, True])
def test_a_column_of_300_categories(tests: str, has_missing: bool) -> None:
    random = np.random.default_rng(11)
    codes = np.concatenate((np.arange(300), random.integers(0, 300, 500)))
    y = noisy(random, codes % 7 + random.random(len(codes)), 3)
    is_missing = has_missing & (random.random(len(codes)) < 0.1)
    is_missing[:300] = False
    words = tuple(None if lost else f"word {code:03}" for code, lost in zip(codes, is_missing, strict=True))
    few = tuple(float(value) for value in random.integers(0, 5, len(codes)))
    table = RawTable((RawColumn(words, NOMINAL, "str"), RawColumn(few, NUMBER, float)), tuple(y.tolist()))
    chosen = Rules(tests, max_depth=4)
    assert_tree_is_right(fit(table, chosen).tree_, table.plain(), chosen)


def test_an_ordered_category_is_tested_by_threshold() -> None:
    dtype = pd.CategoricalDtype(list(GRADES), ordered=True)
    values = ("low", "top", "middle", "high", "low", "top")
    table = RawTable((RawColumn(values, ORDERED, dtype, GRADES),), (0, 1, 0, 1, 0, 1))
    model = fit(table)
    assert model.columns_[0].kind == ORDERED
    assert model.columns_[0].categories == GRADES
    assert_tree_is_right(model.tree_, table.plain())
    assert str(model.tree_.conditions[0]) == "column 0 < high"


def test_a_category_seen_in_dropped_rows_alone_is_declared_by_its_dtype_alone() -> None:
    values, labels, weights = ("oak", "ash", "elm", "oak"), (0, 1, 1, 0), (1, 1, 0, 2)
    dtype = pd.CategoricalDtype(["oak", "elm", "ash"])
    text = RawTable((RawColumn(values, NOMINAL, "str"),), labels, weights)
    category = RawTable((RawColumn(values, NOMINAL, dtype, ("oak", "elm", "ash")),), labels, weights)
    assert fit(text).columns_[0].categories == ("ash", "oak")
    assert fit(category).columns_[0].categories == ("oak", "elm", "ash")
    assert_tree_is_right(fit(text).tree_, text.plain())
    assert_tree_is_right(fit(category).tree_, category.plain())


def test_an_impure_node_without_gain_is_still_split() -> None:
    columns = (RawColumn((0.0, 0.0, 1.0, 1.0), NUMBER, float), RawColumn((0.0, 1.0, 0.0, 1.0), NUMBER, float))
    table = RawTable(columns, (0, 1, 1, 0))
    tree = fit(table).tree_
    assert tree.n_leaves == 4
    assert chosen_test(tree, 0) == Candidate(0, THRESHOLD, 1, UNSEEN)
    assert fit(table, Rules(min_gain=1e-6)).tree_.n_leaves == 1


def test_ties_hold_in_a_large_node_that_is_almost_pure() -> None:
    # Each column keeps the shares of the classes, so that all gains are zero but for rounding.
    twelfths = list(range(12)) * 2
    columns = tuple(RawColumn(tuple(float(part < limit) for part in twelfths), NUMBER, float) for limit in (6, 4, 3))
    table = RawTable(columns, (0,) * 12 + (1,) * 12, (9_999,) * 12 + (1,) * 12)
    assert_tree_is_right(fit(table, Rules(max_depth=1)).tree_, table.plain(), Rules(max_depth=1))


def test_missing_values_take_branch_one_when_both_directions_are_equal() -> None:
    word = RawColumn(("ash", "ash", "elm", "elm", None, None), NOMINAL, "str")
    tree = fit(RawTable((word,), (0, 0, 1, 1, 0, 1)), Rules(max_depth=1)).tree_
    assert chosen_test(tree, 0) == Candidate(0, EQUALS, 0.0, 1)
