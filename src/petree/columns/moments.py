"""Moments as numbers of microseconds, and as people write them; thresholds at moments that are easy to read."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from petree.columns.column import DATE, DURATION, TIME

Floats = NDArray[np.float64]

MICROSECONDS_PER_DAY = 86_400_000_000
# A day, an hour, a minute, a second, a millisecond and a microsecond, in microseconds.
UNITS = (MICROSECONDS_PER_DAY, 3_600_000_000, 60_000_000, 1_000_000, 1000, 1)
# No moment is further from the beginning of 1970, in microseconds.
FURTHEST = 2**62


# -- thresholds ------------------------------------------------------------------------------------------------


def round_cuts(cuts: Floats, low: Floats, high: Floats, scale: int = 1) -> Floats:
    """Each threshold at a whole day, hour, minute, ... above `low` and not above `high`: the coarsest that there is.

    Of these it is the first at or above the threshold, or else the last below it. Numbers count `scale` microseconds.
    """
    rounded = cuts.copy()
    is_open = np.ones(len(cuts), bool)
    for unit in UNITS:
        above = np.ceil(cuts * scale / unit) * unit
        for moments in (above / scale, (above - unit) / scale):
            fits = is_open & (moments > low) & (moments <= high)
            rounded[fits] = moments[fits]
            is_open &= ~fits
    return rounded


def round_between(cuts: Floats, values: Floats, is_exact: bool = True, scale: int = 1) -> Floats:
    """Thresholds of moments that are easy to read and divide the values as before, near the middle between two values.

    Values that are not exact, means, may differ in their last digit elsewhere; thresholds keep away from them.
    """
    bounds = np.concatenate(([-np.inf], np.unique(values), [np.inf]))
    places = np.searchsorted(bounds, cuts)
    low = bounds[places - 1]
    high = bounds[places]
    middles = np.where(np.isfinite(low) & np.isfinite(high), low / 2 + high / 2, cuts)
    if is_exact:
        return round_cuts(middles, low, high, scale)
    return round_cuts(middles, (low + middles) / 2, (middles + high) / 2, scale)


# -- text ------------------------------------------------------------------------------------------------------


def quantity_text(quantity: str, number: float) -> str:
    """The first moment or duration that is not below a number of microseconds, as short as can be."""
    moment = int(math.copysign(FURTHEST, number)) if abs(number) >= FURTHEST else math.ceil(number)
    if quantity == TIME:
        return clock_text(moment)
    if quantity == DURATION:
        return duration_text(moment)
    return moment_text(moment) if quantity == DATE else f"{moment_text(moment)} UTC"


def moment_text(moment: int) -> str:
    """A microsecond since 1970 as a date, with a time unless it is midnight, and no more digits than needed."""
    day, _, time = full_text(moment).partition(" ")
    time = _shortened(time)
    return day if time == "00:00:00" else f"{day} {time}"


def full_text(moment: int) -> str:
    """A microsecond since 1970 as a date and a time with all digits."""
    return str(np.datetime64(moment, "us")).replace("T", " ")


def clock_text(moment: int) -> str:
    """A microsecond since midnight as a time, with no more digits than needed."""
    seconds, fraction = divmod(moment, 1_000_000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return _shortened(f"{hour:02}:{minute:02}:{second:02}.{fraction:06}")


def duration_text(length: int) -> str:
    """Microseconds as days and a time, such as ``2 days 03:00:00``, or as either of them alone."""
    days, rest = divmod(abs(length), MICROSECONDS_PER_DAY)
    sign = "-" if length < 0 else ""
    whole = f"{days} day{'s' * (days != 1)}"
    if not rest:
        return sign + whole
    return f"{sign}{whole} {clock_text(rest)}" if days else sign + clock_text(rest)


def _shortened(time: str) -> str:
    """A time without the last zeros of its fraction."""
    time, _, fraction = time.partition(".")
    fraction = fraction.rstrip("0")
    return f"{time}.{fraction}" if fraction else time
