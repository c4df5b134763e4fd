"""A criterion that chooses among all tests of a node, against the definition with exact probabilities."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.growing.checks import chosen_test, fit
from tests.oracles.cases import freeman_halton
from tests.oracles.choosing import best_first, ranking
from tests.oracles.growing import Candidate, PlainTable, Rules, divide
from tests.oracles.prediction import children_of
from tests.plain import plain_classifier
from tests.strategies import tables

from petree.growing import choosing
from petree.pruning import Permutation, SubtreeRandomisation
from petree.sources.searching import blocks
from petree.tree import Tree

ALPHA, N_DRAWN = 0.15, 2000
# Five standard deviations of a share of so many.
MARGIN = 5 * (ALPHA * (1 - ALPHA) / N_DRAWN) ** 0.5
CRITERION = Permutation(ALPHA, N_DRAWN)


@cache
def exact_p(table: tuple[tuple[int, ...], ...]) -> float:
    return freeman_halton([list(row) for row in table if sum(row)])


def p_of(test: Candidate, table: PlainTable, rows: Any) -> float:
    parts = divide(test, table.columns[test.column], rows)
    return exact_p(tuple(tuple(int(n) for n in table.counts(part)) for part in parts))


def assert_node_is_right(tree: Tree, node: int, table: PlainTable, rows: Any, rules: Rules) -> None:
    """Of the tests with a small p the best one; a test whose p is too near the level for its estimate may be kept."""
    scored = [] if np.count_nonzero(table.counts(rows)) < 2 else ranking(table, rows, rules)
    p = {test: p_of(test, table, rows) for test, _ in scored}
    surely = [(test, score) for test, score in scored if p[test] <= ALPHA - MARGIN]
    if tree.is_leaf[node]:
        assert not surely, f"node {node} should choose from {surely[:3]}"
        return
    chosen, scores = chosen_test(tree, node), dict(scored)
    assert p[chosen] <= ALPHA + MARGIN
    best = best_first(surely, 1e-12)[:1]
    assert not best or scores[chosen] >= best[0][1] - 1e-9
    assert p[chosen] > ALPHA - MARGIN or chosen == best[0][0]


def assert_tree_is_right(tree: Tree, table: PlainTable, rules: Rules) -> None:
    pending = [(0, np.arange(len(table.classes)))]
    while pending:
        node, rows = pending.pop()
        assert_node_is_right(tree, node, table, rows, rules)
        if not tree.is_leaf[node]:
            test = chosen_test(tree, node)
            parts = divide(test, table.columns[test.column], rows)
            pending += zip(children_of(tree, node), parts, strict=True)


@pytest.mark.parametrize("tests", ["binary", "multiway"])
@pytest.mark.parametrize("weights", ["none", "whole"])
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_every_node_has_the_best_of_the_significant_tests(weights: str, tests: str, data: Any) -> None:
    table, rules = data.draw(tables(weights, max_rows=14)), Rules(tests, data.draw(st.integers(1, 2)))
    assert_tree_is_right(fit(table, rules, pruning=CRITERION, binning="exact").tree_, table.plain(), rules)


def names_and_sides() -> tuple[pd.DataFrame, Any]:
    """A name of its own for every two rows, which says nothing; a side that says much."""
    frame = pd.DataFrame({"name": [f"n{i // 2:02}" for i in range(40)], "side": ["left", "right"] * 20})
    y = np.where(frame["side"] == "left", "yes", "no")
    y[[0, 1, 6, 7]] = "yes", "yes", "no", "no"
    return frame, y


def test_a_test_of_many_children_gains_most_and_says_nothing() -> None:
    frame, y = names_and_sides()
    frame["name"] = [f"n{i:02}" for i in range(40)]
    model = plain_classifier(pruning=Permutation(), tests="multiway").fit(frame, y)
    assert str(model.tree_.conditions[0]).startswith("side")
    assert model.tree_.n_internal == 1
    assert str(plain_classifier(tests="multiway").fit(frame, y).tree_.conditions[0]).startswith("name")
    after = plain_classifier(pruning=Permutation(when="post"), tests="multiway").fit(frame, y)
    assert after.tree_.n_internal == 0


def test_a_leaf_tells_of_its_best_test() -> None:
    frame, y = names_and_sides()
    model = plain_classifier(pruning=Permutation(), tests="multiway").fit(frame[["name"]], y)
    counted = "Shuffles of the classes that the test divides as well, counted to one too many: 51; allowed: 50."
    assert model.why() == [f"all rows: name = ? (20 leaves, n=40) was cut. {counted}"]


def test_a_test_must_gain_enough_too() -> None:
    frame, y = names_and_sides()
    gain = plain_classifier(pruning=Permutation()).fit(frame, y).tree_.annotations["gain"][0]
    sizes = [
        plain_classifier(pruning=Permutation(), min_gain=least).fit(frame, y).tree_.n_internal
        for least in (0.99 * gain, 1.01 * gain)
    ]
    assert sizes[0] > sizes[1] == 0


def made(seed: int) -> tuple[Any, Any]:
    """Five numbers, of which the first says something of the class."""
    random = np.random.default_rng(seed)
    X = random.integers(0, 6, (150, 5)).astype(float)
    return X, np.where(random.random(150) < 0.4, random.integers(0, 2, 150), X[:, 0] > 2)


@pytest.mark.parametrize("name", ["look", "pieces", "jobs"])
def test_how_candidates_are_asked_does_not_matter(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = made(0)
    whole = plain_classifier(pruning=Permutation(0.2)).fit(X, y)
    if name == "look":
        monkeypatch.setattr(choosing, "FIRST_LOOK", 1000)
    elif name == "pieces":
        monkeypatch.setattr(blocks, "CELLS_AT_ONCE", 100)
    model = plain_classifier(pruning=Permutation(0.2), n_jobs=2 if name == "jobs" else 1).fit(X, y)
    assert whole.tree_.n_internal > 3
    assert model.export_text() == whole.export_text()
    assert model.why(everything=True) == whole.why(everything=True)


def test_trees_of_permuted_classes_are_grown_by_the_criterion_too() -> None:
    X, y = made(1)
    criterion = SubtreeRandomisation(criterion=Permutation(0.01), permutations=10)
    kept = plain_classifier(pruning=criterion).fit(X, y).tree_
    assert 0 < kept.n_internal < plain_classifier().fit(X, y).tree_.n_internal


def test_looking_ahead_as_well_is_refused() -> None:
    X, y = made(2)
    with pytest.raises(ValueError, match='cannot look ahead as well; set lookahead=1, or when="post" of the criterion'):
        plain_classifier(pruning=Permutation(), lookahead=2).fit(X, y)
    assert plain_classifier(pruning=Permutation(when="post"), lookahead=2).fit(X, y).tree_.n_internal > 0
