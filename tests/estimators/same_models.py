"""Models of drawn tables, and whether two are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from tests.plain import plain_classifier
from tests.strategies import RawTable

from petree import ProbabilityTreeClassifier
from petree.binning import Entropy, Exact, Quantile
from petree.tree import Tree

often = settings(max_examples=20, deadline=None)


seldom = settings(max_examples=15, deadline=None)


PARAMETERS = st.fixed_dictionaries(
    {
        "tests": st.sampled_from(["binary", "multiway"]),
        "binning": st.sampled_from([Quantile(), Quantile(max_bins=3), Exact(), Entropy(max_thresholds=2)]),
        "min_samples_leaf": st.sampled_from([1, 1, 2, 5]),
        "max_depth": st.sampled_from([None, None, 2]),
        "smoothing": st.sampled_from(["none", "laplace"]),
    }
)


def structure(tree: Tree) -> list[tuple[Any, ...]]:
    """Tests and wiring of a tree, comparable by ==."""
    conditions = tree.conditions
    arrays = (tree.split_start, tree.children, conditions.kind, conditions.column, conditions.value, conditions.missing)
    return [tuple(array.tolist()) for array in arrays]


def assert_same_model(model: Any, other: Any) -> None:
    assert structure(model.tree_) == structure(other.tree_)
    assert model.columns_ == other.columns_
    assert model.classes_.tolist() == other.classes_.tolist()
    np.testing.assert_allclose(model.tree_.counts, other.tree_.counts, rtol=1e-12)
    np.testing.assert_array_equal(model.tree_.sizes, other.tree_.sizes)
    np.testing.assert_array_equal(model.tree_.n_tests, other.tree_.n_tests)
    np.testing.assert_allclose(model.node_probabilities_, other.node_probabilities_, rtol=1e-12)
    np.testing.assert_allclose(model.tree_.annotations["gain"], other.tree_.annotations["gain"], atol=1e-12)


def fit(table: RawTable, **parameters: Any) -> ProbabilityTreeClassifier:
    model = plain_classifier(**{"class_weight": table.class_weight, **parameters})
    return model.fit(table.frame, table.y, table.sample_weight)
