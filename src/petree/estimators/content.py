"""Numbers that rows have from what stands in them, so that no result depends on the order of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.columns import NUMBER, Column
from petree.inputs import Table
from petree.inputs.table import CHUNK_ROWS
from petree.keys import Keys, mix, root_key

if TYPE_CHECKING:
    from petree.estimators.learning import Cases


def content_keys(table: Table, seed: int) -> Keys:
    """A random number for each row, the same for rows that hold the same values; missing ones are alike."""
    keys = np.repeat(root_key(seed), table.n_rows)
    columns = _telling_columns(table)
    for start in range(0, table.n_rows, CHUNK_ROWS):
        rows = slice(start, start + CHUNK_ROWS)
        # Whole numbers and the same numbers as floats are the same values.
        numbers = np.empty((len(columns), len(keys[rows])))
        for line, (values, ranks) in zip(numbers, columns, strict=True):
            line[:] = values[rows] if ranks is None else ranks[values[rows]]
        core.content.mix_columns(numbers, keys[rows])
    return keys


def _telling_columns(table: Table) -> list[tuple[NDArray[Any], NDArray[np.float64] | None]]:
    """The values of each column that tells any rows apart, and the ranks of the categories where it has any."""
    pairs = zip(table.columns, table.arrays, strict=True)
    return [(values, _ranks(column, values)) for column, values in pairs if not _is_constant(values)]


def _is_constant(values: NDArray[Any]) -> bool:
    first = values[0]
    return bool(np.all(values == first) if first == first else np.isnan(values).all())  # NaN is not equal to itself


def _ranks(column: Column, codes: NDArray[Any]) -> NDArray[np.float64] | None:
    """A number for each category by its text, so that neither the declared order nor unused categories matter.

    The last one is that of missing values, whose code is -1.
    """
    if column.kind == NUMBER:
        return None
    texts = np.array([str(category) for category in column.categories], dtype=object)
    present = np.flatnonzero(np.bincount(codes[codes >= 0], minlength=len(texts)))
    ranks = np.full(len(texts) + 1, -1.0)
    ranks[present[np.argsort(texts[present], kind="stable")]] = np.arange(len(present))
    return ranks


def canonical_order(cases: Cases, seed: int) -> NDArray[np.intp]:
    """Rows by class and then by content, in which copies of a row stand side by side; lighter ones come first."""
    return _by_class(cases, content_keys(cases.table, seed))


def _by_class(cases: Cases, keys: Keys) -> NDArray[np.intp]:
    return np.lexsort((keys, cases.codes) if cases.weights is None else (cases.weights, keys, cases.codes))


def line_of_copies(cases: Cases, copies: NDArray[np.int64], seed: int) -> NDArray[np.intp]:
    """The row of every copy, by class and then at random, as content and the number of equal copies before it say.

    Equal copies do not stand side by side: dealt round to folds, each fold would get the same share of them, and cases
    that are left out would be more like the others than new cases are.
    """
    of_rows = content_keys(cases.table, seed)
    order = _by_class(cases, of_rows)
    line = np.repeat(order, copies[order])
    keys, codes = of_rows[line], cases.codes[line]
    is_first = np.append(True, (keys[1:] != keys[:-1]) | (codes[1:] != codes[:-1]))
    if is_first.all():
        return line
    places = np.arange(len(line))
    before = places - np.maximum.accumulate(np.where(is_first, places, 0))
    own = np.where(is_first, keys, mix(mix(keys, before.astype(np.uint64)), codes.astype(np.uint64)))
    return line[np.lexsort((own, codes))]
