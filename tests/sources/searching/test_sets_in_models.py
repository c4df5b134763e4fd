"""Tests for sets of categories in model files, in predictions and in words."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
from tests.growing.checks import assert_same_tree
from tests.plain import plain_classifier
from tests.sources.searching.categories import fit, make_columns
from tests.storage.plain_reader import PlainModel

from petree import ProbabilityTreeClassifier
from petree.conditions import In, Threshold
from petree.reading import rules
from petree.storage import dumps, loads


def test_a_model_comes_back_from_its_file() -> None:
    X, y = make_columns(300, 3)
    model = ProbabilityTreeClassifier(tests="sets").fit(X, y)
    text = dumps(model)
    again = loads(text)
    assert_same_tree(again.tree_, model.tree_)
    assert (again.get_params(), dumps(again)) == (model.get_params(), text)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert any(isinstance(test, In) for test in again.tree_.conditions)
    plain = PlainModel(json.loads(text))
    rows = X.astype(object).where(X.notna(), None).to_numpy().tolist()
    np.testing.assert_allclose([plain.probabilities(row) for row in rows], model.predict_proba(X), rtol=0, atol=1e-12)


def test_codes_of_every_size_take_their_branch() -> None:
    """Sets of codes below 64 are bits of one word, others are looked up."""
    values = np.tile(np.arange(200), 6)
    y = (values * 7 % 11 > 5).astype(int)
    X = pd.DataFrame({"x": pd.Categorical(values)})
    for most in (60, 200):
        rows = values < most
        model = plain_classifier(tests="sets").fit(X[rows], y[rows])
        assert model.tree_.n_leaves == 2
        np.testing.assert_array_equal(model.predict(X[rows]), y[rows])


def test_long_sets_are_short_in_views_and_whole_in_rules() -> None:
    values = [chr(97 + number % 20) for number in range(200)]
    model = fit(values, [number % 20 % 2 for number in range(200)])
    whole = "x in {a, c, e, g, i, k, m, o, q, s}"
    assert model.tree_.conditions[0].branches[0] == str(model.tree_.conditions[0]) == whole
    assert rules(model)[0].startswith(f"if {whole} then")
    for view in (model.export_text(), model._repr_html_()):
        assert "x in {a, c, e, and 7 more}" in view
        assert "x not in {a, c, e, and 7 more}" in view
    assert fit(values[:6], [0, 1] * 3).tree_.conditions[0].short_branches == ("x in {a, c, e}", "x not in {a, c, e}")


def test_a_test_that_is_no_set_is_short_already() -> None:
    threshold = Threshold(fit([1.0, 2.0], [0, 1]).columns_[0], 1.5, missing=1)
    assert threshold.short_branches == threshold.branches == ("x < 1.5", "x >= 1.5 or missing")
