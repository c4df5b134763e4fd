"""Whole option trees against slow ones that share nothing, and against the mean over all trees, one by one."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.options.made import KINDS, PAPER, fit, new_rows, options_of, pair, priors
from tests.options.qualities import FittingContext
from tests.options.trees import contained, grow, mean_answer
from tests.strategies import RawColumn, RawTable, tables

from lab.papers.data.generators import led7
from petree import OptionTreeClassifier
from petree.bayes import Prior
from petree.columns import NOMINAL

SIZES = st.sampled_from(
    [
        {"max_depth": 1},
        {"max_depth": 2},
        {"max_depth": 2, "lookahead": 2},
        {"max_depth": 2, "lookahead": 3, "max_options": 2},
        {"max_depth": 3, "max_options": 2},
        {"max_depth": 3, "max_options": 2, "lookahead": 2},
        {"max_depth": 3, "option_depth": 1},
        {"max_depth": 3, "option_depth": 2, "max_options": 2, "lookahead": 2},
    ]
)
FACTORS = st.sampled_from((0.005, 0.3, 1.0, 1e-9))


def nodes_of(root):
    """Distinct nodes of a tree that shares nothing: sets of rows at a level."""
    return {(frozenset(node.rows), node.level): node for node in root.nodes()}


def assert_same(model, root):
    """The same nodes with the same tests, and the same sum over all trees."""
    distinct, tree = nodes_of(root), model.tree_
    assert tree.n_nodes == len(distinct)
    expected = Counter(
        (node.level, tuple(np.round(node.world.counts(node.rows), 9)), tuple(o.test for o, _ in node.options))
        for node in distinct.values()
    )
    found = Counter(
        (int(tree.levels[i]), tuple(np.round(tree.counts[i], 9).tolist()), tuple(options_of(model, i)))
        for i in range(tree.n_nodes)
    )
    assert found == expected
    assert model.shares_.log_evidence[0] == pytest.approx(root.total, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("tests", ["binary", "multiway"])
@pytest.mark.parametrize("weights", ["none", "whole", "fractions"])
@settings(max_examples=13)
@given(data=st.data())
def test_trees_and_answers_are_those_of_the_definition(weights, tests, data):
    table = data.draw(tables(weights, max_rows=14, kinds=KINDS))
    parameters = {
        **data.draw(SIZES), "prior": data.draw(priors()), "tests": tests, "factor": data.draw(FACTORS),
        "min_samples_leaf": data.draw(st.sampled_from((1, 1, 2))),
    }  # fmt: skip
    model, world = pair(table, **parameters)
    root = grow(world)
    assert_same(model, root)
    frame, rows = data.draw(new_rows(table))
    expected = [root.answer(row) for row in rows]
    np.testing.assert_allclose(model.predict_proba(frame), expected, rtol=1e-9, atol=1e-12)


@settings(max_examples=20)
@given(
    table=tables(max_rows=10, kinds=KINDS),
    prior=priors(),
    tests=st.sampled_from(("binary", "multiway")),
    data=st.data(),
)
def test_the_answer_is_the_mean_over_all_trees(table, prior, tests, data):
    parameters = data.draw(st.sampled_from(({"max_depth": 2}, {"max_depth": 3, "max_options": 2})))
    model, world = pair(table, prior=prior, tests=tests, **parameters)
    root = grow(world)
    if len(contained(root)) > 1500:
        return  # so many are not listed one by one
    frame, rows = data.draw(new_rows(table))
    np.testing.assert_allclose(model.predict_proba(frame), [mean_answer(root, row) for row in rows], rtol=1e-9)


def test_worked_options():
    """[6, 6] with the options [6, 0], [0, 6] and [5, 1], [1, 5], under prior I."""
    labels = (1,) * 6 + (0,) * 6
    first = ["left"] * 6 + ["right"] * 6
    second = ["left"] * 5 + ["right"] + ["left"] + ["right"] * 5
    columns = tuple(RawColumn(tuple(cells), NOMINAL, object) for cells in (first, second))
    model, world = pair(RawTable(columns, labels), max_depth=1)
    assert model.shares_.stay[0] == pytest.approx(0.001072, abs=5e-7)
    assert model.shares_.go == pytest.approx([0.99074, 0.008188], abs=5e-7)
    row = pd.DataFrame({"column 0": ["left"], "column 1": ["right"]})
    assert model.predict_proba(row)[0, 1] == pytest.approx(0.922263, abs=5e-7)
    assert grow(world).answer([0.0, 1.0])[1] == pytest.approx(0.922263, abs=5e-7)


# -- which tests are kept -------------------------------------------------------------------------------------------


def copies(n_columns, n_values=2):
    """The same column several times, so that all tests are equal."""
    cells = tuple(f"v{i % n_values}" for i in range(12))
    return RawTable((RawColumn(cells, NOMINAL, object),) * n_columns, tuple(i % 2 for i in range(12)))


@pytest.mark.parametrize("factor", [0.005, 1.0])
def test_the_first_of_equal_tests_are_kept(factor):
    model = fit(copies(6), factor=factor)
    assert [test.column for test in options_of(model, 0)] == [0, 1, 2, 3]
    assert [test.column for test in options_of(fit(copies(6), max_options=2, factor=factor), 0)] == [0, 1]


def test_columns_of_many_categories_keep_their_place():
    cells = copies(1).columns[0].values
    many = RawColumn(
        cells, NOMINAL, pd.CategoricalDtype([f"v{i}" for i in range(300)]), tuple(f"v{i}" for i in range(300))
    )
    narrow = copies(1).columns[0]
    for columns in ((many, narrow), (narrow, many), (narrow, many, narrow)):
        model, world = pair(RawTable(columns, copies(1).labels), max_depth=1)
        assert [test.column for test in options_of(model, 0)] == list(range(len(columns)))
        assert_same(model, grow(world))


def test_tests_are_kept_by_the_ratio_of_their_qualities():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (80, 6)).astype(str)
    y = np.where(rng.random(80) < 0.2, rng.random(80) < 0.5, X[:, 0] == "1")
    sizes = []
    for factor in (1.0, 1e-3, 1e-9, 1e-30):
        model = OptionTreeClassifier(**{**PAPER, "factor": factor, "max_options": 100, "max_depth": 1}).fit(X, y)
        go = model.shares_.go
        assert (go[1:] <= go[:-1]).all()
        assert go[-1] >= factor * go[0]
        sizes.append(len(go))
    assert sizes[0] == 1
    assert sizes == sorted(sizes)
    assert sizes[-1] == 6


def test_pure_nodes_and_the_last_level_are_leaves():
    model = OptionTreeClassifier(max_depth=3).fit(led7(200, 1).columns, led7(200, 1).y)
    tree = model.tree_
    is_pure = (tree.counts > 0).sum(axis=1) < 2
    assert tree.is_leaf[is_pure].all()
    assert tree.is_leaf[tree.levels == 3].all()
    assert tree.depth == 3
    assert not tree.is_leaf[(tree.levels < 3) & ~is_pure].any()


def test_the_greatest_depth():
    """A chain of one test for each value, as deep as is allowed."""
    X, y = np.array([[f"v{i}"] for i in range(600)], object), np.arange(600) % 2
    model = OptionTreeClassifier(max_options=1, max_depth=100, categorical_features=[0]).fit(X, y)
    assert model.tree_.depth == 100
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


# -- shared nodes ---------------------------------------------------------------------------------------------------


def test_the_display_of_a_hundred_digits_has_319_distinct_nodes():
    """Without sharing there are 1775."""
    data = led7(100, 0)
    tree = OptionTreeClassifier(**PAPER).fit(data.columns, data.y).tree_
    assert tree.n_nodes == 319
    assert tree.is_dag
    assert n_unshared(tree) == 1775


def n_unshared(tree):
    """Nodes of the same tree if nothing were shared."""
    sizes = np.ones(tree.n_nodes, np.int64)
    for node in range(tree.n_nodes - 1, -1, -1):
        sizes[node] += sizes[tree.children_of(np.array([node]))].sum()
    return sizes[0]


def test_sharing_changes_no_answer():
    data = led7(40, 3)
    table = RawTable(
        tuple(RawColumn(tuple(cells.tolist()), NOMINAL, object) for cells in data.columns.values()),
        tuple(data.y.tolist()),
    )
    model, world = pair(table, max_depth=3)
    root = grow(world)
    assert_same(model, root)
    assert len(list(root.nodes())) == n_unshared(model.tree_) > 2 * model.tree_.n_nodes
    rows = [[float(cell == "1") for cell in row] for row in table.frame.to_numpy()[:6]]
    np.testing.assert_allclose(model.predict_proba(table.frame[:6]), [root.answer(row) for row in rows], rtol=1e-9)


def test_the_same_rows_at_another_level_are_another_node():
    """What is below a node depends on how much depth is left."""
    tree = fit(copies(3, n_values=3), max_depth=3).tree_
    for split in range(len(tree.conditions)):
        children = tree.children[tree.child_start[split] : tree.child_start[split + 1]]
        assert (tree.levels[children] == tree.levels[tree.split_nodes[split]] + 1).all()


# -- a bound on memory ----------------------------------------------------------------------------------------------


def test_a_bound_on_the_number_of_nodes_makes_the_tree_less_deep_everywhere():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 3)), rng.integers(0, 2, 80)
    trees = [OptionTreeClassifier(**{**PAPER, "max_depth": depth}).fit(X, y).tree_ for depth in range(1, 7)]
    sizes = [tree.n_nodes for tree in trees]
    assert sizes == sorted(set(sizes))
    for depth, (tree, size) in enumerate(zip(trees[:-1], sizes, strict=False), 1):
        for max_nodes in (size, sizes[depth] - 1):
            words = rf"depth {depth}, since with depth {depth + 1} it would have more than max_nodes={max_nodes} nodes"
            with pytest.warns(UserWarning, match=words) as caught:
                model = OptionTreeClassifier(**PAPER, max_nodes=max_nodes).fit(X, y)
            assert caught[0].filename == __file__
            np.testing.assert_array_equal(model.tree_.counts, tree.counts)
            np.testing.assert_array_equal(model.tree_.children, tree.children)


def test_a_root_always_fits():
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    for max_depth in (1, 2, 20):
        with pytest.warns(UserWarning, match="The tree has depth 0, since with depth 1"):
            model = OptionTreeClassifier(**{**PAPER, "max_nodes": 1, "max_depth": max_depth}).fit(X, y)
        assert model.tree_.n_nodes == 1


def test_no_warning_where_all_nodes_are_there(recwarn):
    data = led7(100, 0)
    OptionTreeClassifier(**PAPER, max_nodes=319).fit(data.columns, data.y)
    assert not recwarn.list


def test_shrinking_pseudo_counts_and_penalties():
    data = led7(60, 2)
    prior = Prior("III", shrink=0.5, penalties={"segment1": 0.01})
    names = list(data.columns)
    table = RawTable(
        tuple(RawColumn(tuple(data.columns[name].tolist()), NOMINAL, object) for name in names), tuple(data.y.tolist())
    )
    renamed = Prior("III", shrink=0.5, penalties={f"column {names.index('segment1')}": 0.01})
    model = OptionTreeClassifier(**{**PAPER, "prior": prior, "max_depth": 2}).fit(data.columns, data.y)
    root = grow(FittingContext(table.plain(), renamed, max_depth=2))
    assert_same(model, root)
