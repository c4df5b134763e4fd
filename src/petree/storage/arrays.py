"""Lists of numbers from JSON as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from petree.storage.values import DamagedFileError, Json, as_list, require


def read_numbers(values: Json, length: int, what: str, dtype: type[np.generic] = np.float64) -> NDArray[Any]:
    """A list of so many finite numbers that are not negative."""
    read = as_list(values, f"the {what} are not a list")
    require(len(read) == length, f"the {what} are {len(read)} instead of {length}")
    return _as_array(read, read, what, dtype)


def read_matrix(rows: Json, shape: tuple[int, int], what: str) -> NDArray[np.float64]:
    """A list of lists of finite numbers that are not negative."""
    complaint = f"the {what} are not {shape[0]} lists of {shape[1]} numbers"
    read = cast(list[list[Json]], as_list(rows, complaint, shape[0]))
    require(set(map(type, read)) <= {list} and set(map(len, read)) <= {shape[1]}, complaint)
    return _as_array(read, chain.from_iterable(read), what, np.float64).reshape(shape)


def _as_array(values: Sequence[Json], entries: Iterable[Json], what: str, dtype: type[np.generic]) -> NDArray[Any]:
    allowed = {int, float} if dtype is np.float64 else {int}
    require(set(map(type, entries)) <= allowed, f"the {what} are not all numbers")
    try:
        numbers = np.array(values, dtype)
    except OverflowError:
        raise DamagedFileError(f"the {what} are too large") from None
    is_right = bool(np.isfinite(numbers).all() and (numbers >= 0).all())
    require(is_right, f"the {what} are negative or infinite")
    return numbers
