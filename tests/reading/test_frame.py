"""The table of nodes, in each data frame library."""

import narwhals as nw
import numpy as np
import pytest
from hypothesis import given
from tests.random_trees import chain, option_tree, trees

from petree.reading import to_frame
from petree.reading.view import class_shares
from petree.tree import Tree


def only(monkeypatch: pytest.MonkeyPatch, *installed: str) -> None:
    monkeypatch.setattr("petree.reading.frame.find_spec", lambda name: name if name in installed else None)


def is_null(value: object) -> bool:
    return str(value) in ("None", "nan", "<NA>")


@given(trees())
def test_one_row_a_node_with_all_that_the_tree_knows(tree: Tree) -> None:
    frame = to_frame(tree)
    assert list(frame.columns) == [
        *("node", "parent", "level", "branch", "condition", "size", "n_tests"),
        *("count_good", "count_bad", "probability_good", "probability_bad", "gain", "tries"),
    ]
    np.testing.assert_array_equal(frame["node"], np.arange(tree.n_nodes))
    np.testing.assert_array_equal(frame["level"], tree.levels)
    np.testing.assert_array_equal(frame["size"], tree.sizes)
    np.testing.assert_array_equal(frame["n_tests"], tree.n_tests)
    np.testing.assert_array_equal(frame[["count_good", "count_bad"]], tree.counts)
    np.testing.assert_array_equal(frame[["probability_good", "probability_bad"]], class_shares(tree))
    np.testing.assert_array_equal(frame["gain"], tree.annotations["gain"])
    assert frame["parent"].isna().tolist() == [True] + [False] * (tree.n_nodes - 1)
    assert frame["parent"].fillna(-1).tolist() == tree.parents.tolist()


@given(trees())
def test_branches_and_conditions_are_the_texts_of_the_tests(tree: Tree) -> None:
    frame = to_frame(tree)
    for index in range(tree.n_nodes):
        node = tree.node(index)
        assert is_null(frame["condition"][index]) == node.is_leaf
        for condition, children in zip(node.conditions, node.children, strict=True):
            assert frame["condition"][index] == str(condition)
            assert tuple(frame["branch"][list(children)]) == condition.branches


@given(trees())
def test_bounds_have_columns_of_their_own(tree: Tree) -> None:
    lower, upper = class_shares(tree) / 2, (1 + class_shares(tree)) / 2
    frame = to_frame(tree, bounds=(lower, upper))
    names = ["probability_bad", "lower_good", "lower_bad", "upper_good", "upper_bad", "gain"]
    first = list(frame.columns).index("probability_bad")
    assert list(frame.columns)[first : first + 6] == names
    np.testing.assert_array_equal(frame[["lower_good", "lower_bad"]], lower)
    np.testing.assert_array_equal(frame[["upper_good", "upper_bad"]], upper)


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("nested", [[3, 1], [[3, 1], [[0, 2], [1, 1]]]])
def test_each_library(monkeypatch: pytest.MonkeyPatch, backend: str, nested: list) -> None:
    only(monkeypatch, backend)
    frame = to_frame(Tree.from_counts(nested))
    assert type(frame).__module__.split(".")[0] == backend
    table = nw.from_native(frame, eager_only=True)
    parents = table["parent"].to_list()
    assert is_null(parents[0])
    assert [int(parent) for parent in parents[1:]] == [0, 0, 2, 2][: len(parents) - 1]
    assert is_null(table["branch"][0])
    assert table["count_0"][0] == (3 if nested == [3, 1] else 4)


def test_without_any_library(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch)
    with pytest.raises(ImportError, match="install pandas, polars or pyarrow"):
        to_frame(Tree.from_counts([3, 1]))


def test_an_option_tree_has_no_single_parent() -> None:
    with pytest.raises(ValueError, match="several parents"):
        to_frame(option_tree())


def test_a_deep_tree() -> None:
    frame = to_frame(chain(3000))
    assert frame["level"].max() == 3000
    assert frame["branch"].iloc[-1] == "not test 5998"


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_half_characters_are_written_out(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    only(monkeypatch, library)
    frame = to_frame(Tree.from_counts([[12, 0], [3, 5]], classes=["good", "\ud800"]))
    names = frame.column_names if library == "pyarrow" else list(frame.columns)
    assert "count_\\ud800" in names
