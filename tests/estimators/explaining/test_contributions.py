"""Contributions of fitted models: Shapley values of what they answer if columns are unknown."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.options.made import KINDS, new_rows
from tests.options.made import fit as fit_options
from tests.oracles.explaining import Answering, shapley
from tests.plain import plain_classifier
from tests.strategies import tables

from petree import OptionTreeClassifier
from petree.smoothing import Hierarchical

often = settings(max_examples=5, deadline=None)


def assert_definition(found: Any, answering: Answering, rows: list[Any]) -> None:
    n_columns = found.contributions.shape[1]
    assert found.has_contributions
    np.testing.assert_allclose(found.base_values, answering.answer(rows[0], frozenset()), atol=1e-12)
    for row, own in zip(rows, found.contributions, strict=True):
        np.testing.assert_allclose(own, shapley(n_columns, partial(answering.answer, row)), atol=1e-12)
    sums = found.contributions.sum(axis=1)
    np.testing.assert_allclose(sums, found.probabilities - found.base_values, atol=1e-12)


@pytest.mark.parametrize("tests", ["binary", "multiway", "sets"])
@pytest.mark.parametrize("weights", ["none", "fractions", "classes"])
@often
@given(data=st.data())
def test_of_a_tree(weights: str, tests: str, data: Any) -> None:
    table = data.draw(tables(weights, max_rows=14))
    model = plain_classifier(class_weight=table.class_weight, tests=tests, smoothing=Hierarchical(2.0))
    model.fit(table.frame, table.y, table.sample_weight)
    frame, rows = data.draw(new_rows(table))
    assert_definition(model.explain(frame), Answering(model.tree_, model.node_probabilities_), rows)


@pytest.mark.parametrize("n_searches", [1, 3])
@often
@given(data=st.data())
def test_of_a_tree_with_options(n_searches: int, data: Any) -> None:
    table = data.draw(tables(max_rows=9, kinds=KINDS))
    model = fit_options(table, n_searches=n_searches, max_depth=3)
    frame, rows = data.draw(new_rows(table))
    own = model.prior_.estimate(model.tree_)
    assert_definition(model.explain(frame), Answering(model.tree_, own, model.shares_.stay, model.shares_.go), rows)


def six_columns(n_rows: int) -> tuple[pd.DataFrame, Any]:
    random = np.random.default_rng(n_rows)
    frame = pd.DataFrame(random.normal(size=(n_rows, 4)).round(1), columns=list("abcd"))
    frame["e"] = random.choice(["red", "green", "blue"], n_rows)
    frame["f"] = random.integers(0, 3, n_rows).astype(float)
    frame = frame.mask(random.random(frame.shape) < 0.1)
    drift = frame[list("abcd")].fillna(0.5).sum(axis=1) + (frame["e"] == "red") + frame["f"].fillna(0)
    return frame, np.digitize(drift + random.normal(size=n_rows), [0.5, 2])


@pytest.mark.parametrize("tests", ["binary", "sets"])
def test_of_six_columns(tests: str) -> None:
    X, y = six_columns(120)
    model = plain_classifier(tests=tests).fit(X, y)
    new = six_columns(7)[0]
    codes = {"red": 2, "green": 1, "blue": 0}
    rows = [[None if pd.isna(cell) else codes.get(cell, cell) for cell in row] for row in new.to_numpy().tolist()]
    assert_definition(model.explain(new), Answering(model.tree_, model.node_probabilities_), rows)


@pytest.mark.parametrize(
    "model", [plain_classifier(), OptionTreeClassifier(n_searches=2, max_depth=3)], ids=["tree", "options"]
)
def test_neither_threads_nor_other_rows_matter(model: Any) -> None:
    X, y = six_columns(1100)
    model.set_params(n_jobs=1).fit(X[:300], y[:300])
    alone = model.explain(X).contributions
    np.testing.assert_array_equal(model.set_params(n_jobs=2).explain(X).contributions, alone)
    np.testing.assert_array_equal(model.explain(X[500:503]).contributions, alone[500:503])


def test_a_column_that_is_not_asked_contributes_nothing() -> None:
    X, y = six_columns(60)
    model = plain_classifier(max_depth=1).fit(X, y)
    asked = int(model.tree_.conditions.column[0])
    contributions = model.explain(X).contributions
    assert np.abs(contributions[:, asked]).min() > 0
    assert not np.delete(contributions, asked, axis=1).any()


def test_a_single_leaf_answers_whatever_is_known() -> None:
    X, y = six_columns(60)
    found = plain_classifier(min_gain=100.0).fit(X, y).explain(X)
    assert not found.contributions.any()
    np.testing.assert_allclose(found.base_values, found.probabilities[0])
    assert (found.nearest_leaves == -1).all()
    assert found[0].nearest is None
