"""Permutation tests of independence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln
from scipy.stats import fisher_exact
from tests.oracles.cases import freeman_halton
from tests.pruning.trees import trees

from petree import core
from petree.keys import path_keys
from petree.pruning import Permutation
from petree.pruning.engine.context import Context
from petree.tree import Tree

STUMPS = Permutation(when="post")
WORKED = [([[5, 1, 0], [0, 2, 4]], 0.006494), ([[8, 2], [2, 8]], 0.023014)]


def estimate(table: Any, n_tables: int = 100_000, seed: int = 0) -> float:
    table = np.array(table, np.int64)
    found, logs = np.zeros(1, np.int64), gammaln(np.arange(table.sum() + 1) + 1.0)
    key = path_keys(Tree.from_counts([1, 1]), seed)
    starts = np.array([0, len(table)])
    core.draws.improbable_tables(table, starts, key, logs, n_tables, n_tables, found, core.NO_STOP)
    return float(found[0]) / n_tables


@pytest.mark.parametrize(("table", "p"), WORKED)
def test_worked_numbers(table: list[list[int]], p: float) -> None:
    assert freeman_halton(table) == pytest.approx(p, abs=5e-7)
    assert estimate(table) == pytest.approx(p, abs=5 * np.sqrt(p / 100_000))


@settings(max_examples=25)
@given(
    table=st.integers(2, 3).flatmap(
        lambda c: st.lists(st.lists(st.integers(0, 5), min_size=c, max_size=c), min_size=2, max_size=3)
    )
)
def test_estimates_are_near_the_exact_p(table: list[list[int]]) -> None:
    p = freeman_halton(table)
    assert estimate(table, 20_000) == pytest.approx(p, abs=5 * np.sqrt(p * (1 - p) / 20_000) + 1e-12)


@given(n_marked=st.integers(0, 30), n_other=st.integers(0, 30), share=st.floats(0, 1, exclude_max=True), data=st.data())
def test_draws_are_possible_ones(n_marked: int, n_other: int, share: float, data: Any) -> None:
    n_drawn = data.draw(st.integers(0, n_marked + n_other))
    logs = gammaln(np.arange(10) + 1.0)  # beyond the list they are worked out
    drawn = core.draws.draw_hypergeometric(share, n_marked, n_other, n_drawn, logs, core.NO_STOP)
    assert max(0, n_drawn - n_other) <= drawn <= min(n_marked, n_drawn)


def test_large_counts_are_drawn_as_quickly() -> None:
    big = [[40_000, 10_300], [39_000, 11_000]]
    assert estimate(big, 2_000) == pytest.approx(fisher_exact(big).pvalue, abs=0.02)


def tree_of(*tables: Any) -> Tree:
    """A tree of stumps below one root."""
    return Tree.from_counts(list(tables))


def test_stumps_go_where_their_table_is_not_improbable() -> None:
    tree = tree_of([[8, 2], [2, 8]], [[5, 5], [6, 5]], [[7, 3], [3, 7]])
    pruned = STUMPS.prune(tree)
    log = pruned.pruning_log
    assert log.nodes.tolist() == [1, 2, 3]
    assert log.cut.tolist() == [2, 3]  # 0.023, 1, 0.18
    assert log.verdicts.threshold.tolist() == [50] * 3
    assert log.verdicts.statistic[0] == pytest.approx(23, abs=25)
    assert Permutation(alpha=0.3, when="post").prune(tree).pruning_log.cut.tolist() == [2]


@given(tree=trees(), seed=st.integers(0, 5))
def test_verdicts_follow_from_the_path_and_the_seed_alone(tree: Tree, seed: int) -> None:
    """The same node is judged alike before and after growing."""
    after, before = (Permutation(0.2, 50, when).prune(tree, Context(seed=seed)).pruning_log for when in ("post", "pre"))
    seen = dict(zip(before.nodes.tolist(), before.verdicts.accepted.tolist(), strict=True))
    both = [
        (seen[node], ok) for node, ok in zip(after.nodes.tolist(), after.verdicts.accepted, strict=True) if node in seen
    ]
    assert all(early == late for early, late in both)


def test_nodes_are_judged_alike_alone_and_together() -> None:
    tables = np.array([[[4 + i, 2], [2, 3 + i]] for i in range(9)])
    starts, keys = np.arange(10) * 2, np.arange(9, dtype=np.uint64)
    logs, together, alone = gammaln(np.arange(30) + 1.0), np.zeros(9, np.int64), np.zeros(9, np.int64)
    flat = tables.reshape(-1, 2)
    core.draws.improbable_tables(flat, starts, keys, logs, 1000, 1000, together, core.NO_STOP)
    for node in range(9):
        ends, one = starts[node : node + 2], slice(node, node + 1)
        core.draws.improbable_tables(flat, ends, keys[one], logs, 1000, 1000, alone[one], core.NO_STOP)
    np.testing.assert_array_equal(alone, together)
    assert len(set(together.tolist())) > 3


def test_fractional_counts_are_rounded() -> None:
    tables = [[[8.2, 1.9], [2.1, 7.8]], [[5, 5], [6, 5]]]
    fractional, whole = tree_of(*tables), tree_of(*np.rint(tables).tolist())
    found = [STUMPS.prune(tree).pruning_log.verdicts.statistic for tree in (fractional, whole)]
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize(
    ("member", "sentence"),
    [
        (Permutation(alpha=1.5), "'alpha' parameter of Permutation must be .* not above 1. Got 1.5"),
        (Permutation(permutations=0), "'permutations' parameter of Permutation must be an integer not below 1. Got 0"),
        (Permutation(when="during"), "'when' parameter of Permutation must be 'pre' or 'post'. Got 'during'"),
    ],
)
def test_bad_parameters_are_refused(member: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        member.prune(tree_of([[8, 2], [2, 8]], [[5, 5], [6, 5]]))
