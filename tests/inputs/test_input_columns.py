"""Columns of every type that the libraries have, read into numbers, categories and ordered categories."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.dtypes import StringDType
from tests.plain import plain_classifier

from petree import ProbabilityTreeClassifier
from petree.columns import NOMINAL, ORDERED, Column
from petree.inputs import table_of
from petree.inputs.values import MISSING, UNKNOWN


def fit(X: Any, y: Any, **parameters: Any) -> ProbabilityTreeClassifier:
    return plain_classifier(**parameters).fit(X, y)


# -- numbers -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", ">f8", "i1", "i2", "i4", "i8", ">i4", "u1", "u2", "u4", "u8"])
def test_numeric_arrays(dtype: str) -> None:
    X = np.array([3, 1, 2, 4, 1])[:, None]
    table = table_of(X.astype(dtype))
    assert table.columns == (Column("x0"),)
    assert table.arrays[0].tolist() == [3, 1, 2, 4, 1]
    assert fit(X.astype(dtype), [0, 1, 1, 0, 1]).rules() == fit(X.astype(float), [0, 1, 1, 0, 1]).rules()


def test_numbers_are_compared_as_given() -> None:
    close = np.nextafter(1.0, 2.0)
    model = fit(np.array([[1.0], [close]]), [0, 1], smoothing="none")
    assert model.predict([[1.0], [close]]).tolist() == [0, 1]
    narrow = np.array([[0.1], [0.2]], np.float32)
    threshold = fit(narrow, [0, 1]).tree_.conditions.value[0]
    assert threshold == 0.2  # the upper value as it was given is a little more


NUMBERS_WITH_MISSING = {
    "Int64": lambda: pd.DataFrame({"c": pd.array([4, None, 2], "Int64")}),
    "Float64": lambda: pd.DataFrame({"c": pd.array([4, None, 2], "Float64")}),
    "Float64 with NaN": lambda: pd.DataFrame({"c": pd.array([4, 0, 2], "Float64") / pd.array([1, 0, 1], "Float64")}),
    "int64[pyarrow]": lambda: pd.DataFrame({"c": pd.array([4, None, 2], "int64[pyarrow]")}),
    "pandas decimal": lambda: pd.DataFrame({"c": pd.array([4, None, 2], pd.ArrowDtype(pa.decimal128(5, 2)))}),
    "polars integers": lambda: pl.DataFrame({"c": [4, None, 2]}),
    "polars long integers": lambda: pl.DataFrame({"c": pl.Series([4, None, 2], dtype=pl.Int128)}),
    "polars null": lambda: pl.DataFrame({"c": pl.Series([4, None, 2], dtype=pl.Float32)}),
    "polars NaN": lambda: pl.DataFrame({"c": [4.0, float("nan"), 2.0]}),
    "polars decimal": lambda: pl.DataFrame({"c": [Decimal("4.00"), None, Decimal("2.00")]}),
    "pyarrow integers": lambda: pa.table({"c": [4, None, 2]}),
    "pyarrow NaN": lambda: pa.table({"c": [4.0, float("nan"), 2.0]}),
    "pyarrow decimal": lambda: pa.table({"c": [Decimal("4.00"), None, Decimal("2.00")]}),
    "decimal objects": lambda: {"c": [Decimal("4.00"), None, Decimal("2.00")]},
}


@pytest.mark.parametrize("form", NUMBERS_WITH_MISSING)
def test_numbers_with_missing_values(form: str) -> None:
    table = table_of(NUMBERS_WITH_MISSING[form]())
    assert table.columns == (Column("c"),)
    np.testing.assert_array_equal(table.arrays[0], [4.0, np.nan, 2.0])


def test_numbers_of_sixteen_bytes() -> None:
    table = table_of(pl.DataFrame({"c": pl.Series([4, 2], dtype=pl.Int128)}))
    assert table.columns == (Column("c"),)
    assert table.arrays[0].tolist() == [4, 2]


@pytest.mark.parametrize(
    "X",
    [
        pa.table({"empty": pa.nulls(4), "c": [1, 2, 3, 4]}),
        pl.DataFrame({"empty": [None] * 4, "c": [1, 2, 3, 4]}),
        pd.DataFrame({"empty": [None] * 4, "c": [1, 2, 3, 4]}),
        {"empty": [None] * 4, "c": [1, 2, 3, 4]},
        {"empty": [np.nan] * 4, "c": [1, 2, 3, 4]},
    ],
    ids=["pyarrow", "polars", "pandas", "dict of None", "dict of NaN"],
)
def test_a_column_of_nothing_is_left_out(X: Any) -> None:
    with pytest.warns(UserWarning, match="'empty' has no values at all"):
        model = fit(X, [0, 0, 1, 1])
    assert model.rules() == ["if c < 3 then P(0)=0.75 (n=2)", "if c >= 3 then P(1)=0.75 (n=2)"]


# -- categories ----------------------------------------------------------------------------------------------

WORDS = ["b", None, "a", "b"]
TEXTS: dict[str, Callable[[], Any]] = {
    "str": lambda: pd.DataFrame({"c": pd.array(WORDS, "str")}),
    "string[python]": lambda: pd.DataFrame({"c": pd.array(WORDS, "string[python]")}),
    "string[pyarrow]": lambda: pd.DataFrame({"c": pd.array(WORDS, "string[pyarrow]")}),
    "large_string": lambda: pd.DataFrame({"c": pd.array(WORDS, pd.ArrowDtype(pa.large_string()))}),
    "category": lambda: pd.DataFrame({"c": pd.Categorical(WORDS)}),
    "arrow category": lambda: pd.DataFrame(
        {"c": pd.array(WORDS, pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string())))}
    ),
    "objects, NaN and NA": lambda: pd.DataFrame({"c": ["b", np.nan, "a", "b"]}, dtype=object),
    "objects, NaT": lambda: {"c": np.array(["b", pd.NaT, "a", "b"], object)},
    "polars": lambda: pl.DataFrame({"c": WORDS}),
    "polars Categorical": lambda: pl.DataFrame({"c": pl.Series(WORDS, dtype=pl.Categorical)}),
    "pyarrow": lambda: pa.table({"c": WORDS}),
    "pyarrow view": lambda: pa.table({"c": pa.array(WORDS, pa.string_view())}),
    "pyarrow dictionary": lambda: pa.table({"c": pa.array(WORDS).dictionary_encode()}),
    "StringDType, None": lambda: {"c": np.array(WORDS, StringDType(na_object=None))},
    "StringDType, NaN": lambda: {"c": np.array(["b", np.nan, "a", "b"], StringDType(na_object=np.nan))},
    "list with NaN": lambda: {"c": ["b", float("nan"), "a", "b"]},
    "list with NA": lambda: {"c": ["b", pd.NA, "a", "b"]},
}


@pytest.mark.parametrize("form", TEXTS)
def test_text(form: str) -> None:
    table = table_of(TEXTS[form]())
    assert table.columns == (Column("c", NOMINAL, ("a", "b")),)
    assert table.arrays[0].tolist() == [1, MISSING, 0, 1]


@pytest.mark.parametrize("X", [np.array([["b"], ["a"]]), np.array([["b"], ["a"]], StringDType()), [["b"], ["a"]]])
def test_text_arrays(X: Any) -> None:
    table = table_of(X)
    assert table.columns == (Column("x0", NOMINAL, ("a", "b")),)
    assert table.arrays[0].tolist() == [1, 0]


WHOLE_CATEGORIES: dict[str, Callable[[], Any]] = {
    "pandas": lambda: pd.DataFrame({"c": pd.Categorical([20, None, 3])}),
    "pyarrow": lambda: pa.table({"c": pa.array([20, None, 3]).dictionary_encode()}),
}


@pytest.mark.parametrize("form", WHOLE_CATEGORIES)
def test_categories_that_are_numbers_stay_numbers(form: str) -> None:
    table = table_of(WHOLE_CATEGORIES[form]())
    assert table.columns == (Column("c", NOMINAL, (3, 20)),)
    assert table.arrays[0].tolist() == [1, MISSING, 0]


def arrow_ordered(codes: list[int | None], declared: list[Any]) -> pa.Table:
    return pa.table({"c": pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(declared), ordered=True)})


def pandas_ordered(values: list[Any], declared: list[Any]) -> pd.DataFrame:
    return pd.DataFrame({"c": pd.Categorical(values, categories=declared, ordered=True)})


ORDERED_FORMS: dict[str, Callable[[list[Any]], Any]] = {
    "pandas": lambda declared: pandas_ordered([declared[1], None, declared[0], declared[3]], declared),
    "pyarrow": lambda declared: arrow_ordered([1, None, 0, 3], declared),
    "dict of pandas series": lambda declared: dict(
        pandas_ordered([declared[1], None, declared[0], declared[3]], declared)
    ),
}


@pytest.mark.parametrize("declared", [["low", "middle", "high", "top"], [30, 10, 20, 5]], ids=["text", "numbers"])
@pytest.mark.parametrize("form", ORDERED_FORMS)
def test_ordered_categories_keep_their_order(form: str, declared: list[Any]) -> None:
    table = table_of(ORDERED_FORMS[form](declared))
    assert table.columns == (Column("c", ORDERED, tuple(declared)),)
    assert table.arrays[0].tolist() == [1, MISSING, 0, 3]


def test_an_enum_of_polars_is_ordered_and_its_categories_count_even_if_unused() -> None:
    table = table_of(pl.DataFrame({"c": pl.Series(["x", "z"], dtype=pl.Enum(["z", "y", "x"]))}))
    assert table.columns == (Column("c", ORDERED, ("z", "y", "x")),)
    assert table.arrays[0].tolist() == [2, 0]


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_booleans_with_missing_values_are_nominal(missing: Any) -> None:
    for X in ({"c": [True, missing, False]}, pd.DataFrame({"c": [True, missing, False]}, dtype=object)):
        table = table_of(X)
        assert table.columns == (Column("c", NOMINAL, (False, True)),)
        assert table.arrays[0].tolist() == [1, MISSING, 0]


def test_chunks_are_floats_with_the_two_kinds_of_absence_kept_apart() -> None:
    known = table_of({"c": ["a", "b"], "n": [1, 2]}).columns
    table = table_of({"c": ["b", "z", None], "n": [5, None, 7]}, known=known)
    assert table.arrays[0].tolist() == [1, UNKNOWN, MISSING]
    ((rows, matrix),) = table.chunks()
    assert (rows.start, rows.stop) == (0, 3)
    np.testing.assert_array_equal(matrix, [[1, 5], [np.inf, np.nan], [np.nan, 7]])
