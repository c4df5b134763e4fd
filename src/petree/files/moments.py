"""Dates, times and durations as text: which of them all values of a column are, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, time, timedelta, timezone
from itertools import takewhile
from typing import Any, NamedTuple

from petree.files.how import DATE, DAY_FIRST, DURATION, MONTH_FIRST, TIME

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,6})0*)?)?"
_ZONE = r"(?:\s*(?P<zone>Z|UTC|[+-]\d{2}:?\d{2}))?"
_TIME_OF_DAY = rf"(?:(?:T|\s+){_CLOCK}{_ZONE})?"
_YEAR_FIRST = re.compile(
    rf"(?P<year>\d{{4}})(?P<sign>[-/.])(?P<month>\d{{1,2}})(?P=sign)(?P<day>\d{{1,2}}){_TIME_OF_DAY}", re.ASCII
)
_MONTH = re.compile(r"(?P<year>\d{4})-(?P<month>\d{2})", re.ASCII)
_DAY_AND_MONTH = r"(?P<first>\d{1,2})(?P<sign>[-/.])(?P<other>\d{1,2})(?P=sign)"
_YEAR_LAST = re.compile(rf"{_DAY_AND_MONTH}(?P<year>\d{{4}}){_TIME_OF_DAY}", re.ASCII)
_DAY_AND_NAME = r"(?P<day>\d{1,2})[ -](?P<name>[A-Za-z]{3,9})\.?[ -]"
_NAME_AND_DAY = r"(?P<name_first>[A-Za-z]{3,9})\.? (?P<day_second>\d{1,2}), "
_NAMED = re.compile(rf"(?:{_DAY_AND_NAME}|{_NAME_AND_DAY})(?P<year>\d{{4}}){_TIME_OF_DAY}", re.ASCII)
_COMPACT = re.compile(r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})", re.ASCII)
_ONLY_CLOCK = re.compile(_CLOCK, re.ASCII)
_LENGTH = r"(?P<hours>\d+):(?P<minutes>\d{2}):(?P<seconds>\d{2}(?:\.\d{1,6})?)0*"
_DURATION = re.compile(rf"(?P<minus>-?)(?:(?P<days>\d+) days?)?(?:,? ?(?P<plus>[+]?){_LENGTH})?", re.ASCII)


class Moments(NamedTuple):
    """What a column of texts is: its type, the value of each text, and in which order day and month stand."""

    kind: str
    values: list[Any]
    words: str


class AmbiguousError(ValueError):
    """Days and months of a column cannot be told apart."""


def guess_moments(texts: Sequence[str]) -> Moments | None:
    """Dates, times or durations, if all texts are of one of these forms; None if not."""
    if not texts or not re.match(r"[-+]?\d|[A-Za-z]{3,9}\.? \d{1,2}, ", texts[0]):
        return None
    for kind in (DATE, TIME, DURATION):
        if (found := read_moments(texts, kind)) is not None:
            return found
    return None


def read_moments(texts: Sequence[str], kind: str, is_told: bool = False) -> Moments | None:
    """The texts as moments of a kind; where it is told, eight digits are a date as well."""
    if kind == TIME:
        return _all_of(texts, kind, "times", _time)
    if kind == DURATION:
        return _all_of(texts, kind, "durations", _duration)
    if kind in (DAY_FIRST, MONTH_FIRST):
        return _year_last(texts, kind) or read_moments(texts, DATE, is_told=True)
    found = _all_of(texts, DATE, "dates", _date)
    if found is None and is_told:
        found = _all_of(texts, DATE, "dates", _compact)
    return found or _year_last(texts, None)


def _all_of(texts: Sequence[str], kind: str, words: str, read: Callable[[str], Any]) -> Moments | None:
    try:
        return Moments(kind, [read(text) for text in texts], words)
    except (ValueError, OverflowError):  # the first that is none
        return None


# -- dates -----------------------------------------------------------------------------------------------------


def _date(text: str) -> datetime:
    if match := _YEAR_FIRST.fullmatch(text):
        return _moment(match, int(match["month"]), int(match["day"]))
    if match := _MONTH.fullmatch(text):
        return datetime(int(match["year"]), int(match["month"]), 1)
    if match := _NAMED.fullmatch(text):
        return _moment(match, _month(match["name"] or match["name_first"]), int(match["day"] or match["day_second"]))
    raise ValueError(text)


def _compact(text: str) -> datetime:
    match = _matched(_COMPACT, text)
    return datetime(int(match["year"]), int(match["month"]), int(match["day"]))


def _month(name: str) -> int:
    return MONTHS.index(name[:3].lower()) + 1


def _year_last(texts: Sequence[str], order: str | None) -> Moments | None:
    """Dates whose year comes last; days above 12, or points between them, show which number is the day."""
    matches = map(_YEAR_LAST.fullmatch, texts)
    found = [match for match in takewhile(bool, matches) if match is not None]
    if not texts or len(found) < len(texts):
        return None
    order = order or _order_of(found, texts[0])
    if order is None:
        return None
    day, month = ("first", "other") if order == DAY_FIRST else ("other", "first")
    try:
        values = [_moment(match, int(match[month]), int(match[day])) for match in found]
    except ValueError:
        return None
    return Moments(DATE, values, "dates, day first" if order == DAY_FIRST else "dates, month first")


def _order_of(found: Sequence[re.Match[str]], example: str) -> str | None:
    """Which number is the day; None where both go beyond 12."""
    is_day_first = any(int(match["first"]) > 12 for match in found) or all(match["sign"] == "." for match in found)
    is_month_first = any(int(match["other"]) > 12 for match in found)
    if is_day_first and is_month_first:
        return None
    if not is_day_first and not is_month_first:
        raise AmbiguousError(example)
    return DAY_FIRST if is_day_first else MONTH_FIRST


def _moment(match: re.Match[str], month: int, day: int) -> datetime:
    moment = datetime(int(match["year"]), month, day)
    if match["hour"] is None:
        return moment
    zone = match["zone"]
    return datetime.combine(moment, _clock(match), None if zone is None else _zone(zone))


def _zone(text: str) -> timezone:
    if text in ("Z", "UTC"):
        return UTC
    minutes = int(text[1:3]) * 60 + int(text[-2:])
    return timezone(timedelta(minutes=-minutes if text[0] == "-" else minutes))


# -- times and durations ---------------------------------------------------------------------------------------


def _matched(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    match = pattern.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return match


def _clock(match: re.Match[str]) -> time:
    microsecond = int((match["fraction"] or "0").ljust(6, "0"))
    return time(int(match["hour"]), int(match["minute"]), int(match["second"] or 0), microsecond)


def _time(text: str) -> time:
    return _clock(_matched(_ONLY_CLOCK, text))


def _duration(text: str) -> timedelta:
    """As petree writes them, ``-1 day 03:00:00``, or as pandas does, ``-2 days +21:00:00``, which is as long."""
    match = _matched(_DURATION, text)
    if match["days"] is None and match["hours"] is None:
        raise ValueError(text)
    days = timedelta(days=int(match["days"] or 0))
    rest = timedelta(0)
    if match["hours"] is not None:
        microseconds = round(float(match["seconds"]) * 1e6)
        rest = timedelta(hours=int(match["hours"]), minutes=int(match["minutes"]), microseconds=microseconds)
    if match["plus"]:
        return rest - days if match["minus"] else rest + days
    return -(days + rest) if match["minus"] else days + rest
