"""What the columns of a text file hold, guessed as a person would who looks at them, and told.

A column is plain numbers, numbers with a decimal comma, signs between thousands or the sign of a unit, dates, times or
durations if all of its values are; else it is nominal. Words for what is missing are left out of account.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.columns.decimals import decimal_of, with_decimal
from petree.files.cells import RISKY, SURE, Cells
from petree.files.how import DATE, LABEL, NOMINAL, NUMBER, Reading
from petree.files.moments import AmbiguousError, Moments, guess_moments, read_moments
from petree.files.numerals import (
    COMMA,
    POINT,
    UNITS,
    Decimals,
    Style,
    is_any_number,
    is_number,
    is_of_style,
    sign_of,
    usual_sign,
    without_sign,
)
from petree.files.table import FileTable
from petree.words import types_option

# A column of which at least this share are numbers is told of, and one of more than the other is refused.
TOLD_SHARE = 0.5
REFUSED_SHARE = 0.95
SHOWN = 5
# What may stand before the first digit of a number.
BEFORE_DIGITS = "".join(("+-.,' ", *UNITS))
PLURALS = {NUMBER: "numbers", "time": "times", "duration": "durations"}


@dataclass(frozen=True)
class Guesser:
    """Makes columns of the texts of a file.

    Parameters
    ----------
    table : FileTable
        Its columns are texts; notes, and what cannot be read, are added to it.
    how : Reading
    decimals : Decimals
    """

    table: FileTable
    how: Reading
    decimals: Decimals

    def column(self, name: str, cells: Cells) -> NDArray[Any]:
        """The values of a column: float64, datetime64, timedelta64, or objects."""
        told = self.how.types.get(name)
        cells = cells.but((*SURE, *self.how.missing_values))
        if told == NOMINAL:
            return cells.objects()
        if told == LABEL:
            numbers = cells.numbers()
            return self._labels(name, cells) if numbers is None else self._plain(name, cells, numbers)
        found = self._guess(name, cells) if told is None else self._told(name, cells, told)
        if found is None:
            rest = cells.but(RISKY)
            found = self._guess(name, rest) if told is None else self._told(name, rest, told)
            cells = cells if found is None else rest
        if found is None and told is not None:
            return self._refused(name, cells, told)
        return self._nominal(name, cells) if found is None else self._noted(name, cells, found)

    def _noted(self, name: str, cells: Cells, column: NDArray[Any]) -> NDArray[Any]:
        words = cells.told_words()
        if words:
            self.table.note(name, f"in column {name!r} {_listed(words)} is read as missing.")
        return column

    # -- numbers and moments ----------------------------------------------------------------------------------

    def _guess(self, name: str, cells: Cells) -> NDArray[Any] | None:
        """Numbers or moments, or None where neither fits all values."""
        numbers = cells.numbers()
        if numbers is not None:
            return self._plain_or_grouped(name, cells, numbers)
        if (numbers := self._with_unit(name, cells)) is not None:
            return numbers
        if not _may_be_numbers(cells.some):
            return None
        if (numbers := self._styled(name, cells)) is not None:
            return numbers
        try:
            moments = _moments(cells)
        except AmbiguousError as error:
            self.table.note(
                name,
                f"column {name!r} is nominal, since {error} may have its day or its month first; choose by "
                f"{types_option(name, 'date-dmy', 'date-mdy')} (types=).",
            )
            return cells.objects()
        if moments is None:
            return None
        self.table.note(name, f"column {name!r} holds {moments.words}.")
        return _moments_column(cells, moments)

    def _told(self, name: str, cells: Cells, told: str) -> NDArray[Any] | None:
        if told == NUMBER:
            numbers = cells.numbers()
            if numbers is None:
                return self._styled(name, cells) if sign_of(cells.some) is None else self._with_unit(name, cells)
            return self._grouped(name, cells, numbers)
        try:
            moments = read_moments(cells.distinct, told, is_told=True) if cells.distinct else Moments(told, [], "")
        except AmbiguousError as error:
            sentence = (
                f"Column {name!r} of {self.table.path} has dates such as {error}, which may have the day or the month "
                f"first; choose by {types_option(name, 'date-dmy', 'date-mdy')} (types=)."
            )
            return self.table.leave_out(name, sentence)
        return None if moments is None else _moments_column(cells, moments)

    def _plain_or_grouped(self, name: str, cells: Cells, numbers: NDArray[np.float64]) -> NDArray[Any]:
        """Numbers, but for codes that begin with a nought."""
        if (row := cells.find_padded(numbers)) is not None:
            self.table.note(
                name,
                f"column {name!r} is nominal, since {str(cells.texts[row])!r} begins with 0; say "
                f"{types_option(name, 'number')} (types=) if it is a number.",
            )
            return cells.objects()
        return self._grouped(name, cells, numbers)

    def _grouped(self, name: str, cells: Cells, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Plain numbers, or, in a file of decimal commas, numbers whose points stand between thousands."""
        if self.decimals.has_commas and cells.holds("."):
            if self.decimals.style is COMMA and COMMA.fits(cells.distinct):
                return self._of_style(name, cells, COMMA)
            example = next(text for text in cells.distinct if "." in text)
            self.table.note(
                name, f"column {name!r} holds numbers with a decimal point: {example!r} is {float(example):.15g}."
            )
        return self._plain(name, cells, numbers)

    def _plain(self, name: str, cells: Cells, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        if (row := cells.find_large_whole(numbers)) is not None:
            self.table.large[name] = row
        return numbers

    def _styled(self, name: str, cells: Cells) -> NDArray[np.float64] | None:
        for style in (self.decimals.style, POINT, COMMA):
            if cells.some and style.fits(cells.some) and style.fits(cells.distinct):
                return self._of_style(name, cells, style)
        return None

    def _with_unit(self, name: str, cells: Cells) -> NDArray[np.float64] | None:
        """Numbers that all have the same sign of a unit."""
        sign = sign_of(cells.some)
        bare = None if sign is None else without_sign(cells, sign)
        if bare is None:
            return None
        numbers = bare.numbers()
        found = self._styled(name, bare) if numbers is None else self._grouped(name, bare, numbers)
        if found is not None:
            found = with_decimal(found, decimal_of(found) or POINT.decimal)
            row = int(np.argmax(~cells.is_missing))
            example = str(cells.texts[row])
            self.table.note(
                name, f"column {name!r} holds numbers with the sign {sign!r}: {example!r} is {found[row]:.15g}."
            )
        return found

    def _of_style(self, name: str, cells: Cells, style: Style) -> NDArray[np.float64]:
        example = next((text for text in cells.distinct if not _is_plain(text, style)), cells.distinct[0])
        self.table.note(name, f"column {name!r} holds {style.words}: {example!r} is {style.number(example):.15g}.")
        numbers = cells.filled([style.number(text) for text in cells.distinct], np.nan, np.float64)
        plain = [text.translate(str.maketrans("", "", style.signs)) for text in cells.distinct]
        return with_decimal(self._plain(name, cells.replaced(plain), numbers), style.decimal)

    # -- text ----------------------------------------------------------------------------------------------

    def _nominal(self, name: str, cells: Cells) -> NDArray[Any]:
        """Categories; a column that is numbers or dates but for a few values is told of, or refused."""
        if _may_be_numbers(cells.some):
            sign = usual_sign(cells.some)
            numbers = "numbers" if sign is None else f"numbers with the sign {sign!r}"
            for words, is_one in ((numbers, partial(is_number, sign=sign)), ("dates", _is_date)):
                if sum(map(is_one, cells.some)) < len(cells.some) * TOLD_SHARE / 2:
                    continue
                known = cells.spread([is_one(text) for text in cells.distinct], bool)
                share = known.mean()
                if share == 1:
                    if words == numbers and (row := _odd_style(cells, sign)) is not None:
                        return self.table.leave_out(
                            name, self._in_another_style(name, words, str(cells.texts[row]), row)
                        )
                    self.table.note(name, f"column {name!r} is nominal: its {words} are not all written in one way.")
                    break
                odd = _listed([text for text in cells.distinct if not is_one(text)])
                if share > REFUSED_SHARE:
                    row = int(np.flatnonzero(~cells.is_missing)[np.argmin(known)])
                    return self.table.leave_out(name, self._but_for_a_few(name, words, odd, row))
                if share >= TOLD_SHARE:
                    self.table.note(name, f"column {name!r} is nominal: most values are {words}, but not {odd}.")
        self._note_alike(name, "values", cells.some)
        return self._noted(name, cells, cells.objects())

    def _labels(self, name: str, cells: Cells) -> NDArray[Any]:
        self._note_alike(name, "classes", cells.distinct)
        return cells.objects()

    def _note_alike(self, name: str, what: str, texts: Sequence[str]) -> None:
        """Tell of texts that differ in capitals alone, and may have been meant to be one."""
        of_letters: dict[str, set[str]] = {}
        for text in texts:
            of_letters.setdefault(text.casefold(), set()).add(text)
        alike = [_listed(sorted(group)) for group in of_letters.values() if len(group) > 1]
        if alike:
            more = [f"and {len(alike) - SHOWN} more"] if len(alike) > SHOWN else []
            shown = "; ".join([*alike[:SHOWN], *more])
            sentence = f"column {name!r} has {what} that differ in capitals alone, and are kept apart: {shown}"
            self.table.note(name, f"{sentence}. Write them alike if they are one.")

    def _but_for_a_few(self, name: str, words: str, odd: str, row: int) -> str:
        return (
            f"Column {name!r} of {self.table.path} holds {words} but for {odd}, first in {self.table.place(row)}; if "
            f"that is missing, say so by --missing-values (missing_values=), or make the column nominal by "
            f"{types_option(name, 'nominal')} (types=)."
        )

    def _in_another_style(self, name: str, words: str, odd: str, row: int) -> str:
        return (
            f"Column {name!r} of {self.table.path} holds {words}, of which a few are written differently, first "
            f"{odd!r} in {self.table.place(row)}. Write all of them in one way, or make the column nominal by "
            f"{types_option(name, 'nominal')} (types=)."
        )

    def _refused(self, name: str, cells: Cells, told: str) -> NDArray[Any]:
        """What stands in the place of a column that is not what it was told to be."""
        words = PLURALS.get(told, "dates")
        odd = (place for place, text in enumerate(cells.known.tolist()) if not _is_one(str(text), told))
        place = next(odd, None)
        rows = np.flatnonzero(~cells.is_missing)
        if place is None:
            sentence = f"Column {name!r} of {self.table.path} must hold {words}, which are not all written in one way"
            return self.table.leave_out(name, f"{sentence}{self._other_unit(cells, rows)}.")
        row = int(rows[place])
        sentence = (
            f"Column {name!r} must hold {words}, but {self.table.place(row)} has {str(cells.texts[row])!r}; if that is "
            "missing, say so by --missing-values (missing_values=)."
        )
        return self.table.leave_out(name, sentence)

    def _other_unit(self, cells: Cells, rows: NDArray[np.intp]) -> str:
        """The first of the known texts that has another sign of a unit than those before it, if one has."""
        texts = list(map(str, cells.known.tolist()))
        for row, text in zip(rows.tolist(), texts, strict=True):
            if sign_of([text]) != sign_of(texts[:1]):
                return f": {texts[0]!r}, but {text!r} in {self.table.place(row)}"
        return ""


def _odd_style(cells: Cells, sign: str | None) -> int | None:
    """The first row whose number has another style than nearly all others; None if no style is that frequent."""
    for style in (POINT, COMMA):
        fits = cells.spread([is_of_style(text, sign, style) for text in cells.distinct], bool)
        if REFUSED_SHARE < fits.mean() < 1:
            return int(np.flatnonzero(~cells.is_missing)[np.argmin(fits)])
    return None


def _is_one(text: str, told: str) -> bool:
    """Whether a text alone is what its column was told to be."""
    if told == NUMBER:
        return is_any_number(text)
    try:
        return read_moments([text], told, is_told=True) is not None
    except AmbiguousError:
        return True


def _may_be_numbers(some: Sequence[str]) -> bool:
    """Whether some of a few values begin as numbers and dates do."""
    begins = [text.lstrip(BEFORE_DIGITS)[:1].isdecimal() or text[-4:].isdecimal() for text in some]
    return sum(begins) >= len(begins) * TOLD_SHARE / 2 and any(begins)


def _is_plain(text: str, style: Style) -> bool:
    """Whether Python reads a text of a style as the same number."""
    try:
        return float(text) == style.number(text)
    except ValueError:
        return False


def _is_date(text: str) -> bool:
    return not text.isdecimal() and _is_one(text, DATE)


def _moments(cells: Cells) -> Moments | None:
    """What moments all values are; where a few are none, the others need not be looked at."""
    with suppress(AmbiguousError):  # others may tell days from months
        if guess_moments(sorted(set(cells.some))) is None:
            return None
    return guess_moments(cells.distinct)


def _moments_column(cells: Cells, moments: Moments) -> NDArray[Any]:
    """Dates and durations as numpy has them; times and dates with a zone as Python's objects."""
    first = moments.values[0] if moments.values else datetime.min
    if isinstance(first, timedelta):
        return cells.filled(moments.values, np.timedelta64("NaT"), "timedelta64[us]")
    if isinstance(first, datetime) and all(value.tzinfo is None for value in moments.values):
        return cells.filled(moments.values, np.datetime64("NaT"), "datetime64[us]")
    return cells.filled(moments.values, None, object)


def _listed(words: Sequence[object]) -> str:
    """Some words, and how many more there are."""
    shown = ", ".join(repr(str(word)) for word in words[:SHOWN])
    return shown if len(words) <= SHOWN else f"{shown} and {len(words) - SHOWN} more"
