"""Words for what is missing."""

from __future__ import annotations

from collections.abc import Iterable

# What nobody takes for a value.
SURE = ("", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NAN", "NaT", "null", "NULL", "Null", "None")
# What may be a category, but stands among numbers and dates for what is missing.
RISKY = ("-", "--", ".", "..", "na", "n.a.", "none", "NONE", "missing", "unknown", "#DIV/0!", "#VALUE!", "0000-00-00")
# So common that nobody needs to be told.
UNTOLD = ("", "?")


def told_words(words: Iterable[str]) -> list[str]:
    """The words for what is missing that a reader of the file is told of."""
    return [word for word in words if word not in UNTOLD]
