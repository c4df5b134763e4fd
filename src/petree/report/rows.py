"""Rows to pick in the page, or examples of related tables, with the answers for them; and these leaves as SQL."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.estimators.base import TreeClassifier
from petree.estimators.option.averaged import AveragedTrees
from petree.estimators.relational import RelationalTreeClassifier
from petree.estimators.relational.exports import RelationalView
from petree.inputs import Table, take_rows
from petree.inputs.types import LabelsLike, TableLike
from petree.reading.view import view
from petree.relational.reading.sql_trees import leaf_sql
from petree.relational.reading.witnesses import witnesses
from petree.report.texts import LEVEL, rounded
from petree.storage.values import Record
from petree.words import visible

# Rows that the page holds; a page is no place for more.
MOST_ROWS = 500
UNKNOWN = -1
# Digits of what the page answers and of what the model does.
ANSWER_DIGITS = 10


def tell_rows(model: TreeClassifier, X: TableLike, y: LabelsLike | None) -> Record:
    """The first rows as numbers and codes, the probabilities of the model, their bounds, and the true classes."""
    table = model._read_known(X)
    n_rows = min(table.n_rows, MOST_ROWS)
    some = take_rows(X, np.arange(n_rows))
    _, matrix = next(table.chunks())
    return {
        "n": table.n_rows,
        "columns": [_plain(values) for values in matrix[:n_rows].T],
        "answers": rounded(model.predict_proba(some), ANSWER_DIGITS),
        "bounds": _bounds_of(model, model._read_known(some)),
        "truth": None if y is None else class_codes(model, y)[:n_rows].tolist(),
    }


def _bounds_of(model: TreeClassifier, table: Table) -> Record | None:
    """The intervals of the rows, for a model that the page cannot compute them for: a tree with options."""
    if not isinstance(model, AveragedTrees):
        return None
    found = model._intervals(table, LEVEL)
    return {"lower": rounded(found.lower), "upper": rounded(found.upper)}


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


def tell_examples(model: TreeClassifier, shown: RelationalTreeClassifier, X: TableLike, y: LabelsLike | None) -> Record:
    """The first examples: names, leaves of the shown tree, probabilities, bounds, classes, and rows.

    `heads` names the tables of the rows of each leaf, and their columns.
    """
    table = shown._read_known(X)
    n_rows = min(table.n_rows, MOST_ROWS)
    some = table.take(np.arange(n_rows))
    leaves = shown._leaves(some)
    whole = model._read_known(X).take(np.arange(n_rows))
    found: list[dict[str, Any]] = [{}] * n_rows
    for leaf in np.unique(leaves).tolist():
        places = np.flatnonzero(leaves == leaf)
        behind = witnesses(shown._router, leaf, np.asarray(some.arrays[0])[places])
        for place, one in zip(places.tolist(), behind, strict=True):
            found[place] = one
    return {
        "n": table.n_rows,
        "names": [visible(f"{shown.scope_.relations[0]} {one['key']}") for one in found],
        "leaves": leaves.tolist(),
        "answers": rounded(model._answer_table(whole), ANSWER_DIGITS),
        "bounds": _bounds_of(model, whole),
        "truth": None if y is None else class_codes(model, y)[:n_rows].tolist(),
        "heads": {str(leaf): _heads(one) for leaf, one in zip(leaves.tolist(), found, strict=True)},
        "rows": [[list(map(_text, row.values())) for row in one["rows"].values()] for one in found],
    }


def _heads(one: dict[str, Any]) -> list[list[Any]]:
    """The tables of the rows behind an answer, and their columns."""
    return [[visible(name), list(map(visible, row))] for name, row in one["rows"].items()]


def _text(value: Any) -> str:
    return "missing" if value is None else visible(str(value))


def tell_queries(model: RelationalTreeClassifier) -> Record:
    """A query for each leaf that finds the keys of its examples."""
    shown = view(model)
    assert isinstance(shown, RelationalView)
    return {str(leaf): leaf_sql(shown.router, leaf) for leaf in np.flatnonzero(shown.tree.is_leaf).tolist()}
