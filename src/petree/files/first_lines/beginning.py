"""How a text file of a table begins: comments, what stands between its columns, and their names."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import IO, NamedTuple

from petree.files.first_lines.comments import MOST_LINES, Comments, find_comments, mark_of, n_marked
from petree.files.first_lines.headers import First, judge_first
from petree.files.first_lines.separators import (
    LINES_TO_SNIFF,
    QUOTES,
    Separator,
    find_separator,
    has_row_names,
    told_separator,
)
from petree.files.text import Record, text_lines

# The csv module stops at 131,072 characters unless told otherwise.
LONGEST_FIELD = 2**31 - 1
# Names that a note shows.
SHOWN = 3


class Beginning(NamedTuple):
    """Comments above a table, what separates its columns, and its records, of which the first may have the names."""

    comments: Comments | None
    separator: Separator
    records: Iterator[Record]


class Heading(NamedTuple):
    """The names of columns, what the first record is, and some records, those below it, or all where it is a row."""

    names: list[str]
    first: First
    records: list[Record]
    notes: list[str]


def begin(stream: IO[str], path: Path) -> Beginning:
    """The beginning of a text, as its first lines show it."""
    csv.field_size_limit(LONGEST_FIELD)
    lines = text_lines(stream, path)
    head = list(islice(lines, LINES_TO_SNIFF))
    told = told_separator(head)
    head += _behind_comments(head, lines)
    comments = find_comments(head, told)
    if comments is not None:
        _take_away(head, comments)
    separator = told or find_separator([line for line in head if line.strip()][:LINES_TO_SNIFF])
    return Beginning(comments, separator, _records(chain(head, lines), separator, path))


def _behind_comments(head: Sequence[str], lines: Iterator[str]) -> list[str]:
    """More lines, where the first ones may be comments: until there are as many others as are looked at."""
    mark = mark_of(head)
    more: list[str] = []
    while mark is not None and len(more) < MOST_LINES:
        some = list(islice(lines, LINES_TO_SNIFF))
        more += some
        if not some or len(head) + len(more) - n_marked([*head, *more], mark) >= LINES_TO_SNIFF:
            break
    return more


def _take_away(head: list[str], comments: Comments) -> None:
    """Make comments blank, so that other lines keep their numbers, and take away a mark that stands before names."""
    n_lines = comments.n_lines
    head[:n_lines] = ["\n"] * n_lines
    if comments.stands_apart:
        head[n_lines] = head[n_lines].lstrip().removeprefix(comments.mark)


def read_heading(beginning: Beginning, path: Path) -> Heading:
    """The names of the columns, and what there is to tell of how the file begins."""
    head = list(islice(beginning.records, LINES_TO_SNIFF))
    if not head:
        raise ValueError(f"{path} is empty; it needs a header line with the column names.")
    line, fields = head[0]
    names = [name.strip() for name in fields]
    rows = [fields for _, fields in head[1:]]
    if rows and beginning.separator.quote and has_row_names(len(names), len(rows[0])):
        names = ["", *names]
    first = judge_first(names, rows)
    notes = [*_of_comments(beginning, line, path), *_of_separator(beginning.separator, [names, *rows], path)]
    notes += _of_first(first, names, f"line {line} of {path}")
    if first is First.ROW:
        return Heading([f"x{place}" for place in range(len(names))], first, head, notes)
    return Heading(names, first, head[1:], notes)


def _of_comments(beginning: Beginning, line: int, path: Path) -> Iterator[str]:
    comments = beginning.comments
    if comments is None:
        return
    if comments.n_lines:
        n, mark = comments.n_lines, repr(comments.mark)
        yield (
            f"the first line of {path} is a comment, since it begins with {mark}, and is left out."
            if n == 1
            else f"the first {n} lines of {path} are comments, since they begin with {mark}, and are left out."
        )
    if comments.is_open:
        yield (
            f"line {line} of {path} begins with {comments.mark!r}, and is taken for the names of the columns; if it is "
            "a comment, take it away."
        )


def _of_separator(separator: Separator, records: Sequence[Sequence[str]], path: Path) -> Iterator[str]:
    if separator.is_spaces:
        quoted = f", and words that hold spaces stand between {separator.quote}" if separator.quote else ""
        yield f"the columns of {path} are separated by spaces{quoted}."
        return
    if len(records[0]) > 1:
        return
    is_quoted = any(_has_quoted_word(word) for fields in records for word in fields)
    if is_quoted or _have_row_names(records):
        what = "words in it stand in quotes" if is_quoted else "each line has one word more than the first"
        yield (
            f"{path} is read as one column, though {what}; if spaces separate columns, write 'sep=' with a space "
            "behind it as the first line."
        )


def _have_row_names(records: Sequence[Sequence[str]]) -> bool:
    """Whether each line but the first has one word more than that, as where rows begin with a name of theirs."""
    n_names, *others = (len(" ".join(fields).split()) for fields in records)
    return n_names > 1 and len(others) > 1 and all(has_row_names(n_names, n_words) for n_words in others)


def _has_quoted_word(text: str) -> bool:
    return any(f" {quote}" in f" {text}" and f"{quote} " in f"{text} " for quote in QUOTES)


def _of_first(first: First, names: Sequence[str], where: str) -> Iterator[str]:
    shown = ", ".join(map(repr, names[:SHOWN])) + (", ..." if len(names) > SHOWN else "")
    if first is First.ROW:
        yield (
            f"{where} ({shown}) is like those below it, and is read as a row: the columns have no names, and are "
            f"called x0 to x{len(names) - 1}. Write a line of names above it to call them otherwise."
        )
    if first is First.EITHER:
        yield (
            f"{where} ({shown}) is taken for the names of the columns, though it could be a row; if it is one, write a "
            "line of names above it."
        )


def _records(lines: Iterable[str], separator: Separator, path: Path) -> Iterator[Record]:
    if separator.is_spaces:
        return _words(lines, separator, path)
    return _fields(lines, separator.delimiter, path)


def _fields(lines: Iterable[str], delimiter: str, path: Path) -> Iterator[Record]:
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


def _words(lines: Iterable[str], separator: Separator, path: Path) -> Iterator[Record]:
    """What stands between spaces on every line but blank ones, with the number of the line."""
    for number, line in enumerate(lines, start=1):
        try:
            words = separator.words(line)
        except csv.Error as error:
            raise ValueError(f"Line {number} of {path} is broken: {error}.") from error
        if words:
            yield number, words
