"""The columns of a file matched to what learning needs and to what a model has learned."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.cli.messages import note
from petree.columns import Column
from petree.files import FileTable
from petree.words import visible

# -- to learn from --------------------------------------------------------------------------------------


def training_table(
    table: FileTable, target: str, weight: str | None
) -> tuple[dict[str, NDArray[Any]], NDArray[Any], NDArray[np.float64] | None]:
    """The columns to learn from, the class of each row and, if a column holds it, the weight."""
    labels = _labels(table, target)
    weights = None if weight is None else _weights(table, weight, target)
    features = table.select(name for name in table.names if name not in (target, weight))
    if not features:
        raise ValueError(f"{table.path} has no column to learn from besides the target; add at least one.")
    return features, labels, weights


def _labels(table: FileTable, target: str) -> NDArray[Any]:
    """The classes, none missing; whole numbers as integers so that they read as in the file."""
    values = table.column(target)
    for row in np.flatnonzero(_is_missing(values))[:1]:
        raise ValueError(f"The target {target!r} is missing in {table.place(row)}; fill it in or remove the row.")
    if values.dtype.kind != "f":
        return values
    is_whole = (values == np.rint(values)) & (np.abs(values) < 2**53)
    for row in np.flatnonzero(~is_whole)[:1]:
        raise ValueError(f"The target {target!r} must hold classes, but {table.place(row)} has {values[row]}.")
    return values.astype(np.int64)


def _weights(table: FileTable, name: str, target: str) -> NDArray[np.float64]:
    weights = table.column(name)
    if name == target:
        raise ValueError(f"Column {name!r} cannot be both the target and the weight.")
    if weights.dtype.kind != "f":
        raise ValueError(f"The weight {name!r} of {table.path} must hold numbers only.")
    for row in np.flatnonzero(np.isnan(weights))[:1]:
        raise ValueError(f"The weight {name!r} is missing in {table.place(row)}; fill it in or remove the row.")
    return weights


def _is_missing(values: NDArray[Any]) -> NDArray[np.bool_]:
    nothing: Any = None  # compared with each value
    return np.asarray(np.isnan(values) if values.dtype.kind == "f" else values == nothing, bool)


# -- to predict -----------------------------------------------------------------------------------------


def text_names(columns: Sequence[Column], classes: NDArray[Any], target: str | None) -> set[str]:
    """The columns that a file must give as text, whatever their values look like."""
    names = {column.name for column in columns if _is_text(column)}
    return names if target is None or classes.dtype.kind in "iu" else names | {target}


def known_labels(table: FileTable, target: str, classes: NDArray[Any]) -> NDArray[np.str_]:
    """The true classes in the model's own spelling."""
    labels = _labels(table, target).astype(str)
    for row in np.flatnonzero(~np.isin(labels, classes.astype(str)))[:1]:
        raise ValueError(
            f"The class {str(labels[row])!r} in {table.place(row)} is unknown to the model; "
            f"it knows {', '.join(map(visible, classes.astype(str)))}."
        )
    return labels


def known_columns(table: FileTable, columns: Sequence[Column]) -> dict[str, NDArray[Any]]:
    """The model's columns of the table, each of the kind that the model learned."""
    missing = [column.name for column in columns if column.name not in table.places]
    if missing:
        raise ValueError(f"{table.path} lacks these columns of the model: {', '.join(map(visible, missing))}.")
    return {column.name: _known_column(table, column) for column in columns}


def tell_ignored(table: FileTable, known: Collection[str], target: str | None) -> None:
    """Name the columns of the table that are neither the model's nor the target."""
    extra = [name for name in table.names if name not in known and name != target]
    if extra:
        note(f"ignoring columns that the model does not know: {', '.join(map(visible, extra))}.")


def _known_column(table: FileTable, column: Column) -> NDArray[Any]:
    name = column.name
    values = table.column(name)
    if _is_missing(values).all():  # a file cannot say of what kind an empty column is
        return np.full(table.n_rows, np.nan)
    if _is_text(column) and values.dtype.kind == "f":
        raise ValueError(f"Column {name!r} of {table.path} holds numbers, but the model learned it as text.")
    if not _is_text(column) and values.dtype.kind != "f":
        row = next((row for row, value in enumerate(values) if not _is_number(value)), 0)
        raise ValueError(
            f"Column {name!r} must hold numbers as in the model, but {table.place(row)} has {values[row]!r}."
        )
    has_truths = any(isinstance(category, bool) for category in column.categories)
    return _to_truths(table, name, values) if has_truths else values


def _is_text(column: Column) -> bool:
    """Whether a file holds the column as text; categories can also be numbers."""
    return any(isinstance(category, (str, bool)) for category in column.categories)


def _is_number(value: str | None) -> bool:
    try:
        float(value or "nan")
    except ValueError:
        return False
    return True


def _to_truths(table: FileTable, name: str, values: NDArray[Any]) -> NDArray[Any]:
    truths = {"true": True, "false": False, None: None}
    words = [value and value.lower() for value in values]
    for row in [row for row, word in enumerate(words) if word not in truths][:1]:
        raise ValueError(f"Column {name!r} must hold true or false, but {table.place(row)} has {values[row]!r}.")
    return np.array([truths[word] for word in words], object)
