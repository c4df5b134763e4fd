"""Numbers as people write them: with a decimal point or comma, and with signs between thousands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

SPACES = " \u00a0\u2009\u202f"


class Style(NamedTuple):
    """A way to write numbers."""

    words: str
    pattern: re.Pattern[str]
    signs: str
    decimal: str

    @property
    def plain_pattern(self) -> str:
        """The pattern for engines that cannot look back: one alternative for each sign between thousands."""
        decimal = re.escape(self.decimal)
        grouped = "|".join(rf"\d{{1,3}}(?:{re.escape(sign)}\d{{3}})+" for sign in self.signs)
        return rf"^[+-]?(?:(?:{grouped}|\d+)(?:{decimal}\d*)?(?:[eE][+-]?\d+)?|{decimal}\d+)$"

    def fits(self, texts: Iterable[str]) -> bool:
        """Whether all texts are numbers of this style."""
        return all(self.pattern.fullmatch(text) for text in texts)

    def number(self, text: str) -> float:
        """The number that a text of this style is."""
        return float(text.translate(str.maketrans("", "", self.signs)).replace(self.decimal, "."))


def _style(words: str, sign: str, decimal: str) -> Style:
    signs = f"{sign}'\u2019{SPACES}"
    grouped = rf"\d{{1,3}}([{re.escape(signs)}])\d{{3}}(?:\1\d{{3}})*"
    fraction = rf"(?:{re.escape(decimal)}\d*)?(?:[eE][+-]?\d+)?"
    pattern = rf"[+-]?(?:(?:{grouped}|\d+){fraction}|{re.escape(decimal)}\d+)"
    return Style(words, re.compile(pattern, re.ASCII), signs, decimal)


POINT = _style("numbers with signs between thousands", ",", ".")
COMMA = _style("numbers with a decimal comma", ".", ",")
