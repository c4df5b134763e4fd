"""Columns that name the rows: a category for nearly every row can be tested, but says nothing of other rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from petree.columns import NOMINAL, Column
from petree.inputs.table import Table
from petree.inputs.target import is_whole
from petree.inputs.values import MISSING
from petree.words import types_option

# From so many known values on, of which more than this share differ, a nominal column names the rows.
FEWEST_ROWS = 50
DISTINCT_SHARE = 0.9


class IdentifierWarning(UserWarning):
    """A column names the rows, and is left out."""

    def __init__(
        self, name: str, way: str = "name it in categorical_features, beside all other nominal columns"
    ) -> None:
        super().__init__(_left_out(name, way))
        self.name = name

    def on_command_line(self) -> str:
        """The sentence for those who do not write Python."""
        return _left_out(self.name, f"say {types_option(self.name, 'nominal')}")


def _left_out(name: str, way: str) -> str:
    return (
        f"Column {name!r} has a category of its own in nearly every row, as names and ids have, and is left out; to "
        f"learn from it, {way}."
    )


def find_identifiers(table: Table, weights: NDArray[np.float64] | None) -> list[str]:
    """Names of the nominal columns with nearly one category a row; a row of weight 2 is two rows."""
    is_copied = weights is not None and is_whole(weights)
    pairs = zip(table.columns, table.arrays, strict=True)
    suspects = [(column, codes) for column, codes in pairs if _may_name_rows(column)]
    return [column.name for column, codes in suspects if _names_rows(codes, weights if is_copied else None)]


def _may_name_rows(column: Column) -> bool:
    """What the type alone shows, since nearly every column ends here."""
    return column.kind == NOMINAL and len(column.categories) >= FEWEST_ROWS


def _names_rows(codes: NDArray[np.int32], copies: NDArray[np.float64] | None) -> bool:
    is_known = codes >= 0
    n_rows = float(is_known.sum() if copies is None else copies[is_known].sum())
    n_distinct = int(np.count_nonzero(np.bincount(codes[is_known])))
    return n_rows >= FEWEST_ROWS and n_distinct > DISTINCT_SHARE * n_rows


def without_values(table: Table, names: list[str]) -> Table:
    """The table with some columns as if they had no values: nothing is learned from them, and they take any later."""
    pairs = list(zip(table.columns, table.arrays, strict=True))
    nothing = np.full(table.n_rows, MISSING, np.int32)
    columns = tuple(Column(column.name, NOMINAL) if column.name in names else column for column, _ in pairs)
    arrays = tuple(nothing if column.name in names else array for column, array in pairs)
    return replace(table, columns=columns, arrays=arrays)
