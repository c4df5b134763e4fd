"""How the CSV files of a folder are read: as `petree.read` reads the beginning of a single one.

pyarrow reads them, and guesses types by itself. Where its guess is another than that of `petree.read`, this one counts:
words for what is missing, numbers with a decimal comma or with signs between thousands, codes that begin with a nought.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow
import pyarrow.dataset
from numpy.typing import NDArray
from pyarrow import compute, csv, types

from petree.files.cells import RISKY, SURE
from petree.files.delimited import delimiter_of
from petree.files.how import Reading
from petree.files.numerals import COMMA, POINT, Style
from petree.files.reading import read_table
from petree.files.table import FileTable
from petree.partitions.reading.pieces import RecordBatch, Schema, UnreadableError

# What is looked at of a file.
HEAD_BYTES = 2**20
# Words that are missing values in every column: those of `petree.read`, and pyarrow's own.
NULLS = sorted({*SURE, *csv.ConvertOptions().null_values})
# The same among numbers.
MISSING = (*NULLS, *RISKY)
# What is a number in every style.
INFINITE = "^[+-]?inf(?:inity)?$"
# How a column is read that was told to be of a type.
TOLD_TYPES = {"number": pyarrow.float64(), "nominal": pyarrow.string()}


@dataclass(frozen=True)
class CsvReading:
    """How files are read.

    Parameters
    ----------
    delimiter : str
    types : dict
        Types of pyarrow of columns that are not read as it guesses.
    styles : dict
        How numbers are written in columns that are read as text first.
    notes : tuple of str
        What was guessed otherwise than by pyarrow, in sentences.
    """

    delimiter: str
    types: dict[str, Any] = field(default_factory=dict)
    styles: dict[str, Style] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def format(self) -> Any:
        """The same for pyarrow."""
        return pyarrow.dataset.CsvFileFormat(csv.ParseOptions(delimiter=self.delimiter), convert_options=self._options)

    @property
    def _options(self) -> Any:
        types_of_columns = {**self.types, **dict.fromkeys(self.styles, pyarrow.string())}
        return csv.ConvertOptions(column_types=types_of_columns, null_values=NULLS, strings_can_be_null=True)

    def schema(self, of_texts: Schema) -> Schema:
        """What columns are in the end that are read so."""
        number = pyarrow.float64()
        return pyarrow.schema([one.with_type(number) if one.name in self.styles else one for one in of_texts])

    def fingerprint(self) -> list[Any]:
        """What is another one where files are read otherwise."""
        kinds = sorted((name, str(kind)) for name, kind in self.types.items())
        return [self.delimiter, NULLS, kinds, sorted((name, style.decimal) for name, style in self.styles.items())]

    def along_with(self, other: CsvReading) -> CsvReading:
        """The same where another file has texts among the numbers of the first, such as words for what is missing."""
        plain = {name: style for name, style in other.styles.items() if style is POINT and name not in self.styles}
        kinds = {name: kind for name, kind in self.types.items() if name not in plain}
        more = tuple(note for note in other.notes if note not in self.notes) if plain else ()
        return CsvReading(self.delimiter, kinds, {**self.styles, **plain}, (*self.notes, *more))

    def converted(self, batch: RecordBatch, file: str) -> RecordBatch:
        """Rows of a file with numbers in place of their texts, and without spaces around other texts."""
        for place, name in enumerate(batch.schema.names):
            texts = batch.column(place)
            if name in self.styles:
                batch = batch.set_column(place, name, _numbers(name, file, texts, self.styles[name]))
            elif types.is_string(texts.type):
                batch = batch.set_column(place, name, _without(texts, NULLS))
        return batch


def csv_reading(first: Path, told: Mapping[str, str]) -> CsvReading:
    """How files like this one are read, some columns of which are told to be numbers or nominal."""
    delimiter = "\t" if first.name.lower().endswith((".tsv", ".tsv.gz")) else ","
    types_told = {name: TOLD_TYPES[kind] for name, kind in told.items() if kind in TOLD_TYPES}
    head = _head(first)
    try:
        table, delimiter = _looked_at(head, told)
        plain = CsvReading(delimiter, {name: kind for name, kind in types_told.items() if told[name] == "nominal"})
        by_arrow = csv.read_csv(
            io.BytesIO(head), parse_options=csv.ParseOptions(delimiter=delimiter), convert_options=plain._options
        )
    except (ValueError, pyarrow.ArrowException):  # what is wrong with the file is told when it is read
        return CsvReading(delimiter, types_told)
    return _compared(table, by_arrow, delimiter, types_told)


def _head(path: Path) -> bytes:
    """Whole lines at the beginning of a file."""
    with pyarrow.input_stream(str(path), compression="detect") as stream:
        head: bytes = stream.read(HEAD_BYTES)
    return head if len(head) < HEAD_BYTES else head[: head.rfind(b"\n") + 1]


def _looked_at(head: bytes, told: Mapping[str, str]) -> tuple[FileTable, str]:
    """What `petree.read` makes of the beginning of a file, and what stands between its columns."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "head.csv"
        path.write_bytes(head)
        how = Reading({name: kind for name, kind in told.items() if kind in TOLD_TYPES}, (), "utf-8")
        return read_table(path, how), delimiter_of(path)


def _compared(table: FileTable, by_arrow: Any, delimiter: str, told: Mapping[str, Any]) -> CsvReading:
    """Where the two guesses differ, that of `petree.read`."""
    reading = CsvReading(delimiter, dict(told))
    changed = []
    for name in by_arrow.schema.names:
        kind = by_arrow.schema.field(name).type
        if name not in table.places or name in table.unread:
            continue
        values = table.columns[table.places[name]]
        if values.dtype == np.float64 and types.is_string(kind):
            style = _style_of(by_arrow.column(name), values)
            if style is not None:
                reading.types.pop(name, None)
                reading.styles[name] = style
                changed.append(name)
        elif values.dtype == object and (types.is_integer(kind) or types.is_floating(kind)):
            reading.types[name] = pyarrow.string()
            changed.append(name)
    notes = tuple(sentence for name, sentence in table.told if name in changed)
    return CsvReading(delimiter, reading.types, reading.styles, notes)


def _style_of(texts: Any, numbers: NDArray[np.float64]) -> Style | None:
    """How these numbers are written in these texts."""
    for style in (POINT, COMMA):
        try:
            found = _numbers("", "", texts, style).to_numpy(zero_copy_only=False)
        except UnreadableError:
            continue
        if np.array_equal(found.astype(np.float64), numbers, equal_nan=True):
            return style
    return None


def _numbers(name: str, file: str, texts: Any, style: Style) -> Any:
    """Numbers of a style from texts, of which some are words for what is missing."""
    plain = _without(texts, MISSING)
    fits = compute.or_(
        compute.match_substring_regex(plain, style.plain_pattern),
        compute.match_substring_regex(plain, INFINITE, ignore_case=True),
    )
    if not compute.all(fits, min_count=0).as_py():
        odd = plain.filter(compute.invert(fits))[0].as_py()
        words = COMMA.words if style is COMMA else "numbers"
        raise UnreadableError(
            f"Column {name!r} holds {words} at the beginning of the files, but {odd!r} in {file}; say what it is by "
            f"types={{{name!r}: 'nominal'}}, or write the files again."
        )
    for sign in style.signs:
        plain = compute.replace_substring(plain, sign, "")
    if style.decimal != ".":
        plain = compute.replace_substring(plain, style.decimal, ".")
    return compute.cast(plain, pyarrow.float64())


def _without(texts: Any, words: Sequence[str]) -> Any:
    """Texts without spaces around them, and nothing in place of these words."""
    trimmed = compute.utf8_trim_whitespace(texts)
    is_missing = compute.is_in(trimmed, value_set=pyarrow.array(words, texts.type))
    return compute.if_else(is_missing, pyarrow.scalar(None, texts.type), trimmed)
