"""Tables: which columns there are, of which kind, and their values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from petree.columns import NOMINAL, NUMBER, ORDERED, Column
from petree.inputs.values import BOOLEANS, MISSING, UNKNOWN, Coded, codes_of, inside, listed, none_for_nan, unpack

# Rows looked at in one go where a copy is needed.
CHUNK_ROWS = 65_536
# More columns of a pandas frame are worth a look at their types first: where all are alike, they come as one matrix.
FEW_COLUMNS = 4


@dataclass(frozen=True)
class Table:
    """Typed columns and one array a column: numbers, or codes of categories.

    `matrix` is the user's own array where all of it is numbers.
    """

    columns: tuple[Column, ...]
    arrays: tuple[NDArray[Any], ...]
    n_rows: int
    matrix: NDArray[Any] | None = None

    def empty_columns(self) -> list[Column]:
        """Columns that have no values at all; they are read as nominal."""
        pairs = zip(self.columns, self.arrays, strict=True)
        # The first row alone nearly always shows that there are some, and small tables spend their time on reading.
        suspects = [(column, array) for column, array in pairs if column.kind != NUMBER and array[0] == MISSING]
        return [column for column, array in suspects if (array == MISSING).all()]

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
                    chunk[:, j] = _as_floats(column, array[rows])
                yield rows, chunk


def _is_plain(matrix: NDArray[Any]) -> bool:
    """Whether numbers stand in memory row after row, each where the processor likes it."""
    return matrix.flags.c_contiguous and matrix.flags.aligned


def _as_floats(column: Column, array: NDArray[Any]) -> NDArray[np.float64]:
    if column.kind == NUMBER or array.min() >= 0:
        return array.astype(np.float64)
    return np.where(array == MISSING, np.nan, np.where(array == UNKNOWN, np.inf, array))


# -- reading a table -----------------------------------------------------------------------------------------


def is_frame(X: Any) -> bool:
    """Whether X is a data frame of some library, or a mapping of names to columns."""
    return isinstance(X, Mapping) or hasattr(type(X), "columns") or hasattr(type(X), "column_names")


def as_matrix(X: Any) -> NDArray[Any]:
    """Rows as an array; rows that mix text with other values keep the type of each."""
    if isinstance(X, np.ma.MaskedArray):
        return _unmasked(X)
    array = np.asarray(X)
    return np.asarray(X, object) if array.dtype.kind in "US" and not isinstance(X, np.ndarray) else array


def _unmasked(values: np.ma.MaskedArray[Any, Any]) -> NDArray[Any]:
    """Masked values as missing ones; whole numbers and text as objects, as arrays of these cannot lack any."""
    if values.dtype.kind in "fb":
        with np.errstate(over="ignore"):
            return np.asarray(np.ma.filled(values.astype(np.float64), np.nan))
    objects = np.ma.getdata(values).astype(object)
    objects[np.ma.getmaskarray(values)] = None
    return objects


def read_table(
    X: Any, categorical: Any = "from_dtype", known: Sequence[Column] | None = None, names: Sequence[Any] | None = None
) -> Table:
    """Typed columns of X; with `known` columns the values are coded as they were at fit.

    Parameters
    ----------
    X : array, data frame or mapping of names to arrays
    categorical : "from_dtype", None, mask, indices or names
        Which columns are nominal; "from_dtype" takes text, booleans and categories.
    known : columns of the training table, optional
    names : what `check_frame` said of a data frame, optional
    """
    named = list(_frame_columns(X, names) if is_frame(X) else _matrix_columns(as_matrix(X)))
    names = [name for name, _ in named]
    check_unique(names)
    n_rows = _common_length(named)
    if known is None:
        wanted = categorical_mask(categorical, names)
        read = [_read_column(name, values, want) for (name, values), want in zip(named, wanted, strict=True)]
    else:
        read = [(column, _recode(values, column)) for (_, values), column in zip(named, known, strict=True)]
    columns, arrays = tuple(column for column, _ in read), tuple(array for _, array in read)
    is_plain = isinstance(X, np.ndarray) and X.dtype.kind in "fiu" and all(c.kind == NUMBER for c in columns)
    table = Table(columns, arrays, n_rows, X if is_plain else None)
    _check_finite(table)
    return table


def take_rows(X: Any, rows: NDArray[np.intp]) -> Any:
    """Some rows of whatever `read_table` reads."""
    import narwhals.stable.v2 as nw

    if isinstance(X, Mapping):
        return {name: take_rows(_as_series(str(name), values), rows) for name, values in X.items()}
    if isinstance(X, nw.Series):
        return X[rows.tolist()].to_native()
    if is_frame(X):
        return nw.from_native(X, eager_only=True)[rows.tolist()].to_native()
    return as_matrix(X)[rows]


def check_unique(names: Sequence[str]) -> None:
    """Refuse a name that occurs twice."""
    if len(set(names)) < len(names):
        twice = next(name for name, times in Counter(names).items() if times > 1)
        raise ValueError(f"The column name {twice!r} occurs more than once; give every column a name of its own.")


def _common_length(named: Sequence[tuple[str, Any]]) -> int:
    if not named:
        raise ValueError("The table has no columns: at least one feature is required.")
    first, n_rows = named[0][0], len(named[0][1])
    for name, values in named:
        if len(values) != n_rows:
            raise ValueError(f"Column {name!r} has {len(values)} rows, but column {first!r} has {n_rows}.")
    if n_rows == 0:
        raise ValueError("The table has no rows (0 sample(s)): a minimum of 1 is required.")
    return n_rows


def _matrix_columns(X: NDArray[Any]) -> Iterator[tuple[str, NDArray[Any]]]:
    if X.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {X.ndim}D array instead. Reshape your data: X.reshape(-1, 1) if it is a single "
            "feature, X.reshape(1, -1) if it is a single row."
        )
    for j in range(X.shape[1]):
        yield f"x{j}", X[:, j]


def _frame_columns(X: Any, names: Sequence[Any] | None) -> Iterable[tuple[str, Any]]:
    if isinstance(X, Mapping):
        return ((str(name), _as_series(str(name), values)) for name, values in X.items())
    import narwhals.stable.v2 as nw

    if nw.dependencies.is_pandas_dataframe(X):
        return zip(map(str, X.columns.tolist() if names is None else names), _pandas_values(X), strict=True)
    return ((str(series.name), series) for series in nw.from_native(X, eager_only=True).iter_columns())


def _pandas_values(X: Any) -> Iterable[Any]:
    """The columns of a pandas frame by what they have inside: small tables spend most of their time on reading."""
    import narwhals.stable.v2 as nw

    arrays = list(_pandas_arrays(X))
    if len(arrays) > FEW_COLUMNS and _are_alike(arrays):
        return X.to_numpy().T
    plain = [inside(array) for array in arrays]
    return [nw.from_native(X.iloc[:, j], series_only=True) if one is None else one for j, one in enumerate(plain)]


def _pandas_arrays(X: Any) -> Iterator[Any]:
    """What stands in each column of a pandas frame; to make a series of each would take longer than a small tree."""
    if hasattr(X, "_iter_column_arrays"):  # not public, but in every pandas that there is
        return cast(Iterator[Any], X._iter_column_arrays())
    return (series.array for _, series in X.items())


def _are_alike(arrays: Sequence[Any]) -> bool:
    """Whether all columns are numbers of one type; the first alone often shows that they are not."""
    first = arrays[0].dtype
    is_numeric = isinstance(first, np.dtype) and first.kind in "fiu"
    return is_numeric and all(array.dtype == first for array in arrays)


def check_frame(X: Any) -> list[Any]:
    """Names of the columns; refuses what only looks like a data frame, and names that occur twice."""
    import narwhals.stable.v2 as nw

    if hasattr(type(X), "collect"):
        raise TypeError("X is a lazy frame; collect() it first.")
    is_pandas = nw.dependencies.is_pandas_dataframe(X)
    names = listed(X.columns) if is_pandas else list(X.column_names if hasattr(type(X), "column_names") else X.columns)
    check_unique([str(name) for name in names])
    if not is_pandas and not isinstance(nw.from_native(X, pass_through=True), nw.DataFrame):
        raise TypeError(f"petree cannot read X of type {type(X).__name__}; pass an array or a data frame.")
    return names


def _as_series(name: str, values: Any) -> Any:
    """A column of a mapping: a series of some library as it is, anything else as an array that keeps its types."""
    import narwhals.stable.v2 as nw

    series = nw.from_native(values, pass_through=True, allow_series=True)
    if isinstance(series, nw.Series):
        return series
    if isinstance(values, np.ma.MaskedArray):
        values = _unmasked(values)
    array = values if isinstance(values, np.ndarray) else np.asarray(values, object)
    if array.ndim != 1:
        raise ValueError(f"Column {name!r} must be one-dimensional, got {array.ndim} dimensions.")
    return array


def categorical_mask(categorical: Any, names: Sequence[str]) -> list[bool | None]:
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


def _check_finite(table: Table) -> None:
    """Refuse infinite numbers; a finite sum shows at once that there are none."""
    with np.errstate(over="ignore", invalid="ignore"):
        if table.matrix is not None and np.isfinite(np.sum(table.matrix, dtype=np.float64)):
            return
    for column, values in zip(table.columns, table.arrays, strict=True):
        if values.dtype.kind == "f" and (is_infinite := np.isinf(values)).any():
            row = int(np.argmax(is_infinite))
            raise ValueError(
                f"Column {column.name!r} holds an infinite value ({values[row]}) in row {row}; petree takes finite "
                "numbers, and NaN for missing: replace inf by one of these."
            )


# -- reading a column ----------------------------------------------------------------------------------------


def _read_column(name: str, values: Any, nominal: bool | None) -> tuple[Column, NDArray[Any]]:
    """Type of a column and its values, from its own type or as told."""
    raw = unpack(name, values)
    if isinstance(raw, Coded):
        if nominal is False and raw.categories == BOOLEANS:
            return Column(name), _as_floats(Column(name, NOMINAL), raw.codes)
        if nominal is False:
            raise TypeError(
                f"Column {name!r} holds categories, but categorical_features does not list it; "
                "list it there, or convert it to numbers."
            )
        kind = ORDERED if raw.is_ordered and nominal is None else NOMINAL
        return Column(name, kind, raw.categories), raw.codes
    if _is_empty(raw):  # it may hold anything later
        return Column(name, NOMINAL), np.full(len(raw), MISSING, np.int32)
    if nominal:
        coded = codes_of(none_for_nan(raw))
        return Column(name, NOMINAL, coded.categories), coded.codes
    return Column(name), raw


def _is_empty(values: NDArray[Any]) -> bool:
    return bool(values.dtype.kind == "f" and np.isnan(values[0]) and np.isnan(values).all())


def _recode(values: Any, column: Column) -> NDArray[Any]:
    """Values of a column as they were coded at fit; categories not known then are `UNKNOWN`."""
    raw = unpack(column.name, values)
    if isinstance(raw, Coded):
        return _recode_categories(raw, column)
    if column.kind == NUMBER:
        return raw
    if _is_text(column.categories) and not _is_empty(raw):
        raise ValueError(f"Column {column.name!r} held text at fit; now it holds numbers.")
    known = {category: code for code, category in enumerate(column.categories)} | {None: MISSING}
    return np.fromiter(map(known.get, none_for_nan(raw), repeat(UNKNOWN)), np.int32, len(raw))


def _is_text(categories: Sequence[Any]) -> bool:
    return any(isinstance(category, str) for category in categories)


def _recode_categories(raw: Coded, column: Column) -> NDArray[Any]:
    if column.kind != NUMBER:
        if raw.categories == column.categories:
            return raw.codes
        was_text, has_values = _is_text(column.categories), (raw.codes >= 0).any()
        if column.categories and has_values and was_text != _is_text(raw.categories):
            raise ValueError(
                f"Column {column.name!r} held {'text' if was_text else 'no text'} at fit, such as "
                f"{column.categories[0]!r}; now it holds {raw.categories[0]!r}: convert it to what it was then."
            )
        known = {category: code for code, category in enumerate(column.categories)}
        lookup = [*(known.get(category, UNKNOWN) for category in raw.categories), UNKNOWN, MISSING]
        return np.array(lookup, np.int32)[raw.codes]  # the last two answer the codes -2 and -1
    if raw.categories == BOOLEANS or (raw.codes == MISSING).all():  # booleans are 0 and 1 among numbers
        return np.where(raw.codes == MISSING, np.nan, raw.codes)
    raise ValueError(f"Column {column.name!r} held numbers at fit; now it holds text or categories.")
