"""Dates as numbers, days since the beginning of 1970, and as people and databases write them.

Dates are known to the microsecond. A threshold is written as the microsecond at which a column passes it, so that what
is written divides all dates as the number of days does.
"""

from __future__ import annotations

import math
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from petree.binning import midpoints, neighbours

Floats = NDArray[np.float64]

MICROSECONDS_PER_DAY = 86_400_000_000
# A day, an hour, a minute, a second, a millisecond and a microsecond, in microseconds.
UNITS = (MICROSECONDS_PER_DAY, 3_600_000_000, 60_000_000, 1_000_000, 1000, 1)
# No date is further from 1970, in microseconds.
FURTHEST = 2**62


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


def round_cuts(cuts: Floats, low: Floats, high: Floats) -> Floats:
    """Each threshold at a whole day, hour, minute, ... above `low` and not above `high`: the coarsest that there is.

    Of these it is the first at or above the threshold, or else the last below it.
    """
    rounded = cuts.copy()
    is_open = np.ones(len(cuts), bool)
    for unit in UNITS:
        above = np.ceil(cuts * MICROSECONDS_PER_DAY / unit) * unit
        for days in (above / MICROSECONDS_PER_DAY, (above - unit) / MICROSECONDS_PER_DAY):
            fits = is_open & (days > low) & (days <= high)
            rounded[fits] = days[fits]
            is_open &= ~fits
    return rounded


def round_between(cuts: Floats, values: Floats, is_exact: bool) -> Floats:
    """Thresholds of dates that are easy to read and divide the values as before.

    Values that are not exact, means, may differ in their last digit elsewhere; thresholds keep away from them.
    """
    low, high = neighbours(cuts, values)
    cuts = midpoints(low, high)
    return round_cuts(cuts, low, high) if is_exact else round_cuts(cuts, (low + cuts) / 2, (cuts + high) / 2)


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


# -- text ------------------------------------------------------------------------------------------------------


def date_text(operator: str, days: float) -> str:
    """What a date is compared with, as short as can be: ``2004-03-01`` or ``2004-03-01 12:00:00``."""
    return moment_text(moment_at(operator, days))


def moment_text(moment: int) -> str:
    """A microsecond since 1970 as a date, with a time unless it is midnight, and no more digits than needed."""
    day, _, time = full_text(moment).partition(" ")
    time, _, fraction = time.partition(".")
    fraction = fraction.rstrip("0")
    if fraction:
        return f"{day} {time}.{fraction}"
    return day if time == "00:00:00" else f"{day} {time}"


def full_text(moment: int) -> str:
    """A microsecond since 1970 as a date and a time with all digits."""
    return str(np.datetime64(moment, "us")).replace("T", " ")
