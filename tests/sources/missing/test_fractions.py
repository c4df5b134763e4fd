"""Rows in parts, against the definition: growing, and answers."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.growing.checks import chosen_test, fit
from tests.oracles import missing as slow
from tests.oracles.growing import Rules
from tests.oracles.prediction import children_of, node_estimates
from tests.plain import plain_classifier
from tests.sources.missing.walking import walk
from tests.strategies import RawTable, rules, tables

from petree.estimators.learning.cases import Cases
from petree.estimators.learning.routed import route_cases
from petree.inputs import table_of
from petree.routing import DividingRouter
from petree.splitting import GainRatio
from petree.threads import Threads
from petree.tree import Tree


def grown(table: RawTable, chosen: Rules) -> tuple[Tree, dict[int, slow.Parts]]:
    """The tree, and the parts of rows at its nodes."""
    plain = table.plain()
    tree = fit(table, chosen, missing="fractions").tree_
    if not any(np.isnan(column.values).any() for column in plain.columns):
        return tree, {}
    return tree, walk(tree, plain, chosen, lambda parts, test, _: slow.divide_in_parts(plain, parts, test))


SCORES = [(split, tests) for split in ("gain", "gini", "chi_square") for tests in ("binary", "multiway")]
SCORES.append(("mauc", "binary"))  # which is a ratio in multiway trees


@pytest.mark.parametrize(("split", "tests"), SCORES)
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_every_node_is_that_of_the_definition(split: str, tests: str, data: Any) -> None:
    weights = data.draw(st.sampled_from(["none", "whole", "fractions", "classes"]))
    table = data.draw(tables(weights, max_rows=15))
    grown(table, data.draw(rules(tests, split)))


@pytest.mark.parametrize(("split", "tests"), [(GainRatio(slack=0.0), "binary"), ("gain_ratio", "multiway")], ids=str)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_the_ratio_counts_missing_values_as_a_branch_of_their_own(split: Any, tests: str, data: Any) -> None:
    grown(data.draw(tables("whole", max_rows=25)), data.draw(rules(tests, split)))


@pytest.mark.parametrize(("n_parts", "n_known", "is_tried"), [(11, 1, True), (5, 2, True), (10, 1, False)])
def test_what_a_cut_leaves_is_compared_in_parts_of_rows(n_parts: int, n_known: int, is_tried: bool) -> None:
    """Under group = a, of which each row without a group is an eleventh, x < 1 has 2, 2 5/11 or 1 10/11 rows.

    C4.5 asks for 2, whatever the order in which parts are added up.
    """
    group = np.array(["a"] * 10 + ["b"] * 100 + [None] * n_parts, object)
    x = np.array([0.0] * n_known + [1.0] * (10 - n_known) + [2.0] * 100 + [0.0] * n_parts)
    y = np.array(["p"] * n_known + ["q"] * (10 - n_known) + ["r"] * 100 + ["p"] * n_parts)
    model = plain_classifier("gain_ratio", tests="multiway", missing="fractions", binning="exact", first_test="group")
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(len(y))
        tree = model.set_params(min_samples_leaf=2).fit({"group": group[order], "x": x[order]}, y[order]).tree_
        assert tree.is_leaf[tree.children_of(np.zeros(1, np.intp))].tolist() == [not is_tried, False]


@settings(max_examples=5, deadline=None)
@given(table=tables(max_rows=20))
def test_the_parts_of_a_row_are_the_row_at_every_level(table: RawTable) -> None:
    tree, found = grown(table, Rules())
    for level in range(tree.depth + 1):
        sums: Counter[int] = Counter()
        for node, parts in found.items():
            if tree.levels[node] == level or (tree.is_leaf[node] and tree.levels[node] < level):
                sums.update(parts)
        assert all(total == pytest.approx(1, abs=1e-9) for total in sums.values())
    totals = [tree.counts[(tree.levels == level) | (tree.is_leaf & (tree.levels < level))].sum(axis=0) for level in
              range(tree.depth + 1)]  # fmt: skip
    np.testing.assert_allclose(totals, np.tile(tree.counts[0], (tree.depth + 1, 1)), atol=1e-9)


@settings(max_examples=5, deadline=None)
@given(table=tables("whole", max_rows=20))
def test_an_answer_is_the_mean_of_leaves_by_the_shares_of_known_rows(table: RawTable) -> None:
    plain = table.plain()
    tree, found = grown(table, Rules(min_samples_leaf=2))
    if not found:
        return
    says = node_estimates(tree, "laplace")
    model = fit(table, Rules(min_samples_leaf=2), missing="fractions")
    kept = np.flatnonzero(table.keep)
    answers = model.predict_proba(table.frame.iloc[kept])

    def answer(row: int, node: int = 0) -> Any:
        if tree.is_leaf[node]:
            return says[node]
        test = chosen_test(tree, node)
        children = children_of(tree, node)
        branch = slow.branch_of(plain, row, test)
        if branch is not None:
            return answer(row, children[branch])
        shares = slow.shares_of(plain, found[node], test)
        return sum(share * answer(row, child) for share, child in zip(shares, children, strict=True))

    expected = [answer(row) for row in range(len(plain.classes))]
    np.testing.assert_allclose(answers, expected, atol=1e-9)


def test_a_worked_division() -> None:
    """Quinlan's golf: 5 of 14 know sunny, 3 overcast, 5 rain, and one is not known (1993, section 3.2.1)."""
    outlook = ["sunny"] * 5 + [None] + ["overcast"] * 3 + ["rain"] * 5
    play = ["yes", "no", "no", "no", "yes", "yes", "yes", "yes", "yes", "no", "no", "yes", "yes", "yes"]
    model = fit_golf(outlook, play)
    tree = model.tree_
    by_name = dict(zip(model.columns_[0].categories, tree.counts[1:], strict=True))
    assert by_name["sunny"].tolist() == pytest.approx([3, 2 + 5 / 13])
    assert by_name["overcast"].tolist() == pytest.approx([0, 3 + 3 / 13])
    assert by_name["rain"].tolist() == pytest.approx([2, 3 + 5 / 13])
    # 13/14 of (0.961 - 0.747) bits
    assert tree.annotations["gain"][0] == pytest.approx(0.199, abs=5e-4)
    split = math.fsum(-n / 14 * math.log2(n / 14) for n in (5, 3, 5, 1))
    ratio = fit_golf(outlook, play, "gain_ratio").tree_.annotations["gain"][0]
    assert split == pytest.approx(1.809, abs=5e-4)
    assert ratio == pytest.approx(tree.annotations["gain"][0] / split, abs=1e-9)


def fit_golf(outlook: list[str | None], play: list[str], split: str = "gain") -> Any:
    model = plain_classifier(split, tests="multiway", max_depth=1, missing="fractions")
    return model.fit({"outlook": np.array(outlook, object)}, play)


def test_leaves_of_inner_folds_get_parts_of_rows() -> None:
    """What left-out rows count in the leaves of a tree is their weight, in parts."""
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 3)).round(1)
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    X[random.random(X.shape) < 0.3] = np.nan
    model = plain_classifier(missing="fractions", min_samples_leaf=3).fit(X, y)
    table = table_of(X, known=model.columns_)
    cases = Cases(table, model.classes_, y.astype(np.intp), None, None, route=DividingRouter.of)
    reached = route_cases(model.tree_, cases, Threads(1))
    np.testing.assert_allclose(reached.counts(model.tree_), model.tree_.counts, atol=1e-9)
    np.testing.assert_allclose(reached.sizes(model.tree_), model.tree_.sizes)
    by_row: defaultdict[int, float] = defaultdict(float)
    rows, _, shares = DividingRouter.of(model.tree_).parts(table, Threads(1))
    for row, share in zip(rows.tolist(), shares.tolist(), strict=True):
        by_row[row] += share
    assert len(by_row) == 60
    assert all(total == pytest.approx(1) for total in by_row.values())
