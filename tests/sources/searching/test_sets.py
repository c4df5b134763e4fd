"""Tests for sets of categories: the best of all sets, and the orders behind them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from tests.core.nodes import Nodes
from tests.growing.checks import assert_same_tree
from tests.oracles import sets as oracle
from tests.oracles.choosing import choice_of
from tests.oracles.growing import Candidate, Rules, divide
from tests.plain import plain_classifier
from tests.sources.made import grow_all, make_source
from tests.sources.searching.categories import fit, make_columns
from tests.sources.searching.test_by_score import Own
from tests.sources.test_permutation import assert_same, trials_of

from petree import ProbabilityTreeClassifier, core, splitting
from petree.conditions import EQUALS, IN, IS_MISSING
from petree.growing import choosing
from petree.pruning import Permutation, Rand
from petree.sources.coding import n_sets

WEIGHTINGS = ["none", "copies", "classes", "fractions"]


# -- the best set ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_classes", "n_categories"), [(2, [7, 5]), (3, [5, 5]), (5, [5, 4, 3])], ids=str)
@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("split", ["gain", "gini"])
@pytest.mark.parametrize("seed", range(3))
def test_of_two_classes_or_five_categories_the_best_of_all_sets_is_found(
    seed: int, split: str, weighting: str, n_classes: int, n_categories: list[int]
) -> None:
    nodes = Nodes.of(seed, [5, 20, 45, 80], n_categories, [IN], n_classes, weighting)
    chosen = Rules("sets", split=split)
    values, tests = nodes.best("narrow", chosen)
    columns = range(len(n_categories))
    table, score = nodes.plain(columns), choice_of(chosen).score
    for node, (first, last) in enumerate(zip(nodes.starts, nodes.stops, strict=True)):
        rows = np.arange(first, last)
        every = [test for column in columns for test in oracle.all_sets(table, column, rows)]
        every += [Candidate(column, IS_MISSING) for column in columns if np.isnan(table.columns[column].values).any()]
        parts = {test: divide(test, table.columns[test.column], rows) for test in every}
        scores = {
            test: score([list(table.counts(part) * table.class_weight) for part in two])
            for test, two in parts.items()
            if min(map(len, two)) > 0
        }
        assert values[node] == pytest.approx(max(scores.values()) * table.weight(rows), abs=1e-9)
        assert scores[tests[node]] == pytest.approx(max(scores.values()), abs=1e-9)
    assert len(set(every)) == len(every) > 2 * 2 ** (min(n_categories) - 1)


def test_a_side_of_one_category_is_asked_for_by_name() -> None:
    """Else for the one of fewer rows, and of equal ones for the one with the lowest code."""
    one = fit(["a", "b", "c", "c"] * 5, [0, 0, 1, 1] * 5)
    assert [str(test) for test in one.tree_.conditions] == ["x = c"]
    few = fit(["a", "b", "c", "d", "d"] * 5, [0, 1, 0, 1, 1] * 5)
    assert few.tree_.conditions[0].branches == ("x in {a, c}", "x not in {a, c}")
    even = fit(["d", "b", "c", "a"] * 5, [0, 1, 0, 1] * 5)
    assert str(even.tree_.conditions[0]) == "x in {a, b}"


def test_missing_values_go_to_the_better_side() -> None:
    letters: list[Any] = [*"abcd" * 5, *[None] * 5]
    model = fit(letters, [0, 1, 0, 1] * 5 + [1] * 5)
    assert model.tree_.conditions[0].branches == ("x in {a, c}", "x not in {a, c} or missing")
    other = fit(letters, [0, 1, 0, 1] * 5 + [0] * 5)
    assert other.tree_.conditions[0].branches == ("x in {b, d}", "x not in {b, d} or missing")


def test_a_category_that_a_node_has_not_seen_goes_where_more_rows_are() -> None:
    letters = pd.Series(pd.Categorical([*"abcd" * 5, *"ac"], [*"abcde"]))
    model = fit(letters, [0, 1, 0, 1] * 5 + [0, 0])
    asked = pd.DataFrame({"x": pd.Categorical(["e", "a"], [*"abcde"])})
    assert str(model.tree_.conditions[0]) == "x in {b, d}"
    assert model.apply(asked)[0] == model.apply(asked)[1]


# -- the orders --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [1, 2, 3, 5, 32, 40])
def test_orders_are_those_of_the_definition(n_classes: int) -> None:
    random = np.random.default_rng(n_classes)
    counts = random.integers(0, 6, (60, 9, n_classes)) * (random.random((60, 9, n_classes)) < 0.6)
    counts[10:20] *= random.random((10, 9, n_classes)) < 0.1
    orders = orders_of(counts.astype(float))
    n_orders = []
    for node, lines in enumerate(counts.astype(float).tolist()):
        expected = oracle.orders({code: line for code, line in enumerate(lines) if any(line)})
        n_orders.append(len(expected))
        padded = [order + [-1] * (9 - len(order)) for order in expected] or [[-1] * 9]
        assert orders[node].tolist() == padded + [padded[0]] * (orders.shape[1] - len(padded))
    assert max(n_orders) == (1 if n_classes <= 2 else max(min(n_classes, 32) + 1, 5))


def orders_of(counts: NDArray[np.float64]) -> NDArray[np.int64]:
    n_nodes, n_categories, n_classes = counts.shape
    n_orders = 1 if n_classes <= 2 else max(min(n_classes, 32) + 1, 5)
    orders = np.empty((n_nodes * n_orders, n_categories), np.int64)
    core.search.order_categories(counts.reshape(-1, n_classes), n_categories, orders, core.NO_STOP)
    return orders.reshape(n_nodes, n_orders, n_categories)


@pytest.mark.parametrize("seed", range(5))
def test_the_last_order_is_that_of_the_first_principal_component(seed: int) -> None:
    random = np.random.default_rng(seed)
    place = random.permutation(8) / 8
    towards = np.array([0.5, 0.2, 0.2, 0.1])
    shares = place[:, None] * towards + (1 - place[:, None]) * towards[[3, 1, 2, 0]] + random.normal(0, 0.003, (8, 4))
    counts = random.integers(50, 200, (8, 1)) * shares
    sizes, shares = counts.sum(axis=1), counts / counts.sum(axis=1, keepdims=True)
    centred = (shares - (sizes / sizes.sum()) @ shares) * np.sqrt(sizes)[:, None]
    component = np.linalg.eigh(centred.T @ centred)[1][:, -1]
    expected = np.argsort(shares @ component).tolist()
    assert orders_of(counts[None])[0, -1].tolist() in (expected, expected[::-1])


def test_the_number_of_tests_counts_the_cuts_of_all_orders() -> None:
    """No more than there are sets; a number has its thresholds, missing values a test of their own."""
    assert [n_sets(n_categories, 2) for n_categories in range(1, 6)] == [0, 1, 2, 3, 4]
    assert [n_sets(n_categories, 4) for n_categories in (1, 2, 3, 4, 5, 9)] == [0, 1, 3, 7, 15, 40]
    assert n_sets(12, 100) == 33 * 11
    X, y = make_columns(200, 4)
    n_letters, n_small = len(set(X["letter"])), len(set(X["small"])) - 1
    n_tests = n_sets(n_letters, 4) + n_sets(n_small, 4) + 1 + (len(set(X["number"])) - 1)
    assert set(plain_classifier(tests="sets").fit(X, y).tree_.n_tests.tolist()) == {n_tests}


# -- in a tree ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("member", [splitting.Gain(), splitting.MAUC(penalty=False)])
@pytest.mark.parametrize("seed", range(4))
def test_a_score_in_python_finds_the_same_sets(seed: int, member: Any) -> None:
    X, y = make_columns(150, 2 + seed % 3, seed)
    weights = np.random.default_rng(seed).integers(1, 4, len(y)).astype(float) if seed % 2 else None
    trees = [
        grow_all(make_source(X, y, split, "sets", 1 + seed, weights=weights), 1 + seed).tree
        for split in (member, Own(member))
    ]
    assert_same_tree(trees[0], trees[1].with_annotations(gain=trees[0].annotations["gain"]))
    assert (trees[0].conditions.kind == IN).sum() > 3


def test_all_candidates_are_listed_in_the_order_of_their_generation() -> None:
    nodes = Nodes.of(3, [60], [6, 4], [IN], 3, "none")
    table, rows = nodes.plain(range(2)), np.arange(60)
    frame = pd.DataFrame({name: pd.Categorical(table.columns[i].values) for i, name in enumerate("ab")})
    source = make_source(frame, nodes.classes.astype(np.int64), tests="sets")
    (found,) = source.candidates(source.root())
    expected = [
        test
        for column in range(2)
        for group in [[Candidate(column, IS_MISSING)], *oracle.set_groups(table, column, rows)]
        for test in group
    ]
    conditions = source.conditions([found.splits.tests])
    assert {told(one) for one in conditions} == {told_plainly(test) for test in expected}
    order = [told_plainly(test) for test in dict.fromkeys(expected)]
    places = [order.index(told(one)) for one in dict.fromkeys(conditions)]
    assert all(first < second for first, second in pairwise(places))


def told(condition: Any) -> tuple[Any, ...]:
    codes = getattr(condition, "codes", (getattr(condition, "code", 0),))
    return condition.column.name, condition.kind, codes, -1 if condition.kind == IS_MISSING else condition.missing


def told_plainly(test: Candidate) -> tuple[Any, ...]:
    codes = test.value if isinstance(test.value, tuple) else (int(test.value),)
    return "ab"[test.column], test.kind, codes, test.missing


@pytest.mark.parametrize("pruning", ["default", "none", "mdl", "chi", Rand(permutations=20), "error_based"])
def test_neither_threads_nor_the_order_of_rows_matter(pruning: Any) -> None:
    X, y = make_columns(300, 3)
    order = np.random.default_rng(1).permutation(len(y))
    model = ProbabilityTreeClassifier(tests="sets", pruning=pruning, n_jobs=1)
    answers = model.fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(model.fit(X.iloc[order], y[order]).predict_proba(X), answers)
    np.testing.assert_array_equal(model.set_params(n_jobs=2).fit(X, y).predict_proba(X), answers)


@pytest.mark.parametrize("seed", range(5))
def test_it_does_not_matter_which_of_two_classes_comes_first(seed: int) -> None:
    X, y = make_columns(250, 2, seed)
    one, other = (plain_classifier(tests="sets").fit(X, labels).tree_ for labels in (y, 1 - y))
    assert_same_tree(one, other.with_counts(one.counts))


def test_large_nodes_are_searched_as_small_ones() -> None:
    """Nodes of many rows are searched block of columns by block of columns, small ones all in one go."""
    X, y = make_columns(40_000, 3)
    model = plain_classifier(tests="sets", max_depth=5, min_samples_leaf=20).fit(X, y)
    by_python = plain_classifier(Own(splitting.Gain()), tests="sets", max_depth=5, min_samples_leaf=20).fit(X, y)
    one, other = model.tree_, by_python.tree_
    assert_same_tree(one, other.with_annotations(gain=one.annotations["gain"]))


@pytest.mark.parametrize("n_classes", [2, 4])
def test_permutations_are_searched_for_sets_of_their_own(n_classes: int) -> None:
    X, y = make_columns(60, n_classes)
    source = make_source(X, y, tests="sets")
    grown = grow_all(source)
    trials = trials_of(grown, 0, 40, 40).take(np.arange(3))
    found, tried = source.exceedances(trials)
    expected = []
    for node in range(3):
        cases = source.rows.cases_of(trials.handles[node])
        drawn = np.empty((40, len(cases)), np.uint16)
        core.permutation.draw_classes(int(trials.keys[node]), np.bincount(y[source.rows.order[cases]]), drawn)
        rows = X.iloc[source.rows.order[cases]]
        best = [permuted_best(rows, labels.astype(np.int64), n_classes) for labels in drawn]
        expected.append(sum(score >= trials.scores[node] - 1e-12 for score in best))
    assert_same((found, tried), (expected, [40] * 3))


def permuted_best(rows: pd.DataFrame, labels: NDArray[np.int64], n_classes: int) -> float:
    model = plain_classifier(tests="sets", max_depth=1).fit(rows, labels, classes=range(n_classes))
    return float(model.tree_.annotations["gain"][0])


def test_a_criterion_that_chooses_the_test_chooses_among_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = make_columns(200, 2)
    asked = []
    choose = choosing.best_passing
    monkeypatch.setattr("petree.growing.grower.best_passing", lambda *given: asked.append(given) or choose(*given))
    model = ProbabilityTreeClassifier(tests="sets", pruning=Permutation(when="pre", permutations=50)).fit(X, y)
    assert asked
    assert IN in model.tree_.conditions.kind


def test_a_column_of_more_than_255_categories_is_asked_for_one() -> None:
    values = [f"word {number % 300}" for number in range(900)]
    model = fit(values, [number % 300 < 150 for number in range(900)], max_depth=3)
    assert set(model.tree_.conditions.kind.tolist()) == {EQUALS}


def test_what_has_no_sets_says_so() -> None:
    with pytest.raises(ValueError, match="'bayes' has no prior over sets of categories; set tests='binary'"):
        fit(["a", "b"], [0, 1], split="bayes")
    with pytest.raises(ValueError, match="tests"):
        plain_classifier(tests="subsets").fit([[1.0], [2.0]], [0, 1])
