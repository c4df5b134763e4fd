"""Whole numbers beyond 2**53, which float64 cannot tell apart: keys of 64 bits are kept as they are."""

from __future__ import annotations

from typing import Any

import narwhals
import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from petree.inputs.values import Coded, is_beyond
from petree.relational.relations import MISSING


def large_numbers(values: Any) -> Coded | None:
    """Codes of exact whole numbers where some of a column's are that large; None for any other column."""
    if isinstance(values, (narwhals.Series, nw.Series)):
        return _of_series(values)
    array = values if isinstance(values, np.ndarray) else np.asarray(values, object)
    if array.dtype.kind in "iu":
        return exact_codes(array.tolist()) if array.size and _are_large([array.min(), array.max()]) else None
    if array.dtype != object or array.ndim != 1:
        return None
    listed = array.tolist()
    is_whole = all(one is None or type(one) is int for one in listed)
    return exact_codes(listed) if is_whole and _are_large([one for one in listed if one is not None]) else None


def _of_series(values: narwhals.Series[Any] | nw.Series[Any]) -> Coded | None:
    is_empty = len(values) == values.null_count()
    if is_empty or not values.dtype.is_integer() or not _are_large([values.min(), values.max()]):
        return None
    pairs = zip(values.to_list(), values.is_null().to_list(), strict=True)
    return exact_codes([None if is_missing else one for one, is_missing in pairs])


def _are_large(numbers: list[Any]) -> bool:
    return any(map(is_beyond, numbers))


def is_large(raw: NDArray[Any] | Coded) -> bool:
    """Whether a column that was read has such numbers."""
    return (
        isinstance(raw, Coded)
        and bool(raw.categories)
        and type(raw.categories[0]) is int
        and _are_large([raw.categories[0], raw.categories[-1]])
    )


def first_large(raw: Coded) -> tuple[int, int]:
    """The first row of a column of such numbers that has one, and its number."""
    are_large = np.array([*map(is_beyond, raw.categories), False])  # the last answers the code of what is missing
    row = int(np.argmax(are_large[raw.codes]))
    return row, raw.categories[raw.codes[row]]


def exact_codes(numbers: list[Any]) -> Coded:
    """Codes of numbers, None and NaN where missing, into the sorted ones."""
    known = sorted({one for one in numbers if one is not None and one == one})
    codes: dict[Any, int] = {one: code for code, one in enumerate(known)}
    return Coded(np.array([codes.get(one, MISSING) for one in numbers], np.int32), tuple(known))
