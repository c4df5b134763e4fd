"""ARFF files: every column is declared, as numbers or by a list of its values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.dtypes import StringDType
from numpy.typing import NDArray

from petree.files.source import FileSource
from petree.files.table import FileTable, check_names
from petree.files.text import (
    Record,
    Text,
    find_large_whole,
    find_missing,
    gather,
    text_lines,
    to_numbers,
    to_text,
)

Lines: TypeAlias = Iterator[tuple[int, str]]  # each with its number
Declared: TypeAlias = list[str] | str | None  # values; why it cannot be read; or a number

MISSING = ("?",)
# Written so that no line takes longer than its length: where a pattern fails there is but one way to have tried it.
_QUOTED = r"""'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*\""""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]+)(\s*\{{.*\}}|\s+\w+)", re.IGNORECASE)
_VALUE = re.compile(rf"\s*+(?:({_QUOTED})\s*+(?:,|$)|([^,]*+)(?:,|$))")


def read_arff(source: FileSource, encoding: str) -> FileTable:
    """A file of numeric and nominal attributes; others are refused where they are asked for.

    A value that its attribute does not declare is refused.
    """
    path = source.path
    with source.open_text(encoding) as stream:
        lines: Lines = enumerate(map(str.strip, text_lines(stream, path)), start=1)
        attributes = _read_attributes(lines, path)
        columns, numbers = gather(_records(lines, path), len(attributes), path)
    table = FileTable(path, list(attributes), columns, numbers)
    return replace(table, columns=[_to_column(name, declared, table) for name, declared in attributes.items()])


# -- the head -------------------------------------------------------------------------------------------


def _read_attributes(lines: Lines, path: Path) -> dict[str, Declared]:
    """What is declared of each attribute; reads up to the line ``@data``."""
    attributes: list[tuple[str, Declared]] = []
    for number, line in lines:
        if line.lower().startswith("@data"):
            break
        if line.lower().startswith("@attribute"):
            match = _ATTRIBUTE.match(line)
            if match is None:
                raise ValueError(f"Line {number} of {path} is broken: it must be '@attribute name type'.")
            name = _unquote(match[1])
            declared = _declared(match[2].strip(), f"Attribute {name!r} in line {number} of {path}")
            attributes.append((name, declared))
    if not attributes:
        raise ValueError(f"{path} declares no attributes; an ARFF file begins with @attribute lines.")
    check_names([name for name, _ in attributes], path)
    return dict(attributes)


def _declared(kind: str, attribute: str) -> Declared:
    if kind.startswith("{"):
        return _fields(kind[1:-1])
    if kind.lower() in ("numeric", "real", "integer"):
        return None
    return f"{attribute} is of type {kind}; petree takes numeric and nominal ones, so remove it."


# -- the rows -------------------------------------------------------------------------------------------


def _records(lines: Lines, path: Path) -> Iterator[Record]:
    for number, line in lines:
        if line.startswith("{"):
            raise ValueError(f"Line {number} of {path} is sparse ARFF; write every value of each row instead.")
        if line and not line.startswith("%"):
            yield number, _fields(line)


def _fields(line: str) -> list[str]:
    if "'" not in line and '"' not in line:
        return list(map(str.strip, line.split(",")))
    # After a last value without a comma the pattern matches once more, the nothing at the end.
    matches = [match for match in _VALUE.finditer(line) if match.start() < len(line) or line.endswith(",")]
    return [_unquote(match[2].rstrip() if match[1] is None else match[1]) for match in matches]


def _unquote(value: str) -> str:
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return re.sub(r"\\(.)", r"\1", value[1:-1]) if is_quoted else value


# -- the columns ----------------------------------------------------------------------------------------


def _to_column(name: str, declared: Declared, table: FileTable) -> NDArray[Any]:
    if isinstance(declared, str):
        return table.leave_out(name, declared)
    return _to_number_column(name, table) if declared is None else _to_nominal_column(name, declared, table)


def _to_number_column(name: str, table: FileTable) -> NDArray[np.float64]:
    values = table.column(name)
    is_missing = find_missing(values, MISSING)
    numbers = to_numbers(values, is_missing)
    if numbers is None:
        row = _first_without_number(values, is_missing)
        raise ValueError(f"{name!r} is declared a number, but {table.place(row)} has {str(values[row])!r}.")
    if (large := find_large_whole(values, numbers)) is not None:
        table.large[name] = large
    return numbers


def _first_without_number(values: Text, is_missing: NDArray[np.bool_]) -> int:
    """The first row that holds no number, of rows of which one does, by halving."""
    start = 0
    stop = len(values)
    while stop - start > 1:
        middle = (start + stop) // 2
        if to_numbers(values[start:middle], is_missing[start:middle]) is None:
            stop = middle
        else:
            start = middle
    return start


def _to_nominal_column(name: str, declared: list[str], table: FileTable) -> NDArray[np.object_]:
    values = table.column(name)
    is_missing = find_missing(values, MISSING)
    for row in np.flatnonzero(~is_missing & ~np.isin(values, np.array(declared, StringDType())))[:1]:
        raise ValueError(f"{name!r} in {table.place(row)} has the undeclared value {str(values[row])!r}.")
    return to_text(values, is_missing)
