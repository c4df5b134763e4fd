"""Whatever cannot be learned from is refused at once, in a sentence that names the thing and its place."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import coo_array, csr_array, csr_matrix
from tests.plain import plain_classifier

from petree import OptionTreeClassifier, ProbabilityTreeClassifier

NUMBERS = np.arange(12.0).reshape(6, 2)
FRAME = pd.DataFrame({"size": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "tone": ["red", "red", "blue", "blue", "red", "blue"]})
LABELS = ["no", "yes", "no", "yes", "no", "yes"]


def fit(X: Any, y: Any = LABELS, sample_weight: Any = None, **parameters: Any) -> ProbabilityTreeClassifier:
    return plain_classifier(**parameters).fit(X, y, sample_weight)


def column(values: Any) -> pd.DataFrame:
    """A good column and one called "odd"."""
    return pd.DataFrame({"good": range(len(values)), "odd": values})


# -- the shape of a table ------------------------------------------------------------------------------------

SHAPES = {
    "no table": (None, "2D array"),
    "a name": ("table.csv", "is the path .* and no table"),
    "no rows": (np.empty((0, 2)), r"0 sample\(s\)"),
    "no rows, pandas": (FRAME.iloc[:0], "no rows"),
    "no rows, polars": (pl.DataFrame({"a": []}), "no rows"),
    "no rows, pyarrow": (pa.table({"a": pa.array([], pa.float64())}), "no rows"),
    "no rows, dict": ({"a": []}, "no rows"),
    "no columns": (np.empty((6, 0)), r"0 feature\(s\)"),
    "no columns, pandas": (pd.DataFrame(index=range(6)), "no columns"),
    "no columns, polars": (pl.DataFrame(), "no columns"),
    "no columns, pyarrow": (pa.table({}), "no columns"),
    "no columns, dict": ({}, "no columns"),
    "one dimension": (NUMBERS[:, 0], "2D array, got 1D array"),
    "three dimensions": (NUMBERS[:, :, None], "dim 3"),
    "columns of other lengths": ({"a": [1, 2], "b": [1, 2, 3]}, "'b' has 3 rows, but column 'a' has 2"),
    "a column of tables": ({"a": [[1, 2], [3, 4]]}, "'a' must be one-dimensional"),
    "a lone value": ({"a": 3}, r"'a' is a single value; make lists of all, one value for each row: \[3\]"),
    "rows of other lengths": ([[1, 2], [3], [5, 6]], "Row 1 of X has 1 values, but row 0 has 2"),
    "arrays among rows": ([np.ones(2), [3, 4], [5]], "Row 2 of X has 1 values, but row 0 has 2"),
    "an array of another length": ([[1, 2], [3, 4], np.ones(3)], "Row 2 of X has 3 values, but row 0 has 2"),
    "numbers among rows": ([1, [3, 4], [5]], "Row 2 of X has 1 values, but row 1 has 2"),
    "lone values as arrays": ([np.array(1), np.array(2)], "2D array, got 1D array"),
    "rows as dicts": ([{"a": 1}, {"a": 2}], "X is a list of dicts, one for each row; pass pandas.DataFrame"),
    "names twice, pandas": (pd.DataFrame([[1, 2]] * 6, columns=["same", "same"]), "'same'"),
    "names twice, pyarrow": (pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["same", "same"]), "'same'"),
    "names twice as text": ({1: [1, 2], "1": [3, 4]}, "'1' occurs more than once"),
}


@pytest.mark.parametrize("case", SHAPES)
def test_shape(case: str) -> None:
    X, words = SHAPES[case]
    with pytest.raises(ValueError, match=words):
        fit(X)


@pytest.mark.parametrize("X", [csr_matrix(NUMBERS), csr_array(NUMBERS), coo_array(NUMBERS)])
def test_sparse_data_beyond_half_of_the_memory_are_refused(X: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    model = fit(NUMBERS)
    monkeypatch.setattr("petree.inputs.frames.memory_of_machine", lambda: 2 * NUMBERS.nbytes - 1)
    for method in (fit, model.predict):
        with pytest.raises(ValueError, match=r"sparse and of shape \(\d+, \d+\).* Select columns"):
            method(X)
    monkeypatch.setattr("petree.inputs.frames.memory_of_machine", lambda: 2 * NUMBERS.nbytes)
    fit(X).predict(X)


def test_a_lazy_frame_without_an_order_of_rows_is_refused() -> None:
    with pytest.raises(TypeError, match="rows may come in any order; collect it"):
        fit(nw.from_native(pytest.importorskip("duckdb").sql("SELECT 1 AS a")))


# -- the values of a table -----------------------------------------------------------------------------------

INFINITE = {
    "array": (np.array([[1.0, 2.0], [3.0, np.inf]]), r"'x1' .*\(inf\) in row 1"),
    "narrow array": (np.array([[1.0, 2.0], [-np.inf, 4.0]], np.float32), r"'x0' .*\(-inf\) in row 1"),
    "both signs": (np.array([[np.inf, 2.0], [-np.inf, 4.0]]), r"'x0' .*\(inf\) in row 0"),
    "beside missing": (np.array([[np.nan, 2.0], [3.0, np.inf]]), r"'x1' .*\(inf\) in row 1"),
    "pandas": (column([0.0, np.inf]), r"'odd' .*\(inf\) in row 1"),
    "nullable": (column(pd.array([np.inf, None], "Float64")), r"'odd' .*\(inf\) in row 0"),
    "polars": (pl.DataFrame({"odd": [None, float("-inf")]}), r"'odd' .*\(-inf\) in row 1"),
    "pyarrow": (pa.table({"odd": [1.0, float("inf")]}), r"'odd' .*\(inf\) in row 1"),
    "dict": ({"odd": [float("inf"), 1]}, r"'odd' .*\(inf\) in row 0"),
    "objects": ({"odd": np.array([None, float("inf")], object)}, r"'odd' .*\(inf\) in row 1"),
}


@pytest.mark.parametrize("case", INFINITE)
def test_infinite_values(case: str) -> None:
    X, words = INFINITE[case]
    with pytest.raises(ValueError, match=words):
        fit(X, [0, 1])


def test_infinite_values_at_predict() -> None:
    with pytest.raises(ValueError, match=r"'x1' .* in row 2"):
        fit(NUMBERS).predict([[1, 1], [1, 1], [1, np.inf]])


def test_large_numbers_are_not_infinite() -> None:
    assert fit(np.array([[1.7e308], [1.7e308], [1.0]]), [0, 0, 1]).rules()[0].startswith("if x0 < 8.5e+307")


TYPES = {
    "text among dates": (
        column(np.array([date(2020, 1, 1), None, "2020-13-45", date(2020, 1, 2)], object)),
        TypeError,
        r"'odd' holds dates, but '2020-13-45' \(text\) in row 2; correct it, or make it missing",
    ),
    "a date among periods": (
        {"odd": [pd.Period("2020-01", "M"), pd.Period("2020-02", "M"), pd.Timestamp("2020-01-01")]},
        TypeError,
        r"'odd' holds periods, but 2020-01-01.* \(dates\) in row 2",
    ),
    "a date among texts": ({"odd": ["a", "b", date(2020, 1, 1)]}, TypeError, "holds text, but 2020-01-01 .* in row 2"),
    "a number among times": ({"odd": [time(12), time(13), 3]}, TypeError, r"holds times, but 3 \(numbers\) in row 2"),
    "a duration among dates": (column([pd.Timestamp(0)] * 2 + [pd.Timedelta(9)]), TypeError, r"\(durations\) in row 2"),
    "intervals": (column(pd.interval_range(0, 2)), TypeError, "'odd'"),
    "months": ({"odd": np.array([1, 2], "m8[M]")}, TypeError, "'odd' counts years, months"),
    "nanoseconds": (column(pd.to_timedelta([1, 2])), ValueError, "'odd' holds 1 nanoseconds in row 0, which cannot be"),
    "zones and none": (
        {"odd": [datetime(2020, 1, 1), datetime(2020, 1, 1, tzinfo=UTC)]},
        ValueError,
        "'odd' has dates with a time zone and dates without, such as .* in row 1",
    ),
    "times with a zone": ({"odd": [None, time(12, tzinfo=UTC)]}, ValueError, "'odd' has a time with a time zone"),
    "lists": (column(np.array([[1], None, [2]], object)[:2]), TypeError, "'odd' .* type list in row 0"),
    "a ragged column": ({"odd": [[1], [2, 3]]}, TypeError, "'odd' .* type list in row 0"),
    "polars lists": (pl.DataFrame({"odd": [[1], [2]]}), TypeError, "'odd' is of type List"),
    "polars structs": (pl.DataFrame({"odd": [{"a": 1}] * 2}), TypeError, "'odd' is of type Struct"),
    "pyarrow bytes": (pa.table({"odd": [b"a", b"b"]}), TypeError, "'odd' is of type Binary"),
    "things": (column(np.array([1.5, object()], object)), TypeError, "'odd' .* type object in row 1"),
    "bytes": ({"odd": np.array(["a", b"a"], object)}, TypeError, "'odd' .* type bytes in row 1"),
    "text and numbers": (column(["a", 1]), TypeError, "'odd' mixes values of types int, str"),
    "text and booleans": (column(["a", True]), TypeError, "'odd' mixes values of types bool, str"),
    "text and numbers, list": ({"odd": ["a", 1]}, TypeError, "'odd' mixes values of types int, str"),
    "complex array": (np.array([[3, 1j], [1, 2]]), ValueError, "^Complex data not supported: column 'x1' is complex"),
    "complex dict": ({"odd": [1j, 2]}, ValueError, "Complex data not supported: column 'odd'"),
    "complex pandas": (column([1j, 2]), (TypeError, ValueError), "'odd'.*[Cc]omplex|[Cc]omplex.*'odd'"),
    "complex objects": ({"odd": np.array([1j, None], object)}, ValueError, "column 'odd' is complex"),
}


@pytest.mark.parametrize("case", TYPES)
def test_types(case: str) -> None:
    X, error, words = TYPES[case]
    with pytest.raises(error, match=words):
        fit(X, [0, 1])


BIG = 2**53 + 1
BIG_NUMBERS = {
    "array": np.array([[BIG], [1]]),
    "negative": np.array([[-BIG], [1]]),
    "smallest": np.array([[-(2**63)], [1]]),
    "unsigned": np.array([[2**64 - 1], [1]], np.uint64),
    "pandas": pd.DataFrame({"x0": [BIG, 1]}),
    "pandas with missing": pd.DataFrame({"x0": pd.array([BIG, 1, None], "Int64")}),
    "polars": pl.DataFrame({"x0": [BIG, 1]}),
    "polars with missing": pl.DataFrame({"x0": [BIG, None, 1]}),
    "pyarrow": pa.table({"x0": [BIG, 1]}),
    "pyarrow with missing": pa.table({"x0": [BIG, None, 1]}),
    "dict": {"x0": [BIG, 1]},
    "objects": {"x0": np.array([BIG, 1, None], object)},
    "very big": {"x0": [2**70, 2**70 + 1]},
}


@pytest.mark.parametrize("form", BIG_NUMBERS)
def test_whole_numbers_that_floats_cannot_tell_apart(form: str) -> None:
    X = BIG_NUMBERS[form]
    told = r"'x0' holds -?\d+ in row 0: whole numbers beyond 2\*\*53 .* as floats, if they measure something"
    with pytest.raises(ValueError, match=told):
        fit(X, [0, 1, 1][: len(X["x0"]) if isinstance(X, dict) else X.shape[0]])


def test_the_largest_whole_numbers() -> None:
    model = fit(np.array([[2**53], [2**53 - 1], [-(2**53)]]), [0, 1, 1])
    assert model.predict([[2**53], [2**53 - 1]]).tolist() == [0, 1]


def test_a_column_all_missing_is_left_out_with_a_warning() -> None:
    X = np.column_stack((np.full(6, np.nan), NUMBERS))
    with pytest.warns(UserWarning, match="'x0' has no values at all and is left out"):
        model = fit(X)
    plain = fit(NUMBERS)
    assert [rule.replace("x1", "x0") for rule in model.rules()] == plain.rules()
    np.testing.assert_array_equal(model.tree_.n_tests, plain.tree_.n_tests)
    assert model.predict_proba(np.column_stack((np.ones(6), NUMBERS))).tolist() == plain.predict_proba(NUMBERS).tolist()


@pytest.mark.parametrize("values", [[1.0] * 6, ["same"] * 6, [True] * 6, pd.Categorical(["same"] * 6)])
def test_a_constant_column_is_never_tested(values: Any) -> None:
    model = fit(pd.DataFrame({"constant": values, "size": range(6)}))
    assert not any("constant" in rule for rule in model.rules())
    alone = fit(pd.DataFrame({"constant": values}))
    assert alone.rules() == ["always P(no)=0.50 (n=6)"]


# -- the target ----------------------------------------------------------------------------------------------

TARGETS = {
    "none": (None, "requires y"),
    "one class": (["no"] * 6, "only one class, 'no'"),
    "one number": ([3] * 6, "only one class, 3"),
    "too short": (["no", "yes"], "X has 6 rows, but y has 2"),
    "too long": ([*LABELS, "no"], "X has 6 rows, but y has 7"),
    "a name": ("tone", "1d array"),
    "a table": (np.array([LABELS, LABELS]).T, "1d array"),
    "measurements": ([0.5, 1.2, 3.1, 0.7, 2.2, 0.1], "(?i)continuous"),
    "NaN": ([0, 1, np.nan, 1, 0, 1], "y .* in row 2"),
    "infinite": ([0, 1, 0, np.inf, 0, 1], "y .* in row 3"),
    "None": (["no", None, "no", "yes", "no", "yes"], "y .* in row 1"),
    "NA": (pd.Series(["no", "yes", "no", "yes", "no", pd.NA], dtype=object), "y .* in row 5"),
    "missing text": (pd.Series([*LABELS[:5], None], dtype="string"), "y .* in row 5"),
    "missing integers": (pd.Series([0, 1, 0, 1, None, 1], dtype="Int64"), "y .* in row 4"),
    "missing category": (pd.Categorical([*LABELS[:5], None]), "y .* in row 5"),
    "missing in polars": (pl.Series([*LABELS[:5], None]), "y .* in row 5"),
}


@pytest.mark.parametrize("case", TARGETS)
def test_target(case: str) -> None:
    y, words = TARGETS[case]
    with pytest.raises(ValueError, match=words):
        fit(NUMBERS, y)


DAYS = pd.to_datetime(["2024-01-01", "2024-02-01"] * 3)
MOMENTS = {
    "pandas": pd.Series(DAYS),
    "with a time zone": pd.Series(DAYS.tz_localize("UTC")),
    "an index": DAYS,
    "a column of categories": pd.Series(DAYS).astype("category"),
    "periods": pd.Series(DAYS.to_period("M")),
    "durations": pd.Series(DAYS - DAYS[0]),
    "polars": pl.Series(list(DAYS.date)),
    "numpy": DAYS.to_numpy(),
    "numpy's durations": (DAYS - DAYS[0]).to_numpy(),
    "a list": list(DAYS.date),
    "times": [time(1), time(2)] * 3,
}


@pytest.mark.parametrize("case", MOMENTS)
def test_moments_are_no_class_labels(case: str) -> None:
    words = r"y has '.*' in row 0, of type \w+, but class labels are text, .*; make classes .* or pass them as text"
    with pytest.raises(ValueError, match=words):
        fit(NUMBERS, MOMENTS[case])


def test_labels_that_cannot_be_sorted() -> None:
    with pytest.raises(TypeError, match="y mixes labels"):
        fit(NUMBERS, np.array(["no", 1, "no", 1, "no", 1], object))


# -- weights -------------------------------------------------------------------------------------------------

WEIGHTS = {
    "negative": ([1, 1, -2, 1, 1, 1], "sample_weight .* row 2 has -2"),
    "all zero": ([0] * 6, "sample_weight is zero for every row"),
    "NaN": ([1, np.nan, 1, 1, 1, 1], "sample_weight .* row 1 has nan"),
    "infinite": ([1, 1, 1, np.inf, 1, 1], "sample_weight .* row 3 has inf"),
    "None": ([1, 1, 1, 1, None, 1], "sample_weight .* row 4 has nan"),
    "too few": ([1, 1], r"sample_weight .* shape \(6,\), got \(2,\)"),
    "two dimensions": (np.ones((6, 1)), r"sample_weight .* shape \(6,\), got \(6, 1\)"),
    "text": (["heavy"] * 6, "sample_weight"),
    "one class left": ([1, 0, 1, 0, 1, 0], "only one class, 'no'"),
}


@pytest.mark.parametrize("case", WEIGHTS)
def test_sample_weight(case: str) -> None:
    weight, words = WEIGHTS[case]
    with pytest.raises(ValueError, match=words):
        fit(NUMBERS, LABELS, weight)


@pytest.mark.parametrize("weight", [-1, 0, np.nan, np.inf, "3", None])
def test_class_weight_of_a_class(weight: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="class_weight of class 'yes'"):
        fit(NUMBERS, class_weight={"yes": weight})


@pytest.mark.parametrize("class_weight", ["equal", [{"no": 1}], 3])
def test_class_weight(class_weight: Any) -> None:
    with pytest.raises(ValueError, match="'class_weight' parameter must be None, 'balanced' or a dict"):
        fit(NUMBERS, class_weight=class_weight)


# -- very many categories ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tests", "max_depth"), [("binary", 3), ("multiway", None)])
def test_a_hundred_thousand_categories(tests: str, max_depth: int | None) -> None:
    n_rows = 100_000
    key = np.char.add("key ", np.arange(n_rows).astype(str))
    y = np.random.default_rng(0).integers(0, 2, n_rows)
    chosen = {"categorical_features": ["key"], "smoothing": "none"}
    model = fit({"key": key}, y, tests=tests, max_depth=max_depth, **chosen)
    assert len(model.columns_[0].categories) == n_rows
    answers = model.predict_proba({"key": [*key, "another key"]})
    np.testing.assert_allclose(answers[-1], [1 - y.mean(), y.mean()])
    if tests == "multiway":
        np.testing.assert_array_equal(answers[:-1, 1], y)
    else:
        assert model.get_n_leaves() == 4


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (ProbabilityTreeClassifier(min_samples_leaf=10**30), "'min_samples_leaf' parameter .* must not be above 9223"),
        (ProbabilityTreeClassifier(max_depth=10**30), "'max_depth' parameter .* must not be above 9223"),
        (ProbabilityTreeClassifier(random_state=2**40), "'random_state' parameter .* between 0 and"),
        (ProbabilityTreeClassifier(class_weight={0: 10**400}), "class_weight of class 0 must be a positive number"),
        (ProbabilityTreeClassifier(min_gain=10**400), "'min_gain' parameter .* finite number"),
        (OptionTreeClassifier(max_options=10**30), "'max_options' parameter .* must not be above"),
        (OptionTreeClassifier(max_nodes=10**30), "'max_nodes' parameter .* must not be above"),
        (OptionTreeClassifier(option_depth=10**30), "'option_depth' parameter .* must not be above"),
    ],
)
def test_numbers_beyond_all_bounds_are_named(model: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        model.fit([[0.0], [1.0]], [0, 1])
