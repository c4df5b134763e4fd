"""How the CSV files of a folder are read: as `petree.read` reads the beginning of a single one.

pyarrow reads them, and guesses types by itself. Where its guess is another than that of `petree.read`, this one counts:
words for what is missing, numbers with a decimal comma or with signs between thousands, codes that begin with a nought.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow
import pyarrow.dataset
from numpy.typing import NDArray
from pyarrow import compute, csv, types

from petree.files.cells import RISKY, SURE
from petree.files.first_lines import First, begin, read_heading
from petree.files.how import Reading
from petree.files.numerals import COMMA, POINT, Style
from petree.files.reading import read_table
from petree.files.source import UTF_8, UTF_16_MARKS, WINDOWS
from petree.files.table import FileTable
from petree.partitions.reading.pieces import DECIMAL, RecordBatch, Schema, UnreadableError, naming

# What is looked at of a file.
HEAD_BYTES = 2**20
# Words that are missing values in every column: those of `petree.read`, and pyarrow's own.
NULLS = sorted({*SURE, *csv.ConvertOptions().null_values})
# The same among numbers.
MISSING = (*NULLS, *RISKY)
# What is a number in every style.
INFINITE = "(?i)^[+-]?inf(?:inity)?$"
# What is told of other columns of numbers.
ONLY_IN_SINGLE_FILES = (
    "its numbers are written in a way, such as with signs of units, that is read in single files alone."
)
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
    notes : tuple of (str, str)
        What was guessed otherwise than by pyarrow, in sentences, each with its column.
    """

    delimiter: str
    types: dict[str, Any] = field(default_factory=dict)
    styles: dict[str, Style] = field(default_factory=dict)
    notes: tuple[tuple[str, str], ...] = ()

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
        return pyarrow.schema([self._field(one) for one in of_texts])

    def _field(self, of_text: Any) -> Any:
        """The field of a column in the end."""
        style = self.styles.get(of_text.name)
        return (
            of_text if style is None else of_text.with_type(pyarrow.float64()).with_metadata({DECIMAL: style.decimal})
        )

    def fingerprint(self) -> list[Any]:
        """What is another one where files are read otherwise."""
        kinds = sorted((name, str(kind)) for name, kind in self.types.items())
        return [self.delimiter, NULLS, kinds, sorted((name, style.decimal) for name, style in self.styles.items())]

    def along_with(self, other: CsvReading, before: Mapping[str, Any]) -> CsvReading:
        """The same where another file says more than those before it, whose columns are of these types of pyarrow.

        Columns that were empty are read as in that file. Whole numbers may be of any style; numbers with a point keep
        it, and files that have others are refused when they are read.
        """
        styles = dict(self.styles)
        kinds = dict(self.types)
        for name, style in other.styles.items():
            is_open = types.is_null(before[name]) or types.is_integer(before[name])
            if name not in styles and (is_open or types.is_floating(before[name])):
                styles[name] = style if is_open else POINT
                kinds.pop(name, None)
        kinds |= {name: kind for name, kind in other.types.items() if name in before and types.is_null(before[name])}
        kept = set(other.styles) - set(styles) | set(other.types) - set(kinds)
        more = tuple(note for note in other.notes if note[0] not in kept and note not in self.notes)
        return CsvReading(self.delimiter, kinds, styles, (*self.notes, *more))

    def converted(self, batch: RecordBatch, file: str) -> RecordBatch:
        """Rows of a file with numbers in place of their texts, and without spaces around other texts."""
        for place, name in enumerate(batch.schema.names):
            texts = batch.column(place)
            if name in self.styles:
                batch = batch.set_column(place, name, _numbers(name, file, texts, self.styles[name]))
            elif types.is_string(texts.type):
                batch = batch.set_column(place, name, _without(texts, NULLS))
        return batch


def first_with_rows(files: Sequence[Path]) -> int:
    """The place of the first file that has more than a header; 0 if none has."""
    return next((place for place, file in enumerate(files) if len(_head(file).strip().splitlines()) > 1), 0)


def csv_reading(file: Path, told: Mapping[str, str]) -> CsvReading:
    """How files like this one are read, some columns of which are told to be numbers or nominal."""
    delimiter = "\t" if file.name.lower().endswith((".tsv", ".tsv.gz")) else ","
    complaint = ""
    types_told = {name: TOLD_TYPES[kind] for name, kind in told.items() if kind in TOLD_TYPES}
    head = _text(file).encode()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "head.csv"
        path.write_bytes(head)
        # What is wrong with the file is told when it is read.
        with suppress(ValueError):
            delimiter, complaint = _beginning_of(path, file)
        if complaint:
            raise UnreadableError(complaint)
        try:
            table = read_table(path, Reading({name: told[name] for name in types_told}, (), UTF_8))
            by_arrow = _by_arrow(head, delimiter, types_told)
        except (ValueError, pyarrow.ArrowException):
            return CsvReading(delimiter, types_told)
    unread = {name: sentence.replace(str(path), str(file)) for name, sentence in table.unread.items()}
    return _compared(replace(table, unread=unread), by_arrow, delimiter, types_told)


def _beginning_of(head: Path, file: Path) -> tuple[str, str]:
    """What stands between the columns of a file, given its beginning, and why pyarrow would read it wrongly, if so."""
    with head.open(encoding=UTF_8, newline="") as stream:
        beginning = begin(stream, head)
        first = read_heading(beginning, head).first
    complaint = ""
    if beginning.separator.is_spaces:
        complaint = f"The columns of {file} are separated by spaces; write it again with commas."
    elif beginning.comments is not None and beginning.comments.n_lines:
        complaint = f"{file} begins with comments; write it again without them."
    elif first is First.ROW:
        complaint = f"{file} has no line with the names of its columns; write it again with one."
    return beginning.separator.delimiter, complaint


def _by_arrow(head: bytes, delimiter: str, told: Mapping[str, Any]) -> Any:
    """What pyarrow makes of the beginning of a file."""
    plain = CsvReading(delimiter, {name: kind for name, kind in told.items() if types.is_string(kind)})
    parsing = csv.ParseOptions(delimiter=delimiter)
    return csv.read_csv(io.BytesIO(head), parse_options=parsing, convert_options=plain._options)


def _head(path: Path) -> bytes:
    """Whole lines at the beginning of a file."""
    with naming(str(path)), pyarrow.input_stream(str(path), compression="detect") as stream:
        head: bytes = stream.read(HEAD_BYTES)
    return head if len(head) < HEAD_BYTES else head[: head.rfind(b"\n") + 1]


def _text(file: Path) -> str:
    """The beginning of a file; pyarrow reads UTF-8 alone, but other texts show what stands between columns, too."""
    head = _head(file)
    if head.startswith(UTF_16_MARKS):
        raise UnreadableError(f"{file} is UTF-16 text; write it again as UTF-8, or take it away.")
    try:
        return head.decode(UTF_8)
    except UnicodeDecodeError:
        return head.decode(WINDOWS, errors="replace")


def _compared(table: FileTable, by_arrow: Any, delimiter: str, told: Mapping[str, Any]) -> CsvReading:
    """Where the two guesses differ, that of `petree.read`."""
    kinds = dict(told)
    styles: dict[str, Style] = {}
    changed = []
    notes = []
    for name, kind in zip(by_arrow.schema.names, by_arrow.schema.types, strict=True):
        if told.get(name) == pyarrow.string():
            continue
        own = name.strip()
        if types.is_string(kind) and (mixed := _main_style(by_arrow.column(name))) is not None:
            kinds.pop(name, None)  # the numbers of the other style end the reading of the column
            styles[name] = mixed
            continue
        if own in table.unread and name not in told:
            notes.append((name, f"column {name!r} is read as it is, where petree.read says: {table.unread[own]}"))
        elif own not in table.places:
            notes.append(
                (name, f"column {name!r} is read, where petree.read leaves it out; ignore it if it counts rows.")
            )
        if own not in table.places or own in table.unread:
            continue
        values = table.columns[table.places[own]]
        if values.dtype == np.float64 and types.is_string(kind):
            style = _style_of(by_arrow.column(name), values)
            if style is not None:
                kinds.pop(name, None)
                styles[name] = style
                changed.append(own)
            else:
                notes.append((name, f"column {name!r} is text: {ONLY_IN_SINGLE_FILES}"))
        elif values.dtype == np.float64 and _differ(by_arrow.column(name), values):
            styles[name] = COMMA  # 1.234 is a thousand and more, as other columns of the file tell
            changed.append(own)
        elif values.dtype == object and (types.is_integer(kind) or types.is_floating(kind)):
            kinds[name] = pyarrow.string()
            changed.append(own)
        elif values.dtype.kind in "mM" and types.is_string(kind):
            notes.append((name, f"column {name!r} is text: dates are read where all files have ISO dates alone."))
    notes += [(name, sentence) for name, sentence in table.told if name in changed]
    return CsvReading(delimiter, kinds, styles, tuple(notes))


def _differ(by_arrow: Any, numbers: NDArray[np.float64]) -> bool:
    """Whether a column that pyarrow takes for numbers too has other ones."""
    if not (types.is_integer(by_arrow.type) or types.is_floating(by_arrow.type)):
        return False
    found = compute.cast(by_arrow, pyarrow.float64()).to_numpy()
    return not np.array_equal(found, numbers, equal_nan=True)


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


def _main_style(texts: Any) -> Style | None:
    """The more frequent style of texts that are numbers of both styles; None if they are anything else."""
    plain = _without(texts, MISSING)
    odd = {style: _not_like(plain, style.plain_pattern) for style in (POINT, COMMA)}
    if not all(map(len, odd.values())) or len(_not_like(odd[POINT], COMMA.plain_pattern)):
        return None
    return min(odd, key=lambda style: len(odd[style]))


def _numbers(name: str, file: str, texts: Any, style: Style) -> Any:
    """Numbers of a style from texts, of which some are words for what is missing."""
    plain = _without(texts, MISSING)
    odd = _not_like(_not_like(plain, style.plain_pattern), INFINITE)
    if len(odd):
        words = COMMA.words if style is COMMA else "numbers"
        raise UnreadableError(
            f"Column {name!r} holds {words} in most rows at the beginning of the files, but {odd[0].as_py()!r} in "
            f"{file}; say what it is by types={{{name!r}: 'nominal'}}, or write the files again."
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


def _not_like(texts: Any, pattern: str) -> Any:
    """The texts that are not of a pattern."""
    return texts.filter(compute.invert(compute.match_substring_regex(texts, pattern)))
