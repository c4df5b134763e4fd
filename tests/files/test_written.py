"""Numbers, dates and durations read back what Python's own formatting wrote."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from petree.columns.moments import duration_text, quantity_text
from petree.files.moments import AmbiguousError, guess_moments, read_moments
from petree.files.numerals import COMMA, POINT, Style

numbers = st.decimals(-(10**9), 10**9, places=3).map(float)
moments = st.datetimes(datetime(1000, 1, 1), datetime(9999, 1, 1))
MICROSECOND = timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("style", "group", "decimal"),
    [(POINT, ",", "."), (POINT, " ", "."), (POINT, "'", "."), (COMMA, ".", ","), (COMMA, "\u202f", ",")],
)
@given(number=numbers)
@settings(max_examples=15)
def test_numbers(style: Style, group: str, decimal: str, number: float) -> None:
    written = f"{number:,.3f}".replace(",", "g").replace(".", decimal).replace("g", group)
    assert style.fits([written])
    assert style.number(written) == number


@pytest.mark.parametrize("text", ["1,23", "1,2345", "1 2", "1,234 567", ",", "", "1.5.5", "abc", "1,,234", "1e", "12%"])
def test_what_is_no_number_with_signs_between_thousands(text: str) -> None:
    assert not POINT.fits([text])


@given(st.lists(moments, min_size=1, max_size=4))
@settings(max_examples=20)
def test_dates(values: list[datetime]) -> None:
    days = [datetime(value.year, value.month, value.day) for value in values]
    forms = {"%Y-%m-%d": "", "%Y/%m/%d": "", "%d.%m.%Y": ", day first", "%d %b %Y": "", "%B %d, %Y": ""}
    for form, words in forms.items():
        found = guess_moments([day.strftime(form) for day in days])
        assert found is not None
        assert (found.values, found.words) == (days, f"dates{words}")
    assert read_moments([value.isoformat(" ") for value in values], "date") == ("date", values, "dates")
    zoned = [value.replace(tzinfo=timezone(timedelta(hours=-3, minutes=-30))) for value in values]
    assert read_moments([value.isoformat() for value in zoned], "date") == ("date", zoned, "dates")
    assert guess_moments([value.replace(tzinfo=UTC).isoformat().replace("+00:00", "Z") for value in values]) is not None


@given(st.lists(moments, min_size=1, max_size=4))
@settings(max_examples=20)
def test_the_order_of_day_and_month(values: list[datetime]) -> None:
    days = [datetime(value.year, value.month, value.day) for value in values]
    texts = [day.strftime("%m/%d/%Y") for day in days]
    if all(day.day <= 12 for day in days):
        with pytest.raises(AmbiguousError):
            guess_moments(texts)
    else:
        assert guess_moments(texts) == ("date", days, "dates, month first")
    assert read_moments(texts, "date-mdy") == ("date", days, "dates, month first")


@given(st.timedeltas(timedelta(days=-10_000), timedelta(days=10_000)))
@settings(max_examples=20)
def test_durations(length: timedelta) -> None:
    ours = duration_text(length // MICROSECOND)
    pandas = f"{length.days} days {'+' if length.days < 0 else ''}{length - timedelta(days=length.days)}"
    for text in (ours, pandas, str(length) if length.days >= 0 else ours):
        assert read_moments([text], "duration") == ("duration", [length], "durations")


@given(st.times())
@settings(max_examples=20)
def test_times(value: object) -> None:
    assert guess_moments([str(value)]) == ("time", [value], "times")


@pytest.mark.parametrize(
    "text", ["2024-13-01", "2024-02-30", "24:00", "12:60", "1/2/24", "2024-1", "days", "-", "12 Foo 2024"]
)
def test_what_is_no_moment(text: str) -> None:
    assert guess_moments([text]) is None


def test_what_petree_writes_it_reads() -> None:
    assert read_moments([quantity_text("zoned date", 1.5e15)], "date") is not None
    assert read_moments([quantity_text("date", 1.5e15 + 1)], "date") is not None
