"""A table at predict that is not quite the one at fit: other types, other orders, values never seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.exceptions import NotFittedError
from tests.plain import plain_classifier

from petree import OptionTreeClassifier, ProbabilityTreeClassifier
from petree.storage.models import dumps, loads


def fit(X: Any, y: Any, **parameters: Any) -> ProbabilityTreeClassifier:
    return plain_classifier(**parameters).fit(X, y)


TONES = ["red", "red", "blue", "blue", "green", "green"]
TONE_LABELS = [0, 0, 0, 1, 1, 1]
SHARES = {"red": [1.0, 0.0], "blue": [0.5, 0.5], "green": [0.0, 1.0]}
TONE_FORMS: dict[str, Callable[[list[Any]], Any]] = {
    "lists": lambda values: {"tone": values},
    "strings": lambda values: pd.DataFrame({"tone": pd.array(values, "str")}),
    "category": lambda values: pd.DataFrame({"tone": pd.Categorical(values)}),
    "another order": lambda values: pd.DataFrame({"tone": pd.Categorical(values, ["mauve", "red", "green", "blue"])}),
    "polars Enum": lambda values: pl.DataFrame(
        {"tone": pl.Series(values, dtype=pl.Enum(["green", "mauve", "red", "blue"]))}
    ),
    "polars Categorical": lambda values: pl.DataFrame({"tone": pl.Series(values, dtype=pl.Categorical)}),
    "pyarrow dictionary": lambda values: pa.table({"tone": pa.array(values).dictionary_encode()}),
}


@pytest.mark.parametrize("tests", ["binary", "multiway"])
@pytest.mark.parametrize("later", TONE_FORMS)
@pytest.mark.parametrize("earlier", TONE_FORMS)
def test_categories_are_known_by_value_not_by_code(earlier: str, later: str, tests: str) -> None:
    model = fit(TONE_FORMS[earlier](TONES), TONE_LABELS, smoothing="none", tests=tests)
    asked = ["green", "blue", "red"]
    assert model.predict_proba(TONE_FORMS[later](asked)).tolist() == [SHARES[tone] for tone in asked]


@pytest.mark.parametrize("tests", ["binary", "multiway"])
@pytest.mark.parametrize("value", ["mauve", None])
@pytest.mark.parametrize("later", TONE_FORMS)
def test_what_was_not_seen_at_fit_is_answered_by_a_blend(later: str, value: Any, tests: str) -> None:
    model = fit({"tone": [*TONES, "red", "red"]}, [*TONE_LABELS, 0, 0], smoothing="none", tests=tests)
    np.testing.assert_allclose(model.predict_proba(TONE_FORMS[later]([value])), [[5 / 8, 3 / 8]])


@pytest.mark.parametrize("missing", [np.nan, None])
def test_a_number_missing_only_at_predict_is_answered_by_a_blend(missing: Any) -> None:
    model = fit({"size": [1, 2, 3, 4]}, ["a", "a", "a", "b"], smoothing="none")
    np.testing.assert_allclose(model.predict_proba({"size": [missing, 2.0]}), [[0.75, 0.25], [1, 0]])


def ordered(values: list[str], declared: list[str]) -> pd.DataFrame:
    return pd.DataFrame({"c": pd.Categorical(values, declared, ordered=True)})


def test_ordered_categories_by_value_at_predict() -> None:
    grades = ["low", "middle", "high", "top"]
    model = fit(ordered(grades, grades), [0, 0, 1, 1], smoothing="none")
    assert model.rules() == ["if c < high then P(0)=1.00 (n=2)", "if c >= high then P(1)=1.00 (n=2)"]
    for later in (ordered(grades, grades[::-1]), {"c": grades}, pd.DataFrame({"c": pd.Categorical(grades)})):
        assert model.predict(later).tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("value", ["other", None])
def test_an_ordered_category_not_seen_at_fit_is_answered_by_a_blend(value: Any) -> None:
    grades = ["low", "middle", "high", "top"]
    model = fit(ordered(grades, grades), [0, 1, 1, 1], smoothing="none")
    assert model.predict_proba({"c": [value]}).tolist() == [[0.25, 0.75]]


@pytest.mark.parametrize("later", [[1, 0], [1.0, 0.0], [True, False], np.array([True, False], object)])
@pytest.mark.parametrize("earlier", [[True, True, False, False], [1, 1, 0, 0], [1.0, 1.0, 0.0, 0.0]])
def test_booleans_are_one_and_zero(earlier: list[Any], later: Any) -> None:
    model = fit({"flag": earlier}, ["up", "up", "down", "down"], smoothing="none")
    assert model.predict({"flag": later}).tolist() == ["up", "down"]


def test_integers_at_fit_and_floats_at_predict() -> None:
    model = fit({"rooms": [1, 2, 3, 4]}, [0, 0, 1, 1])
    assert model.predict({"rooms": [2.9, 3.1]}).tolist() == [0, 1]
    nominal = fit({"rooms": [1, 2, 3, 4]}, [0, 0, 1, 1], categorical_features=["rooms"], smoothing="none")
    assert nominal.predict({"rooms": [2.0, 3.0]}).tolist() == [0, 1]
    assert nominal.predict_proba({"rooms": [2.5]}).tolist() == [[0.5, 0.5]]


def test_an_empty_column_at_predict_fits_every_column() -> None:
    table = {"size": [1, 2, 3, 4], "tone": ["red", "blue", "red", "blue"], "flag": [True, True, False, False]}
    model = fit(table, [0, 1, 2, 1])
    nothing = {name: [None, None] for name in table}
    answers = model.predict_proba(nothing)
    for other in (
        pd.DataFrame(nothing),
        {name: [np.nan, np.nan] for name in table},
        pl.DataFrame(nothing),
        pa.table(nothing),
    ):
        np.testing.assert_array_equal(model.predict_proba(other), answers)


@pytest.mark.parametrize("later", [["red", "blue"], [True, False], [1.5, None], pd.Categorical(["red", "blue"])])
@pytest.mark.parametrize("dtype", [object, float, "str", "boolean", "category"])
def test_a_column_without_values_at_fit_takes_anything_later(dtype: Any, later: Any) -> None:
    X = pd.DataFrame({"size": [1, 2, 3, 4], "empty": pd.Series([None] * 4, dtype=dtype)})
    with pytest.warns(UserWarning, match="'empty' has no values at all"):
        model = fit(X, [0, 0, 1, 1])
    assert model.predict(pd.DataFrame({"size": [1, 4], "empty": later})).tolist() == [0, 1]


def test_a_dict_is_aligned_by_name() -> None:
    model = fit(pd.DataFrame({"size": [1, 2, 3, 4], "tone": ["red", "red", "red", "blue"]}), [0, 0, 1, 2])
    assert model.predict({"tone": ["blue", "red"], "unused": [0, 0], "size": [9, 0]}).tolist() == [2, 0]


def test_names_that_are_numbers() -> None:
    frame = pd.DataFrame(np.arange(8.0).reshape(4, 2))
    model = fit(frame, [0, 0, 1, 1])
    assert model.rules()[0].startswith("if 0 < 3 then")
    assert not hasattr(model, "feature_names_in_")


def test_a_dict_whose_names_are_numbers() -> None:
    by_number = fit({0: [1, 2, 3], 1: [2, 3, 4]}, [0, 0, 1])
    assert by_number.predict({1: [2, 3, 4], 0: [1, 2, 3]}).tolist() == [0, 0, 1]


# -- what is refused ----------------------------------------------------------------------------------------------


# Both columns are tested, the one that is constant is not.
FRAME = pd.DataFrame({"size": [1.0, 1.0, 2.0, 2.0], "tone": ["red", "blue", "red", "red"], "spare": [7, 7, 7, 7]})
LABELS = ["no", "yes", "yes", "yes"]


@pytest.mark.parametrize("method", ["predict", "predict_proba", "predict_log_proba", "apply", "decision_path"])
class TestPredict:
    def test_before_fit(self, method: str) -> None:
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(plain_classifier(), method)([[1, 2]])

    @pytest.mark.parametrize("library", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas])
    def test_columns(self, method: str, library: Any) -> None:
        answer = getattr(fit(FRAME, LABELS), method)
        with pytest.raises(ValueError, match="must be in the same order as they were in fit"):
            answer(library(FRAME[["tone", "size", "spare"]]))
        with pytest.raises(ValueError, match=r"(?s)now missing.*- tone"):
            answer(library(FRAME[["size", "spare"]]))
        with pytest.raises(ValueError, match=r"(?s)unseen at fit.*- extra"):
            answer(library(FRAME.assign(extra=1)))

    def test_a_dict_without_a_column(self, method: str) -> None:
        with pytest.raises(ValueError, match="no column 'tone'"):
            getattr(fit(FRAME, LABELS), method)({"size": [1]})

    def test_number_of_columns(self, method: str) -> None:
        with pytest.raises(ValueError, match=r"X has 1 features, but .* is expecting 2 features"):
            getattr(fit([[1, 2], [3, 4]], LABELS[:2]), method)([[1]])

    def test_text_where_numbers_stood(self, method: str) -> None:
        with pytest.raises(ValueError, match="'size' held numbers at fit"):
            getattr(fit(FRAME, LABELS), method)({"size": ["small"], "tone": ["red"]})

    def test_numbers_where_text_stood(self, method: str) -> None:
        with pytest.raises(ValueError, match="'tone' held text at fit"):
            getattr(fit(FRAME, LABELS), method)({"size": [1], "tone": [255]})

    @pytest.mark.parametrize("values", [["1", "2"], [1, 2]], ids=["text", "numbers"])
    def test_categories_of_another_type(self, method: str, values: list[Any]) -> None:
        """Otherwise every one of them would be a category never seen, and all answers a blend."""
        others = [str(value) if isinstance(value, int) else int(value) for value in values]
        model = fit(pd.DataFrame({"size": pd.Categorical(values)}), LABELS[:2])
        later = pd.DataFrame({"size": pd.Categorical(others)})
        held = f"held {'text' if values == ['1', '2'] else 'no text'} at fit, such as {values[0]!r}; now it holds"
        with pytest.raises(ValueError, match=rf"'size' {held} {others[0]!r}: convert it"):
            getattr(model, method)(later)
        missing = pd.DataFrame({"size": pd.Categorical([None], others)})
        assert getattr(model, method)(missing).shape[0] == 1

    def test_no_rows(self, method: str) -> None:
        with pytest.raises(ValueError, match="no rows"):
            getattr(fit(FRAME, LABELS), method)(FRAME.iloc[:0])


# -- what is not needed -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("library", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas])
@pytest.mark.parametrize("estimator", [plain_classifier(), OptionTreeClassifier(n_searches=1)])
def test_columns_that_no_test_asks_for_may_be_anything(library: Any, estimator: Any) -> None:
    model = estimator.fit(library(FRAME), LABELS)
    answers = model.predict_proba(library(FRAME))
    assert model.required_columns_ == ["size", "tone"]
    np.testing.assert_array_equal(model.predict_proba(library(FRAME[["size", "tone"]])), answers)
    np.testing.assert_array_equal(model.predict_proba(library(FRAME.assign(spare="text"))), answers)
    np.testing.assert_array_equal(model.predict_proba(library(FRAME[["tone", "size"]])), answers)
    odd = {"tone": FRAME["tone"].tolist(), "spare": [[], {}], "size": [1, 1, 2, 2]}
    np.testing.assert_array_equal(model.predict_proba(odd), answers)
    copy = loads(dumps(model))
    assert copy.required_columns_ == ["size", "tone"]
    np.testing.assert_array_equal(copy.predict_proba(library(FRAME[["size", "tone"]])), answers)


def test_a_tree_without_tests_needs_no_column_of_a_dict_but_the_names_of_a_frame() -> None:
    model = fit(FRAME, LABELS, max_depth=1, min_samples_leaf=4)
    assert model.required_columns_ == []
    assert model.predict({"other": ["a", "b"]}).tolist() == ["yes", "yes"]
    with pytest.raises(ValueError, match=r"(?s)now missing.*- size"):
        model.predict(FRAME[["tone", "spare"]])
    with pytest.raises(ValueError, match="no columns"):
        model.predict({})


def test_arrays_are_read_whole() -> None:
    model = fit(FRAME[["size", "spare"]].to_numpy(), LABELS)
    assert model.required_columns_ == ["x0"]
    with pytest.raises(ValueError, match="X has 1 features"):
        model.predict([[1]])
    with pytest.raises(ValueError, match=r"'x1' .* in row 0"):
        model.predict([[1, np.inf]])


def test_required_columns_need_a_fit() -> None:
    with pytest.raises(NotFittedError):
        _ = plain_classifier().required_columns_
