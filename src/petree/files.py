"""Tables from files: CSV, ARFF and Parquet become named columns of numbers or of text.

Nothing but numpy is needed for CSV and ARFF; Parquet needs pyarrow. A number column is float64 with NaN
where a value is missing; a text column is an object array of str with None there.
"""

from __future__ import annotations

import csv
import difflib
import gzip
import os
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, TypeAlias

import numpy as np
from numpy.dtypes import StringDType
from numpy.typing import NDArray

Text: TypeAlias = NDArray[Any]  # of StringDType
Record: TypeAlias = tuple[int, list[str]]

MISSING_IN_CSV = ("", "?", "NA", "NaN", "nan", "null", "None")
MISSING_IN_ARFF = ("?",)
DELIMITERS = (",", ";", "\t")
LINES_TO_SNIFF = 50
ROWS_AT_ONCE = 50_000


@dataclass(frozen=True)
class FileTable:
    """A table as it stood in a file.

    Parameters
    ----------
    path : Path
        The file.
    names : list of str
        Column names, in the order of the file.
    columns : list of ndarray
        One array a column: float64, or objects (str and None).
    lines : ndarray or None
        The line on which each row begins; None where the file format has no lines.
    """

    path: Path
    names: list[str]
    columns: list[NDArray[Any]]
    lines: NDArray[np.int64] | None = None

    @property
    def n_rows(self) -> int:
        return len(self.columns[0])

    def column(self, name: str) -> NDArray[Any]:
        """One column by name; an unknown name is answered with the names there are."""
        if name in self.names:
            return self.columns[self.names.index(name)]
        close = difflib.get_close_matches(name, self.names, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise ValueError(f"{self.path} has no column {name!r}{hint}; its columns are {', '.join(self.names)}.")

    def select(self, names: Iterable[str]) -> dict[str, NDArray[Any]]:
        """The named columns in the given order, in the form that the estimators take."""
        return {name: self.column(name) for name in names}

    def place(self, row: int) -> str:
        """Where a row stands, in words."""
        return f"row {row + 1} of {self.path}" if self.lines is None else f"line {self.lines[row]} of {self.path}"


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
    suffix = path.with_suffix("").suffix.lower() + ".gz" if path.suffix.lower() == ".gz" else path.suffix.lower()
    readers = {".csv": _read_csv, ".tsv": _read_csv, ".txt": _read_csv, ".data": _read_csv, ".arff": _read_arff}
    readers |= {f"{known}.gz": reader for known, reader in readers.items()}
    readers |= {".parquet": _read_parquet, ".pq": _read_parquet}
    if suffix not in readers:
        raise ValueError(f"{path} is of no known format; its name must end in one of {', '.join(readers)}.")
    try:
        table = readers[suffix](path, text)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text; save it as UTF-8 and try again.") from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{path} is not a whole gzip file; pack or copy it again.") from error
    if not table.names or not table.n_rows:
        raise ValueError(f"{path} has no rows of data; petree needs at least one.")
    return table


def _open_text(path: Path) -> IO[str]:
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")


def _check_names(names: Sequence[str], path: Path) -> list[str]:
    """The names as a list; an empty or a repeated one is refused."""
    for position, name in enumerate(names):
        if not name:
            raise ValueError(f"Column {position + 1} of {path} has no name; name it, or remove it if it is an index.")
        if name in names[:position]:
            raise ValueError(f"{path} has two columns named {name!r}; rename one of them.")
    return list(names)


def _gather(records: Iterator[Record], n_fields: int, path: Path) -> tuple[list[Text], NDArray[np.int64]]:
    """Columns and line numbers of all records, a block at a time so that few Python strings live at once."""
    blocks: list[list[Text]] = [[np.array([], StringDType())] * n_fields]
    lines = [np.array([], np.int64)]
    while block := list(islice(records, ROWS_AT_ONCE)):
        block_lines, rows = zip(*block, strict=True)
        lengths = np.fromiter(map(len, rows), np.int64, len(rows))
        for wrong in np.flatnonzero(lengths != n_fields)[:1]:
            raise ValueError(
                f"Line {block_lines[wrong]} of {path} is broken: expected {n_fields} fields, found {lengths[wrong]}."
            )
        blocks.append([np.array(column, StringDType()) for column in zip(*rows, strict=True)])
        lines.append(np.array(block_lines, np.int64))
    return [np.concatenate(pieces) for pieces in zip(*blocks, strict=True)], np.concatenate(lines)


def _missing(values: Text, words: Sequence[str]) -> NDArray[np.bool_]:
    return np.isin(values, np.array(words, StringDType()))


def _to_numbers(values: Text, is_missing: NDArray[np.bool_]) -> NDArray[np.float64] | None:
    """The values as float64 with NaN for missing ones, or None if one of them is no number."""
    try:
        numbers = np.where(is_missing, np.array("nan", StringDType()), values).astype(np.float64)
    except ValueError:
        return None
    # Python's own grammar takes 1_000 for a number; in a file it is a name.
    return None if (np.strings.find(values, "_") >= 0).any() else numbers


def _to_text(values: Text, is_missing: NDArray[np.bool_]) -> NDArray[np.object_]:
    objects = values.astype(object)
    objects[is_missing] = None
    return objects


# -- CSV ------------------------------------------------------------------------------------------------


def _read_csv(path: Path, text: Collection[str]) -> FileTable:
    with _open_text(path) as stream:
        head = list(islice(stream, LINES_TO_SNIFF))
        records = _csv_records(chain(head, stream), _sniff_delimiter(head), path)
        first = next(records, None)
        if first is None:
            raise ValueError(f"{path} is empty; it needs a header line with the column names.")
        names = _check_names(first[1], path)
        columns, lines = _gather(records, len(names), path)
    typed = [_csv_column(values, name in text) for name, values in zip(names, columns, strict=True)]
    return FileTable(path, names, typed, lines)


def _csv_column(values: Text, is_text: bool) -> NDArray[Any]:
    is_missing = _missing(values, MISSING_IN_CSV)
    numbers = None if is_text else _to_numbers(values, is_missing)
    return _to_text(values, is_missing) if numbers is None else numbers


def _csv_records(lines: Iterable[str], delimiter: str, path: Path) -> Iterator[Record]:
    """Every record but blank lines, with the number of its first line."""
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    while True:
        first_line = reader.line_num + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise ValueError(f"Line {first_line} of {path} is broken: {error}.") from error
        if fields:
            yield first_line, fields


def _sniff_delimiter(head: list[str]) -> str:
    """The delimiter that cuts the first lines into the most fields, preferably equally many in each."""

    def merit(delimiter: str) -> tuple[bool, int]:
        lengths = [len(fields) for fields in csv.reader(head, delimiter=delimiter, skipinitialspace=True) if fields]
        if len(head) == LINES_TO_SNIFF:
            lengths = lengths[:-1]  # a quoted field may run on beyond the head
        n_fields = lengths[0] if lengths else 0
        return n_fields > 1 and len(set(lengths)) == 1, n_fields

    return max(DELIMITERS, key=merit)


# -- ARFF -----------------------------------------------------------------------------------------------

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]+)(\s*\{{.*\}}|\s+\w+)", re.IGNORECASE)
_VALUE = re.compile(rf"\s*({_QUOTED}|[^,]*?)\s*(?:,|$)")


def _read_arff(path: Path, _: Collection[str]) -> FileTable:
    with _open_text(path) as stream:
        numbered = enumerate(map(str.strip, stream), start=1)
        attributes = _arff_attributes(numbered, path)
        columns, lines = _gather(_arff_records(numbered, path), len(attributes), path)
    table = FileTable(path, list(attributes), [], lines)
    for (name, declared), values in zip(attributes.items(), columns, strict=True):
        table.columns.append(_arff_column(name, declared, values, table))
    return table


def _arff_attributes(numbered: Iterator[tuple[int, str]], path: Path) -> dict[str, list[str] | None]:
    """Declared values of each attribute, None for a number; reads up to the line ``@data``."""
    attributes: dict[str, list[str] | None] = {}
    for number, line in numbered:
        if line.lower().startswith("@data"):
            break
        if line.lower().startswith("@attribute"):
            match = _ATTRIBUTE.match(line)
            if match is None:
                raise ValueError(f"Line {number} of {path} is broken: it must be '@attribute name type'.")
            name = _check_names([*attributes, _unquote(match[1])], path)[-1]
            attributes[name] = _arff_declared(match[2].strip(), f"Attribute {name!r} in line {number} of {path}")
    if not attributes:
        raise ValueError(f"{path} declares no attributes; an ARFF file begins with @attribute lines.")
    return attributes


def _arff_declared(kind: str, attribute: str) -> list[str] | None:
    if kind.startswith("{"):
        return _arff_fields(kind[1:-1])
    if kind.lower() in ("numeric", "real", "integer"):
        return None
    raise ValueError(f"{attribute} is of type {kind}; petree takes numeric and nominal ones, so remove it.")


def _arff_records(numbered: Iterator[tuple[int, str]], path: Path) -> Iterator[Record]:
    for number, line in numbered:
        if line.startswith("{"):
            raise ValueError(f"Line {number} of {path} is sparse ARFF; write every value of each row instead.")
        if line and not line.startswith("%"):
            yield number, _arff_fields(line)


def _arff_fields(line: str) -> list[str]:
    if "'" not in line and '"' not in line:
        return list(map(str.strip, line.split(",")))
    # After a last value without a comma the pattern matches once more, the nothing at the end.
    matches = [match for match in _VALUE.finditer(line) if match.start() < len(line) or line.endswith(",")]
    return [_unquote(match[1]) for match in matches]


def _unquote(value: str) -> str:
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return re.sub(r"\\(.)", r"\1", value[1:-1]) if is_quoted else value


def _arff_column(name: str, declared: list[str] | None, values: Text, table: FileTable) -> NDArray[Any]:
    is_missing = _missing(values, MISSING_IN_ARFF)
    if declared is not None:
        for row in np.flatnonzero(~is_missing & ~np.isin(values, np.array(declared, StringDType())))[:1]:
            raise ValueError(f"{name!r} in {table.place(row)} has the undeclared value {str(values[row])!r}.")
        return _to_text(values, is_missing)
    numbers = _to_numbers(values, is_missing)
    if numbers is None:
        row = next(row for row in range(len(values)) if _to_numbers(values[[row]], is_missing[[row]]) is None)
        raise ValueError(f"{name!r} is declared a number, but {table.place(row)} has {str(values[row])!r}.")
    return numbers


# -- Parquet --------------------------------------------------------------------------------------------


def _read_parquet(path: Path, _: Collection[str]) -> FileTable:
    try:
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise ImportError(f"Reading {path} needs pyarrow: pip install 'petree[parquet]'.") from error
    try:
        table = parquet.read_table(path)
    except pyarrow.ArrowException as error:
        raise ValueError(f"{path} cannot be read as Parquet: {error}.") from error
    names = _check_names(table.column_names, path)
    return FileTable(path, names, [_arrow_column(name, table.column(name), path) for name in names])


def _arrow_column(name: str, values: Any, path: Path) -> NDArray[Any]:
    """Numbers as float64; text, categories and truth values as str."""
    types = import_module("pyarrow.types")
    kind = values.type.value_type if types.is_dictionary(values.type) else values.type
    if any(is_kind(kind) for is_kind in (types.is_integer, types.is_floating, types.is_decimal, types.is_null)):
        return np.asarray(values.cast(kind).cast("float64", safe=False).to_numpy(), np.float64)
    if any(is_kind(kind) for is_kind in (types.is_string, types.is_large_string, types.is_boolean)):
        return np.asarray(values.cast(kind).cast("string").to_numpy(), object)
    raise ValueError(f"Column {name!r} of {path} is of type {kind}, neither numbers nor text; convert or remove it.")


# -- writing --------------------------------------------------------------------------------------------


def check_output(path: Path) -> None:
    """Refuse a place where no file can be written, before long work begins."""
    if not path.parent.is_dir():
        raise ValueError(f"{path} cannot be written because there is no directory {path.parent}; make it first.")
    if path.exists() and not path.is_file():
        raise ValueError(f"{path} cannot be written because it is not a file; choose another name.")


def write_text(path: Path, text: str) -> None:
    """Write the whole file or leave the old one: under a temporary name first, then renamed."""
    check_output(path)
    path = path.resolve()
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        temporary.write_text(text, encoding="utf-8", newline="")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
