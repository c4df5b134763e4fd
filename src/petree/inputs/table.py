"""Tables: which columns there are, of which kind, and their values."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.columns import NUMBER, Column
from petree.inputs.columns import as_floats, read_column, recode
from petree.inputs.frames import check_unique, named_columns
from petree.inputs.types import CategoricalFeatures, RawColumn, TableLike
from petree.inputs.values import MISSING

# Rows looked at in one go where a copy is needed.
CHUNK_ROWS = 65_536


@dataclass(frozen=True)
class Table:
    """Typed columns and one array per column: numbers, or codes of categories.

    `matrix` is the user's own array where all of it is numbers.
    """

    columns: tuple[Column, ...]
    arrays: tuple[NDArray[Any], ...]
    n_rows: int
    matrix: NDArray[Any] | None = None

    def empty_columns(self) -> list[Column]:
        """Columns that have no values at all; they are read as nominal, or as the moments that their type declares."""
        pairs = zip(self.columns, self.arrays, strict=True)
        # The first row alone nearly always shows that there are some, and small tables spend their time on reading.
        suspects = [(column, array) for column, array in pairs if _is_gap(column, array[0])]
        return [column for column, array in suspects if _is_gap(column, array).all()]

    def take(self, rows: NDArray[np.intp]) -> Table:
        """Some of the rows, in the order asked for."""
        if self.matrix is None:
            return Table(self.columns, tuple(array[rows] for array in self.arrays), len(rows))
        matrix = self.matrix[rows]
        return Table(self.columns, tuple(matrix.T), len(rows), matrix)

    def chunks(self) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """The rows as float64 matrices, a chunk at a time: NaN where missing, infinity for a category not known."""
        if self.matrix is not None and self.matrix.dtype == np.float64 and _is_plain(self.matrix):
            yield slice(0, self.n_rows), self.matrix
            return
        for start in range(0, self.n_rows, CHUNK_ROWS):
            rows = slice(start, min(start + CHUNK_ROWS, self.n_rows))
            if self.matrix is not None:
                yield rows, np.require(self.matrix[rows], np.float64, ("C", "A"))
            else:
                chunk = np.empty((rows.stop - rows.start, len(self.columns)))
                for j, (column, array) in enumerate(zip(self.columns, self.arrays, strict=True)):
                    chunk[:, j] = as_floats(column, array[rows])
                yield rows, chunk


def _is_gap(column: Column, values: Any) -> Any:
    """Whether values of a column that may lack all of them are missing; of a column of plain numbers none is."""
    return values == MISSING if column.kind != NUMBER else (values != values) & bool(column.quantity)


def _is_plain(matrix: NDArray[Any]) -> bool:
    """Whether numbers stand in memory row after row, each where the processor likes it."""
    return matrix.flags.c_contiguous and matrix.flags.aligned


# -- reading a table -----------------------------------------------------------------------------------------


def table_of(
    X: TableLike,
    categorical: CategoricalFeatures = "from_dtype",
    known: Sequence[Column] | None = None,
    names: Sequence[Any] | None = None,
    needed: Collection[str] | None = None,
) -> Table:
    """Typed columns of X; with `known` columns the values are coded as they were at fit.

    Parameters
    ----------
    X : array, data frame or mapping of names to arrays
    categorical : "from_dtype", None, mask, indices or names
        Which columns are nominal; "from_dtype" takes text, booleans and categories.
    known : columns of the training table, optional
    names : what `check_frame` said of a data frame, optional
    needed : names of the known columns that are read, optional
        X may lack the others; none of their values counts.
    """
    if known is not None and isinstance(X, np.ndarray) and _are_floats(X, known):
        return _finite(Table(tuple(known), tuple(X.T), len(X), X))
    named = list(named_columns(X, names, needed))
    check_unique([name for name, _ in named])
    n_rows = _common_length(named)
    if known is None:
        wanted = categorical_mask(categorical, [name for name, _ in named])
        read = [read_column(name, values, want) for (name, values), want in zip(named, wanted, strict=True)]
    elif needed is None:
        read = [(column, recode(values, column)) for (_, values), column in zip(named, known, strict=True)]
    else:
        given = dict(named)
        nothing = np.broadcast_to(np.int32(MISSING), n_rows)
        read = [(one, recode(given[one.name], one) if one.name in needed else nothing) for one in known]
    columns = tuple(column for column, _ in read)
    arrays = tuple(array for _, array in read)
    are_numbers = all(column.kind == NUMBER for column in columns)
    matrix = X if isinstance(X, np.ndarray) and X.dtype.kind in "fiu" and are_numbers else None
    return _finite(Table(columns, arrays, n_rows, matrix))


def _are_floats(X: NDArray[Any], known: Sequence[Column]) -> bool:
    """Whether all columns are plain numbers, as at fit: then there is nothing to be read one by one."""
    is_matrix = X.ndim == 2 and X.dtype.kind == "f" and X.dtype.itemsize <= 8 and X.shape[1] == len(known) and X.size
    return bool(is_matrix) and all(column.kind == NUMBER and not column.quantity for column in known)


def _common_length(named: Sequence[tuple[str, RawColumn]]) -> int:
    if not named:
        raise ValueError("The table has no columns: at least one feature is required.")
    first = named[0][0]
    n_rows = len(named[0][1])
    for name, values in named:
        if len(values) != n_rows:
            raise ValueError(f"Column {name!r} has {len(values)} rows, but column {first!r} has {n_rows}.")
    if n_rows == 0:
        raise ValueError("The table has no rows (0 sample(s)): a minimum of 1 is required.")
    return n_rows


def categorical_mask(categorical: CategoricalFeatures, names: Sequence[str]) -> list[bool | None]:
    """For each column: is it nominal? None where its own type decides."""
    if categorical is None:
        return [False] * len(names)
    if isinstance(categorical, str) and categorical == "from_dtype":
        return [None] * len(names)
    chosen = np.asarray(categorical)
    if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "biuUO"):
        raise ValueError(
            "The 'categorical_features' parameter must be 'from_dtype', None, a mask, indices or names. "
            f"Got {categorical!r} instead."
        )
    if chosen.dtype.kind == "b":
        if chosen.shape != (len(names),):
            raise ValueError(f"categorical_features as a mask needs {len(names)} entries, got {len(chosen)}.")
        return [bool(choice) for choice in chosen]
    positions: dict[Any, int] = {name: j for j, name in enumerate(names)}
    if chosen.dtype.kind in "iu":
        positions = {j: j for j in range(len(names))}
    for item in chosen.tolist():
        if item not in positions:
            raise ValueError(f"categorical_features names {item!r}, but X has no such column.")
    picked = {positions[item] for item in chosen.tolist()}
    return [j in picked for j in range(len(names))]


def _finite(table: Table) -> Table:
    """The table; refuses infinite numbers, of which a finite sum shows at once that there are none."""
    with np.errstate(over="ignore", invalid="ignore"):
        if table.matrix is not None and isfinite(np.add.reduce(table.matrix, axis=None, dtype=np.float64)):
            return table
    for column, values in zip(table.columns, table.arrays, strict=True):
        if column.kind == NUMBER and values.dtype.kind == "f" and (is_infinite := np.isinf(values)).any():
            row = int(np.argmax(is_infinite))
            raise ValueError(
                f"Column {column.name!r} holds an infinite value ({values[row]}) in row {row}; petree takes finite "
                "numbers, and NaN for missing: replace inf by one of these."
            )
    return table
