"""Option trees that grow best first, beside those that grow depth first and beside all trees, one by one."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.options.made import KINDS, fit, options_of, pair, priors
from tests.options.test_growing import FACTORS, SIZES, assert_same
from tests.options.test_searches import made
from tests.options.trees import grow
from tests.strategies import tables

from lab.papers.data.generators import led7
from petree import OptionTreeClassifier, presets
from petree.bayes import posterior_weights
from petree.growing import best_first
from petree.growing.best_first import NODES_PER_OPENED, Growth
from petree.growing.options import Assembly
from petree.tree import Tree

BEST: dict[str, Any] = {"growing": "best_first"}


def assert_same_models(model, other, X):
    """The same options at every node, whatever the numbers of the nodes."""
    assert model.tree_.n_nodes == other.tree_.n_nodes
    assert forms(model) == forms(other)
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), rtol=1e-9)
    assert model.shares_.log_evidence[0] == pytest.approx(other.shares_.log_evidence[0])


def forms(model) -> Any:
    """A number for all that is below each node, the same for the same options with the same below them; the root's."""
    tree, known, found = model.tree_, {}, np.zeros(model.tree_.n_nodes, int)
    for node in range(tree.n_nodes - 1, -1, -1):
        children = [
            tuple(found[tree.children[slice(*tree.child_start[split : split + 2])]])
            for split in range(*tree.split_start[node : node + 2])
        ]
        form = (int(tree.levels[node]), tuple(tree.counts[node]), tuple(options_of(model, node)), tuple(children))
        found[node] = known.setdefault(form, len(known))
    by_number = {number: form for form, number in known.items()}
    return written(by_number, found[0], {})


def written(forms_by_number, number, done) -> Any:
    """A form with hashes of the forms below it instead of their numbers."""
    if number not in done:
        level, counts, options, children = forms_by_number[number]
        below = tuple(tuple(written(forms_by_number, child, done) for child in some) for some in children)
        done[number] = hash((level, counts, tuple(map(repr, options)), below))
    return done[number]


# -- an endless budget ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tests", ["binary", "multiway"])
@settings(max_examples=5)
@given(data=st.data())
def test_with_nodes_enough_the_tree_is_that_of_the_definition(tests, data):
    table = data.draw(tables(data.draw(st.sampled_from(("none", "whole", "fractions"))), max_rows=14, kinds=KINDS))
    parameters = {
        **data.draw(SIZES), "prior": data.draw(priors()), "tests": tests, "factor": data.draw(FACTORS),
        "min_samples_leaf": data.draw(st.sampled_from((1, 1, 2))),
    }  # fmt: skip
    model = fit(table, **parameters, **BEST)
    assert_same(model, grow(pair(table, **parameters)[1]))
    assert_same_models(model, fit(table, **parameters), table.frame)


@pytest.mark.parametrize(
    "parameters",
    [
        {"n_searches": 6, "max_options": 1},
        {"n_searches": 3, "max_options": 3, "max_features": None, "max_depth": 4},
        {"n_searches": 2, "max_features": None, "max_depth": 4, "class_weight": {"yes": 3.0}, "prior": "cautious"},
        {"n_searches": 1, "max_options": 1, "max_features": 2, "random_state": 7},
    ],
)
def test_searches_are_those_of_depth_first(parameters):
    X, y = made(120)
    model, other = OptionTreeClassifier(**parameters, **BEST), OptionTreeClassifier(**parameters)
    assert_same_models(model.fit(X, y), other.fit(X, y), X)


def test_columns_of_many_categories():
    X, y = made(120)
    X["code"] = pd.Categorical([f"v{i % 7}" for i in range(120)], [f"v{i}" for i in range(300)])
    model, other = presets["ind-option-1"](max_depth=3, **BEST), presets["ind-option-1"](max_depth=3)
    assert_same_models(model.fit(X, y), other.fit(X, y), X)


def test_the_number_of_threads_does_not_matter():
    X, y = made(120)
    one, three = (OptionTreeClassifier(n_searches=4, max_nodes=900, n_jobs=n, **BEST).fit(X, y) for n in (1, 3))
    np.testing.assert_array_equal(one.tree_.children, three.tree_.children)
    np.testing.assert_array_equal(one.predict_proba(X), three.predict_proba(X))


# -- a bound on nodes -------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:The tree is a single node")
@pytest.mark.parametrize("searches", [{}, {"n_searches": 3, "max_features": 2}])
@settings(max_examples=5)
@given(table=tables(max_rows=25, kinds=KINDS), prior=priors())
def test_the_evidence_of_the_root_never_falls(searches, table, prior):
    found = []
    for max_nodes in (1, 2, 5, 8, 13, 30, 80, 1000):
        model = fit(table, prior=prior, max_depth=4, max_nodes=max_nodes, **searches, **BEST)
        assert model.tree_.n_nodes <= max_nodes
        found.append(model.shares_.log_evidence[0])
    assert all(after >= before - 1e-9 for before, after in pairwise(found))


def test_a_bound_is_used_and_not_told_of(recwarn):
    data = led7(100, 0)
    sizes = [
        presets["ind-option-1"](max_nodes=n, **BEST).fit(data.columns, data.y).tree_.n_nodes for n in (100, 319, 500)
    ]
    assert 80 < sizes[0] <= 100
    assert sizes[1:] == [319, 319]
    assert not recwarn.list


def test_all_searches_begin_or_none():
    X, y = made(60)
    model = OptionTreeClassifier(n_searches=5, max_options=1, **BEST)
    with pytest.warns(UserWarning, match="max_nodes=10 leaves no room for the first test of each search"):
        assert model.set_params(max_nodes=10).fit(X, y).tree_.n_nodes == 1
    assert model.set_params(max_nodes=11).fit(X, y).tree_.n_nodes == 11
    assert model.tree_.split_start[1] == 5


# -- what is opened next ----------------------------------------------------------------------------------------------


def plain_shares(tree: Tree, weights: tuple[Any, Any]) -> list[float]:
    """The posterior share of the single trees that have each node, from a list of all of them."""
    leaves, splits = weights

    def below(node: int) -> list[tuple[float, frozenset[int]]]:
        found = [(leaves[node], frozenset([node]))]
        for split in range(*tree.split_start[node : node + 2]):
            children = tree.children[slice(*tree.child_start[split : split + 2])]
            for some in product(*(below(int(child)) for child in children)):
                weight = splits[split] + sum(one for one, _ in some)
                found.append((weight, frozenset([node]).union(*(nodes for _, nodes in some))))
        return found

    trees = below(0)
    most = max(weight for weight, _ in trees)
    total = sum(np.exp(weight - most) for weight, _ in trees)
    return [sum(np.exp(weight - most) for weight, nodes in trees if k in nodes) / total for k in range(tree.n_nodes)]


def test_nodes_of_most_mass_are_opened_next(monkeypatch):
    """In each round, by the share of all trees that have the node."""
    plain_masses, plain_places, rounds = Assembly.masses, Growth.next_places, []

    def masses(self, grown, by_search):
        found = plain_masses(self, grown, by_search)
        tree = self.tree(grown)
        if tree.n_nodes <= 30:
            expected = plain_shares(tree, posterior_weights(tree, self.quality.prior))
            np.testing.assert_allclose(found[np.argsort(grown.levels, kind="stable")], expected, rtol=1e-9)
        return found

    def next_places(self, masses):
        places = plain_places(self, masses)
        of_open = masses[self.open.numbers]
        assert sorted(of_open[places], reverse=True) == of_open[places].tolist()
        assert of_open[places].min() >= np.delete(of_open, places).max(initial=0.0)
        rounds.append((self.n_nodes, len(places)))
        return places

    monkeypatch.setattr(Assembly, "masses", masses)
    monkeypatch.setattr(Growth, "next_places", next_places)
    X, y = made(40)
    presets["ind-option-1"](max_nodes=200, max_depth=4, prior="II", max_options=2, **BEST).fit(X, y)
    assert len(rounds) > 5
    assert all(n_places <= max(n_nodes // NODES_PER_OPENED, 1) for n_nodes, n_places in rounds)


# -- time and interrupts ----------------------------------------------------------------------------------------------


def test_seconds_end_it():
    X, y = made(100)
    model = OptionTreeClassifier(n_searches=3, **BEST)
    with pytest.warns(UserWarning, match="or max_seconds=1e-09 leaves no room"):
        assert model.set_params(max_seconds=1e-9).fit(X, y).tree_.n_nodes == 1
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], (y == "yes").mean())
    long = model.set_params(max_seconds=1e6).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(long, model.set_params(max_seconds=None).fit(X, y).predict_proba(X))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_was_opened_in_time_is_used(monkeypatch, n_jobs):
    plain, X, y = best_first.open_nodes, *made(100)

    def in_part(ground, rules, nodes, until, threads):
        return plain(ground, rules, nodes, until, threads).first(max(len(nodes.numbers) - 2, 1))

    monkeypatch.setattr(best_first, "open_nodes", in_part)
    model = OptionTreeClassifier(n_searches=5, max_options=1, n_jobs=n_jobs, **BEST).fit(X, y)
    assert model.tree_.split_start[1] == 3
    assert model.tree_.n_nodes == 7


def interrupted_at(monkeypatch, n_rounds: int) -> None:
    plain, calls = best_first.open_nodes, []

    def sometimes(*arguments):
        calls.append(1)
        if len(calls) > n_rounds:
            raise KeyboardInterrupt
        return plain(*arguments)

    monkeypatch.setattr(best_first, "open_nodes", sometimes)


def test_an_interrupt_leaves_a_model(monkeypatch):
    X, y = made(100)
    sizes = []
    for n_rounds in (0, 1, 5, 12):
        with monkeypatch.context() as patch:
            interrupted_at(patch, n_rounds)
            with pytest.warns(UserWarning, match=r"Growing was interrupted: the model has the \d+ nodes") as caught:
                model = OptionTreeClassifier(n_searches=3, **BEST).fit(X, y)
            assert caught[0].filename == __file__
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
        sizes.append(model.tree_.n_nodes)
    assert sizes[0] == 1
    assert sizes == sorted(set(sizes))


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"max_seconds": 3}, "'max_seconds' parameter of OptionTreeClassifier is for growing='best_first'"),
        ({"growing": "breadth_first"}, "'growing' parameter of OptionTreeClassifier must be"),
        ({"max_seconds": 0, **BEST}, "'max_seconds' parameter of OptionTreeClassifier must be a finite number above 0"),
        ({"max_seconds": "1", **BEST}, "'max_seconds' parameter of OptionTreeClassifier must be a finite number"),
        ({"weights": "odd"}, "'weights' parameter of OptionTreeClassifier must be"),
    ],
)
def test_bad_parameters(parameters, words):
    with pytest.raises(ValueError, match=words):
        OptionTreeClassifier(**parameters).fit(*made(20))
