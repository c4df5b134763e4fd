"""What the text formats share: fields gathered into columns of numbers or of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any, TypeAlias

import numpy as np
from numpy.dtypes import StringDType
from numpy.typing import NDArray

from petree.files.table import LARGEST_WHOLE

Text: TypeAlias = NDArray[Any]  # of StringDType
Record: TypeAlias = tuple[int, list[str]]  # the line on which it begins, and its fields

# Rows that are Python strings at one time: as many as hold a million fields, within these bounds.
ROWS_AT_ONCE = 50_000
FEWEST_ROWS_AT_ONCE = 100
FIELDS_AT_ONCE = 1_000_000

DIGITS_OF_LARGEST = len(str(LARGEST_WHOLE))


def text_lines(stream: IO[str], path: Path) -> Iterator[str]:
    """The lines of a file; a character that no text has is refused."""
    for number, line in enumerate(stream, start=1):
        if "\0" in line:
            raise ValueError(
                f"Line {number} of {path} holds a zero byte, so it is no text; save the file as UTF-8 text."
            )
        yield line


def gather(records: Iterator[Record], n_fields: int, path: Path) -> tuple[list[Text], NDArray[np.int64]]:
    """Columns and line numbers of all records, a block at a time so that few Python strings live at once."""
    blocks: list[list[Text]] = [[np.array([], StringDType())] * n_fields]
    lines = [np.array([], np.int64)]
    rows_at_once = min(ROWS_AT_ONCE, max(FEWEST_ROWS_AT_ONCE, FIELDS_AT_ONCE // n_fields))
    while block := list(islice(records, rows_at_once)):
        block_lines, rows = zip(*block, strict=True)
        lengths = np.fromiter(map(len, rows), np.int64, len(rows))
        for wrong in np.flatnonzero(lengths != n_fields)[:1]:
            raise ValueError(
                f"Line {block_lines[wrong]} of {path} is broken: expected {n_fields} fields, found {lengths[wrong]}."
            )
        blocks.append([np.array(column, StringDType()) for column in zip(*rows, strict=True)])
        lines.append(np.array(block_lines, np.int64))
    return [np.concatenate(pieces) for pieces in zip(*blocks, strict=True)], np.concatenate(lines)


def find_missing(values: Text, words: Sequence[str]) -> NDArray[np.bool_]:
    """Whether each value is one of the words for a missing one."""
    # Python's sets are ten times as fast as numpy, which compares with one word after the other.
    return np.fromiter(map(frozenset(words).__contains__, values.tolist()), bool, len(values))


def to_numbers(values: Text, is_missing: NDArray[np.bool_]) -> NDArray[np.float64] | None:
    """The values as float64 with NaN for missing ones, or None if one of them is no number."""
    known = np.where(is_missing, np.array("nan", StringDType()), values)
    try:
        numbers = known.astype(np.float64)
    except ValueError:
        return None
    # Python's own grammar takes 1_000 for a number; in a file it is a name.
    return None if (np.strings.find(known, "_") >= 0).any() else numbers


def find_large_whole(values: Text, numbers: NDArray[np.float64]) -> int | None:
    """The first row with a whole number beyond 2**53, if there is one."""
    for row in np.flatnonzero(np.abs(numbers) >= LARGEST_WHOLE).tolist():
        digits = str(values[row]).strip().lstrip("+-0")
        if digits.isdecimal() and (len(digits) > DIGITS_OF_LARGEST or int(digits) > LARGEST_WHOLE):
            return int(row)
    return None


def find_padded(values: Text, numbers: NDArray[np.float64]) -> int | None:
    """The first row whose digits begin with a nought, as codes do, if all numbers are written in digits alone."""
    is_known = ~np.isnan(numbers)
    if (numbers[is_known] != np.floor(numbers[is_known])).any():
        return None
    begins = np.strings.startswith(values, "0") & (np.strings.str_len(values) > 1) & is_known
    if not begins.any() or not np.strings.isdecimal(values[is_known]).all():
        return None
    return int(np.argmax(begins))


def to_text(values: Text, is_missing: NDArray[np.bool_]) -> NDArray[np.object_]:
    """The values as str with None for missing ones."""
    objects = values.astype(object)
    objects[is_missing] = None
    return objects
