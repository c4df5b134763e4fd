"""Whether the first record of a file names its columns, as the records below it show."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from petree.files.cells import SURE
from petree.files.numerals import is_any_number

Fields = Sequence[str]


class First(Enum):
    """What the first record of a file is."""

    NAMES = "names of columns of numbers"
    TEXT = "text above text, which is taken for names"
    EITHER = "a row, or names that look like one"
    ROW = "a row like those below it"


def judge_first(first: Fields, rows: Sequence[Fields]) -> First:
    """What the first record is, given some of those below it.

    A text above numbers is a name. Without any, numbers above numbers may be years or a row, and a text that also
    stands below itself may be a name or a value; both together, or one of them where a name is there twice, are a row.
    """
    rows = [row for row in rows if len(row) == len(first)]
    n_numbers, n_values, n_texts = 0, 0, 0
    for name, *values in zip(map(str.strip, first), *rows, strict=True):
        known = [value.strip() for value in values if value.strip() not in SURE]
        if not name or not known:
            continue
        if not all(map(_is_number, known)):
            n_texts += 1
            n_values += name in known
        elif name in SURE or _is_number(name):
            n_numbers += 1
        else:
            return First.NAMES
    if not n_numbers and not n_values:
        return First.TEXT
    names = [name for name in first if name.strip()]
    is_sure = len(set(names)) < len(names) or (n_numbers > 0 and n_values > 0) or n_values == n_texts > 1
    return First.ROW if is_sure else First.EITHER


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return is_any_number(text)
    return True
