"""Tests that are answered for many nodes together are those of each node by itself."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.relational.made_trees import made_database
from tests.relational.random_databases import random_models, random_tables

from petree import RelationalTreeClassifier
from petree.growing import Stopping, grow
from petree.relational import Database
from petree.relational.nodes import State
from petree.relational.queries.answers import Answers
from petree.relational.queries.terms import text_of
from petree.relational.refinement.families import AT_LEAST
from petree.relational.refinement.tabulation import tabulate
from petree.relational.source import RelationalSource
from petree.splitting import Gain
from petree.threads import Threads

Holds = dict[str, list[bool]]


def grown(database: Database, target: str, **parameters: Any) -> RelationalSource:
    """A source from which a tree was grown."""
    model = RelationalTreeClassifier(database, target, pruning="none", **parameters)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of ids that are not declared
        maker, cases = model._prepare(database.keys(target.partition(".")[0]), None)
    source = maker.source(cases, Gain(), 1, Threads(1))
    grow(source, Stopping(), cases.classes.tolist())
    return source


def answers_of(source: RelationalSource, state: State) -> Answers:
    """The answers of a node's query, from the empty one."""
    first = source._first
    return Answers.of_examples(first.scope, first.examples[state.cases], first.most).extend(state.query)


def alone(source: RelationalSource, state: State) -> Holds:
    """The tests of a node by themselves: what the refiner gives, joined literal by literal."""
    families = source.refiner.families(state.scope, state.query, dict(state.uses))
    table = tabulate(answers_of(source, state), families)
    found: Holds = {}
    for column, n_bins in enumerate(table.layout.n_bins.tolist()):
        for cut in range(n_bins - 1):
            literals = table.layout.test(column, cut)[1]
            found.setdefault(text_of(literals), table.holds(column, cut).tolist())
    return found


def together(source: RelationalSource, states: list[State]) -> list[Holds]:
    """The tests of some nodes of one form, each in the words of its own query."""
    plan = source.plan(states[0])
    codes, _ = plan.tabulate([answers_of(source, state) for state in states])
    bounds = np.cumsum([0, *(len(state.cases) for state in states)])
    pieces = zip(states, np.split(codes, bounds[1:-1]), strict=True)
    return [_named(source, state, piece) for state, piece in pieces]


def _named(source: RelationalSource, state: State, codes: NDArray[np.uint8]) -> Holds:
    plan = source.plan(state)
    found: Holds = {}
    for column, n_bins in enumerate(plan.layout.n_bins.tolist()):
        for cut in range(n_bins - 1):
            family, literals = plan.test(column, cut, state.scope)
            is_below = codes[:, column] <= cut
            found.setdefault(text_of(literals), (~is_below if family.kind == AT_LEAST else is_below).tolist())
    return found


def check_plans(source: RelationalSource) -> None:
    by_plan: dict[Any, list[State]] = {}
    for state in source.states:
        by_plan.setdefault(source.plan(state), []).append(state)
    assert len(by_plan) < len(source.states)
    for states in by_plan.values():
        for state, found in zip(states, together(source, states), strict=True):
            expected = alone(source, state)
            assert [text for text in found if text in expected] == list(expected)
            assert {text: found[text] for text in expected} == expected
            assert all(all(found[text]) for text in found.keys() - expected)  # what the query has divides nothing


@pytest.mark.parametrize("seed", range(6))
def test_tests_of_tables(seed: int) -> None:
    made = random_tables(seed, n=14)
    functions = (("count",), ("count", "mean", "mode", "proportion"), ("count", "complex"))[seed % 3]
    check_plans(grown(made.database(), "thing.class", aggregates=functions, max_links=1 + seed % 3))


@pytest.mark.parametrize("seed", range(3))
def test_tests_of_models(seed: int) -> None:
    check_plans(grown(random_models(seed, n=24)[0], "model.class"))


@pytest.mark.parametrize("max_answers", [20, 30, 40])
def test_what_has_too_many_answers_at_a_node_is_left_out_there(max_answers: int) -> None:
    source = grown(random_tables(1, n=14).database(), "thing.class", max_answers=max_answers)
    assert source.left_out
    check_plans(source)


@pytest.mark.parametrize(("seed", "max_answers"), [(0, 50), (5, 170), (5, 260)])
def test_functions_whose_rows_are_looked_at_for_each_answer_are_left_out(seed: int, max_answers: int) -> None:
    """What an example sees of tables with times depends on it, so that rows are not looked up by their key."""
    database = made_database(seed, with_times=True)
    parameters = {"aggregates": ("count",), "max_links": None, "max_depth": 4}
    source = grown(database, "patient.class", max_answers=max_answers, **parameters)
    assert any(text.startswith("count(") for text in source.left_out)
    check_plans(source)


@pytest.mark.parametrize("max_answers", [100, 150])
def test_a_query_that_would_find_too_many_combinations_begins_anew(max_answers: int) -> None:
    """A test about the example alone has few answers by itself, and many beside those of the node."""
    database = made_database(1, with_times=True)
    parameters = {"aggregates": ("count", "mean"), "max_answers": max_answers}
    model = RelationalTreeClassifier(database, "patient.class", pruning="none", **parameters)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is left out
        model.fit(database.keys("patient"))
    counts = np.bincount(model.apply(database.keys("patient")), minlength=model.tree_.n_nodes)
    leaves = np.flatnonzero(counts)
    assert np.array_equal(counts[leaves], model.tree_.counts[leaves].sum(axis=1))
    assert set(leaves) == set(range(model.tree_.n_nodes)) - set(model.tree_.split_nodes.tolist())
