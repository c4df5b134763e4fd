"""One column of a table: its kind and its values as they are read at fit, and as they are coded later."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.columns import NOMINAL, NUMBER, ORDERED, Column
from petree.columns.decimals import decimal_of
from petree.inputs.moments import WORDS, Measured
from petree.inputs.types import RawColumn
from petree.inputs.values import BOOLEANS, MISSING, UNKNOWN, Coded, Unpacked, codes_of, none_for_nan, unpack


def as_floats(column: Column, array: NDArray[Any]) -> NDArray[np.float64]:
    """Numbers, or codes as floats: NaN where missing, infinity for a category not known."""
    if column.kind == NUMBER or array.min() >= 0:
        return array.astype(np.float64)
    return np.where(array == MISSING, np.nan, np.where(array == UNKNOWN, np.inf, array))


def read_column(name: str, values: RawColumn, nominal: bool | None) -> tuple[Column, NDArray[Any]]:
    """Type of a column and its values, from its own type or as told."""
    raw = unpack(name, values)
    if isinstance(raw, Measured):
        if nominal:
            raise TypeError(
                f"Column {name!r} holds {WORDS[raw.quantity]}, which are tested by thresholds; take it out of "
                "categorical_features, or convert it to text."
            )
        return Column(name, quantity=raw.quantity), raw.values
    if isinstance(raw, Coded):
        if nominal is False and raw.categories == BOOLEANS:
            return Column(name), as_floats(Column(name, NOMINAL), raw.codes)
        if nominal is False:
            raise TypeError(
                f"Column {name!r} holds categories, but categorical_features does not list it; "
                "list it there, or convert it to numbers."
            )
        kind = ORDERED if raw.is_ordered and nominal is None else NOMINAL
        return Column(name, kind, raw.categories), raw.codes
    if _is_empty(raw):  # it may hold anything later
        return Column(name, NOMINAL), np.full(len(raw), MISSING, np.int32)
    if nominal:
        coded = codes_of(none_for_nan(raw))
        return Column(name, NOMINAL, coded.categories), coded.codes
    return Column(name, decimal=decimal_of(values)), raw


def _is_empty(values: NDArray[Any]) -> bool:
    return bool(values.dtype.kind == "f" and np.isnan(values[0]) and np.isnan(values).all())


def recode(values: RawColumn, column: Column) -> NDArray[Any]:
    """Values of a column as they were coded at fit; categories not known then are `UNKNOWN`."""
    raw = unpack(column.name, values)
    if isinstance(raw, Measured) or column.quantity:
        return _same_quantity(raw, column)
    if isinstance(raw, Coded):
        return _recode_categories(raw, column)
    if column.kind == NUMBER:
        return raw
    if _is_text(column.categories) and not _is_empty(raw):
        raise ValueError(f"Column {column.name!r} held text at fit; now it holds numbers.")
    if not column.categories:  # no test looks at it
        return np.full(len(raw), UNKNOWN, np.int32)
    known = {category: code for code, category in enumerate(column.categories)} | {None: MISSING}
    return np.fromiter(map(known.get, none_for_nan(raw), repeat(UNKNOWN)), np.int32, len(raw))


def _same_quantity(raw: Unpacked, column: Column) -> NDArray[Any]:
    """Moments, where such stood at fit; a column without values fits any."""
    if isinstance(raw, Measured) and raw.quantity == column.quantity:
        return raw.values
    if _has_no_values(raw):
        return np.full(len(raw), np.nan) if column.kind == NUMBER else np.full(len(raw), MISSING, np.int32)
    if column.kind != NUMBER and not column.categories:  # it had no values at fit, and is not asked for any
        return np.full(len(raw), UNKNOWN, np.int32)
    known = _held(column.quantity, column.kind != NUMBER)
    now = _held(raw.quantity if isinstance(raw, Measured) else "", isinstance(raw, Coded))
    raise ValueError(f"Column {column.name!r} held {known} at fit; now it holds {now}: convert it to what it was then.")


def _has_no_values(raw: Unpacked) -> bool:
    if isinstance(raw, Coded):
        return bool((raw.codes == MISSING).all())
    return _is_empty(raw.values if isinstance(raw, Measured) else raw)


def _held(quantity: str, is_nominal: bool) -> str:
    return WORDS[quantity] if quantity else "text or categories" if is_nominal else "numbers"


def _is_text(categories: Sequence[Any]) -> bool:
    return any(isinstance(category, str) for category in categories)


def _recode_categories(raw: Coded, column: Column) -> NDArray[Any]:
    if column.kind != NUMBER:
        if raw.categories == column.categories:
            return raw.codes
        was_text = _is_text(column.categories)
        has_values = (raw.codes >= 0).any()
        if column.categories and has_values and was_text != _is_text(raw.categories):
            raise ValueError(
                f"Column {column.name!r} held {'text' if was_text else 'no text'} at fit, such as "
                f"{column.categories[0]!r}; now it holds {raw.categories[0]!r}: convert it to what it was then."
            )
        known = {category: code for code, category in enumerate(column.categories)}
        lookup = [*(known.get(category, UNKNOWN) for category in raw.categories), UNKNOWN, MISSING]
        return np.array(lookup, np.int32)[raw.codes]  # the last two answer the codes -2 and -1
    if raw.categories == BOOLEANS or (raw.codes == MISSING).all():  # booleans are 0 and 1 among numbers
        return np.where(raw.codes == MISSING, np.nan, raw.codes)
    raise ValueError(f"Column {column.name!r} held numbers at fit; now it holds text or categories.")
