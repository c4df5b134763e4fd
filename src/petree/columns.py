"""What a column of a table is: its name, its kind, and its categories in the user's own words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

NUMBER = "number"
NOMINAL = "nominal"
ORDERED = "ordered"


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
    """

    name: str
    kind: str = NUMBER
    categories: tuple[Any, ...] = ()
