"""Every node of a grown tree against a plain enumeration of its candidate tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.oracles.growing import Candidate, PlainColumn, PlainTable, Rules, acceptable, divide, gain, n_candidates
from tests.oracles.prediction import children_of
from sklearn.tree import DecisionTreeClassifier
from tests.strategies import GRADES, RawColumn, RawTable, rules, tables

from petree import ProbabilityTreeClassifier
from petree.binning import Entropy, Exact, Quantile
from petree.columns import NOMINAL, NUMBER, ORDERED
from petree.conditions import EQUALS, IS_MISSING, MULTIWAY, THRESHOLD, UNSEEN
from petree.tree import Tree

often = settings(max_examples=120, deadline=None)
seldom = settings(max_examples=30, deadline=None)
DEFAULTS = Rules()


def fit(table: RawTable, rules: Rules = DEFAULTS, **parameters: Any) -> ProbabilityTreeClassifier:
    model = ProbabilityTreeClassifier(
        tests=rules.tests,
        min_samples_leaf=rules.min_samples_leaf,
        max_depth=rules.max_depth,
        min_gain=rules.min_gain,
        class_weight=table.class_weight,
        **parameters,
    )
    return model.fit(table.frame, table.y, sample_weight=table.sample_weight)


def chosen_test(tree: Tree, node: int) -> Candidate:
    """The test at a node, with only those fields that its kind uses."""
    conditions, split = tree.conditions, tree.split_start[node]
    kind, column = int(conditions.kind[split]), int(conditions.column[split])
    if kind == IS_MISSING:
        return Candidate(column, kind)
    value = 0.0 if kind == MULTIWAY else float(conditions.value[split])
    return Candidate(column, kind, value, int(conditions.missing[split]))


def assert_node_is_right(tree: Tree, node: int, table: PlainTable, rows: Any, level: int, rules: Rules) -> None:
    """Counts, size, and the first best test or none."""
    np.testing.assert_allclose(tree.counts[node], table.counts(rows), rtol=1e-9)
    assert tree.sizes[node] == table.size(rows)
    ranking = acceptable(table, rows, level, rules)
    assert tree.is_leaf[node] == (not ranking)
    if not ranking:
        return
    best = ranking[0][1]
    chosen = chosen_test(tree, node)
    if table.is_weighted_by_fractions:
        assert chosen in [candidate for candidate, value in ranking if value >= best - 1e-9]
    else:
        assert chosen == ranking[0][0]
    tolerance = 1e-9 if table.is_weighted_by_fractions else 1e-12
    assert tree.annotations["gain"][node] == pytest.approx(best, abs=tolerance)


def assert_tree_is_right(tree: Tree, table: PlainTable, rules: Rules = DEFAULTS) -> None:
    """Walk the tree with the oracle's own rows and check every node."""
    pending = [(0, np.arange(len(table.classes)), 0)]
    n_visited = 0
    while pending:
        node, rows, level = pending.pop()
        n_visited += 1
        assert_node_is_right(tree, node, table, rows, level, rules)
        if not tree.is_leaf[node]:
            test = chosen_test(tree, node)
            parts = divide(test, table.columns[test.column], rows)
            pending += [(child, part, level + 1) for child, part in zip(children_of(tree, node), parts, strict=True)]
    assert n_visited == tree.n_nodes
    assert set(tree.n_tests.tolist()) == {n_candidates(table, rules)}


def assert_same_tree(one: Tree, other: Tree) -> None:
    """Equal in every array, to the last bit."""
    for name in ("counts", "sizes", "n_tests", "split_start", "child_start", "children"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    for name in ("kind", "column", "value", "missing"):
        np.testing.assert_array_equal(getattr(one.conditions, name), getattr(other.conditions, name), err_msg=name)
    np.testing.assert_array_equal(one.annotations["gain"], other.annotations["gain"])


@pytest.mark.parametrize(
    ("children", "expected"),
    [
        ([[8, 2], [2, 8]], 0.278072),
        ([[10, 0], [0, 10]], 1.0),
        ([[10, 1, 0], [2, 8, 3], [0, 1, 9]], 0.789415),
        ([[40, 1], [55, 4]], 0.007560),
        ([[6, 1, 0], [2, 5, 0], [0, 0, 0]], 0.257831),
    ],
)
def test_the_oracle_scores_the_reference_splits(children: list[list[int]], expected: float) -> None:
    assert gain([np.array(child, np.float64) for child in children]) == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize("binning", ["quantile", "exact"])
@pytest.mark.parametrize("tests", ["binary", "multiway"])
@pytest.mark.parametrize("weights", ["none", "whole", "fractions", "classes"])
@often
@given(data=st.data())
def test_every_node_has_the_first_best_test(weights: str, tests: str, binning: str, data: Any) -> None:
    table, chosen = data.draw(tables(weights)), data.draw(rules(tests))
    assert_tree_is_right(fit(table, chosen, binning=binning).tree_, table.plain(), chosen)


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


@pytest.mark.parametrize("tests", ["binary", "multiway"])
@seldom
@given(data=st.data())
def test_a_whole_weight_is_so_many_copies(tests: str, data: Any) -> None:
    table, chosen = data.draw(tables("whole")), data.draw(rules(tests))
    copies = table.take(np.repeat(np.arange(len(table.labels)), np.array(table.weights, int)).tolist())
    assert_same_tree(fit(table, chosen).tree_, fit(copies, chosen).tree_)


@pytest.mark.parametrize("binning", ["exact", Quantile(max_bins=3), Entropy(max_thresholds=2)])
@seldom
@given(data=st.data())
def test_the_order_of_rows_does_not_matter(binning: Any, data: Any) -> None:
    table = data.draw(tables())
    shuffled = table.take(data.draw(st.permutations(range(len(table.labels)))))
    assert_same_tree(fit(table, binning=binning).tree_, fit(shuffled, binning=binning).tree_)


@pytest.mark.parametrize("tests", ["binary", "multiway"])
@pytest.mark.parametrize("weights", ["none", "fractions"])
@seldom
@given(data=st.data())
def test_threads_do_not_matter_in_small_tables(weights: str, tests: str, data: Any) -> None:
    table = data.draw(tables(weights))
    one = fit(table, Rules(tests), n_jobs=1).tree_
    assert_same_tree(one, fit(table, Rules(tests), n_jobs=2).tree_)
    assert_same_tree(one, fit(table, Rules(tests), n_jobs=4).tree_)


def noisy(random: np.random.Generator, signal: NDArray[Any], n_classes: int) -> NDArray[Any]:
    """Classes that follow a signal, one in ten at random."""
    ranks = np.argsort(np.argsort(signal, kind="stable"), kind="stable")
    classes = ranks * n_classes // len(signal)
    return np.where(random.random(len(signal)) < 0.1, random.integers(0, n_classes, len(signal)), classes)


def large_table(random: np.random.Generator, n_rows: int, n_columns: int, n_classes: int) -> tuple[Any, Any]:
    """Numbers of many and of few values, some missing, and a text column at the end."""
    X = random.normal(size=(n_rows, n_columns))
    X[:, 1] = np.rint(X[:, 1] * 3)
    y = noisy(random, X[:, 0] + X[:, 1] / 3 * X[:, 2], n_classes)
    X[random.random(n_rows) < 0.05, 2] = np.nan
    frame = pd.DataFrame({f"column {i}": X[:, i] for i in range(n_columns)})
    frame["word"] = np.array(["oak", "ash", "elm", "fir"])[random.integers(0, 4, n_rows)]
    return frame, y


@pytest.mark.parametrize("weights", ["none", "whole", "fractions"])
@pytest.mark.parametrize(
    ("n_rows", "n_columns", "n_classes", "parameters"),
    [
        (120_000, 5, 2, {"max_depth": 12}),
        (120_000, 5, 3, {"max_depth": 4, "binning": "exact"}),
        (3_000, 300, 4, {"max_depth": 6}),
    ],
    ids=["long", "long and exact", "wide"],
)
def test_threads_do_not_matter_in_large_tables(
    n_rows: int, n_columns: int, n_classes: int, parameters: dict[str, Any], weights: str
) -> None:
    random = np.random.default_rng(7)
    X, y = large_table(random, n_rows, n_columns, n_classes)
    drawn = {"none": None, "whole": random.integers(0, 4, n_rows), "fractions": random.random(n_rows)}[weights]
    trees = [
        ProbabilityTreeClassifier(n_jobs=n_jobs, **parameters).fit(X, y, sample_weight=drawn).tree_
        for n_jobs in (1, 2, 4)
    ]
    assert trees[0].n_leaves > 10
    assert_same_tree(trees[0], trees[1])
    assert_same_tree(trees[0], trees[2])


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
    assert chosen_test(tree, 0) == Candidate(0, THRESHOLD, 0.5, UNSEEN)
    assert fit(table, Rules(min_gain=1e-6)).tree_.n_leaves == 1


def test_missing_values_take_branch_one_when_both_directions_are_equal() -> None:
    word = RawColumn(("ash", "ash", "elm", "elm", None, None), NOMINAL, "str")
    tree = fit(RawTable((word,), (0, 0, 1, 1, 0, 1)), Rules(max_depth=1)).tree_
    assert chosen_test(tree, 0) == Candidate(0, EQUALS, 0.0, 1)


def leaf_counts(tree: Tree) -> list[list[float]]:
    """Class counts of the leaves, in an order of their own."""
    return sorted(tree.counts[tree.is_leaf].tolist())


def leaves_of_scikit_learn(X: NDArray[Any], y: NDArray[Any], **parameters: Any) -> list[list[float]] | None:
    """Its leaves; None where they depend on the order in which it looks at columns, so that scores are tied."""
    found = [
        leaf_counts(Tree.from_sklearn(DecisionTreeClassifier(criterion="entropy", random_state=seed, **parameters).fit(X, y)))
        for seed in range(8)
    ]
    return found[0] if all(leaves == found[0] for leaves in found) else None


def test_the_tree_has_the_leaves_of_scikit_learn() -> None:
    n_compared = 0
    for seed in range(30):
        random = np.random.default_rng(seed)
        n_rows, n_classes = int(random.integers(50, 301)), int(random.integers(2, 5))
        # scikit-learn rounds to float32, so the numbers are such.
        X = random.normal(size=(n_rows, 4)).astype(np.float32).astype(np.float64)
        y = noisy(random, X[:, 0] * X[:, 1] + X[:, 2] / 2, n_classes)
        parameters = {"min_samples_leaf": int(random.integers(1, 6)), "max_depth": 5}
        theirs = leaves_of_scikit_learn(X, y, **parameters)
        if theirs is not None:
            ours = ProbabilityTreeClassifier(binning="exact", **parameters).fit(X, y).tree_
            assert leaf_counts(ours) == theirs, f"seed {seed}"
            n_compared += 1
    assert n_compared > 10
