"""Dates, times and durations of flat tables, whichever library they come from."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plain import plain_classifier

from petree import OptionTreeClassifier
from petree.columns import DATE, DURATION, TIME, ZONED_DATE, Column
from petree.columns.moments import duration_text, quantity_text, round_between
from petree.inputs import table_of
from petree.storage.models import dumps, loads

MOMENTS = [datetime(2024, 3, 1, 12, 30), None, datetime(1960, 1, 1), datetime(2024, 3, 1, 12, 30, 0, 7)]
DAYS = [one and one.date() for one in MOMENTS]
EAST = timezone(timedelta(hours=2))
ZONED = [one and one.replace(tzinfo=UTC).astimezone(EAST) for one in MOMENTS]
TIMES = [one and one.time() for one in MOMENTS]
DURATIONS = [one and one - datetime(2000, 1, 1) for one in MOMENTS]
MICROSECOND = timedelta(microseconds=1)


def count(value: Any) -> float:
    """Microseconds, by Python's own arithmetic."""
    if value is None:
        return float("nan")
    if isinstance(value, time):
        return (datetime.combine(date(2000, 1, 1), value) - datetime(2000, 1, 1)) / MICROSECOND
    if isinstance(value, timedelta):
        return value / MICROSECOND
    if not isinstance(value, datetime):
        return (value - date(1970, 1, 1)) / MICROSECOND
    return (value - datetime(1970, 1, 1, tzinfo=UTC if value.tzinfo else None)) / MICROSECOND


FORMS: dict[str, tuple[Callable[[], Any], str, list[Any]]] = {
    "list of datetimes": (lambda: {"c": MOMENTS}, DATE, MOMENTS),
    "list of dates": (lambda: {"c": DAYS}, DATE, DAYS),
    "dates and datetimes": (lambda: {"c": [*MOMENTS[:2], *DAYS[2:]]}, DATE, [*MOMENTS[:2], *DAYS[2:]]),
    "list of zoned": (lambda: {"c": ZONED}, ZONED_DATE, ZONED),
    "list of times": (lambda: {"c": TIMES}, TIME, TIMES),
    "list of durations": (lambda: {"c": DURATIONS}, DURATION, DURATIONS),
    "list of Timestamps": (lambda: {"c": [one and pd.Timestamp(one) for one in MOMENTS]}, DATE, MOMENTS),
    "list with NaT": (lambda: {"c": [pd.NaT if one is None else one for one in MOMENTS]}, DATE, MOMENTS),
    "list of datetime64": (lambda: {"c": [one and np.datetime64(one) for one in MOMENTS]}, DATE, MOMENTS),
    "datetime64[us]": (lambda: {"c": np.array(MOMENTS, "M8[us]")}, DATE, MOMENTS),
    "datetime64[ns]": (lambda: {"c": np.array(MOMENTS, "M8[us]").astype("M8[ns]")}, DATE, MOMENTS),
    "datetime64[D]": (lambda: {"c": np.array(DAYS, "M8[D]")}, DATE, DAYS),
    "timedelta64[ns]": (lambda: {"c": np.array(DURATIONS, "m8[us]").astype("m8[ns]")}, DURATION, DURATIONS),
    "matrix": (lambda: np.array(MOMENTS, "M8[us]")[:, None], DATE, MOMENTS),
    "masked": (
        lambda: {"c": np.ma.MaskedArray(np.array(MOMENTS, "M8[us]"), [one is None for one in MOMENTS])},
        DATE,
        MOMENTS,
    ),
    "pandas": (lambda: pd.DataFrame({"c": pd.Series(MOMENTS)}), DATE, MOMENTS),
    "pandas ns": (lambda: pd.DataFrame({"c": pd.Series(MOMENTS, dtype="M8[ns]")}), DATE, MOMENTS),
    "pandas zoned": (lambda: pd.DataFrame({"c": pd.to_datetime(pd.Series(ZONED))}), ZONED_DATE, ZONED),
    "pandas dates": (lambda: pd.DataFrame({"c": pd.Series(DAYS, dtype=object)}), DATE, DAYS),
    "pandas durations": (lambda: pd.DataFrame({"c": pd.to_timedelta(pd.Series(DURATIONS))}), DURATION, DURATIONS),
    "pandas periods": (
        lambda: pd.DataFrame({"c": pd.PeriodIndex(["2024-03", None, "1960-01", "2024-04"], freq="M")}),
        DATE,
        [date(2024, 3, 1), None, date(1960, 1, 1), date(2024, 4, 1)],
    ),
    "pandas arrow": (lambda: pd.DataFrame({"c": pd.Series(MOMENTS, dtype="timestamp[ns][pyarrow]")}), DATE, MOMENTS),
    "pandas arrow dates": (lambda: pd.DataFrame({"c": pd.Series(DAYS, dtype="date32[pyarrow]")}), DATE, DAYS),
    "pandas arrow times": (
        lambda: pd.DataFrame({"c": pd.Series(TIMES, dtype=pd.ArrowDtype(pa.time64("us")))}),
        TIME,
        TIMES,
    ),
    "polars": (lambda: pl.DataFrame({"c": MOMENTS}), DATE, MOMENTS),
    "polars dates": (lambda: pl.DataFrame({"c": DAYS}), DATE, DAYS),
    "polars zoned": (
        lambda: pl.DataFrame({"c": pl.Series(MOMENTS).dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Tokyo")}),
        ZONED_DATE,
        ZONED,
    ),
    "polars times": (lambda: pl.DataFrame({"c": TIMES}), TIME, TIMES),
    "polars durations": (lambda: pl.DataFrame({"c": DURATIONS}), DURATION, DURATIONS),
    "pyarrow": (lambda: pa.table({"c": pa.array(MOMENTS, pa.timestamp("us"))}), DATE, MOMENTS),
    "pyarrow zoned": (lambda: pa.table({"c": pa.array(ZONED, pa.timestamp("ns", "UTC"))}), ZONED_DATE, ZONED),
    "pyarrow date32": (lambda: pa.table({"c": pa.array(DAYS, pa.date32())}), DATE, DAYS),
    "pyarrow date64": (lambda: pa.table({"c": pa.array(DAYS, pa.date64())}), DATE, DAYS),
    "pyarrow times": (lambda: pa.table({"c": pa.array(TIMES, pa.time64("us"))}), TIME, TIMES),
    "pyarrow durations": (lambda: pa.table({"c": pa.array(DURATIONS, pa.duration("us"))}), DURATION, DURATIONS),
}


@pytest.mark.parametrize("form", FORMS)
def test_moments_are_exact(form: str) -> None:
    make, quantity, values = FORMS[form]
    table = table_of(make())
    assert table.columns[0].quantity == quantity
    np.testing.assert_array_equal(table.arrays[0], [count(value) for value in values])


@pytest.mark.parametrize("values", [["9999-12-31"], ["0001-01-01"], ["9999-12-31T23:59:59"]])
def test_far_days_and_seconds_are_exact(values: list[str]) -> None:
    far = np.array(values, "M8[us]")
    numbers = table_of({"c": far}).arrays[0]
    np.testing.assert_array_equal(numbers.astype(np.int64).astype("M8[us]"), far)


@pytest.mark.parametrize(
    "values",
    [
        np.array(["9999-12-31T23:59:59.999999"], "M8[us]"),
        np.array(["2024-01-01T00:00:00.000000001"], "M8[ns]"),
        np.array([2**62], "M8[D]"),
        [pd.Timestamp("2024-01-01 00:00:00.000000001")],
    ],
)
def test_what_is_not_exact_is_refused(values: Any) -> None:
    with pytest.raises(ValueError, match=r"Column 'c' holds .* in row 0, which cannot be held exactly"):
        table_of({"c": values})


# -- thresholds ---------------------------------------------------------------------------------------------------

TEXTS = [
    ([date(2024, 2, 29), date(2024, 3, 1)], "c < 2024-03-01"),
    ([date(2024, 2, 1), date(2024, 3, 2)], "c < 2024-02-16"),
    ([datetime(2024, 3, 1, 8), datetime(2024, 3, 1, 17)], "c < 2024-03-01 13:00:00"),
    ([datetime(2024, 3, 1, 8, 0, 0, 1), datetime(2024, 3, 1, 8, 0, 0, 2)], "c < 2024-03-01 08:00:00.000002"),
    ([datetime(2024, 3, 1, tzinfo=UTC), datetime(2024, 3, 3, tzinfo=EAST)], "c < 2024-03-02 UTC"),
    ([time(8), time(17, 30)], "c < 13:00:00"),
    ([timedelta(hours=2), timedelta(days=4)], "c < 3 days"),
    ([timedelta(minutes=-50), timedelta(minutes=-10)], "c < -00:30:00"),
    ([timedelta(days=1, hours=1), timedelta(days=1, hours=2)], "c < 1 day 02:00:00"),
]


@pytest.mark.parametrize(("values", "text"), TEXTS)
@pytest.mark.parametrize("estimator", [plain_classifier(), plain_classifier(binning="entropy")])
def test_thresholds_read_as_people_write(estimator: Any, values: list[Any], text: str) -> None:
    model = estimator.fit({"c": values}, [0, 1])
    assert str(model.tree_.conditions[0]) == text
    assert model.predict({"c": values}).tolist() == [0, 1]
    copy = loads(dumps(model))
    assert copy.columns_ == model.columns_
    assert copy.export_text() == model.export_text()
    assert copy.predict({"c": [*values, None]}).tolist()[:2] == [0, 1]


moments = st.integers(-(2**53), 2**53)


@given(st.lists(moments, min_size=2, max_size=12, unique=True))
def test_rounded_thresholds_divide_as_before(values: list[int]) -> None:
    numbers = np.sort(np.array(values, np.float64))
    cuts = (numbers[1:] + numbers[:-1]) / 2
    for cut, other in zip(cuts.tolist(), round_between(cuts, numbers).tolist(), strict=True):
        np.testing.assert_array_equal(numbers < cut, numbers < other)
        written = np.datetime64(quantity_text(DATE, other).replace(" ", "T"), "us")
        np.testing.assert_array_equal(numbers < cut, numbers.astype(np.int64).astype("M8[us]") < written)


def test_durations_as_text() -> None:
    assert [duration_text(count) for count in (0, 1, -86_400_000_000, 90_000_000_000)] == [
        "0 days",
        "00:00:00.000001",
        "-1 day",
        "1 day 01:00:00",
    ]
    assert quantity_text(DATE, 1e300).startswith("148108-07-06")


def test_an_option_tree_of_dates() -> None:
    days = [date(2024, 3, day) for day in range(1, 21)]
    model = OptionTreeClassifier(n_searches=1).fit({"day": days}, [0] * 9 + [1] * 11)
    assert "day < 2024-03-10" in model.export_text()


# -- at predict ---------------------------------------------------------------------------------------------------

OTHERS: list[tuple[Any, str]] = [
    ([1.5], "held dates at fit; now it holds numbers"),
    (["2024-03-01"], "held dates at fit; now it holds text or categories"),
    ([datetime(2024, 3, 1, tzinfo=UTC)], "held dates at fit; now it holds dates with a time zone"),
    ([time(12)], "held dates at fit; now it holds times"),
    ([timedelta(1)], "held dates at fit; now it holds durations"),
]


@pytest.mark.parametrize(("later", "words"), OTHERS)
def test_other_types_at_predict(later: list[Any], words: str) -> None:
    model = plain_classifier().fit({"day": [date(2024, 3, 1), date(2024, 3, 3)]}, [0, 1])
    with pytest.raises(ValueError, match=f"Column 'day' {words}: convert"):
        model.predict({"day": later})


@pytest.mark.parametrize("earlier", [[1.5, 2.5], ["red", "blue"], [True, False]])
def test_dates_where_others_stood(earlier: list[Any]) -> None:
    model = plain_classifier().fit({"c": earlier}, [0, 1])
    with pytest.raises(ValueError, match=r"Column 'c' held .* at fit; now it holds dates"):
        model.predict({"c": [date(2024, 1, 1)]})
    assert model.predict({"c": np.array(["NaT"], "M8[us]")}).shape == (1,)


def test_a_column_of_dates_without_any() -> None:
    X = {"c": np.array(["NaT", "NaT"], "M8[us]"), "size": [1, 2]}
    with pytest.warns(UserWarning, match="Column 'c' has no values at all and is left out"):
        model = plain_classifier().fit(X, [0, 1])
    assert model.columns_[0] == Column("c", quantity=DATE)
    assert model.predict({"size": [1, 2]}).tolist() == [0, 1]
    model = plain_classifier().fit({"day": [date(2024, 3, 1), date(2024, 3, 3)]}, [0, 1])
    np.testing.assert_allclose(model.predict_proba({"day": [None]}), model.predict_proba({"day": [float("nan")]}))


def test_dates_are_not_nominal() -> None:
    with pytest.raises(TypeError, match="'day' holds dates, which are tested by thresholds; take it out of categ"):
        plain_classifier(categorical_features=["day"]).fit({"day": [date(2024, 3, 1), date(2024, 3, 3)]}, [0, 1])
    model = plain_classifier(categorical_features=None).fit({"day": [date(2024, 3, 1), date(2024, 3, 3)]}, [0, 1])
    assert model.columns_[0].quantity == DATE


# -- decimals -----------------------------------------------------------------------------------------------------

PRICES = [Decimal("1.25"), None, Decimal("-3")]
DECIMALS: dict[str, Callable[[], Any]] = {
    "list": lambda: {"c": PRICES},
    "pandas": lambda: pd.DataFrame({"c": pd.Series(PRICES, dtype=object)}),
    "pandas arrow": lambda: pd.DataFrame({"c": pd.Series(PRICES, dtype=pd.ArrowDtype(pa.decimal128(6, 2)))}),
    "polars": lambda: pl.DataFrame({"c": PRICES}),
    "pyarrow": lambda: pa.table({"c": PRICES}),
    "pyarrow decimal256": lambda: pa.table({"c": pa.array(PRICES, pa.decimal256(50, 2))}),
}


@pytest.mark.parametrize("form", DECIMALS)
def test_decimals_are_numbers(form: str) -> None:
    table = table_of(DECIMALS[form]())
    assert table.columns == (Column("c"),)
    np.testing.assert_array_equal(table.arrays[0], [1.25, np.nan, -3])
