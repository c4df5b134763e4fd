"""Rows to pick in the page, with the model's answers for them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.estimators.base import TreeClassifier
from petree.inputs import take_rows
from petree.inputs.types import LabelsLike, TableLike
from petree.report.texts import rounded
from petree.storage.values import Record

# Rows that the page holds; a page is no place for more.
MOST_ROWS = 500
UNKNOWN = -1
# Digits of what the page answers and of what the model does.
ANSWER_DIGITS = 10


def tell_rows(model: TreeClassifier, X: TableLike, y: LabelsLike | None) -> Record:
    """The first rows as numbers and codes, what the model answers, and their classes."""
    table = model._read_known(X)
    n_rows = min(table.n_rows, MOST_ROWS)
    some = take_rows(X, np.arange(n_rows))
    _, matrix = next(table.chunks())
    return {
        "n": table.n_rows,
        "columns": [_plain(values) for values in matrix[:n_rows].T],
        "answers": rounded(model.predict_proba(some), ANSWER_DIGITS),
        "truth": None if y is None else class_codes(model, y)[:n_rows].tolist(),
    }


def _plain(values: NDArray[np.float64]) -> list[float | int | None]:
    """Numbers and codes; None for a missing value, `UNKNOWN` for a category that was never seen."""
    known = np.where(np.isinf(values), UNKNOWN, values)
    return [None if value != value else int(value) if value.is_integer() else value for value in known.tolist()]


def class_codes(model: TreeClassifier, y: LabelsLike) -> NDArray[np.intp]:
    """The place of each label among the classes of the model; refuses one that is not there."""
    labels = np.ravel(np.asarray(y))
    is_same = labels[:, None] == model.classes_[None, :]
    for row in np.flatnonzero(~is_same.any(axis=1))[:1]:
        names = ", ".join(map(str, model.classes_))
        raise ValueError(f"The class {str(labels[row])!r} of row {row} is unknown to the model; it knows {names}.")
    return is_same.argmax(axis=1)
