"""Reduced-error pruning."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.cases import (
    PlainReducedError,
    plain_sampled,
)
from tests.oracles.pruning import plain_tree, shape
from tests.pruning.engine.held_out import WORKED, reached, those_that_reach, trees_and_cases
from tests.pruning.trees import with_class_weight

from petree.pruning import ReducedError
from petree.pruning.engine.context import Context
from petree.pruning.engine.routed_cases import RoutedCases


def test_reduced_errors_of_a_worked_tree() -> None:
    """The left stump errs in 1 of 5, as a leaf in 2, and stays; the right one in 3 of 6, as a leaf in 2, and goes."""
    cases = [(3, 0), (3, 0), (3, 1), (4, 1), (4, 1), (5, 1), (5, 0), (5, 0), (6, 0), (6, 1), (6, 0)]
    pruned = ReducedError().prune(WORKED, Context(held_out=reached(WORKED, cases)))
    log = pruned.pruning_log
    assert log.verdicts.statistic.tolist() == [3, 1, 3]
    assert log.verdicts.threshold.tolist() == [5, 2, 2]
    assert log.cut.tolist() == [2]
    assert pruned.counts.tolist() == WORKED.cut([2]).counts.tolist()
    quinlan = ReducedError(label="training").prune(WORKED, Context(held_out=reached(WORKED, cases))).pruning_log
    assert quinlan.verdicts.threshold.tolist() == [5, 3, 4]  # of the growing cases most are 0 left, 1 right
    assert quinlan.cut.tolist() == []


@pytest.mark.parametrize("label", ["pruning", "training"])
@given(drawn=trees_and_cases())
def test_reduced_error_is_what_the_definition_leaves(label: str, drawn: Any) -> None:
    tree, cases = drawn
    pruned = ReducedError(label).prune(tree, Context(held_out=reached(tree, cases)))
    root = plain_tree(tree)
    plain = plain_sampled(root, lambda node: those_that_reach(node, cases), PlainReducedError(root, label))
    assert shape(plain_tree(pruned)) == shape(plain)


def test_a_subtree_that_no_case_reaches_goes_and_so_does_one_that_errs_as_often() -> None:
    none_below = ReducedError().prune(WORKED, Context(held_out=reached(WORKED, [(3, 0), (4, 1)])))
    assert none_below.pruning_log.cut.tolist() == [2]
    as_often = ReducedError().prune(WORKED, Context(held_out=reached(WORKED, [(3, 0), (4, 0)])))
    assert 1 in as_often.pruning_log.cut


@given(drawn=trees_and_cases(), weight=st.sampled_from((0.5, 3.0)))
def test_weights_count_as_often(drawn: Any, weight: float) -> None:
    """Weights 2, copies, and class weights in place of them."""
    tree, cases = drawn
    once = reached(tree, cases)
    twice = RoutedCases(once.leaves, once.classes, np.full(len(cases), 2.0))
    logs = [ReducedError().prune(tree, Context(held_out=one)).pruning_log for one in (once, twice)]
    np.testing.assert_array_equal(logs[0].cut, logs[1].cut)
    np.testing.assert_array_equal(2 * logs[0].verdicts.statistic, logs[1].verdicts.statistic)
    weighed = with_class_weight(tree, weight)
    as_counts = tree.with_counts(weighed.weighted_counts)
    by_class = RoutedCases(once.leaves, once.classes, np.where(once.classes == 0, weight, 1.0))
    ours = ReducedError().prune(weighed, Context(held_out=once)).pruning_log.cut
    np.testing.assert_array_equal(ours, ReducedError().prune(as_counts, Context(held_out=by_class)).pruning_log.cut)


@given(drawn=trees_and_cases())
def test_backfitting_counts_all_cases(drawn: Any) -> None:
    tree, cases = drawn
    context = Context(held_out=reached(tree, cases))
    plain, backfitted = ReducedError().prune(tree, context), ReducedError(backfitting=True).prune(tree, context)
    assert backfitted.n_nodes == plain.n_nodes
    more = backfitted.counts - plain.counts
    assert more[0].tolist() == np.bincount([c for _, c in cases], minlength=tree.n_classes).tolist()
    assert more[backfitted.is_leaf].sum() == len(cases)
    assert (backfitted.sizes - plain.sizes).tolist() == more.sum(axis=1).tolist()
