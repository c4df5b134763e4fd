"""The model of reduced-error pruning: the paper's numbers, its two theorems, and the equations in plain Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.papers.oates import pruning_model
from lab.papers.oates.pruning_model import (
    grid_after,
    grid_before,
    leaf_errors,
    pruning_probability,
    pruning_probability_after,
    subtree_errors,
)

# Thousandths, so that differences are far above rounding.
SHARES = st.integers(0, 1000).map(lambda thousandths: thousandths / 1000)
INNER_SHARES = st.integers(1, 999).map(lambda thousandths: thousandths / 1000)
CASES = st.integers(1, 300)


def plain_probability(class_share: float, leaf_share: float, n_cases: float) -> float:
    """Equation 1 as it is printed."""
    p_error = class_share + leaf_share - 2 * class_share * leaf_share
    mean, deviation = n_cases * p_error, math.sqrt(max(n_cases * p_error * (1 - p_error), 0.0))
    errors = n_cases * min(class_share, 1 - class_share)
    if not deviation:
        return float(mean >= errors)
    return 1 - 0.5 * (1 + math.erf((errors - mean) / deviation / math.sqrt(2)))


def is_on_the_edge(class_share: float, leaf_share: float) -> bool:
    """Whether all leaves of the subtree say what the pruned leaf would say, so that their errors are the same."""
    return leaf_share == (0 if class_share < 0.5 else 1)


@pytest.mark.parametrize(
    ("class_share", "leaf_share", "n_cases", "expected"),
    [(0.5, 0.3, 100, 0.5), (0.4, 0.4, 100, 0.945343), (0.3, 0.5, 100, 0.999968), (0.4, 0.6, 5, 0.704396)],
)
def test_worked_points(class_share: float, leaf_share: float, n_cases: int, expected: float) -> None:
    assert pruning_probability(class_share, leaf_share, n_cases) == pytest.approx(expected, abs=5e-7)


def test_averages_of_the_paper() -> None:
    averages = pruning_model.paper_averages()
    assert averages["before"] == pytest.approx({100: 0.9256, 1000: 0.9696, 10000: 0.9882}, abs=5e-5)
    assert averages["after"] == pytest.approx({10: 0.3262, 20: 0.2468, 50: 0.1786}, abs=5e-5)


@given(SHARES, SHARES, CASES)
def test_equation_1(class_share: float, leaf_share: float, n_cases: int) -> None:
    expected = plain_probability(class_share, leaf_share, n_cases)
    assert pruning_probability(class_share, leaf_share, n_cases) == pytest.approx(expected)


@given(SHARES, SHARES, st.lists(CASES, min_size=1, max_size=6))
def test_after_pruning_beneath_all_descendants_must_go(class_share: float, leaf_share: float, sizes: list[int]) -> None:
    expected = math.prod(plain_probability(class_share, leaf_share, size) for size in sizes)
    assert pruning_probability_after(class_share, leaf_share, sizes) == pytest.approx(expected)


@given(SHARES.filter(lambda share: share != 0.5), SHARES, CASES)
def test_theorem_1_a_subtree_is_expected_to_make_more_errors_than_a_leaf(
    class_share: float, leaf_share: float, n_cases: int
) -> None:
    """The paper leaves out that they make as many where all leaves are labelled as the pruned one would be."""
    mean, _ = subtree_errors(class_share, leaf_share, n_cases)
    if is_on_the_edge(class_share, leaf_share):
        assert mean == pytest.approx(leaf_errors(class_share, n_cases))
    else:
        assert mean > leaf_errors(class_share, n_cases) * (1 + 1e-12)


@given(SHARES.filter(lambda share: share != 0.5), SHARES, CASES, st.integers(1, 300))
def test_theorem_2_more_cases_make_pruning_more_probable(
    class_share: float, leaf_share: float, n_cases: int, more: int
) -> None:
    few = pruning_probability(class_share, leaf_share, n_cases)
    many = pruning_probability(class_share, leaf_share, n_cases + more)
    if is_on_the_edge(class_share, leaf_share):
        assert many == pytest.approx(few)
    else:
        assert few < many or few > 1 - 1e-12  # 1 is where floating-point numbers end


@given(SHARES, CASES)
def test_evenly_distributed_classes_are_pruned_half_the_time(leaf_share: float, n_cases: int) -> None:
    assert pruning_probability(0.5, leaf_share, n_cases) == pytest.approx(0.5)


@given(INNER_SHARES, CASES)
def test_where_all_leaves_are_labelled_as_the_pruned_one_it_is_a_toss(class_share: float, n_cases: int) -> None:
    edge = 0.0 if class_share < 0.5 else 1.0
    assert pruning_probability(class_share, edge, n_cases) == pytest.approx(0.5)


@given(SHARES, SHARES, CASES)
def test_the_names_of_the_classes_do_not_matter(class_share: float, leaf_share: float, n_cases: int) -> None:
    turned = pruning_probability(1 - class_share, 1 - leaf_share, n_cases)
    assert pruning_probability(class_share, leaf_share, n_cases) == pytest.approx(turned)


@pytest.mark.parametrize(("class_share", "leaf_share"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_errors_that_do_not_vary_decide_at_once(class_share: float, leaf_share: float) -> None:
    assert subtree_errors(class_share, leaf_share, 7)[1] == 0
    assert pruning_probability(class_share, leaf_share, 7) == 1


@given(SHARES, SHARES, CASES, st.integers(1, 30))
def test_more_descendants_make_pruning_less_probable(
    class_share: float, leaf_share: float, size: int, n_descendants: int
) -> None:
    fewer = pruning_probability_after(class_share, leaf_share, [size] * n_descendants)
    more = pruning_probability_after(class_share, leaf_share, [size] * (n_descendants + 1))
    assert more <= fewer


def test_arrays_are_broadcast() -> None:
    shares, cases = np.array([[0.1], [0.7], [1.0]]), np.array([5.0, 100.0])
    expected = [[plain_probability(share, 0.25, n) for n in cases] for share in shares[:, 0]]
    assert pruning_probability(shares, 0.25, cases) == pytest.approx(np.array(expected))


def test_grids_have_a_row_a_class_share_and_a_column_a_leaf_share() -> None:
    middles = [0.125, 0.375, 0.625, 0.875]
    before = [[plain_probability(p_class, p_leaf, 100) for p_leaf in middles] for p_class in middles]
    after = [[plain_probability(p_class, p_leaf, 5) ** 3 for p_leaf in middles] for p_class in middles]
    assert grid_before(100, 4) == pytest.approx(np.array(before))
    assert grid_after(3, 4) == pytest.approx(np.array(after))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((1.2, 0.5, 10), r"'class_share' parameter must be from 0 to 1\. Got 1.2 instead"),
        ((0.5, [0.1, math.nan], 10), "'leaf_share' parameter must be from 0 to 1"),
        ((0.5, 0.5, 0), "'n_cases' parameter must be above 0"),
        ((0.5, 0.5, math.inf), "'n_cases' parameter must be above 0"),
    ],
)
def test_what_is_no_share_or_no_number_of_cases_is_refused(arguments: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        pruning_probability(*arguments)
