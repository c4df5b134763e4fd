"""Walks a tree with the rows of the slow definitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.growing.checks import chosen_test
from tests.oracles import missing as slow
from tests.oracles.growing import Candidate, PlainTable, Rules
from tests.oracles.prediction import children_of

from petree.conditions import UNSEEN
from petree.tree import Tree

# ``divide(parts, test, split)``: the children of a node.
Divide = Callable[[slow.Parts, Candidate, int], list[slow.Parts]]


def walk(tree: Tree, table: PlainTable, rules: Rules, divide: Divide) -> dict[int, slow.Parts]:
    """The rows at every node, each checked: counts, size, and a best test or none."""
    found: dict[int, slow.Parts] = {}
    pending: list[Any] = [(0, slow.every_row(table), 0)]
    while pending:
        node, parts, level = pending.pop()
        found[node] = parts
        _check(tree, node, table, parts, level, rules)
        if not tree.is_leaf[node]:
            children = divide(parts, chosen_test(tree, node), int(tree.split_start[node]))
            pairs = zip(children_of(tree, node), children, strict=True)
            pending += [(child, own, level + 1) for child, own in pairs]
    assert len(found) == tree.n_nodes
    return found


def _check(tree: Tree, node: int, table: PlainTable, parts: slow.Parts, level: int, rules: Rules) -> None:
    np.testing.assert_allclose(tree.counts[node], slow.counts(table, parts), rtol=1e-9, atol=1e-9)
    assert abs(tree.sizes[node] - slow.size(table, parts)) <= 0.5 + 1e-6
    assert tree.n_tests[node] == len(list(slow.tests_of(table, rules)))
    ranking = slow.acceptable(table, parts, level, rules)
    assert tree.is_leaf[node] == (not ranking), f"node {node} should choose from {ranking[:3]}"
    if ranking:
        best = ranking[0][1]
        chosen = chosen_test(tree, node)._replace(missing=UNSEEN)
        assert chosen in [test for test, value in ranking if value >= best - 1e-9]
        assert tree.annotations["gain"][node] == pytest.approx(best, abs=1e-9)
