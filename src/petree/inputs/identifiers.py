"""Columns that identify the rows: names and row numbers can be tested, but say nothing about other rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.columns import NOMINAL, NUMBER, Column
from petree.inputs.table import Table
from petree.inputs.target import is_whole
from petree.inputs.values import LARGEST_WHOLE, MISSING
from petree.words import types_option

# Columns with fewer known values are kept, whatever they contain.
FEWEST_ROWS = 50
# A nominal column with a larger share of distinct values names the rows.
DISTINCT_SHARE = 0.9
# n row numbers span less than this many times n: a sample of half of the rows still counts as numbered.
CLOSE = 2


class IdentifierWarning(UserWarning):
    """A column identifies the rows, and is left out.

    Parameters
    ----------
    name : str
    kind : {"nominal", "number"}
    remedy : str, optional
        How to keep the column, where `categorical_features` is not the way.
    """

    def __init__(self, name: str, kind: str = NOMINAL, remedy: str | None = None) -> None:
        super().__init__(_sentence(name, kind, REMEDIES[kind] if remedy is None else remedy))
        self.name = name
        self.kind = kind

    @classmethod
    def of_files(cls, name: str, kind: str) -> IdentifierWarning:
        """The warning for data whose column types are given by `types`."""
        return cls(name, kind, f"say types={{{name!r}: {kind!r}}}")

    def on_command_line(self) -> str:
        """The sentence for users of the command line."""
        return _sentence(self.name, self.kind, f"say {types_option(self.name, self.kind)}")


REASONS = {
    NOMINAL: "has a category of its own in nearly every row, as names and ids have,",
    NUMBER: "has a different whole number in every row, without large gaps, as row numbers and ids have,",
}
REMEDIES = {
    NOMINAL: "name it in categorical_features, beside all other nominal columns",
    NUMBER: "list the nominal columns in categorical_features, or set it to None if there are none",
}


def _sentence(name: str, kind: str, remedy: str) -> str:
    return f"Column {name!r} {REASONS[kind]} and is left out; to learn from it, {remedy}."


def find_identifiers(table: Table, weights: NDArray[np.float64] | None) -> list[Column]:
    """Return the columns that identify the rows; a row of weight 2 is two rows.

    Nominal columns do with nearly one category per row, numbers with a different whole number in each row. Numbers are
    kept if no other column would be left.
    """
    copies = weights if weights is not None and is_whole(weights) else None
    pairs = list(zip(table.columns, table.arrays, strict=True))
    names = [column for column, codes in pairs if _may_name_rows(column) and _names_rows(codes, copies)]
    if copies is not None and (copies > 1).any():
        return names
    numbers = [column for column, values in pairs if _is_plain_number(column) and are_row_numbers(values)]
    n_empty = len(table.empty_columns())
    return [*names, *numbers] if len(names) + len(numbers) + n_empty < len(pairs) else names


def _is_plain_number(column: Column) -> bool:
    return column.kind == NUMBER and not column.quantity


def are_row_numbers(values: NDArray[Any], fewest: int = FEWEST_ROWS) -> bool:
    """Return whether at least `fewest` numbers are known, all whole, different and close together."""
    head = values[:FEWEST_ROWS].tolist()
    if len(set(head)) < len(head) or not all(number != number or number == number // 1 for number in head):
        return False  # nearly every column ends here
    known = values[~np.isnan(values)] if values.dtype.kind == "f" else values
    if len(known) < fewest:
        return False
    low, high = float(known.min()), float(known.max())
    if high - low >= CLOSE * len(known) or max(high, -low) > LARGEST_WHOLE or not (known == np.floor(known)).all():
        return False
    is_used = np.zeros(int(high - low) + 1, bool)
    is_used[(known - low).astype(np.intp)] = True
    return int(is_used.sum()) == len(known)


def _may_name_rows(column: Column) -> bool:
    """Whether the type of the column permits names, which few columns pass."""
    return column.kind == NOMINAL and len(column.categories) >= FEWEST_ROWS


def _names_rows(codes: NDArray[np.int32], copies: NDArray[np.float64] | None) -> bool:
    is_known = codes >= 0
    n_rows = float(is_known.sum() if copies is None else copies[is_known].sum())
    n_distinct = int(np.count_nonzero(np.bincount(codes[is_known])))
    return n_rows >= FEWEST_ROWS and n_distinct > DISTINCT_SHARE * n_rows


def without_values(table: Table, left_out: list[Column]) -> Table:
    """Return the table with some columns as if they had no values, which also accept any values later."""
    pairs = list(zip(table.columns, table.arrays, strict=True))
    nothing = np.full(table.n_rows, MISSING, np.int32)
    columns = tuple(Column(column.name, NOMINAL) if column in left_out else column for column, _ in pairs)
    arrays = tuple(nothing if column in left_out else array for column, array in pairs)
    return replace(table, columns=columns, arrays=arrays, matrix=None)
