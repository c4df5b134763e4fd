"""Tables of any data frame library, or dicts of arrays, as columns of numbers and codes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import narwhals
import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray

from petree.columns import NUMBER
from petree.inputs.frames import check_frame, check_unique, is_frame
from petree.inputs.table import table_of
from petree.inputs.values import MISSING_TYPES, Coded
from petree.relational.dates import days_of, is_moments

if TYPE_CHECKING:
    from narwhals.stable.v2.typing import IntoDataFrame

    Frame = IntoDataFrame | Mapping[str, ArrayLike]

# Values of a column as they are given.
Values = narwhals.Series[Any] | NDArray[Any] | Sequence[Any]
# A column as it was read: numbers (NaN where missing), dates (datetime64, NaT where missing), or codes of values.
Raw = NDArray[Any] | Coded


def read_frame(name: str, frame: Frame) -> dict[str, Raw]:
    """Columns of a table by name."""
    try:
        columns = _columns(frame)
        if columns and all(len(values) == 0 for values in columns.values()):
            return {column: Coded(np.zeros(0, np.int32), ()) for column in columns}
        moments = {column: one for column, one in columns.items() if is_moments(one)}
        table = table_of(columns | {column: days_of(one) for column, one in moments.items()})
    except (TypeError, ValueError) as error:
        raise type(error)(f"Table {name!r}: {error}") from error
    read = {
        column.name: array if column.kind == NUMBER else Coded(array, column.categories)
        for column, array in zip(table.columns, table.arrays, strict=True)
    }
    return read | moments


def _columns(frame: Frame) -> dict[str, Values]:
    if not is_frame(frame):
        raise TypeError(f"a {type(frame).__name__} has no named columns; pass a data frame or a dict of arrays.")
    named = list(_named_columns(frame))
    check_unique([name for name, _ in named])
    return {name: dates_as_moments(values) for name, values in named}


def _named_columns(frame: Frame) -> Iterator[tuple[str, Values]]:
    if isinstance(frame, Mapping):
        for name, values in frame.items():
            yield str(name), nw.from_native(values, pass_through=True, allow_series=True)
    else:
        check_frame(frame)
        for series in nw.from_native(frame, eager_only=True).iter_columns():
            yield str(series.name), series


# -- dates -----------------------------------------------------------------------------------------------------


def dates_as_moments(values: Values) -> Values:
    """Dates, with or without a time, as an array of microseconds in UTC; other values as they are."""
    if is_moments(values):
        return values.astype("datetime64[us]")
    if isinstance(values, nw.Series):
        if values.dtype in (nw.Date, nw.Datetime):
            return _moments_of_counts(values.dt.timestamp("us").cast(nw.Float64).to_numpy())
        is_objects = values.dtype == nw.Object
    else:
        is_objects = isinstance(values, (list, tuple)) or (isinstance(values, np.ndarray) and values.dtype.kind == "O")
    moments = moments_of_objects(values) if is_objects else None
    return values if moments is None else moments


def _moments_of_counts(counts: NDArray[np.float64]) -> NDArray[np.datetime64]:
    """Microseconds since 1970, NaN where missing, as dates."""
    moments = np.full(len(counts), "NaT", "datetime64[us]")
    is_known = ~np.isnan(counts)
    moments[is_known] = counts[is_known].astype(np.int64).astype("datetime64[us]")
    return moments


def moments_of_objects(objects: Iterable[Any]) -> NDArray[np.datetime64] | None:
    """Python's dates as an array; None where the first value that there is, is none."""
    first = next((one for one in objects if not _is_missing(one)), None)
    if not isinstance(first, date):
        return None
    return np.array([None if _is_missing(one) else _in_utc(one) for one in objects], "datetime64[us]")


def _is_missing(value: object) -> bool:
    return type(value).__name__ in MISSING_TYPES


def _in_utc(moment: date) -> date:
    if isinstance(moment, datetime) and moment.tzinfo is not None:
        return moment.astimezone(UTC).replace(tzinfo=None)
    return moment
