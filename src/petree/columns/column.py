"""A column of a table: its name, its kind, and its categories in the user's own words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

NUMBER = "number"
NOMINAL = "nominal"
ORDERED = "ordered"

# What numbers may be besides plain ones; all of them count microseconds.
DATE = "date"
ZONED_DATE = "zoned date"
TIME = "time"
DURATION = "duration"
QUANTITIES = (DATE, ZONED_DATE, TIME, DURATION)


@dataclass(frozen=True)
class Column:
    """One column of the training table.

    Parameters
    ----------
    name : str
        The user's name of the column.
    kind : {"number", "nominal", "ordered"}
        A number is compared as it is; a nominal value is a code into `categories`; an ordered
        value is such a code too, but tested by threshold.
    categories : tuple
        Declared values of a nominal or ordered column, in order.
    quantity : {"", "date", "zoned date", "time", "duration"}
        What the numbers are: plain ones; or microseconds since the beginning of 1970, those of a zoned date in UTC;
        since midnight; or of a duration.
    decimal : {"", ".", ","}
        The decimal sign of the texts that the numbers were read from, if they were written as ``$1,204.50`` or
        ``1.204,50``; empty for plain numbers. It does not count when columns are compared.
    """

    name: str
    kind: str = NUMBER
    categories: tuple[Any, ...] = ()
    quantity: str = ""
    decimal: str = field(default="", compare=False)
