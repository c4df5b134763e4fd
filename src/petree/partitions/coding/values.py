"""Arrays of Arrow as numbers or as codes of categories: the same as a table in memory is read to."""

from __future__ import annotations

from importlib import import_module
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from petree.columns import DATE, DURATION, NOMINAL, NUMBER, ORDERED, TIME, ZONED_DATE, Column
from petree.inputs.moments import measure_array
from petree.inputs.values import BOOLEANS, LARGEST_WHOLE, MISSING, Coded

ArrowType: TypeAlias = Any  # a pyarrow.DataType
ArrowArray: TypeAlias = Any  # a pyarrow.Array

# What a user may say of a column.
TOLD = (NUMBER, NOMINAL)
NUMBERS = ("is_integer", "is_floating", "is_decimal")
TEXTS = ("is_string", "is_large_string", "is_string_view")


def _is(kind: ArrowType, *names: str) -> bool:
    types = vars(import_module("pyarrow.types"))
    return any(types[name](kind) for name in names)


def column_of(name: str, kind: ArrowType, told: str | None) -> Column:
    """What a column of an Arrow type is, before any of its values is known; categories are not in it yet."""
    if _is(kind, "is_dictionary"):
        column_of(name, kind.value_type, NOMINAL)  # refuses what no category may be
        _refuse_told(name, "categories", told, NOMINAL)
        return Column(name, ORDERED if kind.ordered and told is None else NOMINAL)
    if _is(kind, *TEXTS):
        _refuse_told(name, "text", told, NOMINAL)
        return Column(name, NOMINAL)
    if _is(kind, "is_boolean"):
        return Column(name) if told == NUMBER else Column(name, NOMINAL, BOOLEANS)
    if _is(kind, *NUMBERS):
        return Column(name, NOMINAL if told == NOMINAL else NUMBER)
    if _is(kind, "is_null"):
        return Column(name, NOMINAL)
    quantity = _quantity(kind)
    if quantity is None:
        raise TypeError(
            f"Column {name!r} is of type {kind}, neither text, numbers nor dates; convert it, or leave it out "
            "(ignore=)."
        )
    _refuse_told(name, "dates or times", told, NUMBER)
    return Column(name, quantity=quantity)


def _refuse_told(name: str, words: str, told: str | None, fitting: str) -> None:
    if told not in (None, fitting):
        raise TypeError(f"Column {name!r} holds {words}, and cannot be of type {told!r}; convert it first.")


def _quantity(kind: ArrowType) -> str | None:
    if _is(kind, "is_timestamp"):
        return DATE if kind.tz is None else ZONED_DATE
    if _is(kind, "is_date"):
        return DATE
    if _is(kind, "is_duration"):
        return DURATION
    return TIME if _is(kind, "is_time") else None


def keeps_quantity(kind: ArrowType) -> bool:
    """Whether a column without values is still one of moments, as a table in memory has it."""
    return _is(kind, "is_timestamp", "is_duration")


def is_whole_type(kind: ArrowType) -> bool:
    """Whether a column holds whole numbers by its type."""
    return _is(kind, "is_integer")


def check_weights(name: str, kind: ArrowType) -> None:
    """Refuse a column of weights that holds no numbers by its type."""
    if not _is(kind, "is_boolean", *NUMBERS):
        raise TypeError(f"The weight {name!r} must hold numbers, but is of type {kind}; name another column.")


# -- numbers -------------------------------------------------------------------------------------------------------


def numbers_of(name: str, values: ArrowArray) -> NDArray[np.float64]:
    """Numbers, or moments as microseconds, as float64 with NaN for missing ones."""
    kind = values.type
    if _is(kind, "is_time"):
        pyarrow = import_module("pyarrow")
        values = values.cast(pyarrow.time64("us")).cast(pyarrow.int64())
    elif _quantity(kind) is not None:
        return measure_array(name, values.to_numpy(zero_copy_only=False), _quantity(kind) == ZONED_DATE).values
    elif _is(kind, "is_boolean"):
        values = values.cast("uint8")
    _check_whole(name, values)
    floats = values.cast("float64", safe=False).to_numpy(zero_copy_only=False)
    return np.ascontiguousarray(floats, np.float64)


def _check_whole(name: str, values: ArrowArray) -> None:
    if not _is(values.type, "is_int64", "is_uint64"):
        return
    bounds = import_module("pyarrow.compute").min_max(values).as_py()
    if bounds["min"] is not None and max(bounds["max"], -bounds["min"]) > LARGEST_WHOLE:
        raise ValueError(
            f"Column {name!r} holds whole numbers beyond 2**53, which float64 cannot tell apart; write them as text or "
            "leave the column out (ignore=)."
        )


# -- categories ----------------------------------------------------------------------------------------------------


def categories_of(name: str, values: ArrowArray) -> Coded:
    """Codes of the categories of one batch; those of ordered columns are declared, others as they come."""
    compute = import_module("pyarrow.compute")
    kind = values.type
    if _is(kind, "is_boolean"):
        return Coded(_codes(values.cast("int32")), BOOLEANS)
    is_ordered = _is(kind, "is_dictionary") and kind.ordered
    if _is(kind, "is_dictionary") and not is_ordered:
        values = values.dictionary_decode()
    if _is(kind, "is_null"):
        return Coded(np.full(len(values), MISSING, np.int32), ())
    if _is(kind, "is_floating"):
        values = compute.if_else(compute.is_nan(values), None, values)
    _check_whole(name, values)
    coded = values if is_ordered else values.dictionary_encode()
    try:
        categories = tuple(coded.dictionary.to_pylist())
    except UnicodeDecodeError as error:
        raise ValueError(
            f"Column {name!r} holds text that is not UTF-8, such as {error.object[:20]!r}; write it again, or leave "
            "the column out (ignore=)."
        ) from None
    return Coded(_codes(coded.indices.cast("int32")), categories, is_ordered)


def _codes(indices: ArrowArray) -> NDArray[np.int32]:
    return np.ascontiguousarray(indices.fill_null(MISSING).to_numpy(zero_copy_only=False), np.int32)
