"""Arrays, data frames and dictionaries of columns: how each of them gives its columns and its rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from petree.inputs.memory import memory_of_machine
from petree.inputs.types import ColumnLike, RawColumn, TableLike
from petree.inputs.values import inside, listed, series_of

if TYPE_CHECKING:
    from narwhals.stable.v2 import Series
    from pandas import DataFrame
    from pandas.api.extensions import ExtensionArray

# More columns of a pandas frame are worth a look at their types first: where all are alike, they come as one matrix.
FEW_COLUMNS = 4
# What types of data frames have, whichever library they are of.
MARKS_OF_FRAMES = ("columns", "column_names")


def is_frame(X: TableLike) -> bool:
    """Whether X is a data frame of some library, or a mapping of names to columns."""
    return isinstance(X, Mapping) or any(hasattr(type(X), mark) for mark in MARKS_OF_FRAMES)


def as_matrix(X: TableLike) -> NDArray[Any]:
    """Rows as an array; rows that mix text with other values keep the type of each."""
    if isinstance(X, np.ma.MaskedArray):
        return _unmasked(X)
    if isinstance(X, list | tuple):
        _check_rows(X)
    array = np.asarray(X)
    return np.asarray(X, object) if array.dtype.kind in "US" and not isinstance(X, np.ndarray) else array


def _check_rows(X: Sequence[Any]) -> None:
    """Refuse a list of rows that make no table."""
    if any(isinstance(row, Mapping) for row in X):
        raise ValueError(
            "X is a list of dicts, one for each row; pass pandas.DataFrame(X), or one dict of columns, each a "
            "list of values."
        )
    lengths = {place: len(row) for place, row in enumerate(X) if _is_row(row)}
    first = next(iter(lengths), 0)
    for place, length in lengths.items():
        if length != lengths[first]:
            raise ValueError(
                f"Row {place} of X has {length} values, but row {first} has {lengths[first]}; give each row one value "
                "for each column."
            )


def _is_row(row: object) -> bool:
    """Whether what stands in a list has values of its own."""
    return row.ndim > 0 if isinstance(row, np.ndarray) else isinstance(row, list | tuple)


def _unmasked(values: np.ma.MaskedArray[Any, Any]) -> NDArray[Any]:
    """Masked values as missing ones; whole numbers and text as objects, as arrays of these cannot lack any."""
    if values.dtype.kind in "fb":
        with np.errstate(over="ignore"):
            return np.asarray(np.ma.filled(values.astype(np.float64), np.nan))
    if values.dtype.kind in "mM":
        return np.where(np.ma.getmaskarray(values), np.array("NaT", values.dtype), np.ma.getdata(values))
    objects = np.ma.getdata(values).astype(object)
    objects[np.ma.getmaskarray(values)] = None
    return objects


def in_memory(X: Any) -> Any:
    """Return sparse data as an array and lazy frames of polars as data frames; other tables as they are."""
    if issparse(X):
        return _dense(X)
    if not hasattr(type(X), "collect"):
        return X
    import narwhals.stable.v2 as nw

    native = nw.to_native(X, pass_through=True)
    if not nw.dependencies.is_polars_lazyframe(native):
        raise TypeError(f"X is a lazy {type(native).__name__}, whose rows may come in any order; collect it first.")
    return native.collect()


def _dense(X: Any) -> NDArray[Any]:
    """Sparse data as an array, if it takes no more than half of the memory."""
    n_bytes = X.shape[0] * X.shape[-1] * X.dtype.itemsize
    if n_bytes > memory_of_machine() // 2:
        raise ValueError(
            f"X is sparse and of shape {X.shape}. As an array, which petree needs, it takes "
            f"{n_bytes / 2**30:.1f} GB, and this machine has {memory_of_machine() / 2**30:.1f}. Select columns "
            "first, such as with sklearn.feature_selection.SelectKBest, or pass fewer rows."
        )
    return np.asarray(X.toarray())


def take_rows(X: TableLike, rows: NDArray[np.intp]) -> Any:
    """Some rows of whatever `read_table` reads."""
    import narwhals.stable.v2 as nw

    X = in_memory(X)
    if isinstance(X, Mapping):
        return {name: _take_values(_as_series(str(name), values), rows) for name, values in X.items()}
    if is_frame(X):
        return nw.from_native(cast(Any, X), eager_only=True)[rows.tolist()].to_native()
    return as_matrix(X)[rows]


def _take_values(values: NDArray[Any] | Series[Any], rows: NDArray[np.intp]) -> Any:
    """Some rows of a column of a mapping."""
    return values[rows] if isinstance(values, np.ndarray) else values[rows.tolist()].to_native()


def check_unique(names: Sequence[str]) -> None:
    """Refuse a name that occurs twice."""
    if len(set(names)) < len(names):
        twice = next(name for name, times in Counter(names).items() if times > 1)
        raise ValueError(f"The column name {twice!r} occurs more than once; give every column a name of its own.")


def named_columns(
    X: TableLike, names: Sequence[Any] | None, needed: Collection[str] | None = None
) -> Iterable[tuple[str, RawColumn]]:
    """The columns of X by name; `names` are those of a data frame where they are known, `needed` those to be read."""
    return _frame_columns(X, names, needed) if is_frame(X) else _matrix_columns(as_matrix(X))


def _matrix_columns(X: NDArray[Any]) -> Iterator[tuple[str, NDArray[Any]]]:
    if X.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {X.ndim}D array instead. Reshape your data: X.reshape(-1, 1) if it is a single "
            "feature, X.reshape(1, -1) if it is a single row."
        )
    for j in range(X.shape[1]):
        yield f"x{j}", X[:, j]


def _frame_columns(
    X: Any, names: Sequence[Any] | None, needed: Collection[str] | None
) -> Iterable[tuple[str, RawColumn]]:
    if isinstance(X, Mapping):
        return ((str(name), _as_series(str(name), values)) for name, values in X.items())
    import narwhals.stable.v2 as nw

    if nw.dependencies.is_pandas_dataframe(X):
        texts = list(map(str, X.columns.tolist() if names is None else names))
        return zip(
            texts, _pandas_values(X, None if needed is None else [name in needed for name in texts]), strict=True
        )
    return ((str(series.name), series) for series in nw.from_native(X, eager_only=True).iter_columns())


def _pandas_values(X: DataFrame, are_needed: Sequence[bool] | None) -> Iterable[RawColumn]:
    """The columns of a pandas frame by what they have inside: small tables spend most of their time on reading.

    Those that are not needed stand there unread, so that they can be counted.
    """
    import narwhals.stable.v2 as nw

    arrays = list(_pandas_arrays(X))
    if len(arrays) > FEW_COLUMNS and _are_alike(arrays):
        return X.to_numpy().T
    if are_needed is not None:
        unread = np.broadcast_to(np.nan, len(X))
        pairs = zip(arrays, are_needed, strict=True)
        plain = [inside(array) if is_needed else unread for array, is_needed in pairs]
    else:
        plain = [inside(array) for array in arrays]
    return [nw.from_native(X.iloc[:, j], series_only=True) if one is None else one for j, one in enumerate(plain)]


def _pandas_arrays(X: DataFrame) -> Iterator[ExtensionArray]:
    """What stands in each column of a pandas frame; to make a series of each would take longer than a small tree."""
    if hasattr(X, "_iter_column_arrays"):  # not public, but in every pandas that there is
        return cast("Iterator[ExtensionArray]", cast(Any, X)._iter_column_arrays())
    return (series.array for _, series in X.items())


def _are_alike(arrays: Sequence[ExtensionArray]) -> bool:
    """Whether all columns are numbers of one type; the first alone often shows that they are not."""
    first = arrays[0].dtype
    is_numeric = isinstance(first, np.dtype) and first.kind in "fiu"
    return is_numeric and all(array.dtype == first for array in arrays)


def check_frame(X: Any) -> list[Any]:
    """Names of the columns; refuses what only looks like a data frame, and names that occur twice."""
    import narwhals.stable.v2 as nw

    is_pandas = nw.dependencies.is_pandas_dataframe(X)
    names = listed(X.columns) if is_pandas else _names_of(X)
    check_unique([str(name) for name in names])
    if not is_pandas and not isinstance(nw.from_native(X, pass_through=True), nw.DataFrame):
        raise TypeError(f"petree cannot read X of type {type(X).__name__}; pass an array or a data frame.")
    return names


def _names_of(X: Any) -> list[Any]:
    """Names of the columns of a frame that is not of pandas."""
    import narwhals.stable.v2 as nw

    return list(X.column_names if nw.dependencies.is_pyarrow_table(X) else X.columns)


def _as_series(name: str, values: ColumnLike) -> NDArray[Any] | Series[Any]:
    """A column of a mapping: a series of some library as it is, anything else as an array that keeps its types."""
    if (series := series_of(values)) is not None:
        return series
    if isinstance(values, np.ma.MaskedArray):
        values = _unmasked(values)
    array = values if isinstance(values, np.ndarray) else np.asarray(values, object)
    if array.ndim == 0:
        raise ValueError(f"Column {name!r} is a single value; make lists of all, one value for each row: [{values!r}].")
    if array.ndim != 1:
        raise ValueError(f"Column {name!r} must be one-dimensional, got {array.ndim} dimensions.")
    return array
