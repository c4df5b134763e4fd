"""The columns of a file matched to what learning needs and to what a model has learned."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from petree.cli.messages import note, note_warning, tell
from petree.columns import DATE, DURATION, NUMBER, TIME, ZONED_DATE, Column
from petree.files import FileTable
from petree.inputs import table_of
from petree.inputs.identifiers import IdentifierWarning, find_identifiers
from petree.inputs.target import check_no_amounts
from petree.words import visible

if TYPE_CHECKING:
    from petree.cli.arguments import TableOptions
    from petree.estimators.base import TreeClassifier

# The name that stands for the number of a row.
ROW = "row"
Columns: TypeAlias = dict[str, NDArray[Any]]
# What a column of a file may hold.
KINDS = ("numbers", "dates and times", "text")


def kind_of(values: NDArray[Any]) -> str:
    """What a column of a file holds: one of `KINDS`."""
    if values.dtype.kind == "f":
        return "numbers"
    is_text = values.dtype.kind == "O" and all(value is None or isinstance(value, str) for value in values)
    return "text" if is_text else "dates and times"


# -- to learn from --------------------------------------------------------------------------------------


def training_table(
    table: FileTable, target: str, weight: str | None
) -> tuple[Columns, NDArray[Any], NDArray[Any] | None]:
    """The columns to learn from, the class of each row and, if a column holds it, the weight."""
    weights = None if weight is None else table.column(weight)
    features = table.select(name for name in table.names if name not in (target, weight))
    return features, _labels(table, target), weights


def _labels(table: FileTable, target: str) -> NDArray[Any]:
    """The classes, none missing; whole numbers as integers so that they read as in the file."""
    values = table.column(target)
    for row in np.flatnonzero(is_missing(values))[:1]:
        raise ValueError(f"The target {target!r} is missing in {table.place(row)}; fill it in or remove the row.")
    check_no_amounts(target, values, table.place)
    return values.astype(np.int64) if values.dtype.kind == "f" else values


def is_missing(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether each value of a column of a file is missing."""
    if values.dtype.kind in "mM":
        return np.isnat(values)
    nothing: Any = None  # compared with each value
    return np.asarray(np.isnan(values) if values.dtype.kind == "f" else values == nothing, bool)


def with_names(features: Columns, told: Mapping[str, str]) -> tuple[Columns, list[str]]:
    """The columns to learn from if the types of some are told, and the nominal ones among them.

    Columns that identify the rows are left out, unless their type is told.
    """
    nominal = [name for name, values in features.items() if kind_of(values) == "text"]
    unwanted = [column for column in find_identifiers(table_of(features), None) if column.name not in told]
    for column in unwanted:
        note_warning(IdentifierWarning(column.name, column.kind))
    names = {column.name for column in unwanted}
    left = {name: values for name, values in features.items() if name not in names}
    return left, [name for name in nominal if name in left]


def by_labels(named: Mapping[str, Any], labels: Iterable[Any]) -> dict[Any, Any]:
    """What is given for classes by their text, by their labels; unknown ones keep their text."""
    by_text = {str(label): label for label in labels}
    return {by_text.get(name, name): value for name, value in named.items()}


# -- to predict -----------------------------------------------------------------------------------------


# What a file must give for each quantity of a number.
TYPES_OF_QUANTITIES = {"": "number", DATE: "date", ZONED_DATE: "date", TIME: "time", DURATION: "duration"}


def types_of(model: TreeClassifier) -> dict[str, str]:
    """What each column that is needed must be in a file, whatever its values look like."""
    return {column.name: _type_of(column) for column in model.columns_ if column.name in model.required_columns_}


def _type_of(column: Column) -> str:
    if column.kind == NUMBER:
        return TYPES_OF_QUANTITIES[column.quantity]
    return "nominal" if _is_text(column) else "number"


def type_of_target(classes: NDArray[Any]) -> str:
    """What the true classes must be in a file."""
    return "label" if classes.dtype.kind in "iu" else "nominal"


def check_kind(model: TreeClassifier, model_file: Path, is_relational: bool) -> None:
    """Raise if a model is of one table and a database is read, or the other way round."""
    from petree.estimators.relational.examples import ExampleReader

    if isinstance(model, ExampleReader) != is_relational:
        kind = (
            "one table. Name the table instead of --database." if is_relational else "related tables. Use --database."
        )
        raise ValueError(f"{model_file} contains a tree of {kind}")


def read_for(model: TreeClassifier, data: Path, options: TableOptions, others: Mapping[str, str]) -> FileTable:
    """The table of a file as the model needs it; `others` are the types of columns besides those of the model."""
    from petree.files import read_table

    return read_table(data, options.reading({**others, **types_of(model)}))


def features_for(model: TreeClassifier, table: FileTable) -> Columns:
    """The columns of a table that a model needs, or, where it needs none, one that tells the number of rows."""
    return known_columns(table, model.columns_, model.required_columns_) or {ROW: np.zeros(table.n_rows)}


def tell_of(table: FileTable, model: TreeClassifier, others: Collection[str]) -> None:
    """Say which columns neither the model nor the command knows, and what was guessed of the others."""
    known = {column.name for column in model.columns_}
    extra = [name for name in table.names if name not in known and name not in others]
    if extra:
        note(f"ignoring columns that the model does not know: {', '.join(map(visible, extra))}.")
    required = model.required_columns_
    for column in model.columns_:
        if column.name in required and (new := _never_seen(table, column)):
            note(
                f"column {column.name!r} has values that the model has never seen, such as {min(new)!r}; it answers "
                "for them by a mean over the branches."
            )
    tell(table.chosen(required))


def _never_seen(table: FileTable, column: Column) -> set[str]:
    """The texts of a column that are none of its categories."""
    values = table.column(column.name)
    if values.dtype.kind == "f" or not all(isinstance(category, str) for category in column.categories):
        return set()
    return {value for value in values.tolist() if isinstance(value, str)} - set(column.categories)


def known_labels(table: FileTable, target: str, classes: NDArray[Any]) -> NDArray[np.str_]:
    """The true classes in the model's own spelling."""
    labels = _labels(table, target).astype(str)
    for row in np.flatnonzero(~np.isin(labels, classes.astype(str)))[:1]:
        raise ValueError(
            f"The class {str(labels[row])!r} in {table.place(row)} is unknown to the model; "
            f"it knows {', '.join(map(visible, classes.astype(str)))}."
        )
    return labels


def known_columns(table: FileTable, columns: Sequence[Column], required: Collection[str]) -> Columns:
    """The model's columns of the table that it needs, each of the kind that the model learned."""
    missing = [name for name in required if name not in table.places]
    if missing:
        raise ValueError(f"{table.path} lacks these columns of the model: {', '.join(map(visible, missing))}.")
    return {column.name: _known_column(table, column) for column in columns if column.name in required}


def _known_column(table: FileTable, column: Column) -> NDArray[Any]:
    name = column.name
    values = table.column(name)
    if is_missing(values).all():  # a file cannot say of what kind an empty column is
        return np.full(table.n_rows, np.nan)
    if _is_text(column) and values.dtype.kind == "f":
        raise ValueError(f"Column {name!r} of {table.path} holds numbers, but the model learned it as text.")
    if not _is_text(column) and not column.quantity and values.dtype.kind != "f":
        raise ValueError(f"Column {name!r} must hold numbers as in the model, but {table.place(0)} has {values[0]!r}.")
    has_truths = any(isinstance(category, bool) for category in column.categories)
    return _to_truths(table, name, values) if has_truths else values


def _is_text(column: Column) -> bool:
    """Whether a file holds the column as text; categories can also be numbers."""
    return any(isinstance(category, (str, bool)) for category in column.categories)


def _to_truths(table: FileTable, name: str, values: NDArray[Any]) -> NDArray[Any]:
    truths = {"true": True, "false": False, None: None}
    words = [value and value.lower() for value in values]
    for row in [row for row, word in enumerate(words) if word not in truths][:1]:
        raise ValueError(f"Column {name!r} must hold true or false, but {table.place(row)} has {values[row]!r}.")
    return np.array([truths[word] for word in words], object)
