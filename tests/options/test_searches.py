"""Several searches: options of one root that count alike, with columns drawn for every node."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.options.made import KINDS, ONE_SEARCH, options_of, pair, priors
from tests.options.trees import contained, grow, posterior
from tests.strategies import tables

from petree import OptionTreeClassifier, core
from petree.conditions import EQUALS, THRESHOLD


def made(n_rows=200, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n_rows, 5)), columns=list("abcde"))
    X["tone"] = rng.choice(["red", "green", "blue"], n_rows)
    y = np.where(X["a"] + (X["tone"] == "red") + rng.normal(size=n_rows) > 0.5, "yes", "no")
    return X, y


# -- from the definition ----------------------------------------------------------------------------------------------


class Slow:
    """What a model answers, node by node, from its counts and its tests alone."""

    def __init__(self, model):
        self.model, self.tree = model, model.tree_
        self.leaves, self.own = model.prior_.leaves(self.tree), model.prior_.estimate(self.tree)
        self.splits = model.prior_.splits(self.tree) + self.tree.split_annotations["cut_penalty"]

    def splits_of(self, node):
        return range(self.tree.split_start[node], self.tree.split_start[node + 1])

    def children(self, split):
        return self.tree.children[self.tree.child_start[split] : self.tree.child_start[split + 1]]

    def total(self, node):
        return np.logaddexp.reduce([self.leaves[node], *map(self.through, self.splits_of(node))])

    def through(self, split):
        return self.splits[split] + sum(self.total(child) for child in self.children(split))

    def below(self, split, row):
        conditions = self.tree.conditions
        cell = row.iloc[conditions.column[split]]
        if conditions.kind[split] == THRESHOLD:
            return self.children(split)[0 if cell < conditions.value[split] else 1]
        assert conditions.kind[split] == EQUALS
        categories = conditions.columns[conditions.column[split]].categories
        return self.children(split)[0 if categories.index(cell) == conditions.value[split] else 1]

    def answer(self, node, splits, row):
        """The mean over all trees that begin with one of these splits, or end at the node."""
        total = np.logaddexp.reduce([self.leaves[node], *map(self.through, splits)])
        found = math.exp(self.leaves[node] - total) * self.own[node]
        for split in splits:
            child = self.below(split, row)
            found = found + math.exp(self.through(split) - total) * self.answer(child, self.splits_of(child), row)
        return found


@pytest.mark.parametrize("max_options", [1, 2])
def test_the_answer_is_the_mean_over_the_tests_of_the_root(max_options):
    X, y = made(60)
    model = OptionTreeClassifier(n_searches=3, max_options=max_options, max_depth=3).fit(X, y)
    slow = Slow(model)
    roots = list(slow.splits_of(0))
    assert len(roots) >= 3
    for place in range(5):
        expected = np.mean([slow.answer(0, [split], X.iloc[place]) for split in roots], axis=0)
        np.testing.assert_allclose(model.predict_proba(X[place : place + 1])[0], expected, rtol=1e-9)
    each = [np.logaddexp(slow.leaves[0], slow.through(split)) for split in roots]
    assert model.shares_.log_evidence[0] == pytest.approx(np.log(np.mean(np.exp(each))))
    assert model.shares_.stay[0] + model.shares_.go[roots].sum() == pytest.approx(1)


@settings(max_examples=13)
@given(table=tables(max_rows=10, kinds=KINDS), prior=priors(), data=st.data())
def test_importances_are_the_mean_gains_of_all_trees(table, prior, data):
    sizes = data.draw(st.sampled_from(({"max_depth": 2}, {"max_depth": 3, "max_options": 2})))
    model, world = pair(table, prior=prior, **sizes)
    trees = contained(grow(world))
    if len(trees) > 500:
        return  # so many are not listed one by one
    logs = np.array([posterior(one) for one in trees])
    expected = np.zeros(len(model.columns_))
    for weight, tree in zip(np.exp(logs - np.logaddexp.reduce(logs)), trees, strict=True):
        for column, gain in gains_of(tree):
            expected[column] += weight * gain
    found = model.feature_importances_
    assert found.sum() == pytest.approx(1 if expected.sum() > 1e-9 else 0)
    np.testing.assert_allclose(found * expected.sum(), expected, rtol=1e-6, atol=1e-9)


def gains_of(tree):
    """Columns and gains in bits of the tests of one tree."""
    node, option, below = tree
    if option is None:
        return
    yield option.test.column, max(bits(node) - sum(bits(one[0]) for one in below), 0.0)
    for one in below:
        yield from gains_of(one)


def bits(node):
    counts = node.world.counts(node.rows)
    return -sum(n * math.log2(n / sum(counts)) for n in counts if n > 0)


# -- what is drawn ----------------------------------------------------------------------------------------------------


def test_searches_that_look_at_all_columns_are_alike():
    X, y = made()
    one = OptionTreeClassifier(max_options=1, **ONE_SEARCH).fit(X, y)
    three = OptionTreeClassifier(max_options=1, n_searches=3, max_features=None).fit(X, y)
    assert options_of(three, 0) == options_of(one, 0) * 3
    assert three.tree_.n_nodes == 3 * one.tree_.n_nodes - 2
    np.testing.assert_allclose(three.predict_proba(X), one.predict_proba(X), rtol=1e-9)


def test_a_node_looks_at_so_many_columns_that_tell_its_rows_apart():
    X, y = made()
    X["same"] = 1.0
    model = OptionTreeClassifier(n_searches=40, max_options=10, max_features=2, max_depth=1, factor=1e-300).fit(X, y)
    columns = [test.column for test in options_of(model, 0)]
    assert len(columns) >= 80  # tests of two columns a search, and several values of a nominal one
    assert set(columns) == set(range(6))
    with_it, without = OptionTreeClassifier(n_searches=5), OptionTreeClassifier(n_searches=5)
    answers = without.fit(X.drop(columns="same"), y).predict_proba(X.drop(columns="same"))
    np.testing.assert_array_equal(with_it.fit(X, y).predict_proba(X), answers)


def test_columns_are_drawn_by_what_stands_in_them():
    X, y = made()
    model, turned = OptionTreeClassifier(n_searches=20, max_depth=1), OptionTreeClassifier(n_searches=20, max_depth=1)
    model.fit(X, y)
    turned.fit(X[X.columns[::-1]], y)
    found, expected = (
        [(one.columns_[test.column].name, test.value) for test in options_of(one, 0)] for one in (turned, model)
    )
    assert found == expected
    assert len({name for name, _ in found}) > 3


@pytest.mark.parametrize("order", [[0, 1], [0, 1, 1], [0, 1, 3], [0, 1, -1], [2, 0, 1, 3]])
def test_an_order_without_each_column_once_is_refused(order, monkeypatch):
    grow = core.options.grow
    wrong = np.array(order)
    monkeypatch.setattr(core.options, "grow", lambda evidence, rows, _, *rest: grow(evidence, rows, wrong, *rest))
    X, y = made()
    with pytest.raises(ValueError, match=r"'order' (needs a line for|must have) each column"):
        OptionTreeClassifier(n_searches=2).fit(X[list("abc")], y)


def test_seeds():
    X, y = made()
    answers = [
        OptionTreeClassifier(n_searches=5, random_state=seed).fit(X, y).predict_proba(X) for seed in (None, 0, 1)
    ]
    np.testing.assert_array_equal(answers[0], answers[1])
    assert (answers[0] != answers[2]).any()
    generator = np.random.RandomState(3)
    same = OptionTreeClassifier(n_searches=5, random_state=generator).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(same, answers[0])


def test_more_searches_begin_with_those_of_fewer():
    X, y = made()
    few, more = (OptionTreeClassifier(n_searches=n, max_depth=2).fit(X, y) for n in (4, 9))
    assert options_of(more, 0)[: len(options_of(few, 0))] == options_of(few, 0)
    assert len(options_of(more, 0)) > len(options_of(few, 0))


# -- bounds on nodes --------------------------------------------------------------------------------------------------


def test_searches_end_before_there_are_too_many_nodes(recwarn):
    X, y = made()
    all_there = OptionTreeClassifier(n_searches=20).fit(X, y).tree_
    most = all_there.n_nodes // 2
    fewer = OptionTreeClassifier(n_searches=20, max_nodes=most).fit(X, y).tree_
    assert most / 2 < fewer.n_nodes <= most
    assert fewer.sizes.min() == 1
    assert not recwarn.list


def test_searches_of_many_nodes_have_no_options_and_then_larger_leaves():
    X, y = made()
    plain = OptionTreeClassifier(n_searches=5, max_options=1).fit(X, y)
    largest = 1 + max(sizes_of_searches(plain))
    bounded = OptionTreeClassifier(n_searches=5, max_nodes=5 * largest).fit(X, y)
    np.testing.assert_array_equal(bounded.predict_proba(X), plain.predict_proba(X))
    small = OptionTreeClassifier(n_searches=5, max_nodes=largest).fit(X, y).tree_
    assert small.sizes.min() >= 4
    assert 5 < small.n_nodes <= largest


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"max_nodes": 10}, "max_nodes=10 leaves no room for the first test of each search; raise max_nodes, or lower"),
        ({"max_nodes": 10, "growing": "best_first"}, "max_nodes=10 leaves no room .* raise max_nodes, or lower n_sear"),
        (
            {"max_nodes": 2, "growing": "best_first", "n_searches": 1},
            r"max_nodes=2 leaves .*; raise max_nodes\.",
        ),
        (
            {"max_seconds": 1e-9, "growing": "best_first"},
            "or max_seconds=1e-09 leaves no room .*; raise max_nodes or max_seconds, or lower n_searches",
        ),
    ],
)
def test_a_bound_that_leaves_a_root_alone_is_told_of(settings, words):
    X, y = made()
    with pytest.warns(UserWarning, match=f"^The tree is a single node, which answers alike .*{words}"):
        model = OptionTreeClassifier(**settings).fit(X, y)
    assert model.tree_.n_nodes == 1


@pytest.mark.parametrize("growing", ["depth_first", "best_first"])
def test_a_root_alone_that_nothing_divides_is_not_told_of(recwarn, growing):
    X, y = made()
    model = OptionTreeClassifier(min_samples_leaf=len(X), max_nodes=10, growing=growing).fit(X, y)
    assert model.tree_.n_nodes == 1
    assert not recwarn.list


def sizes_of_searches(model):
    """Nodes below each test of the root, where nothing is shared."""
    tree, sizes = model.tree_, np.ones(model.tree_.n_nodes, int)
    for node in range(tree.n_nodes - 1, 0, -1):
        sizes[node] += sizes[tree.children_of(np.array([node]))].sum()
    return np.add.reduceat(sizes[tree.children_of(np.array([0]))], np.arange(0, 2 * tree.split_start[1], 2)).tolist()


# -- class weights ----------------------------------------------------------------------------------------------------


def test_class_weights_choose_tests_as_row_weights_do():
    X, y = made()
    factors = {"yes": 3.0, "no": 0.5}
    model = OptionTreeClassifier(n_searches=3, class_weight=factors).fit(X, y)
    weights = np.array([factors[label] for label in y])
    by_rows = OptionTreeClassifier(n_searches=3).fit(X, y, weights * len(y) / weights.sum())
    np.testing.assert_array_equal(model.tree_.conditions.value, by_rows.tree_.conditions.value)
    np.testing.assert_array_equal(model.tree_.children, by_rows.tree_.children)
    assert model.tree_.counts[0].tolist() == [(y == "no").sum(), (y == "yes").sum()]
    np.testing.assert_array_equal(model.tree_.counts, np.rint(model.tree_.counts))


def test_class_weights_leave_probabilities_and_decide_predictions():
    X, y = made(400)
    model = OptionTreeClassifier(n_searches=5, class_weight={"yes": 9.0}).fit(X, y)
    answers = model.predict_proba(X)
    assert abs(answers[:, 1].mean() - (y == "yes").mean()) < 0.05
    np.testing.assert_array_equal(model.predict(X), np.where(9 * answers[:, 1] > answers[:, 0], "yes", "no"))
    assert (model.predict(X) == "yes").mean() > (answers[:, 1] > 0.5).mean()
    assert model.summary().class_weight == {"yes": 9.0}
