"""Lists of numbers from JSON as arrays."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.storage.values import DamagedFileError, require


def read_numbers(values: Any, length: int, what: str, dtype: Any = np.float64) -> NDArray[Any]:
    """A list of so many finite numbers that are not negative."""
    require(isinstance(values, list), f"the {what} are not a list")
    require(len(values) == length, f"the {what} are {len(values)} instead of {length}")
    return _as_array(values, values, what, dtype)


def read_matrix(rows: Any, shape: tuple[int, int], what: str) -> NDArray[np.float64]:
    """A list of lists of finite numbers that are not negative."""
    is_list = isinstance(rows, list) and len(rows) == shape[0] and set(map(type, rows)) <= {list}
    require(is_list and set(map(len, rows)) <= {shape[1]}, f"the {what} are not {shape[0]} lists of {shape[1]} numbers")
    return _as_array(rows, chain.from_iterable(rows), what, np.float64).reshape(shape)


def _as_array(values: list[Any], entries: Iterable[Any], what: str, dtype: Any) -> NDArray[Any]:
    allowed = {int, float} if dtype is np.float64 else {int}
    require(set(map(type, entries)) <= allowed, f"the {what} are not all numbers")
    try:
        numbers = np.array(values, dtype)
    except OverflowError:
        raise DamagedFileError(f"the {what} are too large") from None
    is_right = bool(np.isfinite(numbers).all() and (numbers >= 0).all())
    require(is_right, f"the {what} are negative or infinite")
    return numbers
