"""Reduced-error pruning of data in parts: the cases held out are those of the same codes in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.partitions.made import UNEQUAL, code, make_frame, make_weights
from tests.partitions.test_fits import assert_nearly_same_tree, fit

from petree.partitions.sampling import HOLDING_OUT, FoldRows
from petree.pruning import CostComplexity, ReducedError
from petree.smoothing import MEstimate


@pytest.mark.parametrize("weights", ["none", "copies", "fractions"])
@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"tests": "multiway", "class_weight": "balanced"},
        {"pruning": ReducedError(label="training"), "smoothing": MEstimate(m="auto"), "tests": "sets"},
    ],
    ids=str,
)
def test_pruned_by_reduced_error_as_in_memory(parameters: dict[str, Any], weights: str) -> None:
    data = code(*make_frame(), make_weights(weights), UNEQUAL)
    parameters = {"pruning": "reduced_error", "smoothing": "laplace", "random_state": 5} | parameters
    expected = fit(data, "1GB", **parameters)
    model = fit(data, **parameters)
    assert expected.tree_.n_leaves > 1
    assert_nearly_same_tree(expected.tree_, model.tree_)
    np.testing.assert_allclose(model.node_probabilities_, expected.node_probabilities_, rtol=1e-12)
    log = model.tree_.pruning_log
    in_memory = expected.tree_.pruning_log
    assert log is not None
    assert in_memory is not None
    np.testing.assert_array_equal(log.nodes, in_memory.nodes)
    np.testing.assert_allclose(log.verdicts.statistic, in_memory.verdicts.statistic, atol=1e-9)


def test_a_third_is_held_out_whatever_fold_is_left_out() -> None:
    numbers = np.arange(30_000, dtype=np.uint64)
    copies = np.ones(len(numbers), np.int64)
    others = FoldRows(4, 3, 0, False)
    held = FoldRows(4 + HOLDING_OUT, 3, 0, True, within=others)
    n_others = others.copies(numbers, copies).sum()
    n_held = held.copies(numbers, copies).sum()
    assert n_held / n_others == pytest.approx(1 / 3, abs=4 * np.sqrt(2 / 9 / n_others))
    rest = FoldRows(4 + HOLDING_OUT, 3, 0, False, within=others)
    np.testing.assert_array_equal(
        held.copies(numbers, copies) + rest.copies(numbers, copies), others.copies(numbers, copies)
    )


@pytest.mark.parametrize("weights", ["copies", "fractions"])
def test_folds_within_folds_have_none_of_the_rows_left_out(weights: str) -> None:
    data = code(*make_frame(), make_weights(weights), UNEQUAL)
    parameters = {"pruning": CostComplexity(folds=5), "smoothing": MEstimate(m="auto"), "random_state": 1}
    expected = fit(data, "1GB", **parameters).tuning_
    np.testing.assert_allclose(fit(data, **parameters).tuning_.losses, expected.losses, rtol=1e-12)
