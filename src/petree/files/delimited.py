"""CSV files, whether their values stand between commas, semicolons or tabs."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from petree.files.table import FileTable, check_names
from petree.files.text import (
    Record,
    find_large_whole,
    find_missing,
    gather,
    open_text,
    text_lines,
    to_numbers,
    to_text,
)

MISSING = ("", "?", "NA", "NaN", "nan", "null", "None")
DELIMITERS = (",", ";", "\t")
LINES_TO_SNIFF = 50

# The csv module stops at 131,072 characters unless told otherwise.
LONGEST_FIELD = 2**31 - 1


def read_delimited(path: Path, text: Collection[str] = ()) -> FileTable:
    """A file with a header line; the columns named in `text` stay text even if every value looks like a number."""
    records = read_records(path)
    first = next(records, None)
    if first is None:
        raise ValueError(f"{path} is empty; it needs a header line with the column names.")
    names = check_names(first[1], path)
    columns, line_numbers = gather(records, len(names), path)
    table = FileTable(path, names, columns, line_numbers)
    texts = set(text)
    return replace(table, columns=[_to_column(name, name in texts, table) for name in names])


def read_records(path: Path) -> Iterator[Record]:
    """Every record of a file but blank lines: the line on which it begins, and its fields as they stand there."""
    csv.field_size_limit(LONGEST_FIELD)
    with open_text(path) as stream:
        lines = text_lines(stream, path)
        head = list(islice(lines, LINES_TO_SNIFF))
        yield from _records(chain(head, lines), _sniff_delimiter(head), path)


def _to_column(name: str, is_text: bool, table: FileTable) -> NDArray[Any]:
    values = table.column(name)
    is_missing = find_missing(values, MISSING)
    numbers = None if is_text else to_numbers(values, is_missing)
    if numbers is None:
        return to_text(values, is_missing)
    if (row := find_large_whole(values, numbers)) is not None:
        table.large[name] = row
    return numbers


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


def _sniff_delimiter(head: list[str]) -> str:
    """The delimiter that cuts the first lines into the most fields, preferably equally many in each."""

    def merit(delimiter: str) -> tuple[bool, int]:
        lengths = [len(fields) for fields in csv.reader(head, delimiter=delimiter, skipinitialspace=True) if fields]
        if len(head) == LINES_TO_SNIFF:
            lengths = lengths[:-1]  # a quoted field may run on beyond the head
        n_fields = lengths[0] if lengths else 0
        return n_fields > 1 and len(set(lengths)) == 1, n_fields

    return max(DELIMITERS, key=merit)
