"""Which columns are nominal: `categorical_features` as scikit-learn's histogram gradient boosting means it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from tests.plain import plain_classifier

from petree import ProbabilityTreeClassifier
from petree.columns import NOMINAL, Column


def fit(X: Any, y: Any, **parameters: Any) -> ProbabilityTreeClassifier:
    return plain_classifier(**parameters).fit(X, y)


CODES = pd.DataFrame({"a": [0, 1, 2, 0, 1, 2], "b": [1.0, 2.0, 0.0, 1.0, 2.0, 0.0], "c": [3, 1, 2, 2, 3, 1]})
CHOICES = [
    [True, False, True], np.array([False, True, False]), [False] * 3, [0, 2], np.array([1]), (0,), [], ["b"],
    ["c", "a"], CODES.columns[:2], np.array(["a"], object),
]  # fmt: skip


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_categorical_features_mean_what_they_mean_in_scikit_learn(choice: Any) -> None:
    y = [0, 0, 1, 1, 0, 1]
    theirs = HistGradientBoostingClassifier(categorical_features=choice, max_iter=1).fit(CODES, y).is_categorical_
    expected = [False] * 3 if theirs is None else theirs.tolist()
    assert [column.kind == NOMINAL for column in fit(CODES, y, categorical_features=choice).columns_] == expected


@pytest.mark.parametrize(
    "frame",
    [
        CODES.astype({"b": "category"}),
        pl.DataFrame({"a": [0, 1], "b": pl.Series(["x", "y"], dtype=pl.Categorical), "c": [0, 1]}),
    ],
)
def test_categories_from_dtype_as_in_scikit_learn(frame: Any) -> None:
    y = [0, 1] * (len(frame) // 2)
    theirs = HistGradientBoostingClassifier(max_iter=1).fit(frame, y).is_categorical_
    assert [column.kind == NOMINAL for column in fit(frame, y).columns_] == theirs.tolist() == [False, True, False]


@pytest.mark.parametrize("choice", [None, [], [0], ["a"], [True, False]])
def test_booleans_not_listed_are_numbers_as_in_scikit_learn(choice: Any) -> None:
    frame = pd.DataFrame({"a": [0, 1, 2, 0], "b": [True, False, True, False]})
    HistGradientBoostingClassifier(categorical_features=choice, max_iter=1).fit(frame, [0, 1, 0, 1])
    assert fit(frame, [0, 1, 0, 1], categorical_features=choice).columns_[1] == Column("b")


def test_listed_numbers_become_categories() -> None:
    model = fit({"rooms": [3.5, 1, None, 3.5], "n": [1, 2, 3, 4]}, [0, 1, 1, 0], categorical_features=["rooms"])
    assert model.columns_ == (Column("rooms", NOMINAL, (1.0, 3.5)), Column("n"))
    by_code = fit(np.array([[3], [1], [2]]), [0, 1, 1], categorical_features=[0])
    assert by_code.columns_ == (Column("x0", NOMINAL, (1, 2, 3)),)
    assert by_code.rules()[0] == "if x0 = 3 then P(0)=0.67 (n=1)"


def test_a_listed_ordered_column_is_nominal() -> None:
    frame = pd.DataFrame({"c": pd.Categorical(["low", "high", "low"], ["low", "middle", "high"], ordered=True)})
    assert fit(frame, [0, 1, 0], categorical_features=["c"]).columns_[0].kind == NOMINAL
