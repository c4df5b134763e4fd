"""What a fitted tree answers, and what it is like."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plain import plain_classifier
from tests.strategies import RawTable, tables

from petree import ProbabilityTreeClassifier
from petree.tree import Tree

XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 3)
XOR_LABELS = XOR[:, 0] ^ XOR[:, 1]


def make_data(n_rows: int = 400, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray[Any, Any]]:
    """Three classes that depend on two of four columns, one in ten at random."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "size": rng.normal(size=n_rows),
            "tone": rng.choice(["red", "green", "blue"], n_rows),
            "weight": rng.normal(size=n_rows),
            "constant": np.ones(n_rows),
        }
    )
    y = np.where(X["size"] > 0.3, 2, np.where(X["tone"] == "red", 1, 0))
    return X, np.where(rng.random(n_rows) < 0.1, rng.integers(0, 3, n_rows), y)


@pytest.fixture(scope="module")
def data() -> tuple[pd.DataFrame, np.ndarray[Any, Any]]:
    return make_data()


@pytest.fixture(scope="module", params=["binary", "multiway"])
def model(request: pytest.FixtureRequest, data: Any) -> ProbabilityTreeClassifier:
    return plain_classifier(tests=request.param).fit(*data)


# -- answers -------------------------------------------------------------------------------------------------


def test_predict_is_the_most_probable_class(model: Any, data: Any) -> None:
    X = data[0]
    np.testing.assert_array_equal(model.predict(X), model.classes_[model.predict_proba(X).argmax(axis=1)])
    assert model.score(*data) > 0.95


def test_predict_takes_the_first_of_equals() -> None:
    X = np.zeros((4, 1))
    assert plain_classifier().fit(X, ["b", "a", "c", "b"]).predict(X)[0] == "b"
    assert plain_classifier().fit(X, ["c", "b", "b", "c"]).predict(X)[0] == "b"
    weighted = plain_classifier(smoothing="none", class_weight={"c": 2})
    assert weighted.fit(X, ["c", "b", "b", "a"]).predict(X)[0] == "b"


@settings(max_examples=30, deadline=None)
@given(tables(), st.sampled_from(["none", "laplace"]), st.sampled_from(["binary", "multiway"]))
def test_probabilities_sum_to_one(table: RawTable, smoothing: str, tests: str) -> None:
    model = plain_classifier(smoothing=smoothing, tests=tests).fit(table.frame, table.y)
    for answers in (model.predict_proba(table.frame), model.node_probabilities_):
        np.testing.assert_allclose(answers.sum(axis=1), 1, rtol=1e-12)
        assert (answers >= 0).all()
        assert answers.shape[1] == len(model.classes_)


def test_log_probabilities(model: Any, data: Any) -> None:
    X = data[0]
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))
    certain = plain_classifier(smoothing="none").fit([[0], [1]], [0, 1])
    np.testing.assert_array_equal(certain.predict_log_proba([[0], [1]]), [[0, -np.inf], [-np.inf, 0]])


def test_probabilities_are_those_of_the_leaf(model: Any, data: Any) -> None:
    X, y = data
    leaves, tree = model.apply(X), model.tree_
    assert tree.is_leaf[leaves].all()
    np.testing.assert_array_equal(model.predict_proba(X), model.node_probabilities_[leaves])
    seen = np.zeros_like(tree.counts)
    np.add.at(seen, (leaves, y), 1)
    np.testing.assert_array_equal(seen[tree.is_leaf], tree.counts[tree.is_leaf])


def test_decision_path_leads_from_the_root_to_the_leaf(model: Any, data: Any) -> None:
    X = data[0]
    paths, leaves, parents = model.decision_path(X), model.apply(X), model.tree_.parents
    assert paths.shape == (len(X), model.tree_.n_nodes)
    assert (paths.data == 1).all()
    for row, leaf in enumerate(leaves):
        path = paths.indices[paths.indptr[row] : paths.indptr[row + 1]]
        assert path[0] == 0
        assert path[-1] == leaf
        np.testing.assert_array_equal(parents[path[1:]], path[:-1])
    reached = np.asarray(paths.sum(axis=0)).ravel()
    np.testing.assert_array_equal(reached, model.tree_.sizes)


def test_a_blend_has_the_path_of_its_heaviest_leaf() -> None:
    model = plain_classifier().fit({"tone": ["red"] * 3 + ["blue"] * 5}, [0] * 3 + [1] * 5)
    unknown = {"tone": ["mauve"]}
    heaviest = model.apply({"tone": ["blue"]})
    assert model.apply(unknown).tolist() == heaviest.tolist()
    assert (
        model.decision_path(unknown).toarray()[0].tolist()
        == model.decision_path({"tone": ["blue"]}).toarray()[0].tolist()
    )


# -- measures ------------------------------------------------------------------------------------------------


def test_depth_and_leaves(model: Any, data: Any) -> None:
    paths = model.decision_path(data[0])
    assert model.get_depth() == paths.sum(axis=1).max() - 1
    assert model.get_n_leaves() == model.tree_.is_leaf.sum()
    single = plain_classifier().fit(np.zeros((3, 1)), [0, 1, 1])
    assert (single.get_depth(), single.get_n_leaves()) == (0, 1)


# -- classes -------------------------------------------------------------------------------------------------

TARGETS: dict[str, tuple[Any, list[Any]]] = {
    "text": (["b", "a", "b", "a"], ["a", "b"]),
    "integers": ([7, -1, 7, -1], [-1, 7]),
    "bytes of integers": (np.array([200, 1, 200, 1], np.uint8), [1, 200]),
    "booleans": ([True, False, True, False], [False, True]),
    "whole floats": ([2.0, 1.0, 2.0, 1.0], [1.0, 2.0]),
    "objects": (np.array(["b", "a", "b", "a"], object), ["a", "b"]),
    "boolean objects": (np.array([True, False, True, False], object), [False, True]),
    "integer objects": (np.array([7, -1, 7, -1], object), [-1, 7]),
    "pandas text": (pd.Series(["b", "a", "b", "a"]), ["a", "b"]),
    "pandas categories": (pd.Series(["b", "a", "b", "a"], dtype="category"), ["a", "b"]),
    "pandas nullable integers": (pd.Series([7, -1, 7, -1], dtype="Int64"), [-1, 7]),
    "pandas nullable booleans": (pd.Series([True, False, True, False], dtype="boolean"), [False, True]),
    "polars": (pl.Series(["b", "a", "b", "a"]), ["a", "b"]),
    "polars Enum": (pl.Series(["b", "a", "b", "a"], dtype=pl.Enum(["b", "a"])), ["a", "b"]),
    "pyarrow": (pa.array(["b", "a", "b", "a"]), ["a", "b"]),
    "numpy text": (np.array(["b", "a", "b", "a"], np.dtypes.StringDType()), ["a", "b"]),
}


@pytest.mark.parametrize("kind", TARGETS)
def test_classes_are_the_labels_themselves(kind: str) -> None:
    y, classes = TARGETS[kind]
    X = [[0], [1], [0], [1]]
    model = plain_classifier().fit(X, y)
    assert model.classes_.tolist() == classes
    assert list(map(type, model.classes_.tolist())) == list(map(type, classes))
    assert model.predict(X).tolist() == [classes[1], classes[0]] * 2
    assert model.predict(X).dtype == model.classes_.dtype
    assert model.tree_.classes == tuple(classes)


@pytest.mark.parametrize("dtype", ["<U3", "i2", "i8", "u1", "?", "f4"])
def test_classes_keep_their_dtype(dtype: str) -> None:
    y = np.array([0, 1, 1, 0]).astype(dtype)
    model = plain_classifier().fit([[0], [1], [1], [0]], y)
    assert model.classes_.dtype == model.predict([[0]]).dtype == y.dtype


# -- growing -------------------------------------------------------------------------------------------------


def test_a_split_without_gain_is_made_unless_told_otherwise() -> None:
    assert plain_classifier().fit(XOR, XOR_LABELS).score(XOR, XOR_LABELS) == 1
    assert plain_classifier(min_gain=1e-9).fit(XOR, XOR_LABELS).get_n_leaves() == 1


@pytest.mark.parametrize("max_depth", [1, 2, 5])
@pytest.mark.parametrize("tests", ["binary", "multiway"])
def test_max_depth(max_depth: int, tests: str, data: Any) -> None:
    shallow = plain_classifier(max_depth=max_depth, tests=tests).fit(*data)
    deep = plain_classifier(tests=tests).fit(*data)
    assert shallow.get_depth() == max_depth < deep.get_depth()
    np.testing.assert_array_equal(shallow.tree_.counts, deep.tree_.counts[deep.tree_.levels <= max_depth])


@pytest.mark.parametrize("min_samples_leaf", [2, 7, 40])
def test_min_samples_leaf(min_samples_leaf: int, data: Any) -> None:
    tree = plain_classifier(min_samples_leaf=min_samples_leaf).fit(*data).tree_
    assert tree.n_leaves > 2
    assert tree.sizes.min() >= min_samples_leaf


def test_min_samples_leaf_asks_two_large_branches_of_a_multiway_test() -> None:
    X = {"tone": ["red"] * 3 + ["blue"] * 3 + ["green"]}
    tree = plain_classifier(tests="multiway", min_samples_leaf=3).fit(X, [0, 0, 0, 1, 1, 1, 1]).tree_
    assert tree.sizes.tolist() == [7, 3, 1, 3]
    assert plain_classifier(tests="multiway", min_samples_leaf=4).fit(X, [0, 0, 0, 1, 1, 1, 1]).get_depth() == 0


def test_min_gain(data: Any) -> None:
    tree = plain_classifier(min_gain=0.1).fit(*data).tree_
    gains = tree.annotations["gain"]
    assert tree.n_leaves > 2
    assert gains[~tree.is_leaf].min() >= 0.1
    assert np.isnan(gains[tree.is_leaf]).all()


def test_order_of_columns_does_not_matter_without_ties() -> None:
    X, y = make_data(1000, seed=1)
    model = plain_classifier(min_samples_leaf=25).fit(X, y)
    assert model.get_n_leaves() > 5
    for names in (["weight", "constant", "tone", "size"], ["tone", "size", "constant", "weight"]):
        turned = plain_classifier(min_samples_leaf=25).fit(X[names], y)
        np.testing.assert_array_equal(turned.predict_proba(X[names]), model.predict_proba(X))


def test_order_of_rows_does_not_matter(data: Any) -> None:
    X, y = data
    order = np.random.default_rng(0).permutation(len(y))
    model, mixed = plain_classifier().fit(X, y), plain_classifier().fit(X.iloc[order], y[order])
    assert mixed.rules() == model.rules()


def test_number_of_threads_does_not_matter() -> None:
    X, y = make_data(40_000)
    models = [plain_classifier(n_jobs=n_jobs, binning="exact").fit(X, y) for n_jobs in (None, 2, 3)]
    for model in models[1:]:
        assert model.rules() == models[0].rules()
        np.testing.assert_array_equal(model.predict_proba(X), models[0].predict_proba(X))


# -- after fit -----------------------------------------------------------------------------------------------


def test_no_training_data_is_kept() -> None:
    small, large = (plain_classifier(max_depth=3).fit(*make_data(n_rows)) for n_rows in (2_000, 50_000))
    assert len(pickle.dumps(large)) < len(pickle.dumps(small)) + 500 < 10_000
    lengths = [len(value) for value in vars(large).values() if hasattr(value, "__len__")]
    assert max(lengths) <= large.tree_.n_nodes


def test_fit_again_forgets_the_first_fit(data: Any) -> None:
    model = plain_classifier().fit(*data)
    model.fit(XOR, XOR_LABELS)
    assert not hasattr(model, "feature_names_in_")
    assert model.n_features_in_ == 2
    assert model.classes_.tolist() == [0, 1]
    assert model.rules() == plain_classifier().fit(XOR, XOR_LABELS).rules()


def test_the_input_is_left_alone(data: Any) -> None:
    X, y = data[0].copy(), data[1].copy()
    weights = np.ones(len(y))
    weights[3] = 0
    plain_classifier().fit(X, y, weights).predict(X)
    pd.testing.assert_frame_equal(X, data[0])
    np.testing.assert_array_equal(y, data[1])


def test_readings(model: Any) -> None:
    assert isinstance(model.tree_, Tree)
    rules = model.rules()
    assert len(rules) == model.get_n_leaves()
    assert all(rule.startswith("if ") and "then P(" in rule for rule in rules)
    assert "tone = red" in model.export_text()
    assert len(model.to_frame()) == model.tree_.n_nodes
    html = model._repr_html_()
    assert "tone" in html
    assert "<script" not in html
    assert "ProbabilityTreeClassifier" in plain_classifier()._repr_html_()
