"""What the text formats share: files opened as text, and fields gathered into columns of numbers or of text."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any, TypeAlias

import numpy as np
from numpy.dtypes import StringDType
from numpy.typing import NDArray

Text: TypeAlias = NDArray[Any]  # of StringDType
Record: TypeAlias = tuple[int, list[str]]  # the line on which it begins, and its fields

ROWS_AT_ONCE = 50_000


def open_text(path: Path) -> IO[str]:
    """The file as text with its own line ends, unpacked if it is gzipped."""
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")


def gather(records: Iterator[Record], n_fields: int, path: Path) -> tuple[list[Text], NDArray[np.int64]]:
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


def find_missing(values: Text, words: Sequence[str]) -> NDArray[np.bool_]:
    """Whether each value is one of the words for a missing one."""
    return np.isin(values, np.array(words, StringDType()))


def to_numbers(values: Text, is_missing: NDArray[np.bool_]) -> NDArray[np.float64] | None:
    """The values as float64 with NaN for missing ones, or None if one of them is no number."""
    try:
        numbers = np.where(is_missing, np.array("nan", StringDType()), values).astype(np.float64)
    except ValueError:
        return None
    # Python's own grammar takes 1_000 for a number; in a file it is a name.
    return None if (np.strings.find(values, "_") >= 0).any() else numbers


def to_text(values: Text, is_missing: NDArray[np.bool_]) -> NDArray[np.object_]:
    """The values as str with None for missing ones."""
    objects = values.astype(object)
    objects[is_missing] = None
    return objects
