"""Values of one column, whatever library they come from: numbers as an array, moments as microseconds, else codes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import repeat
from numbers import Integral, Number
from typing import TYPE_CHECKING, Any, SupportsInt, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from petree.inputs.moments import Measured, are_all, is_moment, measure_array, measure_objects, odd_one_out

if TYPE_CHECKING:
    from narwhals.stable.v2 import Series
    from pandas import Categorical, Index
    from pandas.api.extensions import ExtensionArray

    from petree.inputs.types import ColumnLike, RawColumn

MISSING = -1
UNKNOWN = -2
BOOLEANS = (False, True)
# Whole numbers above this are not all different as float64.
LARGEST_WHOLE = 2**53
# What is no series of any library: to ask narwhals takes longer than to read a short column.
PLAIN = (np.ndarray, list, tuple, range)
# Types of pandas whose values are texts.
TEXTS = ("str", "string")
# Types whose values mean "missing", by name, so that no library need be imported.
MISSING_TYPES = ("NoneType", "NAType", "NaTType")


@dataclass(slots=True)  # not frozen, which makes one take twice as long, and there is one a column
class Coded:
    """A column of categories: codes (`MISSING` where missing) into the declared values."""

    codes: NDArray[np.int32]
    categories: tuple[Any, ...]
    is_ordered: bool = False

    def __len__(self) -> int:
        return len(self.codes)


# Numbers, categories, or dates, times and durations.
Unpacked: TypeAlias = "NDArray[Any] | Coded | Measured"


def unpack(name: str, values: RawColumn) -> Unpacked:
    """Values of an array or of a series of some library; what is unpacked already stays as it is."""
    if isinstance(values, (Coded, Measured)):
        return values
    if not isinstance(values, np.ndarray):
        return _unpack_series(name, values)
    kind = values.dtype.kind
    if kind in "fiu":
        return _numbers(name, values)
    if kind == "b":
        return Coded(values.astype(np.int32), BOOLEANS)
    if kind in "OT":
        return _unpack_objects(name, values.tolist())
    if kind in "US":
        return codes_of(values.tolist())
    if kind in "mM":
        return measure_array(name, values)
    raise _refusal(name, kind, values.dtype)


def _refusal(name: str, kind: str, dtype: Any) -> Exception:
    if kind == "c":
        return ValueError(f"Complex data not supported: column {name!r} is complex; pass real and imaginary parts.")
    return TypeError(
        f"Column {name!r} is of type {dtype}, neither text, numbers nor dates; convert it, or leave it out."
    )


def refuse_complex(matrix: NDArray[Any]) -> None:
    """Refuse an array of complex numbers; the first column that has an imaginary part is named."""
    if matrix.dtype.kind == "c":
        column = int(np.argmax((matrix.imag != 0).any(axis=0))) if matrix.ndim == 2 and matrix.size else 0
        raise _refusal(f"x{column}", "c", matrix.dtype)


def codes_of(values: list[Any], categories: tuple[Any, ...] | None = None) -> Coded:
    """Codes of values (None where missing); the categories are those found, sorted, unless declared."""
    if categories is None:
        categories = tuple(sorted(set(values) - {None}))
    code = {category: code for code, category in enumerate(categories)} | {None: MISSING}
    return Coded(np.fromiter(map(code.get, values, repeat(UNKNOWN)), np.int32, len(values)), categories)


def refuse_masked(name: str, values: ColumnLike) -> None:
    """Refuse an array some of whose values are masked, where each of them is needed."""
    if isinstance(values, np.ma.MaskedArray) and (mask := np.ma.getmaskarray(values)).any():
        row = int(np.argwhere(mask)[0][0])
        raise ValueError(f"{name} is masked in row {row}; leave out the rows whose {name} is not known, also in X.")


def none_for_nan(values: NDArray[Any]) -> list[Any]:
    """Numbers as Python objects, None where missing."""
    objects = values.astype(object)
    if values.dtype.kind == "f":
        objects[np.isnan(values)] = None
    return list(objects.tolist())


# -- numbers ---------------------------------------------------------------------------------------------------


def _numbers(name: str, values: NDArray[Any]) -> NDArray[Any]:
    if values.dtype.kind in "iu" and values.dtype.itemsize == 8 and len(values):
        _check_whole(name, values.min(), values.max(), values)
    return _shortened(name, values) if values.dtype.itemsize > 8 else values


def _shortened(name: str, values: NDArray[Any]) -> NDArray[np.float64]:
    """Long numbers as float64, which must be able to hold them."""
    with np.errstate(over="ignore"):
        numbers = values.astype(np.float64)
    is_beyond = np.isinf(numbers) & np.isfinite(values)
    if is_beyond.any():
        row = int(np.argmax(is_beyond))
        raise ValueError(
            f"Column {name!r} holds {values[row]!s} in row {row}, more than float64 can hold; divide the column by a "
            "constant, or leave it out."
        )
    return numbers


def _check_whole(name: str, lowest: SupportsInt, highest: SupportsInt, values: Iterable[Any]) -> None:
    if max(int(highest), -int(lowest)) > LARGEST_WHOLE:
        beyond = ((row, one) for row, one in enumerate(values) if isinstance(one, Integral) and is_beyond(one))
        row, value = next(beyond)
        raise ValueError(
            f"Column {name!r} holds {value} in row {row}: whole numbers beyond 2**53 are more than float64 can tell "
            "apart. Divide them, or pass them as floats, if they measure something; as text if they name something; or "
            "leave the column out."
        )


def is_beyond(number: SupportsInt) -> bool:
    """Whether float64 may take a whole number for another one."""
    return abs(int(number)) > LARGEST_WHOLE


# -- series of data frame libraries -----------------------------------------------------------------------------


def series_of(values: ColumnLike) -> Series[Any] | None:
    """A series of some library, if it is one."""
    if isinstance(values, PLAIN):
        return None
    import narwhals.stable.v2 as nw

    pandas = nw.dependencies.get_pandas()
    if pandas is not None and isinstance(values, pandas.Categorical):  # an array would forget what is declared
        values = pandas.Series(values)
    series = nw.from_native(cast(Any, values), pass_through=True, allow_series=True)
    return series if isinstance(series, nw.Series) else None


def inside(array: ExtensionArray) -> NDArray[Any] | Coded | None:
    """What a column of pandas has inside, where that is a plain array or has codes: the fastest way to read it."""
    dtype = array.dtype
    if isinstance(dtype, np.dtype):
        return np.asarray(array) if dtype.kind in "fiubmM" else None
    if dtype.name in TEXTS:
        return _inside_texts(array)
    if dtype.name != "category":
        return None
    column = cast("Categorical", array)
    # `_codes` is not public, but `codes` makes a view of it first, which takes longer than all the rest.
    codes = getattr(column, "_codes", None)
    codes = column.codes if codes is None else codes
    return Coded(codes.astype(np.int32), tuple(listed(column.dtype.categories)), bool(column.dtype.ordered))


def _inside_texts(array: ExtensionArray) -> NDArray[Any] | Coded:
    """The codes of a column of text; where it has no values, missing numbers, which may be anything."""
    is_missing = np.asarray(array.isna())
    if is_missing.all():
        return np.full(len(array), np.nan)
    texts = np.array(array, object)
    texts[is_missing] = None
    return codes_of(texts.tolist())


def listed(index: Index) -> list[Any]:
    """What a pandas index holds, as Python objects; each way is several times as fast as its own `tolist`."""
    if getattr(index.dtype, "storage", None) != "pyarrow":
        return list(np.asarray(index, object).tolist())
    text = index.array.__arrow_array__()
    return list((text.chunk(0) if text.num_chunks == 1 else text).to_pylist())


def _unpack_series(name: str, series: Series[Any]) -> Unpacked:
    import narwhals.stable.v2 as nw

    native = series.to_native()
    if nw.dependencies.is_pandas_series(native) and (plain := inside(native.array)) is not None:
        return unpack(name, plain)
    dtype = series.dtype
    if isinstance(dtype, (nw.Categorical, nw.Enum)):
        return _unpack_categories(series)
    if isinstance(dtype, (nw.Datetime, nw.Duration)):
        return measure_array(name, series.to_numpy(), isinstance(dtype, nw.Datetime) and dtype.time_zone is not None)
    n_missing = series.null_count()
    if n_missing == len(series):
        return np.full(len(series), np.nan)
    if dtype == nw.Boolean:
        return Coded(series.cast(nw.Int32).fill_null(MISSING).to_numpy().astype(np.int32), BOOLEANS)
    if dtype.is_integer():
        _check_whole(name, series.min(), series.max(), series.to_list())
    if dtype.is_numeric():
        is_plain = n_missing == 0 and dtype not in (nw.Decimal, nw.Int128, nw.UInt128)
        return _numbers(name, (series if is_plain else series.cast(nw.Float64)).to_numpy())
    if dtype == nw.String:
        return codes_of(_texts_of(name, series))
    if dtype in (nw.Object, nw.Date, nw.Time, nw.Unknown):
        values = series.to_numpy()
        return unpack(name, values) if values.dtype.kind == "M" else _unpack_objects(name, _none_for_null(series))
    raise _refusal(name, series.to_numpy().dtype.kind, dtype)


def _none_for_null(series: Series[Any]) -> list[Any]:
    values = series.to_numpy().astype(object)
    values[series.is_null().to_numpy().astype(bool)] = None
    return list(values.tolist())


def _texts_of(name: str, series: Series[Any]) -> list[Any]:
    """The texts of a series; those of pyarrow may be bytes that are no text."""
    import narwhals.stable.v2 as nw

    pyarrow = nw.dependencies.get_pyarrow()
    errors = (UnicodeDecodeError,) if pyarrow is None else (UnicodeDecodeError, pyarrow.ArrowException)
    try:
        return _none_for_null(series)
    except errors as error:
        raise ValueError(
            f"Column {name!r} holds text that is not UTF-8; write it again, or leave the column out."
        ) from error


def _unpack_categories(series: Series[Any]) -> Coded:
    import narwhals.stable.v2 as nw

    native = series.to_native()
    if nw.dependencies.is_pyarrow_chunked_array(native):  # pyarrow: only an ordered dictionary declares its values
        whole = native.unify_dictionaries().combine_chunks()
        declared = tuple(whole.dictionary.to_pylist()) if native.type.ordered else None
        return replace(codes_of(whole.dictionary_decode().to_pylist(), declared), is_ordered=native.type.ordered)
    declared = tuple(series.dtype.categories) if isinstance(series.dtype, nw.Enum) else None
    return replace(codes_of(_none_for_null(series.cast(nw.String)), declared), is_ordered=declared is not None)


# -- Python objects -----------------------------------------------------------------------------------------------


def _any(kinds: set[type], *wanted: type) -> bool:
    return any(issubclass(kind, wanted) for kind in kinds)


def plain_objects(values: list[Any]) -> tuple[list[Any], set[type]]:
    """Values with None for everything missing, and the types of the others; NaN stays among plain numbers."""
    kinds = set(map(type, values))
    nothing = {kind for kind in kinds if kind.__name__ in MISSING_TYPES}
    if nothing - {type(None)}:
        values = [None if type(value) in nothing else value for value in values]
    kinds -= nothing
    if _any(kinds, str, bool, np.bool_) and _any(kinds, float):  # NaN stands among text and booleans, too
        values = [None if isinstance(value, float) and value != value else value for value in values]
        kinds = set(map(type, values)) - {type(None)}
    return values, kinds


def _unpack_objects(name: str, values: list[Any]) -> Unpacked:
    """Python objects: all text, all booleans, all numbers or all moments, missing ones aside."""
    values, kinds = plain_objects(values)
    if are_all(kinds, str):
        return codes_of(values)
    if are_all(kinds, bool, np.bool_):
        return codes_of(values, BOOLEANS)
    if all(issubclass(kind, (Number, np.number)) and not issubclass(kind, complex) for kind in kinds):
        whole = [value for value in values if isinstance(value, Integral)] if _any(kinds, Integral) else []
        if whole:
            _check_whole(name, min(whole), max(whole), values)
        with np.errstate(over="ignore"):  # what float64 cannot hold is infinite, and refused as such
            return np.array([np.nan if value is None else value for value in values], np.float64)
    if (measured := measure_objects(name, values, kinds)) is not None:
        return measured
    raise _refusal_of_objects(name, values, kinds)


def _refusal_of_objects(name: str, values: list[Any], kinds: set[type]) -> Exception:
    known = (str, Number, np.number, np.bool_)
    odd = {kind for kind in kinds if not issubclass(kind, known) and not is_moment(kind)}
    if odd:
        row = next(row for row, value in enumerate(values) if type(value) in odd)
        return TypeError(
            f"Column {name!r} holds a value of type {type(values[row]).__name__} in row {row}; "
            "every argument must be a string, a real number or a date."
        )
    if any(map(is_moment, kinds)):
        return odd_one_out(name, values)
    if _any(kinds, complex):
        return _refusal(name, "c", complex)
    names = ", ".join(sorted(kind.__name__ for kind in kinds))
    return TypeError(f"Column {name!r} mixes values of types {names}; make all of them text or all of them numbers.")
