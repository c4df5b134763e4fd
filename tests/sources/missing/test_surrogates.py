"""Tests of other columns stand in where a value is missing, against the definition."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.growing.checks import fit
from tests.oracles import missing as slow
from tests.oracles.growing import Candidate, PlainTable, Rules
from tests.plain import plain_classifier
from tests.sources.missing.walking import walk
from tests.strategies import RawTable, rules, tables

from petree.conditions import IN, UNSEEN
from petree.sources.missing.agreement import MOST
from petree.tree import Tree


def surrogates_of(tree: Tree, split: int) -> list[tuple[Candidate, bool, float]]:
    """The surrogates of a split as the slow definitions know tests."""
    assert tree.surrogates is not None
    found = []
    for k in range(tree.surrogates.start[split], tree.surrogates.start[split + 1]):
        tests = tree.surrogates.tests
        kind = int(tests.kind[k])
        value: Any = tests[k].codes if kind == IN else float(tests.value[k])
        test = Candidate(int(tests.column[k]), kind, value, UNSEEN)
        found.append((test, bool(tree.surrogates.turned[k]), float(tree.surrogates.agreement[k])))
    return found


def check_surrogates(tree: Tree, table: PlainTable, parts: slow.Parts, test: Candidate, split: int) -> None:
    """The best of each column that beats the larger branch, the best column first, and no more than five."""
    best = slow.best_agreements(table, parts, test, Rules())
    found = surrogates_of(tree, split)
    assert [share for _, _, share in found] == pytest.approx(sorted(best.values(), reverse=True)[:MOST], abs=1e-9)
    total = sum(slow.counts(table, child).sum() for child in slow.known_children(table, parts, test))
    for other, is_turned, share in found:
        assert share == pytest.approx(best[other.column], abs=1e-9)
        assert slow.agreement(table, parts, test, other, is_turned) == pytest.approx(share * total, abs=1e-9)


def divide(tree: Tree, table: PlainTable, parts: slow.Parts, test: Candidate, split: int) -> list[slow.Parts]:
    children = slow.known_children(table, parts, test)
    for row in slow.lost(table, parts, test):
        branch = test.missing
        for other, is_turned, _ in surrogates_of(tree, split):
            own = slow.branch_of(table, row, other)
            if own is not None:
                branch = own ^ is_turned
                break
        children[branch][row] = 1.0
    return children


@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_every_node_is_that_of_the_definition(data: Any) -> None:
    weights = data.draw(st.sampled_from(["none", "whole", "fractions"]))
    kinds = ("few", "integer", "string", "ordered", "number category")
    table: RawTable = data.draw(tables(weights, max_rows=18, kinds=kinds))
    chosen = data.draw(rules("binary"))
    plain = table.plain()
    if not any(np.isnan(column.values).any() for column in plain.columns):
        return
    model = fit(table, chosen, missing="surrogates")
    tree = model.tree_

    def checked(parts: slow.Parts, test: Candidate, split: int) -> list[slow.Parts]:
        if np.isnan(plain.columns[test.column].values).any():
            assert test.missing == slow.larger_branch(plain, parts, test)
            check_surrogates(tree, plain, parts, test, split)
        return divide(tree, plain, parts, test, split)

    found = walk(tree, plain, chosen, checked)
    leaf_of = {row: node for node, parts in found.items() if tree.is_leaf[node] for row in parts}
    kept = np.flatnonzero(table.keep)
    assert model.apply(table.frame.iloc[kept]).tolist() == [leaf_of[row] for row in range(len(kept))]


def many_columns(seed: int) -> tuple[dict[str, Any], Any]:
    random = np.random.default_rng(seed)
    signal = random.normal(size=300)
    X: dict[str, Any] = {f"n{k}": (signal + random.normal(size=300) * (k + 1) / 4).round(1) for k in range(7)}
    X["word"] = np.where(signal + random.normal(size=300) > 0.3, "up", "down").astype(object)
    y = np.where(signal + random.normal(size=300) / 2 > 0, "yes", "no")
    for name in X:
        is_lost = random.random(300) < 0.15
        X[name][is_lost] = None if name == "word" else np.nan
    return X, y


def test_there_are_five_at_most_and_pruned_trees_keep_theirs() -> None:
    X, y = many_columns(0)
    grown = plain_classifier(missing="surrogates", min_samples_leaf=5).fit(X, y)
    found = grown.tree_.surrogates
    assert found is not None
    assert np.diff(found.start).max() == MOST
    cut = grown.tree_.cut([1])
    assert cut.surrogates is not None
    assert len(cut.surrogates.start) == len(cut.conditions) + 1
    assert cut.surrogates.texts(0) == found.texts(0)


def test_the_text_tells_what_stands_in() -> None:
    X, y = many_columns(1)
    model = plain_classifier(missing="surrogates", max_depth=1).fit(X, y)
    lines = model.export("text", surrogates=True).splitlines()
    column = model.columns_[model.tree_.conditions.column[0]].name
    assert model.tree_.surrogates is not None
    texts = "; else ".join(model.tree_.surrogates.texts(0))
    assert lines[2].strip() == f"|- (where {column} is missing: {texts}; else the larger branch)"
    assert not any("or missing" in line for line in [*lines, *model.rules()])
    assert "where" not in model.export("text")
    assert set(model.required_columns_) == {
        model.columns_[place].name for place in [model.tree_.conditions.column[0], *model.tree_.surrogates.tests.column]
    }


@pytest.mark.parametrize("other", [[None] * 40, ["same"] * 40])
def test_columns_that_divide_nothing_do_not_stand_in(other: list[Any]) -> None:
    first = np.arange(40.0)
    first[::5] = np.nan
    X = {"first": first, "other": np.array(other, object)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = plain_classifier(missing="surrogates", max_depth=1).fit(X, np.arange(40) < 20)
    assert model.tree_.surrogates is not None
    assert len(model.tree_.surrogates) == 0
    assert model.predict_proba(X).shape == (40, 2)


def test_a_surrogate_cuts_between_neighbours_of_the_node_as_rpart_does() -> None:
    """Rows without a value at the test are neighbours, too: rpart cuts at 1.5 here, not in the middle of 1 and 5."""
    nan = float("nan")
    p = np.array([1.0] * 10 + [9.0] * 10 + [nan] * 3)
    x = np.array([1.0] * 9 + [5.0] + [5.0] * 9 + [1.0] + [2.0, 2.9, 4.0])
    y = ["a"] * 10 + ["b"] * 10 + ["a", "b", "a"]
    model = plain_classifier("gini", missing="surrogates", max_depth=1, min_samples_leaf=5, binning="exact")
    tree = model.fit({"p": p, "x": x}, y).tree_
    assert tree.surrogates is not None
    assert str(tree.conditions[0].column.name) == "p"
    assert 1 < tree.surrogates.tests.value[0] <= 2
    assert tree.sizes.tolist() == [23, 10, 13]
