"""Parquet files, read by pyarrow."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.files.table import FileTable, check_names


def read_parquet(path: Path) -> FileTable:
    """A file of numbers, text, categories and truth values; any other kind of column is refused."""
    try:
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise ImportError(f"Reading {path} needs pyarrow: pip install 'petree[parquet]'.") from error
    try:
        table = parquet.read_table(path)
    except pyarrow.ArrowException as error:
        raise ValueError(f"{path} cannot be read as Parquet: {error}.") from error
    names = check_names(table.column_names, path)
    return FileTable(path, names, [_to_column(name, table.column(name), path) for name in names])


def _to_column(name: str, values: Any, path: Path) -> NDArray[Any]:
    """Numbers as float64; text, categories and truth values as str."""
    types = import_module("pyarrow.types")
    kind = values.type.value_type if types.is_dictionary(values.type) else values.type
    if any(is_kind(kind) for is_kind in (types.is_integer, types.is_floating, types.is_decimal, types.is_null)):
        return np.asarray(values.cast(kind).cast("float64", safe=False).to_numpy(), np.float64)
    if any(is_kind(kind) for is_kind in (types.is_string, types.is_large_string, types.is_boolean)):
        return np.asarray(values.cast(kind).cast("string").to_numpy(), object)
    raise ValueError(f"Column {name!r} of {path} is of type {kind}, neither numbers nor text; convert or remove it.")
