"""Numbers as people write them: with a decimal point or comma, signs between thousands, and signs of units."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.dtypes import StringDType

from petree.files.cells import RISKY, SURE, Cells
from petree.files.text import to_numbers

SPACES = " \u00a0\u2009\u202f"
UNITS = ("%", "€", "$", "£", "¥")


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
        grouped = "|".join(rf"[1-9]\d{{0,2}}(?:{re.escape(sign)}\d{{3}})+" for sign in self.signs)
        return rf"^[+-]?(?:(?:{grouped}|\d+)(?:{decimal}\d*)?(?:[eE][+-]?\d+)?|{decimal}\d+)$"

    def fits(self, texts: Iterable[str]) -> bool:
        """Whether all texts are numbers of this style."""
        return all(self.pattern.fullmatch(text) for text in texts)

    def number(self, text: str) -> float:
        """The number that a text of this style is."""
        return float(text.translate(str.maketrans("", "", self.signs)).replace(self.decimal, "."))


def _style(words: str, sign: str, decimal: str) -> Style:
    signs = f"{sign}'\u2019{SPACES}"
    # 0.956 has no thousands, however the file writes them.
    grouped = rf"[1-9]\d{{0,2}}([{re.escape(signs)}])\d{{3}}(?:\1\d{{3}})*"
    fraction = rf"(?:{re.escape(decimal)}\d*)?(?:[eE][+-]?\d+)?"
    pattern = rf"[+-]?(?:(?:{grouped}|\d+){fraction}|{re.escape(decimal)}\d+)"
    return Style(words, re.compile(pattern, re.ASCII), signs, decimal)


POINT = _style("numbers with signs between thousands", ",", ".")
COMMA = _style("numbers with a decimal comma", ".", ",")


# -- signs of units, as spreadsheets write them: 49.5% and $ 1,200 ----------------------------------------------


def sign_of(texts: Sequence[str]) -> str | None:
    """The sign of a unit that stands before or behind each of these texts."""
    return next((sign for sign in UNITS if texts and all(_bare(text, sign) for text in texts)), None)


def usual_sign(texts: Sequence[str]) -> str | None:
    """The sign of a unit that most of these texts have; None if most have none."""
    return Counter(sign_of([text]) for text in texts).most_common(1)[0][0] if texts else None


def is_number(text: str, sign: str | None) -> bool:
    """Whether a text is a number of some style with this sign of a unit, or with none."""
    return is_of_style(text, sign, POINT) or is_of_style(text, sign, COMMA)


def is_of_style(text: str, sign: str | None, style: Style) -> bool:
    """Return whether a text is a number of this style with this unit sign, or with none."""
    return style.fits([text if sign is None else _bare(text, sign)])


def is_any_number(text: str) -> bool:
    """Whether a text is a number, plain or of some style, whichever sign of a unit it has."""
    sign = sign_of([text])
    plain = np.array([text if sign is None else _bare(text, sign)], StringDType())
    return is_number(text, sign) or to_numbers(plain, np.zeros(1, bool)) is not None


def without_sign(cells: Cells, sign: str) -> Cells | None:
    """The same texts without the sign; None where not all of them have it."""
    bare = [_bare(text, sign) for text in cells.distinct]
    return cells.replaced(bare) if all(bare) else None


def _bare(text: str, sign: str) -> str:
    """A text without the sign; nothing where it has none, or no digit beside it: inf% is no number."""
    found = re.fullmatch(rf"([+-]?)\s*{re.escape(sign)}\s*(.+)|(.+?)\s*{re.escape(sign)}", text)
    bare = "" if found is None else f"{found[1] or ''}{found[2] or found[3]}"
    return bare if re.search(r"\d", bare) else ""


# -- how the file as a whole is written ------------------------------------------------------------------------


class Decimals(NamedTuple):
    """How numbers are written that may be read in two ways, and whether the file has any with a decimal comma."""

    style: Style
    has_commas: bool


def find_decimals(columns: Sequence[Cells], delimiter: str) -> Decimals:
    """Whether numbers have a decimal comma: a column shows it, or semicolons between columns leave commas free."""
    has_commas = False
    for column in columns:
        cells = column.but((*SURE, *RISKY))
        if not cells.holds(","):
            continue
        sign = sign_of(cells.some)
        cells = cells if sign is None else without_sign(cells, sign) or cells
        is_whole = COMMA.fits(cells.some) and COMMA.fits(cells.distinct)
        if is_whole and (delimiter == ";" or not POINT.fits(cells.distinct)):
            return Decimals(COMMA, True)
        has_commas |= delimiter == ";" and any("," in text and COMMA.fits([text]) for text in cells.some)
    return Decimals(POINT, has_commas)
