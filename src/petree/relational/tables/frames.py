"""Tables of any data frame library, or dicts of arrays, as columns of numbers and codes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.columns import NUMBER
from petree.inputs.frames import check_frame, check_unique, is_frame
from petree.inputs.table import read_table
from petree.inputs.values import MISSING_TYPES, Coded
from petree.relational.dates import days_of, is_moments

# A column as it was read: numbers (NaN where missing), dates (datetime64, NaT where missing), or codes of values.
Raw = NDArray[Any] | Coded


def read_frame(name: str, frame: Any) -> dict[str, Raw]:
    """Columns of a table by name."""
    try:
        columns = _columns(frame)
        if columns and all(len(values) == 0 for values in columns.values()):
            return {column: Coded(np.zeros(0, np.int32), ()) for column in columns}
        table = read_table({column: days_of(one) if is_moments(one) else one for column, one in columns.items()})
    except (TypeError, ValueError) as error:
        raise type(error)(f"Table {name!r}: {error}") from error
    read = {
        column.name: array if column.kind == NUMBER else Coded(array, column.categories)
        for column, array in zip(table.columns, table.arrays, strict=True)
    }
    return {column: columns[column] if is_moments(columns[column]) else raw for column, raw in read.items()}


def _columns(frame: Any) -> dict[str, Any]:
    if not is_frame(frame):
        raise TypeError(f"a {type(frame).__name__} has no named columns; pass a data frame or a dict of arrays.")
    if not isinstance(frame, Mapping):
        check_frame(frame)
    named = list(_named_columns(frame))
    check_unique([name for name, _ in named])
    return {name: dates_as_moments(values) for name, values in named}


def _named_columns(frame: Any) -> Iterator[tuple[str, Any]]:
    import narwhals.stable.v2 as nw

    if isinstance(frame, Mapping):
        yield from (
            (str(name), nw.from_native(values, pass_through=True, allow_series=True)) for name, values in frame.items()
        )
    else:
        yield from ((str(series.name), series) for series in nw.from_native(frame, eager_only=True).iter_columns())


# -- dates -----------------------------------------------------------------------------------------------------


def dates_as_moments(values: Any) -> Any:
    """Dates, with or without a time, as an array of microseconds in UTC; other values as they are."""
    import narwhals.stable.v2 as nw

    if isinstance(values, nw.Series):
        if values.dtype in (nw.Date, nw.Datetime):
            return _moments_of_counts(values.dt.timestamp("us").cast(nw.Float64).to_numpy())
        return _objects_as_moments(values.to_list(), values) if values.dtype == nw.Object else values
    if is_moments(values):
        return values.astype("datetime64[us]")
    is_objects = isinstance(values, (list, tuple)) or (isinstance(values, np.ndarray) and values.dtype.kind == "O")
    return _objects_as_moments(values, values) if is_objects else values


def _moments_of_counts(counts: NDArray[np.float64]) -> NDArray[Any]:
    """Microseconds since 1970, NaN where missing, as dates."""
    moments = np.full(len(counts), "NaT", "datetime64[us]")
    is_known = ~np.isnan(counts)
    moments[is_known] = counts[is_known].astype(np.int64).astype("datetime64[us]")
    return moments


def _objects_as_moments(objects: Any, values: Any) -> Any:
    first = next((one for one in objects if type(one).__name__ not in MISSING_TYPES), None)
    if not isinstance(first, date):
        return values
    return np.array([_moment(one) for one in objects], "datetime64[us]")


def _moment(value: Any) -> Any:
    if type(value).__name__ in MISSING_TYPES:
        return None
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC).replace(tzinfo=None)
    return value
