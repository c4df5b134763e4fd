"""Whole trees equal those of a slow learner, and permutation tests those of all permutations."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.relational.oracles.learner import SlowLearner, SlowNode, chosen_texts
from tests.relational.oracles.queries import Facts
from tests.relational.random_databases import random_models, random_tables

from petree import RelationalTreeClassifier, core
from petree.binning import resolve_binning
from petree.columns import Column
from petree.estimators.learning.cases import Cases
from petree.estimators.learning.content import Content, canonical_order
from petree.estimators.relational.target import known_by_key
from petree.inputs import Table
from petree.keys import path_keys
from petree.pruning import Rand
from petree.relational import Database
from petree.relational.bias.automatic import automatic_bias
from petree.relational.bias.grounding import Grounding

FUNCTIONS = ("count", "min", "max", "sum", "mean", "mode", "proportion")


def fitted(database: Database, facts: Facts, **parameters: Any) -> RelationalTreeClassifier:
    target = f"{facts.target}.class"
    keys = database.keys(facts.target)
    return RelationalTreeClassifier(database, target, **{"pruning": "none", **parameters}).fit(keys)


def hidden(model: RelationalTreeClassifier, facts: Facts) -> Facts:
    """The facts without the class of the examples."""
    return facts.without(model.database.relation(facts.target).place("class"))


def slow_tree(model: RelationalTreeClassifier, facts: Facts) -> SlowNode:
    """The tree of the slow learner, from the constants and thresholds of the training examples."""
    database, facts = model.scope_.database, hidden(model, facts)
    labels = np.searchsorted(model.classes_, model.database.labels(f"{facts.target}.class"))
    rows = np.arange(len(labels), dtype=np.int32)
    binning = resolve_binning(model.binning)
    grounding = Grounding(database, facts.target, rows, labels, 2, None, binning, model.min_examples, 10**9)
    bias = grounding.ground(model.bias_)
    learner = SlowLearner(
        database, facts, bias, range(len(labels)), labels.tolist(), 2,
        model.min_samples_leaf, model.min_gain, model.max_depth,
    )  # fmt: skip
    return learner.grow()


def level_order(tree: Any) -> list[int]:
    """Nodes level by level, the branch of success first."""
    found, level = list[int](), [0]
    while level:
        found += level
        level = [child for node in level for children in tree.node(node).children for child in children]
    return found


def check_tree(tree: Any, facts: Facts, expected: SlowNode) -> None:
    nodes, order = expected.walk(), level_order(tree)
    assert chosen_texts(tree, list(facts.named)) == [node.chosen for node in nodes]
    assert tree.counts[order].tolist() == [node.counts for node in nodes]
    assert tree.sizes[order].tolist() == [len(node.cases) for node in nodes]
    assert tree.n_tests[order].tolist() == [len(node.tests) for node in nodes]


@pytest.mark.parametrize("seed", range(10))
def test_trees_over_tables(seed: int) -> None:
    made = random_tables(seed, n=14)
    database, facts = made.database(), made.facts()
    model = fitted(
        database,
        facts,
        aggregates=(("count",), FUNCTIONS, ())[seed % 3],
        max_links=1 + seed % 3,
        min_examples=1 + seed % 2,
        min_samples_leaf=1 + seed % 2,
        min_gain=(0.0, 0.1)[seed % 2],
        max_depth=(None, 2)[seed % 5 == 0],
        binning=("entropy", "quantile", "exact")[seed % 3],
    )
    expected = slow_tree(model, facts)
    assert len(expected.walk()) > 1
    check_tree(model.tree_, facts, expected)


@pytest.mark.parametrize("seed", range(4))
def test_stumps_that_ask_for_functions_of_rows_that_fit_a_condition(seed: int) -> None:
    made = random_tables(seed, n=12)
    database, facts = made.database(), made.facts()
    model = fitted(database, facts, aggregates=("count", "max", "complex"), max_depth=1, max_links=2)
    nodes, order = slow_tree(model, facts).walk(), level_order(model.tree_)
    assert chosen_texts(model.tree_, list(facts.named)) == [node.chosen for node in nodes]
    assert model.tree_.counts[order].tolist() == [node.counts for node in nodes]
    assert model.tree_.n_tests[0] == len(nodes[0].tests)  # below it may have more conditions


@pytest.mark.parametrize("seed", range(8))
def test_trees_over_models(seed: int) -> None:
    database, facts = random_models(seed, n=24)
    model = fitted(database, facts, min_samples_leaf=1 + seed % 3, min_gain=(0.0, 1e-9)[seed % 2])
    expected = slow_tree(model, facts)
    assert len(expected.walk()) > 3
    check_tree(model.tree_, facts, expected)


@pytest.mark.parametrize("seed", range(3))
def test_examples_reach_the_leaves_that_they_made(seed: int) -> None:
    """Sending the training examples down gives the counts of the leaves."""
    made = random_tables(seed, n=14)
    database, facts = made.database(), made.facts()
    model = fitted(database, facts, smoothing="none", aggregates=FUNCTIONS)
    found = model.predict_proba(database.keys("thing"))
    expected = np.zeros_like(found)
    for node in slow_tree(model, facts).walk():
        if not node.branches:
            expected[node.cases] = np.array(node.counts) / len(node.cases)
    np.testing.assert_allclose(found, expected, atol=1e-15)


# -- permutation tests -----------------------------------------------------------------------------------------


def permutations_as_good(
    node: SlowNode, labels: Any, places: Any, class_order: Any, key: Any, min_samples_leaf: int, n: int = 100
) -> int:
    """Of the permutations that follow from a key, those under which some test gains as much as the node's own.

    They are of the cases in an order that `places` has for all cases of the training data, of classes in `class_order`.
    """
    drawn = np.empty((n, len(node.cases)), np.uint16)
    core.permutation.draw_classes(int(key), np.array(node.counts, np.int64)[class_order], drawn)
    learner = SlowLearner(None, None, None, (), (), len(node.counts), min_samples_leaf)  # type: ignore[arg-type]
    order = sorted(range(len(node.cases)), key=lambda k: places[node.cases[k]])
    distinct = [list(one) for one in {tuple(holds[k] for k in order) for holds in node.holds}]

    def best(permuted: list[int]) -> float:
        return max(gain for one in distinct if (gain := learner.gain(permuted, one)) is not None)

    own = best([labels[node.cases[k]] for k in order])
    return sum(best(one) >= own - 1e-12 for one in class_order[drawn].tolist())


# With these some tests of a tree fail and some succeed.
SEEDS_JUDGED = (3, 4, 6)


@cache
def judged(seed: int) -> tuple[Database, Facts, RelationalTreeClassifier]:
    """A model whose nodes were judged by permutations, and what it was learned from."""
    database, facts = random_models(seed, n=30)
    leaf = 1 + seed % 2
    return database, facts, fitted(database, facts, pruning=Rand(alpha=0.3), random_state=seed, min_samples_leaf=leaf)


@pytest.mark.parametrize("seed", SEEDS_JUDGED)
def test_verdicts_are_those_of_all_permutations(seed: int) -> None:
    database, facts, model = judged(seed)
    log = model.tree_.pruning_log
    nodes = dict(zip(level_order(log.grown), slow_tree(model, facts).walk(), strict=True))
    labels = np.searchsorted(model.classes_, database.labels("model.class"))
    table = Table((Column("row"),), (np.arange(len(labels), dtype=np.int32),), len(labels))
    content = known_by_key(database, "model", table.arrays[0])
    cases = Cases(table, model.classes_, labels, None, None, told=content)
    places, keys = np.argsort(canonical_order(cases, seed)), path_keys(log.grown, seed)
    class_order = Content.of(cases).class_order
    assert len(log.nodes) > 2
    for node, accepted in zip(log.nodes.tolist(), log.verdicts.accepted, strict=True):
        as_good = permutations_as_good(nodes[node], labels, places, class_order, keys[node], model.min_samples_leaf)
        assert accepted == (100 - as_good >= 70)


def test_some_permutation_tests_fail_and_some_succeed() -> None:
    found = [
        verdict for seed in SEEDS_JUDGED for verdict in judged(seed)[2].tree_.pruning_log.verdicts.accepted.tolist()
    ]
    assert 0 < sum(found) < len(found)


# -- what must not matter --------------------------------------------------------------------------------------


@pytest.mark.parametrize("pruning", ["none", "rand", "mdl"])
def test_threads_do_not_matter(pruning: str) -> None:
    database, facts = random_models(1, n=40)
    one, other = (fitted(database, facts, pruning=pruning, n_jobs=n, random_state=0).tree_ for n in (1, 4))
    np.testing.assert_array_equal(one.counts, other.counts)
    np.testing.assert_array_equal(one.n_tests, other.n_tests)
    assert list(map(str, one.conditions)) == list(map(str, other.conditions))


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_keys_does_not_matter(seed: int) -> None:
    made = random_tables(seed, n=20)
    database = made.database()
    keys = np.asarray(database.keys("thing"))
    mixed = np.random.default_rng(seed).permutation(keys)
    model = RelationalTreeClassifier(database, "thing.class", pruning="none", aggregates=FUNCTIONS)
    one, other = (model.fit(order).tree_ for order in (keys, mixed))
    np.testing.assert_array_equal(one.counts, other.counts)
    assert list(map(str, one.conditions)) == list(map(str, other.conditions))


@pytest.mark.parametrize("pruning", ["none", "chi", "error_based"])
@pytest.mark.parametrize("seed", range(2))
def test_a_weight_of_two_is_an_example_twice(seed: int, pruning: str) -> None:
    made = random_tables(seed, n=20)
    database = made.database()
    keys = np.asarray(database.keys("thing"))
    weights = np.random.default_rng(seed).integers(1, 3, len(keys))
    model = RelationalTreeClassifier(database, "thing.class", pruning=pruning, min_samples_leaf=2, min_examples=1)
    weighted = model.fit(keys, sample_weight=weights)
    tree, chances = weighted.tree_, weighted.predict_proba(keys)
    repeated = model.fit(np.repeat(keys, weights))
    np.testing.assert_array_equal(tree.counts, repeated.tree_.counts)
    np.testing.assert_array_equal(tree.sizes, repeated.tree_.sizes)
    assert list(map(str, tree.conditions)) == list(map(str, repeated.tree_.conditions))
    np.testing.assert_allclose(chances, repeated.predict_proba(keys), atol=1e-12)


def test_constants_behind_either_of_two_links_are_tried() -> None:
    """Bonds of kind z are found by their other end alone."""
    database = Database(
        {
            "thing": {"id": [1, 2, 3, 4], "class": ["y", "y", "n", "n"]},
            "part": {"number": [1, 2, 3, 4], "thing": [1, 2, 3, 4]},
            "bond": {"one": [None, None, None, None, 3], "other": [1, 2, 3, 4, 4], "kind": ["z", "z", "p", "p", "p"]},
        },
        ["part.thing -> thing.id", "bond.one -> part.number", "bond.other -> part.number"],
        {"thing": "id", "part": "number"},
    )
    bias = automatic_bias(database.hiding("thing", "class"), "thing", aggregates=())
    grounding = Grounding(
        database, "thing", np.arange(4, dtype=np.int32), np.array([1, 1, 0, 0]), 2, None, None, 1, 100
    )
    bonds = [mode for mode in grounding.ground(bias).modes if mode.relation == "bond" and mode.arguments[2].constants]
    assert bonds
    assert {str(one) for mode in bonds for one in mode.arguments[2].constants or ()} == {"p", "z"}
