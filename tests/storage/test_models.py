"""Model files: everything comes back exactly, and nothing else comes in."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from tests.plain import plain_classifier
from tests.random_trees import COLUMNS, ROUTABLE, chain, option_tree, small_tree, trees

from petree.columns import NOMINAL, Column
from petree.estimators.stored import Stored
from petree.estimators.tree import ProbabilityTreeClassifier
from petree.smoothing import Laplace
from petree.storage import dumps, load, loads, save
from petree.storage.trees import read_tree, write_tree
from petree.storage.values import named_lines
from petree.tree import Tree

TREE = small_tree()


def model_of(tree: Tree, columns=COLUMNS, classes=None, feature_names=True, **parameters) -> ProbabilityTreeClassifier:
    classes = np.array(tree.classes) if classes is None else classes
    plain = {"pruning": "none", "smoothing": "laplace", **parameters}
    return ProbabilityTreeClassifier._from_stored(Stored(plain, tree, columns, classes, feature_names))


def assert_same_tree(tree: Tree, other: Tree) -> None:
    for name in ("counts", "sizes", "n_tests", "split_start", "child_start", "children"):
        np.testing.assert_array_equal(getattr(tree, name), getattr(other, name), strict=True)
    assert list(tree.conditions) == list(other.conditions)
    assert tree.classes == other.classes
    assert (tree.class_weight is None) == (other.class_weight is None)
    if tree.class_weight is not None:
        np.testing.assert_array_equal(tree.class_weight, other.class_weight, strict=True)
    assert tree.annotations.keys() == other.annotations.keys()
    for name, notes in tree.annotations.items():
        np.testing.assert_array_equal(notes, other.annotations[name], strict=True)


# -- round trips ----------------------------------------------------------------------------------------------


def tree_again(tree: Tree) -> Tree:
    """The tree through its text alone, for trees that no estimator sends rows down."""
    return read_tree(json.loads(named_lines(write_tree(tree))), COLUMNS, tree.classes)


@given(trees())
def test_every_number_of_a_tree_comes_back(tree: Tree) -> None:
    assert_same_tree(tree, tree_again(tree))


@given(trees(kinds=ROUTABLE))
def test_every_number_of_a_model_comes_back(tree: Tree) -> None:
    text = dumps(model_of(tree))
    again = loads(text)
    assert_same_tree(tree, again.tree_)
    assert again.columns_ == COLUMNS
    assert dumps(again) == text


@pytest.mark.parametrize("counts", [[2.0**53, 0.0], [2.0**52, 2.0**52], [5e-324, 1e15], [0.1 + 0.2, 0.0], [0.0, 0.0]])
def test_extreme_counts_come_back(counts: list[float]) -> None:
    tree = TREE.with_counts(np.tile(counts, (TREE.n_nodes, 1)), np.full(TREE.n_nodes, 4))
    assert_same_tree(tree, loads(dumps(model_of(tree))).tree_)


@pytest.mark.parametrize("counts", [[1e30, 1.0], [2.0**53, 2.0]])
def test_counts_beyond_whole_numbers_are_refused_before_anything_is_written(counts: list[float]) -> None:
    tree = TREE.cut([0]).with_counts([counts], [4])
    with pytest.raises(ValueError, match=r"cannot be held by a model file: .* sum to more than 2\*\*53; pickle"):
        dumps(model_of(tree))


@given(trees(most_splits=10), st.data())
def test_edited_trees_come_back(tree: Tree, data: st.DataObject) -> None:
    inner = np.flatnonzero(~tree.is_leaf).tolist()
    if inner:
        node = data.draw(st.sampled_from(inner))
        tree = tree.graft(node, data.draw(st.sampled_from(tree.node(node).children[0])))
    assert_same_tree(tree, tree_again(tree))


def test_children_are_named_only_where_they_must_be() -> None:
    assert "children" not in write_tree(TREE)
    grafted = Tree.from_counts([[[12, 0], [[3, 5], [1, 1]]], [[1, 9], [6, 4]]]).graft(1, 4)
    for tree in (grafted, option_tree()):
        assert "children" in write_tree(tree)
        assert_same_tree(tree, tree_again(tree))


def test_a_file_is_one_short_line_a_node() -> None:
    tree = chain(5000)
    nodes = write_tree(tree)["nodes"].splitlines()[1:-1]
    assert len(nodes) == tree.n_nodes
    assert json.loads(nodes[0].rstrip(",")) == [3, 0, ["query", "test 0", 2]]
    assert json.loads(nodes[-1]) == [3, 10000]
    assert_same_tree(tree, tree_again(tree))


@pytest.mark.parametrize(
    "classes",
    [
        np.array(["bad", "göod \ud800 \n"]),
        np.array([-1, 7]),
        np.array([0, 255], np.uint8),
        np.array([0.1, 2.0]),
        np.array([0.1, 2.0], np.float32),
        np.array([False, True]),
        np.array(["bad", "good"], object),
        np.array([1, 2], object),
        np.array([0.5, 1.0], object),
    ],
    ids=lambda classes: f"{classes.dtype}",
)
def test_class_labels_keep_their_values_and_types(classes: np.ndarray, tmp_path: Path) -> None:
    save(model_of(TREE, classes=classes), tmp_path / "model.json")
    again = load(tmp_path / "model.json").classes_
    assert again.dtype == classes.dtype
    assert again.tolist() == classes.tolist()
    assert list(map(type, again.tolist())) == list(map(type, classes.tolist()))


def test_categories_keep_their_types() -> None:
    categories = ("a", 2, 1.5, True, np.int64(3), np.float32(0.5), np.str_("b"), np.bool_(False), 10**30)
    again = loads(dumps(model_of(TREE.cut([0]), (Column("x", NOMINAL, categories),)))).columns_[0].categories
    assert again == categories
    assert [type(category) for category in again[:4]] == [str, int, float, bool]
    assert [type(category) for category in again[4:8]] == [int, float, str, bool]


@pytest.mark.parametrize(
    "label", [None, np.datetime64("2020-01-01"), (1, 2), b"x", float("nan"), float("inf")], ids=str
)
def test_other_labels_are_refused(label: object) -> None:
    classes = np.empty(2, object)
    classes[:] = ["a", label]
    with pytest.raises(ValueError, match=r"label .* of the classes cannot be held by a model file"):
        dumps(model_of(TREE, classes=classes))
    with pytest.raises(ValueError, match=r"label .* of column 'day' cannot be held by a model file"):
        dumps(model_of(TREE.cut([0]), (Column("day", NOMINAL, ("a", label)),)))


def test_class_labels_of_other_types_are_refused() -> None:
    with pytest.raises(ValueError, match=r"Class labels of type datetime64\[D\] cannot be held"):
        dumps(model_of(TREE, classes=np.array(["2020-01-01", "2020-01-02"], "datetime64[D]")))


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("max_depth", 3, 3),
        ("max_depth", np.int64(3), 3),
        ("min_gain", 0.1 + 0.2, 0.1 + 0.2),
        ("class_weight", {0: 1.5, "b": 2, 0.5: 1}, {0: 1.5, "b": 2, 0.5: 1}),
        ("class_weight", "balanced", "balanced"),
        ("categorical_features", np.array([True, False, True]), [True, False, True]),
        ("categorical_features", ("colour", "grade"), ["colour", "grade"]),
        ("random_state", 7, 7),
        ("random_state", np.random.RandomState(0), None),
    ],
)
def test_parameters_come_back(name: str, value: object, expected: object) -> None:
    again = getattr(loads(dumps(model_of(TREE, **{name: value}))), name)
    assert again == expected
    assert type(again) is type(expected)


def test_parts_come_back_with_their_parameters() -> None:
    part = Laplace()
    again = loads(dumps(model_of(TREE, smoothing=part))).smoothing
    assert type(again) is Laplace
    assert again.get_params() == part.get_params()


class Outsider(BaseEstimator):
    pass


@pytest.mark.parametrize("value", [lambda: 1, object(), b"gain", Laplace, Outsider(), [Outsider()], {"a": Outsider()}])
def test_other_parameters_are_refused_by_name(value: object) -> None:
    model = model_of(TREE)
    model.split = value
    with pytest.raises(ValueError, match=r"The 'split' parameter of ProbabilityTreeClassifier is a .* cannot hold"):
        dumps(model)


def test_only_fitted_petree_estimators_are_saved() -> None:
    with pytest.raises(TypeError, match=r"holds one of .*ProbabilityTreeClassifier.*, not a Tree"):
        dumps(TREE)
    with pytest.raises(NotFittedError, match="call fit before saving"):
        dumps(plain_classifier())


@pytest.mark.parametrize("feature_names", [True, False])
def test_whether_columns_had_names_comes_back(feature_names: bool) -> None:
    again = loads(dumps(model_of(TREE, feature_names=feature_names)))
    assert hasattr(again, "feature_names_in_") == feature_names


def test_infinite_notes_are_refused() -> None:
    tree = TREE.with_annotations(gain=np.full(TREE.n_nodes, np.inf))
    with pytest.raises(ValueError, match="annotation 'gain' of the tree"):
        dumps(model_of(tree))


def test_a_tree_about_other_columns_is_refused() -> None:
    with pytest.raises(ValueError, match="other columns"):
        dumps(model_of(TREE, COLUMNS[::-1]))


def test_infinite_thresholds_are_refused() -> None:
    tree = replace(TREE, conditions=replace(TREE.conditions, value=np.array([0, np.inf, 1])))
    with pytest.raises(ValueError, match="a threshold that is not finite"):
        dumps(model_of(tree))


# -- files ----------------------------------------------------------------------------------------------------


def test_a_saved_file_replaces_the_old_one_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "modèle.json"
    path.write_text("old")
    save(model_of(TREE), path)
    assert os.listdir(tmp_path) == ["modèle.json"]
    assert_same_tree(TREE, load(str(path)).tree_)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    save(model_of(TREE), tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert_same_tree(TREE, load(tmp_path / "real.json").tree_)


@pytest.mark.parametrize("failing", ["fsync", "replace"])
@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "stopped"]
)
def test_a_failing_write_leaves_the_old_file(monkeypatch, tmp_path: Path, failing: str, error: BaseException) -> None:
    path = tmp_path / "model.json"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, failing, fail)
    with pytest.raises(type(error), match="No space left" if isinstance(error, OSError) else None):
        save(model_of(TREE), path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["model.json"]


def test_unwritable_paths_are_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    for path in (tmp_path / "no folder" / "model.json", tmp_path / "file" / "model.json", tmp_path):
        with pytest.raises(OSError, match=r"The model could not be written to .* \(.+\); nothing there was changed"):
            save(model_of(TREE), path)
    assert os.listdir(tmp_path) == ["file"]
    assert (tmp_path / "file").read_text() == "old"


def test_a_model_that_cannot_be_saved_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text("old")
    model = model_of(TREE)
    model.split = object()
    with pytest.raises(ValueError, match="split"):
        save(model, path)
    assert path.read_text() == "old"
