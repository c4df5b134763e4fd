"""Columns that name the rows are left out, with a warning."""

from __future__ import annotations

import shlex
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.plain import plain_classifier

from petree import OptionTreeClassifier
from petree.inputs.identifiers import IdentifierWarning


def table(n_rows: int, n_distinct: int | None = None, n_missing: int = 0) -> dict[str, Any]:
    """A column of names, some of them twice or missing, and a number."""
    names = [f"name {row % (n_distinct or n_rows)}" for row in range(n_rows)]
    names[n_rows - n_missing :] = [None] * n_missing
    return {"who": names, "size": np.arange(n_rows) % 7}


def labels(X: dict[str, Any]) -> np.ndarray[Any, Any]:
    return np.where(np.asarray(X["size"]) < 3, "low", "high")


@pytest.mark.parametrize("estimator", [plain_classifier(), OptionTreeClassifier(n_searches=1)])
def test_names_are_left_out_and_named(estimator: Any) -> None:
    X = table(60, n_missing=4)
    with pytest.warns(UserWarning, match="Column 'who' has a category of its own in nearly every row") as caught:
        model = estimator.fit(X, labels(X))
    assert caught[0].filename == __file__
    assert str(caught[0].message).endswith("name it in categorical_features, beside all other nominal columns.")
    assert model.required_columns_ == ["size"]
    assert model.columns_[0].categories == ()
    assert model.predict({**X, "who": ["new"] * 60}).tolist() == labels(X).tolist()


@pytest.mark.parametrize(
    ("n_rows", "n_distinct", "n_missing", "is_left_out"),
    [
        (50, None, 0, True),
        (49, None, 0, False),
        (100, 91, 0, True),
        (100, 90, 0, False),
        (100, None, 51, False),
        (100, None, 50, True),
    ],
)
def test_what_is_nearly_every_row(n_rows: int, n_distinct: int | None, n_missing: int, is_left_out: bool) -> None:
    X = table(n_rows, n_distinct, n_missing)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        plain_classifier().fit(X, labels(X))
    assert bool(caught) == is_left_out


def test_copies_count_as_rows() -> None:
    X = table(60)
    twice = {name: [*values, *values] for name, values in X.items()}
    columns = [
        plain_classifier().fit(X, labels(X), sample_weight=np.full(60, 2.0)).columns_,
        plain_classifier().fit(twice, labels(twice)).columns_,
    ]
    assert columns[0] == columns[1]
    assert len(columns[0][0].categories) == 60
    with pytest.warns(UserWarning, match="'who'"):  # half a row is no copy
        plain_classifier().fit(X, labels(X), sample_weight=np.full(60, 0.5))


def test_named_in_categorical_features_they_are_kept() -> None:
    X = table(60)
    model = plain_classifier(categorical_features=["who"]).fit(X, labels(X))
    assert len(model.columns_[0].categories) == 60


def test_whole_numbers_and_ordered_categories_are_kept() -> None:
    names = table(60)["who"]
    X = {"number": np.arange(60), "rank": pd.Series(pd.Categorical(names, names, ordered=True)), "size": [0, 1] * 30}
    assert [column.kind for column in plain_classifier().fit(X, [0, 1] * 30).columns_] == [
        "number",
        "ordered",
        "number",
    ]


def test_what_is_proposed_can_be_pasted_into_a_shell() -> None:
    proposed = IdentifierWarning("Gewicht (kg)").on_command_line().rpartition("say ")[2].removesuffix(".")
    assert shlex.split(proposed) == ["--types", "Gewicht (kg)=nominal"]
