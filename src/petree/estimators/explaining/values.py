"""The values of a row, as tests see them and in words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.columns import NUMBER, Column
from petree.conditions import UNSEEN, Condition, IsMissing, number_text
from petree.inputs import Table
from petree.inputs.columns import as_floats
from petree.words import named, valued

Numbers = NDArray[np.float64]


def values_of(table: Table, row: int) -> Numbers:
    """One row: numbers and codes of categories, NaN where missing, infinity for a category never seen."""
    pairs = zip(table.columns, table.arrays, strict=True)
    return np.array([as_floats(column, array[row : row + 1])[0] for column, array in pairs])


def value_text(column: Column, value: float) -> str:
    """A value in the user's words."""
    if np.isnan(value):
        return "missing"
    if column.kind == NUMBER:
        return number_text(column, value)
    return valued(column.categories[int(value)]) if np.isfinite(value) else "a category never seen"


def told(column: Column, value: float) -> str:
    """A column and its value in words, such as ``home = own``."""
    name = named(column.name)
    return f"{name} = {value_text(column, value)}" if np.isfinite(value) else f"{name} is {value_text(column, value)}"


def is_stuck(condition: Condition, value: float) -> bool:
    """Whether a value leaves a test open, so that the row goes every way."""
    if isinstance(condition, IsMissing):
        return False
    return np.isinf(value) or (np.isnan(value) and condition.missing == UNSEEN)
