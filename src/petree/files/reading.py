"""One door for files: the format is told by the name."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from petree.files.arff import read_arff
from petree.files.delimited import read_delimited
from petree.files.how import Reading
from petree.files.parquet import read_parquet
from petree.files.source import STANDARD_INPUT, WINDOWS, FileSource, decoded
from petree.files.table import FileTable

AS_GUESSED = Reading()
# The formats of text by the ends of their names.
DELIMITED = (".csv", ".tsv", ".txt", ".data")
ARFF = (".arff",)
PARQUET = (".parquet", ".pq")


def read(
    path: str | os.PathLike[str],
    columns: Sequence[str] | None = None,
    ignore: Sequence[str] = (),
    types: Mapping[str, str] | None = None,
    missing_values: Sequence[str] = (),
    encoding: str | None = None,
) -> FileTable:
    """Read a table as a person would, and tell in its `notes` what was guessed.

    Parameters
    ----------
    path : path
        A CSV, ARFF or Parquet file, told apart by its name; CSV and ARFF may be gzipped. "-" is the standard input, a
        CSV file.
    columns : sequence of str, optional
        The columns to keep; all of them if it is not given.
    ignore : sequence of str
        Columns to leave out.
    types : mapping of str to str, optional
        What columns of a CSV file are: "number", "nominal", "date", "date-dmy" and "date-mdy" (day or month first),
        "time" or "duration".
    missing_values : sequence of str
        Words of a CSV file for what is missing, besides those that are known to be (nothing, ``?``, ``NA`` and others).
    encoding : str, optional
        How a text file writes characters, as Python calls it.

    Returns
    -------
    FileTable
        A mapping of names to arrays, which `fit` and `predict` take as X; `without` leaves the target out.

    Examples
    --------
    >>> import petree
    >>> table = petree.read("loans.csv", types={"zip": "nominal"})  # doctest: +SKIP
    >>> model.fit(table.without("repaid"), table["repaid"])  # doctest: +SKIP
    """
    for name, words in (("columns", columns), ("ignore", ignore)):
        if isinstance(words, str):
            raise TypeError(
                f"The {name!r} must be a list of texts, such as [{words!r}]. Got the text {words!r} instead."
            )
    if not isinstance(types, Mapping | None):
        raise TypeError(f"The 'types' must be a dict such as {{'zip': 'nominal'}}. Got {types!r} instead.")
    table = read_table(path, Reading(types or {}, missing_values, encoding))
    for name in types or {}:
        table.check(name)
    return table.chosen(columns, ignore)


def read_table(path: str | os.PathLike[str], how: Reading = AS_GUESSED) -> FileTable:
    """Read a CSV, ARFF or Parquet file, told apart by its name; CSV and ARFF may be gzipped."""
    path = Path(path)
    source = FileSource.of(path)
    suffix = DELIMITED[0] if str(path) == STANDARD_INPUT else _suffix(path)
    try:
        if suffix in PARQUET:
            table = read_parquet(path)
        else:
            table, encoding = decoded(source, how.encoding, partial(_text_reader(suffix, path, how), source))
            if how.encoding is None and encoding == WINDOWS:
                table.note(
                    None, f"{path} is not UTF-8; it is read as Windows wrote (cp1252). --encoding names another."
                )
    except UnicodeDecodeError as error:  # in the names of Parquet
        raise ValueError(f"{path} holds names that are not UTF-8 text; write it again.") from error
    except MemoryError as error:
        raise ValueError(f"{path} does not fit into memory; give a part of its rows or columns.") from error
    if not table.names or not table.n_rows:
        raise ValueError(f"{source.path} has no rows of data; petree needs at least one.")
    return table


def _text_reader(suffix: str, path: Path, how: Reading) -> Callable[[FileSource, str], FileTable]:
    """The reader of files whose names end so."""
    plain = suffix.removesuffix(".gz")
    if plain in DELIMITED:
        return partial(read_delimited, how=how)
    if plain in ARFF:
        return read_arff
    if not path.exists():
        raise FileNotFoundError(f"There is no folder or file {path}.")
    known = [*DELIMITED, *ARFF]
    listed = ", ".join([*known, *(f"{one}.gz" for one in known), *PARQUET])
    raise ValueError(f"{path} is of no known format; its name must end in one of {listed}.")


def _suffix(path: Path) -> str:
    """The last suffix in small letters, with the one before it if the file is gzipped."""
    last = path.suffix.lower()
    return path.with_suffix("").suffix.lower() + last if last == ".gz" else last
