"""Tests read back from the words in which trees show them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petree.columns import DATE, NOMINAL, NUMBER, ORDERED, ZONED_DATE, Column
from petree.conditions import Condition, Equals, In, IsMissing, Threshold
from petree.growing.first_test import FirstTest
from petree.sources.coding import NARROW_BINS

FORMS = "'age', 'age < 40', 'home = rent', 'home in {rent, own}' or 'age is missing'"


def read_test(text: str, columns: Sequence[Column]) -> FirstTest:
    """The first test that a text asks for: a column alone, or a condition as trees show it.

    Examples
    --------
    >>> columns = [Column("age"), Column("home", NOMINAL, ("own", "rent"))]
    >>> read_test("age < 40", columns).condition.threshold, read_test("home = rent", columns).condition.code
    (40.0, 1)
    """
    names = [column.name for column in columns]
    if text in names:
        return FirstTest(text, names.index(text))
    # The longest name that fits: a name may begin with another, and have spaces.
    fitting = [name for name in names if text.startswith(f"{name} ")]
    if not fitting:
        raise ValueError(f"The first test {text!r} begins with no column of X; it may be such as {FORMS}.")
    name = max(fitting, key=len)
    place = names.index(name)
    return FirstTest(text, place, _condition(text, columns[place], text[len(name) :].strip()))


def _condition(text: str, column: Column, rest: str) -> Condition:
    """What is asked of a column."""
    if rest == "is missing":
        return IsMissing(column)
    sign, _, value = rest.partition(" ")
    value = value.strip()
    if sign == "<" and column.kind == NUMBER:
        return Threshold(
            column, _moment(text, value) if column.quantity in (DATE, ZONED_DATE) else _number(text, value)
        )
    if sign == "<" and column.kind == ORDERED:
        return Threshold(column, float(_code(text, column, value)))
    if sign == "=" and column.kind == NOMINAL:
        return Equals(column, _code(text, column, value))
    is_set = value.startswith("{") and value.endswith("}")
    if sign == "in" and column.kind == NOMINAL and is_set and len(column.categories) <= NARROW_BINS:
        codes = sorted({_code(text, column, one.strip()) for one in value[1:-1].split(",")})
        return In(column, tuple(codes)) if len(codes) > 1 else Equals(column, codes[0])
    raise ValueError(
        f"The first test {text!r} asks of column {column.name!r}, of kind {column.kind}, what it cannot be asked; it "
        f"may be such as {FORMS}."
    )


def _moment(text: str, value: str) -> float:
    """Microseconds since 1970 of a date as trees show it."""
    try:
        return float(np.datetime64(value.removesuffix(" UTC"), "us").astype(np.int64))
    except ValueError:
        raise ValueError(
            f"The first test {text!r} compares with {value!r}, which is no date like 2024-03-01."
        ) from None


def _number(text: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        raise ValueError(f"The first test {text!r} compares with {value!r}, which is no number.") from None
    if number - number != 0:
        raise ValueError(f"The first test {text!r} compares with {value!r}, which is not finite.")
    return number


def _code(text: str, column: Column, value: str) -> int:
    """The code of the one category that is written so."""
    codes = [code for code, category in enumerate(column.categories) if str(category) == value]
    if len(codes) != 1:
        raise ValueError(f"The first test {text!r} names {value!r}, which is no category of column {column.name!r}.")
    return codes[0]
