"""Dates of related tables: days since the beginning of 1970, which is what queries and their model files say.

Dates are known to the microsecond. A threshold is written as the microsecond at which a column passes it, so that what
is written divides all dates as the number of days does.
"""

from __future__ import annotations

import math
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from petree.columns.moments import FURTHEST, MICROSECONDS_PER_DAY, moment_text

Floats = NDArray[np.float64]


def is_moments(values: object) -> TypeGuard[NDArray[np.datetime64]]:
    """Whether values are an array of dates."""
    return isinstance(values, np.ndarray) and values.dtype.kind == "M"


def days_of(moments: NDArray[np.datetime64]) -> Floats:
    """Dates as days, NaN where missing."""
    days = moments.astype("datetime64[us]").astype(np.int64) / MICROSECONDS_PER_DAY
    days[np.isnat(moments)] = np.nan
    return days


def dates_of(days: Floats) -> list[Any]:
    """Days as Python's dates, or as datetimes where one of them has a time."""
    moments = np.round(days * MICROSECONDS_PER_DAY).astype("datetime64[us]")
    return list(moments.astype("datetime64[D]" if are_whole(days) else "datetime64[us]").tolist())


def are_whole(days: Floats) -> bool:
    """Whether no date has a time."""
    return bool((days == np.floor(days)).all())


# -- thresholds ------------------------------------------------------------------------------------------------


def first_moment(days: float) -> int:
    """The first microsecond whose number of days is not below another."""
    near = days * MICROSECONDS_PER_DAY
    if abs(near) >= FURTHEST:
        return int(math.copysign(FURTHEST, near))
    moment = math.ceil(near) - 2  # both roundings, of the product and of a moment's days, are below one
    while moment / MICROSECONDS_PER_DAY < days:
        moment += 1
    return moment


def last_moment(days: float) -> int:
    """The last microsecond whose number of days is not above another."""
    return -first_moment(-days)


def moment_at(operator: str, days: float) -> int:
    """The microsecond for which a comparison with it says of every date what one with a number of days says."""
    return last_moment(days) if operator in (">", "=<") else first_moment(days)


def date_text(operator: str, days: float) -> str:
    """What a date is compared with, as short as can be: ``2004-03-01`` or ``2004-03-01 12:00:00``."""
    return moment_text(moment_at(operator, days))
