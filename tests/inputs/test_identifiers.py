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


def test_ordered_categories_are_kept() -> None:
    names = table(60)["who"]
    X = {"rank": pd.Series(pd.Categorical(names, names, ordered=True)), "size": [0, 1] * 30}
    assert [column.kind for column in plain_classifier().fit(X, [0, 1] * 30).columns_] == ["ordered", "number"]


# -- numbers -------------------------------------------------------------------------------------------------------


def numbered(numbers: Any) -> dict[str, Any]:
    """A column of numbers, and one that the classes depend on."""
    return {"id": np.asarray(numbers), "size": np.arange(len(numbers)) % 7}


def is_left_out(X: Any, **others: Any) -> bool:
    """Whether a model of the rows leaves out the first column, with a warning."""
    sizes = X["size"] if isinstance(X, dict) else X[:, 1]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = plain_classifier().fit(X, np.asarray(sizes) < 3, **others)
    named = [one.message.name for one in caught if isinstance(one.message, IdentifierWarning)]
    assert named in ([], [model.columns_[0].name])
    assert bool(named) == (model.columns_[0].kind == "nominal")
    return bool(named)


@pytest.mark.parametrize("estimator", [plain_classifier(), OptionTreeClassifier(n_searches=1)])
def test_row_numbers_are_left_out_and_named(estimator: Any) -> None:
    X = numbered(range(1, 61))
    with pytest.warns(IdentifierWarning, match="Column 'id' has a different whole number in every row") as caught:
        model = estimator.fit(X, X["id"] < 20)
    assert caught[0].filename == __file__
    assert str(caught[0].message).endswith(
        "list the nominal columns in categorical_features, or set it to None if " + ("there are none.")
    )
    assert "id" not in model.required_columns_
    assert model.predict({**X, "id": ["other"] * 60}).tolist() == model.predict(X).tolist()


def test_row_numbers_of_arrays_and_frames() -> None:
    rows = np.column_stack([np.random.default_rng(0).permutation(200) + 1000.0, np.arange(200) % 7])
    assert is_left_out(rows)
    assert is_left_out(rows.astype(int))
    assert is_left_out(numbered(pd.array([*range(199), None], "Int64")))
    with pytest.warns(IdentifierWarning, match="'x0'"):
        model = plain_classifier().fit(rows, rows[:, 1] < 3)
    assert model.tree_.tested_columns.tolist() == [1]
    other = rows.copy()
    other[:, 0] = np.nan
    np.testing.assert_array_equal(model.predict_proba(other), model.predict_proba(rows))


def test_half_of_numbered_rows_are_numbered() -> None:
    random = np.random.default_rng(0)
    assert is_left_out(numbered(random.choice(1000, 520, replace=False)))
    assert not is_left_out(numbered(random.choice(1000, 400, replace=False)))


def test_numbers_that_are_measured_are_kept() -> None:
    random = np.random.default_rng(0)
    assert not is_left_out(numbered(range(49)))
    assert not is_left_out(numbered(np.arange(60) / 2))
    assert not is_left_out(numbered([*range(60), 59]))
    assert not is_left_out(numbered(random.integers(0, 2000, 1000)))
    assert not is_left_out(numbered(np.unique(random.integers(0, 10**6, 1000))))
    assert not is_left_out(numbered(pd.date_range("2024-01-01", periods=60)))


def test_numbers_that_are_the_only_column_are_kept() -> None:
    model = plain_classifier().fit(np.arange(100).reshape(-1, 1), np.arange(100) < 50)
    assert model.tree_.n_leaves == 2
    assert not is_left_out({"id": range(100), "size": range(100)})


def test_numbered_copies_are_no_row_numbers() -> None:
    X = numbered(range(60))
    assert not is_left_out(X, sample_weight=np.full(60, 2.0))
    assert is_left_out(X, sample_weight=np.full(60, 0.5))


def test_row_numbers_are_kept_on_request() -> None:
    X = numbered(range(60))
    for categorical in (None, ["size"]):
        model = plain_classifier(categorical_features=categorical).fit(X, X["id"] < 20)
        assert model.required_columns_ == ["id"]


def test_what_is_proposed_can_be_pasted_into_a_shell() -> None:
    proposed = IdentifierWarning("Gewicht (kg)", "nominal").on_command_line().rpartition("say ")[2].removesuffix(".")
    assert shlex.split(proposed) == ["--types", "Gewicht (kg)=nominal"]
