"""Folds: every row is held out once, every class and no group is divided."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.pruning.grown import make_cases

from petree import ProbabilityTreeClassifier
from petree.binning import Quantile
from petree.estimators.learning import table_sources
from petree.estimators.learning.cases import read_groups
from petree.estimators.tuning.folds import LONGEST_LINE, deal_folds


def codes_of_classes(**bounds: int) -> st.SearchStrategy[Any]:
    return st.lists(st.integers(0, 3), **bounds).map(lambda codes: np.array(codes, np.intp))


def table_of(n_rows: int, seed: int = 0, n_values: int = 4) -> pd.DataFrame:
    """Two columns of few values, so that some rows are alike."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame({"a": rng.integers(0, n_values, n_rows).astype(float), "b": rng.choice(["x", "y"], n_rows)})


def weights_of(codes: Any, n_folds: int, seed: int = 0, weights: Any = None, groups: Any = None) -> Any:
    total = np.ones(len(codes)) if weights is None else weights
    cases = make_cases(table_of(len(codes)), codes, weights, None, groups)
    return np.array([fold.n_held * (total / fold.n_copies) for fold in deal_folds(cases, n_folds, seed)])


@given(codes_of_classes(min_size=2, max_size=60), st.integers(2, 5), st.integers(0, 3))
def test_each_class_is_dealt_evenly_and_each_row_held_out_once(codes: Any, n_folds: int, seed: int) -> None:
    held_out = weights_of(codes, n_folds, seed)
    assert len(held_out) == min(n_folds, len(codes))
    np.testing.assert_array_equal(held_out.sum(axis=0), 1)
    assert set(held_out.ravel()) == {0.0, 1.0}
    shares = np.array([np.bincount(codes, own, minlength=4) for own in held_out])
    assert np.ptp(shares, axis=0).max() <= 1
    assert np.ptp(shares.sum(axis=1)) <= 1


@given(codes_of_classes(min_size=4, max_size=30), st.integers(2, 5), st.data())
def test_whole_weights_are_dealt_like_copies_in_any_order(codes: Any, n_folds: int, data: st.DataObject) -> None:
    n_rows = len(codes)
    weights = np.array(data.draw(st.lists(st.integers(1, 4), min_size=n_rows, max_size=n_rows)), np.float64)
    copies = np.repeat(np.arange(n_rows), weights.astype(int))
    copies = copies[data.draw(st.permutations(range(len(copies))))]
    frame = table_of(n_rows)
    weighed = deal_folds(make_cases(frame, codes, weights), n_folds, 0)
    copied = deal_folds(make_cases(frame.iloc[copies], codes[copies]), n_folds, 0)
    for one, other in zip(weighed, copied, strict=True):
        assert counted(one.others()) == counted(other.others())
        assert counted(one.rest()) == counted(other.rest())


def test_copies_of_a_row_are_dealt_as_if_they_were_different_rows() -> None:
    """Dealt evenly, the cases that are left out would be the very cases that were learned from."""
    rows = np.repeat(np.arange(200.0), 30)
    cases = make_cases(pd.DataFrame({"a": rows}), (rows % 2).astype(np.intp))
    for fold in deal_folds(cases, 3, 0):
        n_held = np.bincount(rows.astype(int), fold.n_held)
        assert n_held.mean() == 10
        assert 0.7 < n_held.var() / (30 * 1 / 3 * 2 / 3) < 1.3


def test_more_copies_than_can_stand_in_a_line_are_dealt_evenly() -> None:
    weights = np.array([LONGEST_LINE, 5.0, 1.0, 2.0])
    held_out = weights_of(np.array([0, 0, 1, 1]), 3, weights=weights)
    np.testing.assert_array_equal(held_out.sum(axis=0), weights)
    assert np.ptp(held_out, axis=0).max() <= 1


def counted(cases: Any) -> dict[Any, float]:
    """How often each row occurs."""
    weights = np.ones(len(cases.codes)) if cases.weights is None else cases.weights
    found: dict[Any, float] = {}
    for row in zip(
        *(array.tolist() for array in cases.table.arrays), cases.codes.tolist(), weights.tolist(), strict=True
    ):
        found[row[:-1]] = found.get(row[:-1], 0) + row[-1]
    return found


def test_a_row_of_fractional_weight_is_held_out_whole() -> None:
    weights = np.random.default_rng(0).random(40)
    held_out = weights_of(np.arange(40) % 3, 3, weights=weights)
    np.testing.assert_allclose(held_out.sum(axis=0), weights)
    assert ((held_out == 0) | (held_out == weights)).all()


@given(codes_of_classes(min_size=6, max_size=60), st.integers(2, 5), st.data())
def test_groups_stay_whole_and_are_dealt_evenly(codes: Any, n_folds: int, data: st.DataObject) -> None:
    groups = np.array(data.draw(st.lists(st.integers(0, 9), min_size=len(codes), max_size=len(codes))))
    groups[:2] = 0, 9
    held_out = weights_of(codes, n_folds, groups=groups)
    np.testing.assert_array_equal(held_out.sum(axis=0), 1)
    members = [set(groups[own > 0]) for own in held_out]
    assert sum(map(len, members)) == len(set().union(*members)) == len(np.unique(groups))
    assert max(map(len, members)) - min(map(len, members)) <= 1


def test_groups_of_one_class_are_stratified() -> None:
    groups = np.repeat(np.arange(12), 5)
    codes = np.repeat([0, 0, 0, 1] * 3, 5)
    for own in weights_of(codes, 3, groups=groups):
        assert np.bincount(codes, own).tolist() == [15, 5]


def test_folds_depend_on_the_seed_alone() -> None:
    codes = np.arange(40) % 3
    first, again, other = (weights_of(codes, 3, seed).tolist() for seed in (0, 0, 1))
    assert first == again != other


def test_labels_of_groups_are_numbered() -> None:
    assert read_groups(None, 3) is None
    assert read_groups(["b", "a", "b"], 3).tolist() == [1, 0, 1]
    assert read_groups(np.array([[7], [3]]), 2).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        ([1, 2], "X has 3 rows, but groups has 2 labels"),
        ([1, None, "a"], "groups must be one label a row, all of one type"),
        ([[1, 2], [3, 4], [5, 6]], "groups must be one label a row"),
        (5, "groups must be one label a row"),
    ],
)
def test_bad_groups(groups: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read_groups(groups, 3)


@given(codes_of_classes(min_size=12, max_size=40), st.integers(2, 4), st.data())
def test_what_groups_are_called_does_not_matter(codes: Any, n_folds: int, data: st.DataObject) -> None:
    groups = np.arange(len(codes)) // 3
    names = np.array(data.draw(st.permutations(range(groups.max() + 1))))
    table = table_of(len(codes), n_values=10**6)
    held = [
        [fold.n_held.tolist() for fold in deal_folds(make_cases(table, codes, None, None, called), n_folds, 0)]
        for called in (groups, names[groups])
    ]
    assert held[0] == held[1]


class CountedQuantile(Quantile):
    """Notes each column that is cut."""

    n_cut = 0

    def thresholds(self, *given: Any) -> NDArray[np.float64]:
        type(self).n_cut += 1
        return super().thresholds(*given)


@pytest.mark.parametrize(("most_values", "n_cut"), [(240, 6 * 4), (239, 4)])
def test_a_wide_table_is_coded_once_for_all_folds(
    monkeypatch: pytest.MonkeyPatch, most_values: int, n_cut: int
) -> None:
    monkeypatch.setattr(table_sources, "VALUES_OF_SMALL", most_values)
    monkeypatch.setattr(CountedQuantile, "n_cut", 0)
    X = np.random.default_rng(0).normal(size=(60, 4))
    ProbabilityTreeClassifier(binning=CountedQuantile()).fit(X, X[:, 0] > 0)
    assert CountedQuantile.n_cut == n_cut
