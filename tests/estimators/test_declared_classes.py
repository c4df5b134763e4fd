"""Classes that are declared and have no rows: what they change, and what they do not."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from petree import ProbabilityTreeClassifier, pruning, smoothing, storage
from petree.smoothing import MEstimate

N_ROWS = 60
RNG = np.random.default_rng(0)
SIZE = RNG.normal(size=N_ROWS).round(1)
TONE = RNG.choice(["red", "green", "blue"], N_ROWS)
X = {"size": np.where(RNG.random(N_ROWS) < 0.1, np.nan, SIZE), "tone": TONE}
Y = np.where(RNG.random(N_ROWS) < 0.2, "b", np.where((SIZE > 0) & (TONE != "red"), "a", "d"))
ALL = ["a", "b", "c", "d"]


def unpruned(**parameters: Any) -> ProbabilityTreeClassifier:
    return ProbabilityTreeClassifier(**{"pruning": "none", "smoothing": "laplace", **parameters})


def learn(classes: Any = ALL, **parameters: Any) -> ProbabilityTreeClassifier:
    return unpruned(**parameters).fit(X, Y, classes=classes)


def wiring(model: ProbabilityTreeClassifier) -> list[list[Any]]:
    tree = model.tree_
    found = (tree.split_start, tree.children, tree.conditions.column, tree.conditions.value, tree.sizes, tree.n_tests)
    return [array.tolist() for array in found]


# -- what it means -------------------------------------------------------------------------------------------


def test_a_class_without_rows_gets_what_laplace_gives_it() -> None:
    model = unpruned().fit([[0]] * 5, list("aaabb"), classes=["a", "b", "c"])
    assert model.classes_.tolist() == ["a", "b", "c"]
    np.testing.assert_allclose(model.predict_proba([[0]]), [[4 / 8, 3 / 8, 1 / 8]])


def test_it_does_so_in_every_leaf() -> None:
    model = learn()
    n_leaf = model.tree_.sizes[model.apply(X)]
    assert len(set(n_leaf.tolist())) > 2
    np.testing.assert_allclose(model.predict_proba(X)[:, 2], 1 / (n_leaf + 4))


def test_only_probabilities_change() -> None:
    model, plain = learn(smoothing="none"), learn(None, smoothing="none")
    assert wiring(model) == wiring(plain)
    np.testing.assert_array_equal(np.delete(model.predict_proba(X), 2, axis=1), plain.predict_proba(X))
    assert not model.predict_proba(X)[:, 2].any()
    assert model.tree_.counts.shape[1] == 4
    assert model.tree_.counts[:, 2].sum() == 0


@pytest.mark.parametrize("parameters", [{}, {"class_weight": "balanced"}, {"pruning": "mdl", "tests": "multiway"}])
def test_naming_the_classes_that_are_there_changes_nothing(parameters: dict[str, Any]) -> None:
    model, plain = learn(["d", "a", "b"], **parameters), learn(None, **parameters)
    assert model.classes_.tolist() == plain.classes_.tolist()
    assert wiring(model) == wiring(plain)
    np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))


@pytest.mark.parametrize(
    ("y", "classes", "known"),
    [
        ([0, 1, 1, 7], [7, 0, 1, 3], [0, 1, 3, 7]),
        ([0, 1, 1, 7], pd.Series([7, 0, 1, 3]), [0, 1, 3, 7]),
        (pd.Categorical(["x", "y", "y", "x"]), np.array(["y", "x", "z"]), ["x", "y", "z"]),
        ([True, False, True, True], [False, True], [False, True]),
        (np.array(["x", "y", "y", "x"]), np.array(["longer", "x", "y"], object), ["longer", "x", "y"]),
    ],
)
def test_labels_of_every_kind(y: Any, classes: Any, known: list[Any]) -> None:
    model = unpruned().fit([[0], [1], [2], [3]], y, classes=classes)
    assert model.classes_.tolist() == known
    assert model.predict([[0]]).tolist() == [np.asarray(y).tolist()[0]]


def test_a_class_that_only_rows_without_weight_have() -> None:
    weights = [1, 1, 1, 0]
    model = unpruned().fit([[0]] * 4, list("aabc"), weights, classes=["a", "b", "c"])
    np.testing.assert_allclose(model.predict_proba([[0]]), [[3 / 6, 2 / 6, 1 / 6]])


# -- refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("classes", "sentence"),
    [
        (["a", "b"], "y has the class 'd', which classes does not name; add it there."),
        ([0, 1, 2], "y has the class 'a', which classes does not name; add it there."),
        (["a", "b", "d", "a"], "classes names 'a' more than once; name every class once."),
    ],
)
def test_classes_that_do_not_fit_are_refused(classes: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        learn(classes)


@pytest.mark.parametrize(
    ("classes", "words"), [(["a", "b", "d", None], "missing"), ([["a", "b"], ["c", "d"]], "1d"), ("abcd", "1d")]
)
def test_classes_are_a_list_of_labels(classes: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        learn(classes)


def test_one_class_with_rows_is_enough_where_another_is_declared() -> None:
    model = unpruned().fit([[0], [1]], ["a", "a"], classes=["a", "b"])
    assert model.get_n_leaves() == 1
    np.testing.assert_allclose(model.predict_proba([[0]]), [[3 / 4, 1 / 4]])
    with pytest.raises(ValueError, match="y has only one class, 'a'; at least two classes are needed to learn"):
        unpruned().fit([[0], [1]], ["a", "a"], classes=["a"])


# -- with everything else ------------------------------------------------------------------------------------


def test_balanced_weights_are_of_the_classes_with_rows() -> None:
    model, plain = learn(class_weight="balanced"), learn(None, class_weight="balanced")
    assert wiring(model) == wiring(plain)
    assert np.delete(model.tree_.class_weight, 2).tolist() == plain.tree_.class_weight.tolist()
    assert np.isfinite(model.tree_.class_weight).all()
    assert set(model.predict(X).tolist()) <= set(Y.tolist())


def test_a_weight_of_a_declared_class_is_no_mistake() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = learn(class_weight={"c": 3.0})
    assert model.tree_.class_weight.tolist() == [1, 1, 3, 1]


def test_saved_and_loaded(tmp_path: Path) -> None:
    model = learn(pruning="bic", smoothing="m_branch")
    storage.save(model, tmp_path / "model.json")
    loaded = storage.load(tmp_path / "model.json")
    assert loaded.classes_.tolist() == ALL
    assert (model.predict_proba(X)[:, 2] > 0).all()
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("name", pruning.MEMBERS)
def test_every_pruning_with_a_class_without_rows(name: str) -> None:
    check(learn(pruning=name))


@pytest.mark.parametrize("name", smoothing.MEMBERS)
@pytest.mark.parametrize("tests", ["binary", "multiway"])
def test_every_smoothing_with_a_class_without_rows(name: str, tests: str) -> None:
    check(learn(smoothing=name, tests=tests))


DEFAULT = ProbabilityTreeClassifier().get_params(deep=False)


@pytest.mark.parametrize("parameters", [{"smoothing": MEstimate(m="auto")}, DEFAULT], ids=["m", "default"])
def test_chosen_parameters_with_a_class_without_rows(parameters: dict[str, Any]) -> None:
    model = learn(**parameters)
    check(model)
    assert np.isfinite(model.tuning_.losses).all()


def check(model: ProbabilityTreeClassifier) -> None:
    probabilities = model.predict_proba(X)
    assert probabilities.shape == (N_ROWS, 4)
    assert (probabilities >= 0).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    lower, upper = model.predict_interval(X)[:2]
    assert ((lower <= probabilities + 1e-12) & (probabilities <= upper + 1e-12)).all()
    assert "P(" in model.rules()[0]
