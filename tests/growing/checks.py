"""What every node of a grown tree must satisfy, and when two trees are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.oracles.choosing import acceptable
from tests.oracles.growing import Candidate, PlainTable, Rules, divide, n_candidates
from tests.oracles.prediction import children_of
from tests.plain import plain_classifier
from tests.strategies import RawTable

from petree import ProbabilityTreeClassifier
from petree.conditions import IN, IS_MISSING, MULTIWAY
from petree.tree import Tree

DEFAULTS = Rules()


def noisy(random: np.random.Generator, signal: NDArray[Any], n_classes: int) -> NDArray[Any]:
    """Classes that follow a signal, one in ten at random."""
    ranks = np.argsort(np.argsort(signal, kind="stable"), kind="stable")
    classes = ranks * n_classes // len(signal)
    return np.where(random.random(len(signal)) < 0.1, random.integers(0, n_classes, len(signal)), classes)


def fit(table: RawTable, rules: Rules = DEFAULTS, **parameters: Any) -> ProbabilityTreeClassifier:
    model = plain_classifier(
        split=rules.split,
        tests=rules.tests,
        min_samples_leaf=rules.min_samples_leaf,
        max_depth=rules.max_depth,
        min_gain=rules.min_gain,
        class_weight=table.class_weight,
        **parameters,
    )
    return model.fit(table.frame, table.y, sample_weight=table.sample_weight)


def chosen_test(tree: Tree, node: int) -> Candidate:
    """The test at a node, with only those fields that its kind uses."""
    conditions, split = tree.conditions, tree.split_start[node]
    kind, column = int(conditions.kind[split]), int(conditions.column[split])
    if kind == IS_MISSING:
        return Candidate(column, kind)
    if kind == IN:
        return Candidate(column, kind, conditions[split].codes, int(conditions.missing[split]))
    value = 0.0 if kind == MULTIWAY else float(conditions.value[split])
    return Candidate(column, kind, value, int(conditions.missing[split]))


def assert_node_is_right(tree: Tree, node: int, table: PlainTable, rows: Any, level: int, rules: Rules) -> None:
    """Counts, size, and the first best test or none."""
    np.testing.assert_allclose(tree.counts[node], table.counts(rows), rtol=1e-9)
    assert tree.sizes[node] == table.size(rows)
    ranking = acceptable(table, rows, level, rules)
    assert tree.is_leaf[node] == (not ranking), f"node {node} should choose from {ranking[:3]}"
    if not ranking:
        return
    best = ranking[0][1]
    chosen = chosen_test(tree, node)
    if table.is_weighted_by_fractions:
        tied = [candidate for candidate, value in ranking if value >= best - 1e-9]
        assert chosen in tied, f"node {node} has {chosen}, not one of {tied}"
    else:
        assert chosen == ranking[0][0], f"node {node} has {chosen}, not the first of {ranking[:3]}"
    tolerance = 1e-9 if table.is_weighted_by_fractions else 1e-12
    assert tree.annotations["gain"][node] == pytest.approx(best, abs=tolerance)


def assert_tree_is_right(tree: Tree, table: PlainTable, rules: Rules = DEFAULTS) -> None:
    """Walk the tree with the oracle's own rows and check every node."""
    pending = [(0, np.arange(len(table.classes)), 0, frozenset[int]())]
    n_visited = 0
    while pending:
        node, rows, level, path = pending.pop()
        n_visited += 1
        of_node = rules.below(path)
        assert_node_is_right(tree, node, table, rows, level, of_node)
        assert tree.n_tests[node] == n_candidates(table, of_node)
        if not tree.is_leaf[node]:
            test = chosen_test(tree, node)
            parts = divide(test, table.columns[test.column], rows)
            below = path | {test.column}
            children = zip(children_of(tree, node), parts, strict=True)
            pending += [(child, part, level + 1, below) for child, part in children]
    assert n_visited == tree.n_nodes, "some nodes cannot be reached"


def _asked(tree: Tree) -> list[Any]:
    """Thresholds, categories and sets of the tests."""
    pairs = zip(tree.conditions.kind.tolist(), tree.conditions.value.tolist(), strict=True)
    return [tree.conditions.extras[int(value)] if kind == IN else value for kind, value in pairs]


def assert_same_tree(one: Tree, other: Tree) -> None:
    """Equal in every array, to the last bit."""
    for name in ("counts", "sizes", "n_tests", "split_start", "child_start", "children"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    for name in ("kind", "column", "missing"):
        np.testing.assert_array_equal(getattr(one.conditions, name), getattr(other.conditions, name), err_msg=name)
    assert _asked(one) == _asked(other)
    np.testing.assert_array_equal(one.annotations["gain"], other.annotations["gain"])
