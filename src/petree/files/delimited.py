"""CSV files, whether their values stand between commas, semicolons, tabs, bars or spaces."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from typing import IO

import numpy as np
from numpy.dtypes import StringDType

from petree.files.cells import Cells
from petree.files.guessing import Guesser
from petree.files.how import Reading
from petree.files.numerals import find_decimals
from petree.files.source import UTF_8, FileSource
from petree.files.table import FileTable, check_names
from petree.files.text import Record, Text, find_missing, gather, text_lines

DELIMITERS = (",", ";", "\t", "|")
# Any number of them; of fewer columns the lines may be names of two words.
SPACES = " "
FEWEST_BETWEEN_SPACES = 3
LINES_TO_SNIFF = 50

# The csv module stops at 131,072 characters unless told otherwise.
LONGEST_FIELD = 2**31 - 1

# Files of so many bytes are cut into fields by pyarrow, where it is installed.
LARGE = 2**22


def read_delimited(source: FileSource, encoding: str, how: Reading) -> FileTable:
    """A file with a header line; what its columns hold is told or guessed."""
    table, kind, delimiter = _read_texts(source, encoding)
    if delimiter == SPACES:
        table.note(None, f"the columns of {source.path} are separated by spaces.")
    table = _without_nameless(table, kind)
    check_names(table.names, source.path)
    cells = [kind(column, ()) for column in table.columns]
    guesser = Guesser(table, how, find_decimals(cells, delimiter))
    columns = [guesser.column(name, column) for name, column in zip(table.names, cells, strict=True)]
    return replace(table, columns=columns)


def _read_texts(source: FileSource, encoding: str) -> tuple[FileTable, type[Cells], str]:
    """The columns as texts, the kind of cells that they are, and the delimiter."""
    with source.open_text(encoding) as stream:
        delimiter, records = _open_records(stream, source.path)
        head = list(islice(records, 2))
        if not head:
            raise ValueError(f"{source.path} is empty; it needs a header line with the column names.")
        names = [name.strip() for name in head[0][1]]
        # Only where the head is the first line, and a record the second, are lines and records the same.
        is_plain = [line for line, _ in head] == [1, 2] and len(names) > 1 and delimiter != SPACES
        if is_plain and source.n_bytes >= LARGE and find_spec("pyarrow"):
            arrow = import_module("petree.files.arrow")
            if columns := arrow.cut(source, encoding, delimiter, len(names)):
                lines = np.arange(2, 2 + len(columns[0]))
                return FileTable(source.path, names, columns, lines), arrow.ArrowCells, delimiter
        texts, lines = gather(chain(head[1:], records), len(names), source.path)
    return FileTable(source.path, names, [np.strings.strip(column) for column in texts], lines), Cells, delimiter


def read_records(path: Path) -> Iterator[Record]:
    """Every record of a file but blank lines: the line on which it begins, and its fields as they stand there."""
    with FileSource(path).open_text(UTF_8) as stream:
        yield from _open_records(stream, path)[1]


def delimiter_of(path: Path) -> str:
    """What stands between the columns of a file, as its first lines show."""
    with FileSource(path).open_text(UTF_8) as stream:
        return _open_records(stream, path)[0]


def _open_records(stream: IO[str], path: Path) -> tuple[str, Iterator[Record]]:
    """The delimiter of a text, as its first lines show, and its records."""
    csv.field_size_limit(LONGEST_FIELD)
    lines = text_lines(stream, path)
    head = list(islice(lines, LINES_TO_SNIFF))
    delimiter = _told_delimiter(head) or _sniff_delimiter(head)
    lines = chain(head, lines)
    return delimiter, _words(lines) if delimiter == SPACES else _records(lines, delimiter, path)


def _without_nameless(table: FileTable, kind: type[Cells]) -> FileTable:
    """The table without columns that have no name and hold nothing, or count the rows."""
    kept = []
    for place, name in enumerate(table.names):
        held = None if name else _held_by_nameless(kind(table.columns[place], ()).texts)
        if held:
            table.note(None, f"column {place + 1} has no name and holds {held}; it is left out.")
        else:
            kept.append(place)
    return replace(
        table, names=[table.names[place] for place in kept], columns=[table.columns[place] for place in kept]
    )


def _held_by_nameless(texts: Text) -> str | None:
    """What a column holds that is empty, or counts the rows from 0 or 1; None of any other."""
    if find_missing(texts, ("",)).all():
        return "nothing"
    counted = np.arange(len(texts) + 1).astype(StringDType())
    counts_rows = (texts == counted[:-1]).all() or (texts == counted[1:]).all()
    return "nothing but the numbers of rows" if counts_rows else None


def _records(lines: Iterable[str], delimiter: str, path: Path) -> Iterator[Record]:
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


def _words(lines: Iterable[str]) -> Iterator[Record]:
    """What stands between spaces on every line but blank ones, with the number of the line."""
    for number, line in enumerate(lines, start=1):
        if words := [word for word in line.rstrip("\r\n").split(SPACES) if word]:
            yield number, words


def _told_delimiter(head: list[str]) -> str | None:
    """What a first line such as "sep=;", as Excel knows it, says of the file; the line is blank from then on."""
    told = head[0].rstrip("\r\n").strip('"') if head else ""
    if not told.lower().startswith("sep=") or told[4:] not in DELIMITERS:
        return None
    head[0] = "\n"  # so that all others keep their numbers
    return told[4:]


def _sniff_delimiter(head: list[str]) -> str:
    """The delimiter that cuts the first lines into the most fields, preferably equally many in each."""

    def merit(delimiter: str) -> tuple[bool, int]:
        lengths = [len(fields) for fields in csv.reader(head, delimiter=delimiter, skipinitialspace=True) if fields]
        if len(head) == LINES_TO_SNIFF:
            lengths = lengths[:-1]  # a quoted field may run on beyond the head
        n_fields = lengths[0] if lengths else 0
        return n_fields > 1 and len(set(lengths)) == 1, n_fields

    best = max(DELIMITERS, key=merit)
    _, n_fields = merit(best)
    return SPACES if n_fields == 1 and _are_cut_by_spaces(head) else best


def _are_cut_by_spaces(head: list[str]) -> bool:
    """Whether all lines have equally many words, and nothing is quoted."""
    lengths = [len(words) for _, words in _words(head)]
    are_equal = len(lengths) > 1 and len(set(lengths)) == 1
    return are_equal and lengths[0] >= FEWEST_BETWEEN_SPACES and not any('"' in line for line in head)
