"""Dates, times and durations as numbers of microseconds, which float64 must be able to hold exactly.

It holds all days there are, seconds until the year 20,000, and microseconds from 1684 to 2255.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from numbers import Number
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from petree.columns import DATE, DURATION, TIME, ZONED_DATE

# What people call the values of a column.
WORDS = {DATE: "dates", ZONED_DATE: "dates with a time zone", TIME: "times", DURATION: "durations"}
# Units of numpy whose length is not known.
VAGUE = ("Y", "M", "generic")


@dataclass(slots=True)
class Measured:
    """A column of moments or durations: microseconds, NaN where missing, and which of them they are."""

    values: NDArray[np.float64]
    quantity: str

    def __len__(self) -> int:
        return len(self.values)


@runtime_checkable
class PandasMoment(Protocol):
    """A Timestamp or Timedelta of pandas, which may be finer than what it inherits from."""

    def to_numpy(self) -> Any:
        """The same of numpy."""


@runtime_checkable
class Span(Protocol):
    """A Period of pandas."""

    @property
    def start_time(self) -> PandasMoment:
        """Its first moment."""


# -- arrays ----------------------------------------------------------------------------------------------------


def measure_array(name: str, values: NDArray[Any], is_zoned: bool = False) -> Measured:
    """An array of datetime64, in UTC if it is zoned, or of timedelta64."""
    is_date = values.dtype.kind == "M"
    if not is_date and np.datetime_data(values.dtype)[0] in VAGUE and not np.isnat(values).all():
        raise TypeError(f"Column {name!r} counts years, months or nothing in particular; convert it to days.")
    counts = values.astype(f"{values.dtype.kind}8[us]").astype(np.int64)
    numbers = counts.astype(np.float64)
    _check_exact(name, values, numbers)
    numbers[np.isnat(values)] = np.nan
    return Measured(numbers, (ZONED_DATE if is_zoned else DATE) if is_date else DURATION)


def _check_exact(name: str, values: NDArray[Any], numbers: NDArray[np.float64]) -> None:
    """Refuse moments that float64 does not hold exactly as microseconds."""
    again = np.clip(numbers, -(2.0**62), 2.0**62).astype(np.int64).astype(f"{values.dtype.kind}8[us]")
    is_wrong = (again.astype(values.dtype) != values) & ~np.isnat(values)
    if is_wrong.any():
        row = int(np.argmax(is_wrong))
        raise ValueError(
            f"Column {name!r} holds {values[row]} in row {row}, which cannot be held exactly as a number of "
            "microseconds; round it to microseconds, or to days if it is far from now."
        )


# -- Python objects --------------------------------------------------------------------------------------------


def measure_objects(name: str, values: Sequence[Any], kinds: set[type]) -> Measured | None:
    """Python's dates, times or durations, and those of numpy and pandas; None where they are of other types.

    Parameters
    ----------
    name : str
    values : sequence
        None where missing.
    kinds : set of type
        The types of the others.
    """
    if are_all(kinds, date, np.datetime64):
        return _measure_dates(name, values)
    if are_all(kinds, timedelta, np.timedelta64):
        return measure_array(name, np.array(list(map(plain_moment, values)), "timedelta64"))
    if are_all(kinds, time):
        return _measure_times(name, values)
    if kinds and all(map(_is_span, kinds)):
        starts = [value.start_time if isinstance(value, Span) else None for value in values]
        return _measure_dates(name, starts)
    return None


def _is_span(kind: type) -> bool:
    return kind.__name__ == "Period"


def are_all(kinds: set[type], *wanted: type) -> bool:
    """Whether there are types, and all of them are of those that are wanted."""
    return bool(kinds) and all(issubclass(kind, wanted) for kind in kinds)


def _measure_dates(name: str, values: Sequence[Any]) -> Measured:
    is_zoned = np.array([isinstance(value, datetime) and value.tzinfo is not None for value in values], bool)
    is_naive = np.array([value is not None for value in values], bool) & ~is_zoned
    if is_zoned.any() and is_naive.any():
        row = max(int(np.argmax(is_zoned)), int(np.argmax(is_naive)))  # the first that is not as those before it
        raise ValueError(
            f"Column {name!r} has dates with a time zone and dates without, such as {values[row]} in row {row}; give "
            "all of them a zone, or none."
        )
    return measure_array(name, np.array(list(map(plain_moment, values)), "datetime64"), bool(is_zoned.any()))


def plain_moment(value: Any) -> Any:
    """A moment as numpy reads it: pandas' to the nanosecond, zoned ones in UTC."""
    if isinstance(value, PandasMoment):
        return value.to_numpy()
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC).replace(tzinfo=None)
    return value


def _measure_times(name: str, values: Sequence[time | None]) -> Measured:
    for row, value in enumerate(values):
        if value is not None and value.tzinfo is not None:
            raise ValueError(
                f"Column {name!r} has a time with a time zone, {value} in row {row}; without a day it says nothing: "
                "take the zone away."
            )
    return Measured(np.array([np.nan if value is None else _microseconds(value) for value in values]), TIME)


def _microseconds(value: time) -> float:
    return float(((value.hour * 60 + value.minute) * 60 + value.second) * 1_000_000 + value.microsecond)


# -- moments beside other values -------------------------------------------------------------------------------


def is_moment(kind: type) -> bool:
    """Whether values of a type are dates, times or durations."""
    return issubclass(kind, (date, np.datetime64, time, timedelta, np.timedelta64)) or _is_span(kind)


def odd_one_out(name: str, values: Sequence[Any]) -> TypeError:
    """What refuses a column of moments and other values: the first that is not what most of them are."""
    words = [None if value is None else _word_of(type(value)) for value in values]
    held = Counter(word for word in words if word).most_common(1)[0][0]
    row = next(row for row, word in enumerate(words) if word not in (None, held))
    value = str(values[row]) if is_moment(type(values[row])) else repr(values[row])
    return TypeError(
        f"Column {name!r} holds {held}, but {value} ({words[row]}) in row {row}; correct it, or make it missing (None)."
    )


def _word_of(kind: type) -> str:
    """What people call values of a type."""
    words = (
        ((time,), WORDS[TIME]),
        ((timedelta, np.timedelta64), WORDS[DURATION]),
        ((str,), "text"),
        ((bool, np.bool_), "booleans"),
        ((Number,), "numbers"),
        ((date, np.datetime64), WORDS[DATE]),
    )
    return next((word for types, word in words if issubclass(kind, types)), "periods")  # of pandas
