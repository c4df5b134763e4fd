"""One door for files: the format is told by the name."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path

from petree.files.arff import read_arff
from petree.files.delimited import read_delimited
from petree.files.parquet import read_parquet
from petree.files.table import FileTable


def read_table(path: str | os.PathLike[str], text: Collection[str] = ()) -> FileTable:
    """Read a CSV, ARFF or Parquet file, told apart by its name; CSV and ARFF may be gzipped.

    Parameters
    ----------
    path : path
        A name that ends in .csv, .tsv, .txt, .data or .arff, or one of these and .gz, or in .parquet or .pq.
    text : collection of str
        Columns of a CSV file that are text even if every value looks like a number.

    Returns
    -------
    FileTable
    """
    path = Path(path)
    readers = _readers(text)
    suffix = _suffix(path)
    if suffix not in readers:
        raise ValueError(f"{path} is of no known format; its name must end in one of {', '.join(readers)}.")
    try:
        table = readers[suffix](path)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text; save it as UTF-8 and try again.") from error
    except MemoryError as error:
        raise ValueError(f"{path} does not fit into memory; give a part of its rows or columns.") from error
    if not table.names or not table.n_rows:
        raise ValueError(f"{path} has no rows of data; petree needs at least one.")
    return table


def _readers(text: Collection[str]) -> dict[str, Callable[[Path], FileTable]]:
    """The reader of each suffix."""
    readers: dict[str, Callable[[Path], FileTable]]
    readers = dict.fromkeys((".csv", ".tsv", ".txt", ".data"), partial(read_delimited, text=text))
    readers |= {".arff": read_arff}
    readers |= {f"{suffix}.gz": reader for suffix, reader in readers.items()}
    return readers | {".parquet": read_parquet, ".pq": read_parquet}


def _suffix(path: Path) -> str:
    """The last suffix in small letters, with the one before it if the file is gzipped."""
    last = path.suffix.lower()
    return path.with_suffix("").suffix.lower() + last if last == ".gz" else last
