"""Examples of related tables to pick in the page, with the rows that made the tests on their way hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from petree.estimators.relational import RelationalTreeClassifier
from petree.inputs.types import LabelsLike, TableLike
from petree.relational.reading.witnesses import witnesses
from petree.report.rows import ANSWER_DIGITS, MOST_ROWS, class_codes
from petree.report.texts import rounded
from petree.storage.values import Record
from petree.words import visible


def tell_examples(model: RelationalTreeClassifier, X: TableLike, y: LabelsLike | None) -> Record:
    """The first examples: names, leaves, answers, classes, and rows; `heads` names those of each leaf, and columns."""
    table = model._read_known(X)
    n_rows = min(table.n_rows, MOST_ROWS)
    some = table.take(np.arange(n_rows))
    leaves = model._leaves(some)
    found: list[dict[str, Any]] = [{}] * n_rows
    for leaf in np.unique(leaves).tolist():
        places = np.flatnonzero(leaves == leaf)
        behind = witnesses(model._router, leaf, np.asarray(some.arrays[0])[places])
        for place, one in zip(places.tolist(), behind, strict=True):
            found[place] = one
    return {
        "n": table.n_rows,
        "names": [visible(f"{model.scope_.relations[0]} {one['key']}") for one in found],
        "leaves": leaves.tolist(),
        "answers": rounded(model._answer_table(some), ANSWER_DIGITS),
        "truth": None if y is None else class_codes(model, y)[:n_rows].tolist(),
        "heads": {str(leaf): _heads(one) for leaf, one in zip(leaves.tolist(), found, strict=True)},
        "rows": [[list(map(_text, row.values())) for row in one["rows"].values()] for one in found],
    }


def _heads(one: dict[str, Any]) -> list[list[Any]]:
    """The tables of the rows behind an answer, and their columns."""
    return [[visible(name), list(map(visible, row))] for name, row in one["rows"].items()]


def _text(value: Any) -> str:
    return "missing" if value is None else visible(str(value))
