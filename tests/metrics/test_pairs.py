"""How well the classes of each pair are told apart: all pairs counted one by one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metrics import oracles
from tests.metrics.made import Made, predictions

from petree.metrics import auc, pairwise_auc

TWO = st.just(2)


@given(predictions())
def test_pairwise_auc_by_pairs(made: Made) -> None:
    given = pairwise_auc(*made.as_given, sample_weight=made.weights)
    assert given == pytest.approx(oracles.pairwise_auc(made), nan_ok=True)


@given(predictions(n_labels=TWO))
def test_pairwise_auc_of_two_classes_is_their_auc(made: Made) -> None:
    given = pairwise_auc(*made.as_given, sample_weight=made.weights)
    assert given == pytest.approx(auc(*made.as_given, sample_weight=made.weights), nan_ok=True)


def test_equal_shares_of_a_pair_are_equal_whatever_is_left_for_others() -> None:
    """Two thirds of a pair are two thirds, with 3, 7 or 9 cases in the leaf; where neither is possible it is a half."""
    leaves = np.array([[2, 1, 0], [2, 1, 4], [2, 1, 6], [0, 0, 5]])
    probabilities = leaves / leaves.sum(axis=1, keepdims=True)
    assert pairwise_auc(["a", "b", "b", "b"], probabilities, ["a", "b", "c"]) == pytest.approx((0.5 + 0.5 + 1) / 3)


def test_one_class_alone_has_no_area() -> None:
    assert math.isnan(pairwise_auc(["a", "a"], [[0.6, 0.4], [0.5, 0.5]], ["a", "b"]))
    assert math.isnan(pairwise_auc(["a", "b"], [[0.6, 0.4], [0.5, 0.5]], ["a", "b"], sample_weight=[1, 0]))
