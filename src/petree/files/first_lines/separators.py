"""What stands between the columns of a text file, as its first lines show."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import NamedTuple

DELIMITERS = (",", ";", "\t", "|")
# Any number of them; of fewer columns the lines may be names of two words.
SPACES = " "
FEWEST_BETWEEN_SPACES = 3
FEWEST_IN_QUOTES = 2
QUOTES = ('"', "'")
LINES_TO_SNIFF = 50


class Separator(NamedTuple):
    """What stands between columns; with spaces also the quotes around words that hold spaces, if any."""

    delimiter: str
    quote: str = ""

    @property
    def is_spaces(self) -> bool:
        return self.delimiter == SPACES

    def words(self, line: str) -> list[str]:
        """What stands between spaces on a line; raises csv.Error where a quote is not closed."""
        if not self.quote:
            return [word for word in line.rstrip("\r\n").split(SPACES) if word]
        bare = line.rstrip("\r\n ")
        reader = csv.reader([bare], delimiter=SPACES, quotechar=self.quote, skipinitialspace=True, strict=True)
        return next(reader, [])

    def n_fields(self, line: str) -> int:
        """About how many fields a line has that need not be a record."""
        return len(line.split()) if self.is_spaces else line.count(self.delimiter) + 1


def told_separator(head: list[str]) -> Separator | None:
    """What a first line such as "sep=;", as Excel knows it, says of the file; the line is blank from then on."""
    told = head[0].rstrip("\r\n").strip('"') if head else ""
    if not told.lower().startswith("sep=") or told[4:] not in (*DELIMITERS, SPACES):
        return None
    head[0] = "\n"  # so that all others keep their numbers
    is_quoted = told[4:] == SPACES and _may_quote(QUOTES[0], head)
    return Separator(told[4:], QUOTES[0] if is_quoted else "")


def find_separator(head: Sequence[str]) -> Separator:
    """The delimiter that cuts the first lines into the most fields, preferably equally many in each."""

    def merit(delimiter: str) -> tuple[bool, int]:
        lengths = [len(fields) for fields in csv.reader(head, delimiter=delimiter, skipinitialspace=True) if fields]
        if len(head) == LINES_TO_SNIFF:
            lengths = lengths[:-1]  # a quoted field may run on beyond the head
        n_fields = lengths[0] if lengths else 0
        return n_fields > 1 and len(set(lengths)) == 1, n_fields

    best = max(DELIMITERS, key=merit)
    _, n_fields = merit(best)
    return (n_fields <= 1 and _between_spaces(head)) or Separator(best)


def _between_spaces(head: Sequence[str]) -> Separator | None:
    """Spaces, where all lines have equally many words, in quotes or without."""
    found = (Separator(SPACES, quote) for quote in ("", *QUOTES) if _may_quote(quote, head))
    return next((one for one in found if _cuts_evenly(one, [line for line in head if line.strip()])), None)


def _may_quote(quote: str, head: Sequence[str]) -> bool:
    """Whether words may have these quotes around them; none, where there are none at all."""
    if not quote:
        return not any(QUOTES[0] in line for line in head)
    return any(line.startswith(quote) or f" {quote}" in line for line in head)


def _cuts_evenly(separator: Separator, lines: Sequence[str]) -> bool:
    try:
        lengths = [len(separator.words(line)) for line in lines]
    except csv.Error:
        return False
    is_quoted = bool(separator.quote)
    fewest = FEWEST_IN_QUOTES if is_quoted and lines[0].startswith(separator.quote) else FEWEST_BETWEEN_SPACES
    if len(lengths) < 2 or lengths[1] < fewest or len(set(lengths[1:])) > 1:
        return False
    return lengths[0] == lengths[1] or (is_quoted and has_row_names(lengths[0], lengths[1]))


def has_row_names(n_names: int, n_fields: int) -> bool:
    """Whether rows begin with a name of theirs, above which R writes none."""
    return n_names + 1 == n_fields
