"""The one door for data: arrays, data frames and dictionaries of arrays become typed columns.

Numbers stay as they are given; categories become codes. Missing values (NaN, None, null, pandas.NA) are NaN among
numbers and `MISSING` among codes. Whatever cannot be read is refused here, with the column and the row.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from petree.columns import NOMINAL, NUMBER, ORDERED, Column

MISSING, UNKNOWN = -1, -2
# Whole numbers above this are not all different as float64.
LARGEST_WHOLE = 2**53
# Rows looked at in one go where a copy is needed.
CHUNK_ROWS = 65_536


@dataclass(frozen=True)
class Table:
    """Typed columns and one array a column: numbers, or codes of categories.

    `matrix` is the user's own array where all of it is numbers.
    """

    columns: tuple[Column, ...]
    arrays: tuple[NDArray[Any], ...]
    n_rows: int
    matrix: NDArray[Any] | None = None

    def chunks(self) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """The rows as float64 matrices, a chunk at a time: NaN where missing, -1 for a category not known."""
        if self.matrix is not None and self.matrix.dtype == np.float64 and self.matrix.flags.c_contiguous:
            yield slice(0, self.n_rows), self.matrix
            return
        for start in range(0, self.n_rows, CHUNK_ROWS):
            rows = slice(start, min(start + CHUNK_ROWS, self.n_rows))
            if self.matrix is not None:
                yield rows, np.ascontiguousarray(self.matrix[rows], np.float64)
            else:
                cells = zip(self.columns, self.arrays, strict=True)
                yield rows, np.column_stack([_as_floats(column, array[rows]) for column, array in cells])


def _as_floats(column: Column, array: NDArray[Any]) -> NDArray[np.float64]:
    if column.kind == NUMBER:
        return array.astype(np.float64)
    return np.where(array == MISSING, np.nan, np.maximum(array, -1.0))


# -- reading a table -----------------------------------------------------------------------------------------


def is_frame(X: Any) -> bool:
    """Whether X is a data frame of some library, or a dictionary of columns."""
    return isinstance(X, Mapping) or hasattr(X, "columns") or hasattr(X, "column_names")


def read_table(X: Any, categorical: Any = "from_dtype", known: Sequence[Column] | None = None) -> Table:
    """Typed columns of X; with `known` columns the values are coded as they were at fit.

    Parameters
    ----------
    X : array, data frame or mapping of names to arrays
    categorical : "from_dtype", None, mask, indices or names
        Which columns are nominal; "from_dtype" takes text, booleans and categories.
    known : columns of the training table, optional
    """
    if issparse(X):
        raise TypeError("petree does not read sparse matrices; pass X.toarray() or a data frame.")
    named = list(_named_series(X)) if is_frame(X) else list(_array_columns(np.asarray(X)))
    names = [name for name, _ in named]
    _check_unique(names)
    n_rows = _common_length(named)
    if known is None:
        wanted = _categorical_mask(categorical, names)
        read = [_read_column(name, series, want) for (name, series), want in zip(named, wanted, strict=True)]
    else:
        read = [(column, _recode(series, column)) for (_, series), column in zip(named, known, strict=True)]
    columns, arrays = tuple(column for column, _ in read), tuple(array for _, array in read)
    is_plain = isinstance(X, np.ndarray) and X.dtype.kind in "fiu" and all(c.kind == NUMBER for c in columns)
    table = Table(columns, arrays, n_rows, X if is_plain else None)
    _check_finite(table)
    return table


def take_rows(X: Any, rows: NDArray[np.intp]) -> Any:
    """Some rows of whatever `read_table` reads."""
    if isinstance(X, Mapping):
        return {name: np.asarray(values)[rows] for name, values in X.items()}
    if not is_frame(X):
        return np.asarray(X)[rows]
    import narwhals.stable.v2 as nw

    return nw.from_native(X, eager_only=True)[rows.tolist()].to_native()


def _check_unique(names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise ValueError(f"The column name {twice[0]!r} occurs more than once; give every column a name of its own.")


def _common_length(named: Sequence[tuple[str, Any]]) -> int:
    if not named:
        raise ValueError("The table has no columns: at least one feature is required.")
    lengths = {name: len(series) for name, series in named}
    n_rows = len(named[0][1])
    for name, length in lengths.items():
        if length != n_rows:
            raise ValueError(f"Column {name!r} has {length} rows, but column {named[0][0]!r} has {n_rows}.")
    if n_rows == 0:
        raise ValueError("The table has no rows (0 sample(s)): a minimum of 1 is required.")
    return n_rows


def _array_columns(X: NDArray[Any]) -> Iterator[tuple[str, NDArray[Any]]]:
    if X.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {X.ndim}D array instead. Reshape your data: X.reshape(-1, 1) if it is a single "
            "feature, X.reshape(1, -1) if it is a single row."
        )
    for j in range(X.shape[1]):
        yield f"x{j}", X[:, j]


def _named_series(X: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(X, Mapping):
        for name, values in X.items():
            array = np.asarray(values)
            if array.ndim != 1:
                raise ValueError(f"Column {name!r} must be one-dimensional, got {array.ndim} dimensions.")
            yield str(name), array
        return
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        raise TypeError("X is a lazy frame; collect() it first.")
    if not isinstance(frame, nw.DataFrame):
        raise TypeError(f"petree cannot read X of type {type(X).__name__}; pass an array or a data frame.")
    _check_unique([str(name) for name in getattr(X, "columns", getattr(X, "column_names", []))])
    for series in frame.iter_columns():
        yield str(series.name), series


def _categorical_mask(categorical: Any, names: Sequence[str]) -> list[bool | None]:
    """For each column: is it nominal? None where its own type decides."""
    if categorical is None:
        return [False] * len(names)
    if isinstance(categorical, str):
        if categorical == "from_dtype":
            return [None] * len(names)
        raise ValueError(
            "The 'categorical_features' parameter must be 'from_dtype', None, a mask, indices or names. "
            f"Got {categorical!r} instead."
        )
    chosen = np.asarray(categorical)
    if chosen.size == 0:
        return [False] * len(names)
    if chosen.dtype.kind == "b":
        if chosen.shape != (len(names),):
            raise ValueError(f"categorical_features as a mask needs {len(names)} entries, got shape {chosen.shape}.")
        return chosen.tolist()
    positions = (
        {name: j for j, name in enumerate(names)} if chosen.dtype.kind in "UO" else dict(enumerate(range(len(names))))
    )
    for item in chosen.tolist():
        if item not in positions:
            raise ValueError(f"categorical_features names {item!r}, but X has no such column.")
    picked = {positions[item] for item in chosen.tolist()}
    return [j in picked for j in range(len(names))]


# -- reading a column ----------------------------------------------------------------------------------------


def _read_column(name: str, series: Any, nominal: bool | None) -> tuple[Column, NDArray[Any]]:
    """Type of a column and its values, from its own type or as told."""
    raw = _unpack(name, series)
    if isinstance(raw, _Coded):
        kind = ORDERED if raw.is_ordered and nominal is None else NOMINAL
        if nominal is False:
            raise TypeError(
                f"Column {name!r} holds categories, but categorical_features does not list it; "
                "list it there, or convert it to numbers."
            )
        column = Column(name, kind, raw.categories)
        return column, raw.codes
    if nominal:
        return _factorise(name, raw)
    return Column(name), raw


@dataclass(frozen=True)
class _Coded:
    """A column of categories: codes (`MISSING` where missing) into the declared values."""

    codes: NDArray[np.int32]
    categories: tuple[Any, ...]
    is_ordered: bool = False


def _unpack(name: str, series: Any) -> NDArray[Any] | _Coded:
    """Numbers as an array, anything nominal as codes."""
    if not isinstance(series, np.ndarray):
        return _unpack_series(name, series)
    if series.dtype.kind in "fiu":
        return _numbers(name, series)
    if series.dtype.kind == "b":
        return _Coded(series.astype(np.int32), (False, True))
    if series.dtype.kind == "O":
        return _unpack_objects(name, series.tolist())
    if series.dtype.kind in "UST":
        return _codes_of(series.tolist())
    if series.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: column {name!r} is complex; pass real and imaginary parts.")
    raise TypeError(
        f"Column {name!r} is of type {series.dtype}, neither text nor numbers; convert it, a date for example to days."
    )


def _unpack_series(name: str, series: Any) -> NDArray[Any] | _Coded:
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if isinstance(dtype, (nw.Categorical, nw.Enum)):
        return _unpack_categories(series)
    if dtype == nw.Boolean:
        values = series.cast(nw.Int32).fill_null(MISSING).to_numpy()
        return _Coded(values.astype(np.int32), (False, True))
    if dtype.is_numeric():
        has_null = series.null_count() > 0
        return _numbers(name, (series.cast(nw.Float64) if has_null else series).to_numpy())
    if dtype == nw.String:
        return _codes_of(_blank_missing(series))
    if dtype == nw.Object:
        return _unpack_objects(name, _blank_missing(series))
    raise TypeError(
        f"Column {name!r} is of type {dtype}, neither text nor numbers; convert it, a date for example to days."
    )


def _blank_missing(series: Any) -> list[Any]:
    """Values of a series with None where missing."""
    values = series.to_numpy().astype(object)
    values[series.is_null().to_numpy().astype(bool)] = None
    return values.tolist()


def _unpack_categories(series: Any) -> _Coded:
    native = series.to_native()
    accessor = getattr(native, "cat", None)
    if hasattr(accessor, "codes"):  # pandas: codes are there already
        codes = native.cat.codes.to_numpy().astype(np.int32)
        return _Coded(codes, tuple(native.cat.categories.tolist()), bool(native.cat.ordered))
    import narwhals.stable.v2 as nw

    declared = tuple(series.dtype.categories) if isinstance(series.dtype, nw.Enum) else None
    is_ordered = bool(getattr(getattr(native, "type", None), "ordered", False))
    if is_ordered:  # pyarrow: an ordered dictionary declares its values
        declared = tuple(native.combine_chunks().dictionary.to_pylist())
    return replace(_codes_of(_blank_missing(series.cast(nw.String)), declared), is_ordered=is_ordered)


def _numbers(name: str, values: NDArray[Any]) -> NDArray[Any]:
    is_long = values.dtype.kind in "iu" and values.dtype.itemsize == 8 and len(values) > 0
    if is_long and max(int(values.max()), -int(values.min())) > LARGEST_WHOLE:
        raise ValueError(
            f"Column {name!r} holds whole numbers beyond 2**53, which float64 cannot tell apart; "
            "pass them as text or leave the column out."
        )
    if values.dtype.kind not in "fiu" or values.dtype.itemsize > 8:
        return values.astype(np.float64)
    return values


def _check_finite(table: Table) -> None:
    """Refuse infinite numbers; a finite sum shows at once that there are none."""
    with np.errstate(over="ignore", invalid="ignore"):
        if table.matrix is not None and np.isfinite(np.sum(table.matrix)):
            return
    for column, values in zip(table.columns, table.arrays, strict=True):
        is_infinite = np.isinf(values) if values.dtype.kind == "f" else np.zeros(1, bool)
        if is_infinite.any():
            row = int(np.argmax(is_infinite))
            raise ValueError(
                f"Column {column.name!r} holds an infinite value ({values[row]}) in row {row}; petree takes finite "
                "numbers, and NaN for missing: replace inf by one of these."
            )


_MISSING_TYPE_NAMES = ("NoneType", "NAType", "NaTType")


def _unpack_objects(name: str, values: list[Any]) -> NDArray[Any] | _Coded:
    """Python objects: all text, all booleans or all numbers, missing ones aside."""
    types = set(map(type, values))
    nothing = {kind for kind in types if kind.__name__ in _MISSING_TYPE_NAMES}
    if nothing - {type(None)}:
        values = [None if type(value) in nothing else value for value in values]
    present = types - nothing
    if any(issubclass(kind, str) for kind in present) and any(issubclass(kind, float) for kind in present):
        # NaN is the missing value of text columns in some libraries.
        values = [None if isinstance(value, float) and value != value else value for value in values]
        present = set(map(type, values)) - {type(None)}
    if present and all(issubclass(kind, str) for kind in present):
        return _codes_of(values)
    if present and all(issubclass(kind, (bool, np.bool_)) for kind in present):
        return _codes_of(values, (False, True))
    if all(issubclass(kind, (Number, np.number)) and not issubclass(kind, complex) for kind in present):
        return np.array([np.nan if value is None else value for value in values], np.float64)
    _refuse_objects(name, values, present)
    raise AssertionError("unreachable")


def _refuse_objects(name: str, values: list[Any], present: set[type]) -> None:
    odd = [kind for kind in present if not issubclass(kind, (str, Number, np.number, np.bool_))]
    if odd:
        row = next(row for row, value in enumerate(values) if type(value) in odd)
        raise TypeError(
            f"Column {name!r} holds a value of type {type(values[row]).__name__} in row {row}; "
            "every argument must be a string or a real number."
        )
    if any(issubclass(kind, complex) for kind in present):
        raise ValueError(f"Complex data not supported: column {name!r} is complex; pass real and imaginary parts.")
    kinds = ", ".join(sorted(kind.__name__ for kind in present))
    raise TypeError(f"Column {name!r} mixes values of types {kinds}; make all of them text or all of them numbers.")


def _codes_of(values: list[Any], categories: tuple[Any, ...] | None = None) -> _Coded:
    """Codes of values (None where missing); the categories are those found, sorted, unless declared."""
    if categories is None:
        categories = tuple(sorted(set(values) - {None}))
    code = {category: code for code, category in enumerate(categories)} | {None: MISSING}
    codes = np.fromiter(map(code.get, values, repeat(UNKNOWN)), np.int32, len(values))
    return _Coded(codes, categories)


def _factorise(name: str, values: NDArray[Any]) -> tuple[Column, NDArray[np.int32]]:
    """A numeric column taken as nominal: its distinct values are the categories."""
    coded = _codes_of(_none_for_nan(values))
    return Column(name, NOMINAL, coded.categories), coded.codes


def _none_for_nan(values: NDArray[Any]) -> list[Any]:
    objects = values.astype(object)
    if values.dtype.kind == "f":
        objects[np.isnan(values)] = None
    return objects.tolist()


def _recode(series: Any, column: Column) -> NDArray[Any]:
    """Values of a column as they were coded at fit; categories not known then are `UNKNOWN`."""
    raw = _unpack(column.name, series)
    if column.kind == NUMBER:
        if isinstance(raw, _Coded):
            if raw.categories == (False, True):  # booleans are 0 and 1 where numbers stood at fit
                return np.where(raw.codes == MISSING, np.nan, raw.codes)
            if (raw.codes == MISSING).all():
                return np.full(len(raw.codes), np.nan)
            raise ValueError(f"Column {column.name!r} held numbers at fit; now it holds text or categories.")
        return raw
    known = {category: code for code, category in enumerate(column.categories)}
    if isinstance(raw, _Coded):
        if raw.categories == column.categories:
            return raw.codes
        lookup = np.array([*(known.get(category, UNKNOWN) for category in raw.categories), UNKNOWN, MISSING], np.int32)
        return lookup[raw.codes]
    known |= {None: MISSING}
    return np.fromiter(map(known.get, _none_for_nan(raw), repeat(UNKNOWN)), np.int32, len(raw))


# -- reading a target ----------------------------------------------------------------------------------------


def read_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    """Row weights, checked."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, np.float64)
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight must be one number a row: shape ({n_rows},), got {weights.shape}.")
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(f"sample_weight must be finite and not negative; row {row} has {weights[row]}.")
    if not weights.any():
        raise ValueError("sample_weight is zero for every row, so there is nothing to learn from.")
    return weights


def class_weights(class_weight: Any, classes: NDArray[Any], counts: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Factor of each class, in the order of `classes`; "balanced" makes all classes weigh the same."""
    if class_weight is None:
        return None
    if isinstance(class_weight, str) and class_weight == "balanced":
        return np.asarray(counts.sum() / (len(classes) * counts))
    if not isinstance(class_weight, Mapping):
        raise ValueError(
            f"The 'class_weight' parameter must be None, 'balanced' or a dict of weights. Got {class_weight!r} instead."
        )
    labels = classes.tolist()
    for label, weight in class_weight.items():
        if label not in labels:  # not an error: a fold of a cross-validation may lack a rare class
            warnings.warn(f"class_weight names the class {label!r}, which does not occur in y.", stacklevel=3)
        if not (np.isfinite(weight) and weight > 0):
            raise ValueError(f"class_weight of class {label!r} must be a positive number, got {weight!r}.")
    return np.array([float(class_weight.get(label, 1.0)) for label in labels])
