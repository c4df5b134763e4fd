"""Folds: every row is held out once, every class and no group is divided."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from petree.estimators.folds import deal_folds, read_groups


def codes_of_classes(**bounds: int) -> st.SearchStrategy[Any]:
    return st.lists(st.integers(0, 3), **bounds).map(lambda codes: np.array(codes, np.intp))


@given(codes_of_classes(min_size=2, max_size=60), st.integers(2, 5), st.integers(0, 3))
def test_each_class_is_dealt_evenly_and_each_row_held_out_once(codes: Any, n_folds: int, seed: int) -> None:
    folds = deal_folds(codes, None, n_folds, seed)
    assert len(folds) == min(n_folds, len(codes))
    for learn, hold_out in folds:
        assert len(learn) > 0
        assert len(hold_out) > 0
        assert sorted([*learn, *hold_out]) == list(range(len(codes)))
    assert sorted(np.concatenate([hold_out for _, hold_out in folds])) == list(range(len(codes)))
    shares = np.array([np.bincount(codes[hold_out], minlength=4) for _, hold_out in folds])
    assert np.ptp(shares, axis=0).max() <= 1
    assert np.ptp(shares.sum(axis=1)) <= 1


@given(codes_of_classes(min_size=6, max_size=60), st.integers(2, 5), st.data())
def test_groups_stay_whole_and_are_dealt_evenly(codes: Any, n_folds: int, data: st.DataObject) -> None:
    groups = np.array(data.draw(st.lists(st.integers(0, 9), min_size=len(codes), max_size=len(codes))))
    groups[:2] = 0, 9
    folds = deal_folds(codes, groups, n_folds, 0)
    n_groups = [len(np.unique(groups[hold_out])) for _, hold_out in folds]
    assert sum(n_groups) == len(np.unique(groups))
    assert np.ptp(n_groups) <= 1
    for learn, hold_out in folds:
        assert not set(groups[learn]) & set(groups[hold_out])
        assert len(learn) + len(hold_out) == len(codes)


def test_groups_of_one_class_are_stratified() -> None:
    groups = np.repeat(np.arange(12), 5)
    codes = np.repeat([0, 0, 0, 1] * 3, 5)
    for _, hold_out in deal_folds(codes, groups, 3, 0):
        assert np.bincount(codes[hold_out]).tolist() == [15, 5]


def test_folds_depend_on_the_seed_alone() -> None:
    codes = np.arange(40) % 3
    first, again, other = (deal_folds(codes, None, 3, seed)[0][1].tolist() for seed in (0, 0, 1))
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
