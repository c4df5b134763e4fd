"""Lines of comments at the beginning of a text file."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from petree.files.first_lines.headers import First, judge_first
from petree.files.first_lines.separators import LINES_TO_SNIFF, Separator, find_separator

# What a comment begins with.
MARKS = ("#", "%", "//", "!")
# Comments of more lines are no comments.
MOST_LINES = 1000


class Comments(NamedTuple):
    """How many of the first lines are comments or blank, and the mark with which they begin.

    The next line may begin with the mark, too, and have the names: behind the mark, where it `stands_apart`; it may be
    a comment itself, where that `is_open`.
    """

    n_lines: int
    mark: str
    is_open: bool = False
    stands_apart: bool = False


def mark_of(lines: Sequence[str]) -> str | None:
    """The mark with which the first line begins that is not blank."""
    first = next((line.lstrip() for line in lines if line.strip()), "")
    return next((mark for mark in MARKS if first.startswith(mark)), None)


def n_marked(lines: Sequence[str], mark: str) -> int:
    """How many lines at the beginning are blank or begin with a mark."""
    others = (place for place, line in enumerate(lines) if line.strip() and not line.lstrip().startswith(mark))
    return next(others, len(lines))


def find_comments(lines: Sequence[str], told: Separator | None) -> Comments | None:
    """The comments with which a file begins, given some lines behind them, too.

    A line that begins with a mark is a comment where it has another number of fields than those behind it, or where
    names of columns seem to come behind it and it has spaces, as sentences do. Else it may be the one with the names.
    """
    mark = mark_of(lines)
    if mark is None:
        return None
    n_lines = n_marked(lines, mark)
    rest = lines[n_lines:][:LINES_TO_SNIFF]
    if not rest:
        return Comments(0, mark, is_open=True)
    separator = told or find_separator(rest)
    records = _records(rest, separator)
    if not records:
        return None
    n_fields = len(records[0])
    marked = [place for place, line in enumerate(lines[:n_lines]) if line.strip()]
    alike = [place for place in marked if n_fields in _lengths(lines[place], mark, separator)]
    first = judge_first(records[0], records[1:])
    is_last = alike == marked[-1:] and n_fields > 1
    if not alike or (first is First.NAMES and not (is_last and _may_be_names(lines[marked[-1]], mark))):
        return Comments(n_lines, mark)
    if not is_last:
        return Comments(0, mark, is_open=True)
    is_open = first in (First.TEXT, First.NAMES)
    names = Comments(marked[-1], mark, is_open, separator.n_fields(lines[marked[-1]]) != n_fields)
    return None if names == Comments(0, mark) else names


def _may_be_names(line: str, mark: str) -> bool:
    """Whether a line is rather one of names than a comment: no space stands in it, neither behind the mark."""
    return not any(map(str.isspace, line.strip().removeprefix(mark)))


def _lengths(line: str, mark: str, separator: Separator) -> tuple[int, ...]:
    """How many fields a line has; between spaces also without the mark, which may be a word by itself."""
    own = separator.n_fields(line)
    return (own, separator.n_fields(line.lstrip().removeprefix(mark))) if separator.is_spaces else (own,)


def _records(lines: Sequence[str], separator: Separator) -> list[list[str]]:
    """The records of lines; those that are broken are refused when they are read."""
    if not separator.is_spaces:
        return [fields for fields in csv.reader(lines, delimiter=separator.delimiter, skipinitialspace=True) if fields]
    records = []
    for line in lines:
        with suppress(csv.Error):
            records.append(separator.words(line))
    return [words for words in records if words]
