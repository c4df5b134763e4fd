"""Tables of any data frame library, or dicts of arrays, as columns of numbers and codes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import MAXYEAR, MINYEAR
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import narwhals
import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray

from petree.columns import DATE, NUMBER, ORDERED, ZONED_DATE, Column
from petree.inputs.frames import check_frame, check_unique, is_frame
from petree.inputs.moments import WORDS
from petree.inputs.table import table_of
from petree.inputs.values import Coded
from petree.relational.dates import days_of, is_moments
from petree.relational.tables.large_numbers import large_numbers
from petree.relational.tables.schema import place_text

if TYPE_CHECKING:
    from narwhals.stable.v2.typing import IntoDataFrame

    Frame = IntoDataFrame | Mapping[str, ArrayLike]

# Values of a column as they are given.
Values = narwhals.Series[Any] | NDArray[Any] | Sequence[Any]
# A column as it was read: numbers (NaN where missing), dates (datetime64, NaT where missing), or codes of values.
Raw = NDArray[Any] | Coded


def given_columns(name: str, frame: Frame) -> dict[str, Values]:
    """The columns of a table as they are given."""
    with _told_of(name):
        return _named(frame)


def read_table(
    name: str, columns: Mapping[str, Values], needed: Mapping[str, str] = MappingProxyType({})
) -> dict[str, Raw]:
    """Columns of a table by name; where one cannot be read, the error says how to go on without it.

    Some may be `needed` by a link, a key or a time, which the error says then.
    """
    try:
        return _read(columns)
    except (TypeError, ValueError) as error:
        raise type(error)(f"Table {name!r}: {error}{_way_on(name, columns, needed)}") from error


def read_frame(name: str, frame: Frame) -> dict[str, Raw]:
    """Columns of a table by name."""
    with _told_of(name):
        return _read(_named(frame))


@contextmanager
def _told_of(name: str) -> Iterator[None]:
    """Say in which table something cannot be read."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise type(error)(f"Table {name!r}: {error}") from error


def _read(columns: Mapping[str, Values]) -> dict[str, Raw]:
    if columns and all(len(values) == 0 for values in columns.values()):
        return {column: Coded(np.zeros(0, np.int32), ()) for column in columns}
    # Arrays of dates are what databases give: as days they may be rounded, as those of the year 9999 are.
    moments = {column: _in_microseconds(column, one) for column, one in columns.items() if is_moments(one)}
    large = {column: coded for column, one in columns.items() if (coded := large_numbers(one)) is not None}
    shown = {column: days_of(one) for column, one in moments.items()}
    shown |= {column: one.codes.astype(np.float64) for column, one in large.items()}
    table = table_of({**columns, **shown})
    pairs = zip(table.columns, table.arrays, strict=True)
    return {column.name: _raw(column, array) for column, array in pairs} | moments | large


def _in_microseconds(column: str, moments: NDArray[np.datetime64]) -> NDArray[np.datetime64]:
    """Dates by the microsecond, which must be in the years that have a name everywhere."""
    years = moments.astype("datetime64[Y]").astype(np.int64) + 1970
    is_beyond = ~np.isnat(moments) & ((years < MINYEAR) | (years > MAXYEAR))
    if is_beyond.any():
        row = int(np.argmax(is_beyond))
        raise ValueError(
            f"Column {column!r} holds {moments[row]} in row {row}, which is not in the years {MINYEAR} to {MAXYEAR}; "
            "correct it, or make it missing."
        )
    return moments.astype("datetime64[us]")


def _way_on(name: str, columns: Mapping[str, Values], needed: Mapping[str, str]) -> str:
    """How to leave out the first column that cannot be read by itself, or why it has to stay."""
    for column, values in columns.items():
        try:
            _read({column: values})
        except (TypeError, ValueError):
            if column in needed:
                return f" It cannot be left out, since {needed[column]} needs it."
            return f" To go on without it, pass leave_out={[place_text(name, (column,))]!r}."
    return ""


def _raw(column: Column, array: NDArray[Any]) -> Raw:
    if column.kind != NUMBER:
        return Coded(array, column.categories, column.kind == ORDERED)
    if column.quantity in (DATE, ZONED_DATE):
        return _moments_of_counts(column.name, array)
    if column.quantity:
        raise TypeError(f"Column {column.name!r} holds {WORDS[column.quantity]}; convert them to numbers, or to dates.")
    return array


def _moments_of_counts(column: str, counts: NDArray[np.float64]) -> NDArray[np.datetime64]:
    """Microseconds since 1970, NaN where missing, as dates."""
    moments = np.full(len(counts), "NaT", "datetime64[us]")
    is_known = ~np.isnan(counts)
    moments[is_known] = counts[is_known].astype(np.int64).astype("datetime64[us]")
    return _in_microseconds(column, moments)


def _named(frame: Frame) -> dict[str, Values]:
    """The columns of a data frame or a dict, as they are given."""
    if not is_frame(frame):
        raise TypeError(f"a {type(frame).__name__} has no named columns; pass a data frame or a dict of arrays.")
    named = list(_named_columns(frame))
    check_unique([name for name, _ in named])
    return dict(named)


def _named_columns(frame: Frame) -> Iterator[tuple[str, Values]]:
    if isinstance(frame, Mapping):
        for name, values in frame.items():
            yield str(name), nw.from_native(values, pass_through=True, allow_series=True)
    else:
        check_frame(frame)
        for series in nw.from_native(frame, eager_only=True).iter_columns():
            yield str(series.name), series
