"""The columns: what the model knows of them, how much they matter, and what stands in them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.columns import NUMBER, Column
from petree.estimators.base import TreeClassifier
from petree.estimators.relational.examples import ExampleReader
from petree.inputs import Table
from petree.inputs.columns import as_floats
from petree.inputs.types import TableLike
from petree.report.texts import rounded
from petree.storage.values import Record
from petree.words import visible

# Categories that are listed; the others are counted together.
MOST_LISTED = 8
BARS = 20


def tell_columns(model: TreeClassifier, X: TableLike | None) -> list[Record] | None:
    """One record a column; None for related tables, whose tests are no columns.

    Values are told of columns that some test asks; the others are not read, and need not be there.
    """
    if isinstance(model, ExampleReader):
        return None
    n_tests = np.bincount(model.tree_.conditions.column, minlength=len(model.columns_)).tolist()
    importances = rounded(model.feature_importances_)
    table = None if X is None else model._read_known(X)
    return [
        {
            "kind": column.kind,
            "n_categories": len(column.categories),
            "n_tests": n_tests[place],
            "importance": importances[place],
            "values": _tell_values(column, table, place) if table is not None and n_tests[place] else None,
        }
        for place, column in enumerate(model.columns_)
    ]


def _tell_values(column: Column, table: Table, place: int) -> Record:
    """What stands in a column of a table."""
    values = as_floats(column, table.arrays[place])
    known = values[np.isfinite(values)]
    common: Record = {
        "n": table.n_rows,
        "n_missing": int(np.isnan(values).sum()),
        "n_unknown": int(np.isinf(values).sum()),
        "quantity": column.quantity,
    }
    if column.kind == NUMBER:
        return common | (_tell_numbers(known) if len(known) else {})
    return common | {"counts": _tell_categories(column, known)}


def _tell_numbers(known: NDArray[np.float64]) -> Record:
    quantiles = np.quantile(known, [0, 0.25, 0.5, 0.75, 1]).tolist()
    low = known.min()
    width = known.max() - low
    counts, _ = np.histogram((known - low) / width if width > 0 else known * 0, bins=BARS, range=(0, 1))
    return {"quantiles": quantiles, "mean": float(known.mean()), "bars": counts.tolist()}


def _tell_categories(column: Column, codes: NDArray[np.float64]) -> list[list[str | int]]:
    """The most frequent categories, each with its number of rows."""
    counts = np.bincount(codes.astype(np.intp), minlength=len(column.categories))
    order = np.argsort(-counts, kind="stable")[:MOST_LISTED]
    listed: list[list[str | int]] = [[visible(str(column.categories[code])), int(counts[code])] for code in order]
    n_others = int(counts.sum() - counts[order].sum())
    return [*listed, ["others", n_others]] if n_others else listed
