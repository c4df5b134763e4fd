"""Parquet files, read by pyarrow."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.files.table import LARGEST_WHOLE, FileTable, check_names

# The values of a file may take so many bytes, or so many times its own size, whichever is more.
ALWAYS_READ = 2**30
MOST_GROWTH = 1000
BYTES_OF_A_VALUE = 8


def read_parquet(path: Path) -> FileTable:
    """A file of numbers, moments, text, categories and truth values; another kind is refused where it is asked for."""
    try:
        pyarrow = import_module("pyarrow")
        parquet = import_module("pyarrow.parquet")
    except ImportError as error:
        raise ImportError(f"Reading {path} needs pyarrow: pip install 'petree[parquet]'.") from error
    try:
        if path.is_file():
            _check_size(path, parquet.read_metadata(path))
            check_names(parquet.read_schema(path).names, path)
        table = parquet.read_table(path)
    except FileNotFoundError:
        raise
    except (pyarrow.ArrowException, OSError, MemoryError) as error:
        raise ValueError(f"{path} cannot be read as Parquet: {_shown(error)}.") from error
    return from_arrow(path, table)


def from_arrow(path: Path, table: Any) -> FileTable:
    """A table of pyarrow, or some rows of one, that stands in a file."""
    pyarrow = import_module("pyarrow")
    names = check_names(table.column_names, path)
    read = FileTable(path, names, table.columns)
    columns = []
    for name, values in zip(names, table.columns, strict=True):
        try:
            columns.append(_to_column(name, values, read))
        except pyarrow.ArrowException as error:  # such as text that is not UTF-8
            raise ValueError(f"Column {name!r} of {path} cannot be read: {_shown(error)}.") from error
    return replace(read, columns=columns)


def _shown(error: BaseException) -> str:
    """What pyarrow says, in one line."""
    return " ".join(str(error).split()).rstrip(".")


def _check_size(path: Path, metadata: Any) -> None:
    """Refuse a small file of very many values before they are in memory: equal ones take next to no place in a file."""
    n_bytes = metadata.num_rows * metadata.num_columns * BYTES_OF_A_VALUE
    if n_bytes > max(ALWAYS_READ, MOST_GROWTH * path.stat().st_size):
        raise ValueError(
            f"{path} holds {metadata.num_rows} rows of {metadata.num_columns} columns, over {MOST_GROWTH} times its "
            "own size in memory; if it should, write it as a folder of several files."
        )


def _to_column(name: str, values: Any, table: FileTable) -> NDArray[Any]:
    """Numbers as float64; dates and durations as numpy has them; text, categories and truth values as str."""
    types = import_module("pyarrow.types")
    kind = values.type.value_type if types.is_dictionary(values.type) else values.type
    if any(is_kind(kind) for is_kind in (types.is_integer, types.is_floating, types.is_decimal, types.is_null)):
        plain = values.cast(kind)
        if types.is_integer(kind) or (types.is_decimal(kind) and kind.scale <= 0):
            _note_large(name, plain, table)
        return np.asarray(plain.cast("float64", safe=False).to_numpy(), np.float64)
    if any(is_kind(kind) for is_kind in (types.is_string, types.is_large_string, types.is_boolean)):
        return np.asarray(values.cast(kind).cast("string").to_numpy(), object)
    if (types.is_timestamp(kind) and kind.tz is None) or types.is_date(kind) or types.is_duration(kind):
        return np.asarray(values.cast(kind).to_numpy())
    if types.is_timestamp(kind) or types.is_time(kind):
        return np.array(values.cast(kind).to_pylist(), object)
    sentence = (
        f"Column {name!r} of {table.path} is of type {kind}, neither numbers, moments nor text; convert or remove it."
    )
    return table.leave_out(name, sentence)


def _note_large(name: str, values: Any, table: FileTable) -> None:
    """Note the first whole number beyond 2**53."""
    bounds = import_module("pyarrow.compute").min_max(values).as_py()
    if bounds["min"] is not None and max(bounds["max"], -bounds["min"]) > LARGEST_WHOLE:
        is_large = (value is not None and abs(value) > LARGEST_WHOLE for value in values.to_pylist())
        table.large[name] = next(row for row, found in enumerate(is_large) if found)
