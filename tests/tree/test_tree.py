"""The tree as data: making, measuring, walking, editing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine, make_classification
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from petree.conditions import Conditions, Query
from petree.inputs import table_of
from petree.routing import Router
from petree.threads import Threads
from petree.tree import Tree, assemble, ranges, turns

WORKED = [[[12, 0], [3, 5]], [[1, 9], [6, 4]]]


def nested_counts():
    leaf = st.lists(st.integers(0, 9), min_size=2, max_size=2)
    return st.recursive(leaf, lambda below: st.lists(below, min_size=2, max_size=3), max_leaves=12)


def test_from_counts_gives_sums_and_measures():
    tree = Tree.from_counts(WORKED, n_tests=6)
    assert tree.counts.tolist() == [[22, 18], [15, 5], [7, 13], [12, 0], [3, 5], [1, 9], [6, 4]]
    assert (tree.n_nodes, tree.n_leaves, tree.n_internal, tree.depth) == (7, 4, 3, 2)
    assert tree.is_leaf.tolist() == [False] * 3 + [True] * 4
    assert tree.n_tests.tolist() == [6] * 7
    assert tree.parents.tolist() == [-1, 0, 0, 1, 1, 2, 2]
    assert [level.tolist() for level in tree.by_level()] == [[0], [1, 2], [3, 4, 5, 6]]


def test_a_chain_of_thousands_of_tests_is_no_trouble():
    nested = [1, 0]
    for _ in range(5000):
        nested = [nested, [0, 1]]
    tree = Tree.from_counts(nested)
    assert (tree.depth, tree.n_leaves) == (5000, 5001)
    assert tree.counts[0].tolist() == [1, 5000]


@given(nested_counts())
def test_parents_come_first_and_counts_add_up(nested):
    tree = Tree.from_counts(nested)
    for node in range(1, tree.n_nodes):
        assert tree.parents[node] < node
        assert tree.levels[node] == tree.levels[tree.parents[node]] + 1
    inner = np.flatnonzero(~tree.is_leaf)
    for node in inner:
        np.testing.assert_array_equal(tree.counts[tree.parents == node].sum(axis=0), tree.counts[node])


@given(nested_counts())
def test_cutting_keeps_all_that_is_not_below_the_cut(nested):
    tree = Tree.from_counts(nested)
    for node in range(tree.n_nodes):
        cut = tree.cut([node])
        below = {node}
        for child in range(tree.n_nodes):
            if tree.parents[child] in below and child != node:
                below.add(child)
        kept = [i for i in range(tree.n_nodes) if i == node or i not in below]
        np.testing.assert_array_equal(cut.counts, tree.counts[kept])
        assert cut.is_leaf[kept.index(node)]
        assert cut.n_leaves == sum(tree.is_leaf[i] or i == node for i in kept)


def test_cutting_several_nodes_at_once_equals_one_after_the_other():
    tree = Tree.from_counts(WORKED)
    assert tree.cut([1, 2]).counts.tolist() == tree.cut([1]).cut([2]).counts.tolist() == tree.counts[:3].tolist()
    assert tree.cut([]).n_nodes == 7
    assert tree.cut([0, 1]).n_nodes == 1


def test_graft_puts_a_child_in_its_parents_place():
    tree = Tree.from_counts([[[12, 0], [3, 5]], [1, 9]])
    raised = tree.graft(0, 1)
    assert raised.counts.tolist() == [[16, 14], [12, 0], [3, 5]]
    assert str(raised.node(0).conditions[0]) == "test 1"
    assert tree.graft(0, 2).n_nodes == 1
    with pytest.raises(ValueError, match="Node 3 is not a child of node 0"):
        tree.graft(0, 3)


def test_edits_leave_the_old_tree_alone():
    tree = Tree.from_counts(WORKED)
    before = tree.counts.copy()
    tree.cut([1])
    tree.graft(0, 2)
    other = tree.with_counts(tree.counts * 2)
    assert other.sizes.tolist() == (tree.sizes * 2).tolist()
    np.testing.assert_array_equal(tree.counts, before)
    assert tree.n_nodes == 7


def test_annotations_follow_the_nodes():
    tree = Tree.from_counts(WORKED).with_annotations(number=np.arange(7.0))
    assert tree.cut([1]).annotations["number"].tolist() == [0, 1, 2, 5, 6]
    assert tree.node(3).annotations == {"number": 3.0}


@pytest.mark.parametrize(
    ("nested", "message"),
    [
        ([[1, 2], [1, 2, 3]], "one count per class"),
        ([[1, 2]], "at least two children"),
        ([[1, -2], [3, 4]], "not negative"),
        ([[1, np.nan], [3, 4]], "finite"),
        ([[], []], "one count per class"),
    ],
)
def test_nonsense_counts_are_refused(nested, message):
    with pytest.raises(ValueError, match=message):
        Tree.from_counts(nested)


def test_nodes_that_do_not_exist_are_named():
    tree = Tree.from_counts(WORKED)
    for edit in (lambda: tree.node(7), lambda: tree.cut([-1]), lambda: tree.cut([99])):
        with pytest.raises(IndexError, match="nodes 0 to 6; there is no node"):
            edit()
    with pytest.raises(ValueError, match=r"shape \(7, 2\), got \(2, 2\)"):
        tree.with_counts(np.ones((2, 2)))


def shared_tree():
    """A node with two options that share a child: nodes 1 and 2 below option 1, 2 and 3 below option 2."""
    plain = Tree.from_counts([[4, 0], [1, 3], [0, 2]])
    return Tree(
        plain.counts, plain.sizes, plain.n_tests, np.array([0, 2, 2, 2, 2], np.int32), np.array([0, 2, 4], np.int32),
        np.array([1, 2, 2, 3], np.int32), Conditions.queries([("a", 2), ("b", 2)]), (0, 1),
    )  # fmt: skip


def test_a_tree_with_options_is_a_dag_and_says_so():
    tree = shared_tree()
    assert tree.is_dag
    assert not Tree.from_counts(WORKED).is_dag
    assert tree.levels.tolist() == [0, 1, 1, 1]
    assert [len(children) for children in tree.node(0).children] == [2, 2]
    with pytest.raises(ValueError, match="option nodes"):
        _ = tree.parents
    with pytest.raises(ValueError, match="cannot be sent down"):
        Router.of(tree)
    assert tree.cut([0]).n_nodes == 1


def test_assembled_conditions_print_themselves():
    tree = assemble(
        np.ones((3, 2)), np.ones(3), np.ones(3), np.array([0]), np.array([2]), Conditions.queries([("warm", 2)]), "ab"
    )
    assert tree.node(0).conditions == (Query("warm", 2),)
    assert tree.node(0).conditions[0].branches == ("warm", "not warm")


def test_ranges_lists_each_range_after_the_other():
    assert ranges(np.array([3, 7, 7, 0]), np.array([5, 7, 9, 1])).tolist() == [3, 4, 7, 8, 0]
    assert ranges(np.array([], int), np.array([], int)).tolist() == []


def test_turns_count_the_items_of_each_run():
    assert turns(np.array([True, False, False, True, True, False])).tolist() == [0, 1, 2, 0, 0, 1]
    assert turns(np.array([], bool)).tolist() == []


# -- trees of scikit-learn -------------------------------------------------------------------------------------


def sklearn_probabilities(tree, X):
    shares = tree.counts / tree.counts.sum(axis=1, keepdims=True)
    return Router.of(tree).probabilities(table_of(X), shares, Threads(1))


@pytest.mark.parametrize("seed", range(5))
def test_a_tree_of_scikit_learn_answers_as_before(seed):
    X, y = make_classification(400, 6, n_informative=4, n_classes=3, random_state=seed)
    X[np.random.default_rng(seed).random(X.shape) < 0.1] = np.nan
    theirs = DecisionTreeClassifier(random_state=seed).fit(X, y)
    ours = Tree.from_sklearn(theirs)
    assert ours.n_leaves == theirs.get_n_leaves()
    assert ours.depth == theirs.get_depth()
    assert ours.counts[0].tolist() == np.bincount(y).tolist()
    new = np.random.default_rng(seed + 100).normal(size=(2000, 6)) * 2
    new[::7, 2] = np.nan
    np.testing.assert_allclose(sklearn_probabilities(ours, new), theirs.predict_proba(new), atol=1e-12)


def test_values_next_to_a_threshold_of_scikit_learn_go_the_same_way():
    X, y = load_iris(return_X_y=True)
    theirs = DecisionTreeClassifier(random_state=0).fit(X, y)
    for node in np.flatnonzero(theirs.tree_.feature >= 0):
        threshold, column = theirs.tree_.threshold[node], theirs.tree_.feature[node]
        rows = np.repeat(X[:1], 400, axis=0)
        as_single = np.float32(threshold)
        steps = np.float64(np.nextafter(as_single, np.float32(np.inf))) - np.float64(as_single)
        rows[:, column] = threshold + np.linspace(-1.5, 1.5, 400) * steps
        np.testing.assert_array_equal(
            sklearn_probabilities(Tree.from_sklearn(theirs), rows), theirs.predict_proba(rows)
        )


def test_weights_of_scikit_learn_trees_are_kept():
    X, y = load_wine(return_X_y=True)
    weight = np.random.default_rng(0).random(len(y))
    theirs = DecisionTreeClassifier(random_state=0, max_depth=3).fit(X, y, sample_weight=weight)
    ours = Tree.from_sklearn(theirs, n_tests=13)
    np.testing.assert_allclose(ours.counts[0], np.bincount(y, weight))
    assert ours.sizes[0] == len(y)
    assert ours.n_tests.tolist() == [13] * ours.n_nodes


@pytest.mark.parametrize("thing", [DecisionTreeClassifier(), DecisionTreeRegressor(), "tree"])
def test_only_fitted_classification_trees_come_in(thing):
    with pytest.raises(TypeError, match="fitted scikit-learn DecisionTreeClassifier"):
        Tree.from_sklearn(thing)
