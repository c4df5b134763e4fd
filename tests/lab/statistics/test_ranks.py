"""Ranks from their definition, the tests on them beside scipy's, published tables and worked examples."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from scipy import stats

from lab.statistics.ranks import average_ranks, friedman_test, nemenyi_difference, ranks, similar_groups

# Five data sets, three methods; on the third the last two are equal. Average ranks are 1.2, 2.1 and 2.7.
WORKED = np.array([[0.9, 0.8, 0.7], [0.9, 0.8, 0.7], [0.9, 0.8, 0.8], [0.9, 0.7, 0.8], [0.8, 0.9, 0.7]])

# Demsar 2006, Table 5a, for 2 to 10 methods; the third decimal is sometimes cut off, not rounded.
DEMSAR = {
    0.05: [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164],
    0.10: [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920],
}

SHAPES = st.tuples(st.integers(2, 8), st.integers(2, 6))
TIED = SHAPES.flatmap(lambda shape: arrays.arrays(np.int64, shape, elements=st.integers(0, 4)))


@given(TIED, st.booleans())
def test_ranks_from_their_definition(values: NDArray[Any], higher_is_better: bool) -> None:
    given = ranks(values / 10, higher_is_better)
    for row, own_ranks in zip(values.tolist(), given.tolist(), strict=True):
        for value, rank in zip(row, own_ranks, strict=True):
            n_better = sum(other > value if higher_is_better else other < value for other in row)
            assert rank == n_better + (1 + row.count(value)) / 2


@given(TIED)
def test_ranks_are_those_of_scipy_and_sum_up(values: NDArray[Any]) -> None:
    assert ranks(values, higher_is_better=False).tolist() == stats.rankdata(values, axis=1).tolist()
    n_methods = values.shape[1]
    assert average_ranks(values, higher_is_better=True).sum() == pytest.approx(n_methods * (n_methods + 1) / 2)


@given(TIED)
def test_the_other_way_round_ranks_are_mirrored(values: NDArray[Any]) -> None:
    assert np.array_equal(ranks(values, True), values.shape[1] + 1 - ranks(values, False))


def test_values_equal_but_for_rounding_share_their_rank_and_infinite_ones_have_one() -> None:
    values = [[np.mean([0.1, 0.2, 0.3]), np.mean([0.3, 0.2, 0.1]), -math.inf]]
    assert values[0][0] != values[0][1]
    assert ranks(values, higher_is_better=True).tolist() == [[1.5, 1.5, 3]]


def test_worked_example() -> None:
    averages = average_ranks(WORKED, higher_is_better=True)
    assert averages == pytest.approx([1.2, 2.1, 2.7])
    test = friedman_test(averages, n_sets=5)
    assert test.chi_square == pytest.approx(5.7)
    assert test.f == pytest.approx(5.302326, abs=1e-6)
    assert nemenyi_difference(3, 5) == pytest.approx(1.482286, abs=1e-6)
    assert nemenyi_difference(3, 5) / math.sqrt(3 * 4 / (6 * 5)) == pytest.approx(2.343701, abs=1e-6)


def test_the_example_of_demsar() -> None:
    """Four methods on 14 data sets: sections 3.2.2 and 3.2.3 of the paper."""
    test = friedman_test([3.143, 2.000, 2.893, 1.964], n_sets=14)
    assert test.chi_square == pytest.approx(9.28, abs=0.01)
    assert test.f == pytest.approx(3.69, abs=0.01)
    assert test.f_p < 0.05
    assert nemenyi_difference(4, 14, level=0.05) == pytest.approx(1.25, abs=0.005)
    assert nemenyi_difference(4, 14, level=0.10) == pytest.approx(1.12, abs=0.005)


@pytest.mark.parametrize("level", DEMSAR)
def test_the_table_of_demsar(level: float) -> None:
    found = [nemenyi_difference(k, 2, level) / math.sqrt(k * (k + 1) / 12) for k in range(2, 11)]
    assert found == pytest.approx(DEMSAR[level], abs=1e-3)


@given(st.integers(2, 8), st.integers(3, 6), st.randoms())
def test_friedman_is_that_of_scipy_without_ties(n_sets: int, n_methods: int, random: Any) -> None:
    values = np.array([random.sample(range(n_methods), n_methods) for _ in range(n_sets)])
    test = friedman_test(average_ranks(values, False), n_sets)
    expected = stats.friedmanchisquare(*values.T)
    assert test.chi_square == pytest.approx(expected.statistic, abs=1e-9)
    assert test.chi_square_p == pytest.approx(expected.pvalue)


@given(TIED)
def test_iman_davenport_is_an_analysis_of_variance_of_ranks(values: NDArray[Any]) -> None:
    """Of ranks 1 to k in every set: ties do not make the spread within a set smaller."""
    n_sets, n_methods = values.shape
    own_ranks = ranks(values, False)
    between = n_sets * ((own_ranks.mean(axis=0) - own_ranks.mean()) ** 2).sum()
    rest = n_sets * n_methods * (n_methods**2 - 1) / 12 - between
    test = friedman_test(own_ranks.mean(axis=0), n_sets)
    if rest < 1e-9:
        assert (test.f, test.f_p) == (math.inf, test.chi_square_p)
        return
    expected = between / (rest / (n_sets - 1))
    assert test.f == pytest.approx(expected, abs=1e-9)
    assert test.f_p == pytest.approx(stats.f.sf(expected, n_methods - 1, (n_methods - 1) * (n_sets - 1)))


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.integers(10, 60).map(lambda rank: rank / 10), min_size=2),
    st.sampled_from([0.25, 0.75, 1.55, 6.05]),
)
def test_groups_from_their_definition(averages: dict[str, float], difference: float) -> None:
    sizes = range(2, len(averages) + 1)
    alike = [
        frozenset(chosen)
        for size in sizes
        for chosen in combinations(averages, size)
        if max(averages[name] for name in chosen) - min(averages[name] for name in chosen) < difference
    ]
    largest = {group for group in alike if not any(group < other for other in alike)}
    given = similar_groups(averages, difference)
    assert len(given) == len(largest)
    assert set(map(frozenset, given)) == largest
    assert all(sorted(group, key=averages.__getitem__) == list(group) for group in given)


def test_methods_as_far_apart_as_the_critical_difference_differ() -> None:
    assert similar_groups({"a": 1.0, "b": 2.0}, 1.0) == []
    assert similar_groups({"b": 2.0, "a": 1.0}, 1.01) == [("a", "b")]


def test_missing_values_and_wrong_shapes_are_named() -> None:
    with pytest.raises(ValueError, match="value of method 1 on data set 0 is nan"):
        ranks([[0.1, math.nan], [0.2, 0.3]], higher_is_better=True)
    with pytest.raises(ValueError, match=r"must be data sets x methods, but their shape is \(2,\)"):
        ranks([0.1, 0.2], higher_is_better=True)


def test_too_few_methods_or_sets_and_ranks_that_do_not_sum_up_are_refused() -> None:
    for compare in (lambda: friedman_test([1.0], 5), lambda: nemenyi_difference(1, 5)):
        with pytest.raises(ValueError, match="2 or more methods and data sets, not 1 and 5"):
            compare()
    with pytest.raises(ValueError, match="not 2 and 1"):
        friedman_test([1.5, 1.5], n_sets=1)
    with pytest.raises(ValueError, match=r"average ranks of 3 methods must sum to 6, but they sum to 5\.2"):
        friedman_test([1.2, 2.0, 2.0], n_sets=5)
    with pytest.raises(ValueError, match="'level' of nemenyi_difference must be between 0 and 1"):
        nemenyi_difference(3, 5, level=5)
