"""CSV files, whether their values stand between commas, semicolons, tabs, bars or spaces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.dtypes import StringDType

from petree.files.cells import Cells
from petree.files.first_lines import begin, read_heading
from petree.files.guessing import Guesser
from petree.files.how import Reading
from petree.files.numerals import find_decimals
from petree.files.source import UTF_8, FileSource
from petree.files.table import FileTable, check_names
from petree.files.text import Record, Text, find_missing, gather

# Files of so many bytes are cut into fields by pyarrow, where it is installed.
LARGE = 2**22


def read_delimited(source: FileSource, encoding: str, how: Reading) -> FileTable:
    """A file with a header line, or without one; what its columns hold is told or guessed."""
    table, kind, delimiter = _read_texts(source, encoding)
    table = _without_nameless(table, kind)
    check_names(table.names, source.path)
    cells = [kind(column, ()) for column in table.columns]
    guesser = Guesser(table, how, find_decimals(cells, delimiter))
    columns = [guesser.column(name, column) for name, column in zip(table.names, cells, strict=True)]
    return replace(table, columns=columns)


def _read_texts(source: FileSource, encoding: str) -> tuple[FileTable, type[Cells], str]:
    """The columns as texts, the kind of cells that they are, and the delimiter."""
    with source.open_text(encoding) as stream:
        beginning = begin(stream, source.path)
        names, _, head, notes = read_heading(beginning, source.path)
        told: list[tuple[str | None, str]] = [(None, note) for note in notes]
        delimiter = beginning.separator.delimiter
        # Only where the head is the first line, and a record the second, are lines and records the same.
        is_plain = head[:1] and head[0][0] == 2 and len(names) > 1 and not beginning.separator.is_spaces
        if is_plain and not beginning.comments and source.n_bytes >= LARGE and find_spec("pyarrow"):
            arrow = import_module("petree.files.arrow")
            if columns := arrow.cut(source, encoding, delimiter, len(names)):
                lines = np.arange(2, 2 + len(columns[0]))
                return FileTable(source.path, names, columns, lines, told=told), arrow.ArrowCells, delimiter
        texts, lines = gather(chain(head, beginning.records), len(names), source.path)
    stripped = [np.strings.strip(column) for column in texts]
    return FileTable(source.path, names, stripped, lines, told=told), Cells, delimiter


def read_records(path: Path) -> Iterator[Record]:
    """Every record of a file but blank lines: the line on which it begins, and its fields as they stand there."""
    with FileSource(path).open_text(UTF_8) as stream:
        yield from begin(stream, path).records


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
