"""Contributions and nearest leaves against their definitions, in trees of every shape and kind of test."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.explaining import Answering, nearest, shapley
from tests.oracles.prediction import UNKNOWN, Cell
from tests.random_trees import COLUMNS, ROUTABLE, THRESHOLDS, trees

from petree.columns import Column
from petree.conditions import THRESHOLD, UNSEEN, Conditions
from petree.inputs import Table
from petree.routing import Router, Ways, ways
from petree.threads import Threads
from petree.tree import Tree, assemble

# All that the tests of random trees can tell apart.
CHOICES = [[-9.0, *THRESHOLDS, None], [0, 1, 2, None], [0, 1, 2, None]]
CELLS = st.tuples(
    *(st.sampled_from([*choices, UNKNOWN] if column else choices) for column, choices in enumerate(CHOICES))
)
ALL = frozenset(range(3))


def table_of(rows: list[list[Cell]]) -> Table:
    codes: dict[Any, int] = {None: -1, UNKNOWN: -2}
    size, *nominal = zip(*rows, strict=True)
    numbers = np.array([np.nan if cell is None else cell for cell in size], float)
    coded = [np.array([codes.get(cell, cell) for cell in column], int) for column in nominal]
    return Table(COLUMNS, (numbers, *coded), len(rows))


@settings(max_examples=15, deadline=None)
@given(trees(ROUTABLE, 10), st.lists(CELLS, min_size=1, max_size=11), st.integers(0, 99))
def test_contributions_are_means_over_all_orders_of_columns(tree: Tree, cells: list[Any], seed: int) -> None:
    rows = [list(one) for one in cells]
    says = np.random.default_rng(seed).random((tree.n_nodes, 3))
    answering = Answering(tree, says)
    found = Ways.of(tree).contributions(table_of(rows), says, Threads(2))
    unknown = Ways.of(tree).answer_to_unknown(says)
    np.testing.assert_allclose(unknown, answering.answer(rows[0], frozenset()), atol=1e-12)
    for row, own in zip(rows, found, strict=True):
        np.testing.assert_allclose(own, shapley(3, partial(answering.answer, row)), atol=1e-12)
        np.testing.assert_allclose(own.sum(axis=0), answering.answer(row, ALL) - unknown, atol=1e-12)


@settings(max_examples=15, deadline=None)
@given(trees(ROUTABLE, 10), st.lists(CELLS, min_size=1, max_size=11), st.data())
def test_the_nearest_leaf_has_the_fewest_columns_to_change(tree: Tree, cells: list[Any], data: Any) -> None:
    rows = [list(one) for one in cells]
    drawn = data.draw(st.lists(st.integers(0, 2), min_size=tree.n_nodes, max_size=tree.n_nodes))
    classes = np.where(tree.is_leaf, drawn, -1)
    verdicts = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows))))
    leaves, n_changes = Ways.of(tree).nearest(table_of(rows), classes, verdicts, Threads(1))
    for row, verdict, *found in zip(rows, verdicts, leaves, n_changes, strict=True):
        assert tuple(found) == nearest(tree, row, classes, verdict)


def long_way(n_columns: int) -> tuple[Tree, Table]:
    """A test of each of many columns, one below the other."""
    columns = tuple(Column(f"column {k}") for k in range(n_columns))
    n_nodes = 2 * n_columns + 1
    counts = np.full((n_nodes, 2), 1.0)
    counts[::2] = 2.0 ** -np.arange(n_columns + 1)[:, None]
    owners = np.arange(0, 2 * n_columns, 2)
    conditions = Conditions.from_arrays(
        columns, [THRESHOLD] * n_columns, np.arange(n_columns), [0.0] * n_columns, [UNSEEN] * n_columns
    )
    tree = assemble(
        counts, np.ones(n_nodes), np.ones(n_nodes), owners, np.full(n_columns, 2), conditions, ("no", "yes")
    )
    rows = np.random.default_rng(0).choice([-1.0, 1.0, np.nan], (9, n_columns), p=[0.02, 0.96, 0.02])
    return tree, Table(columns, tuple(rows.T), len(rows))


@pytest.mark.parametrize("n_columns", [63, 64, 65, 66, 200, 700])
def test_contributions_of_long_ways_sum_to_the_answer(n_columns: int) -> None:
    tree, table = long_way(n_columns)
    says = np.random.default_rng(1).random((tree.n_nodes, 2))
    found = Ways.of(tree)
    contributions = found.contributions(table, says, Threads(1))
    answers = Router.of(tree).probabilities(table, says, Threads(1))
    np.testing.assert_allclose(contributions.sum(axis=1), answers - found.answer_to_unknown(says), atol=1e-12)


def test_too_many_ways_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, table = long_way(20)
    monkeypatch.setattr(ways, "MOST_WAYS", 40)
    with pytest.raises(ValueError, match=r"There are 41 ways through this tree with options.*option_depth"):
        Ways.of(tree).contributions(table, np.ones((tree.n_nodes, 1)), Threads(1))
