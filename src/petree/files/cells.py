"""The texts of a column, whichever way they lie in memory, and which of them stand for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.dtypes import StringDType
from numpy.typing import NDArray

from petree.caching import cached_property
from petree.files.text import Text, find_large_whole, find_missing, find_padded, to_numbers, to_text

# Values of a column that are looked at before all are.
SAMPLE = 200
# Words for what is missing: those that nobody takes for a value,
SURE = ("", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NAN", "NaT", "null", "NULL", "Null", "None")
# those that may be a category, but stand among numbers and dates for what is missing,
RISKY = ("-", "--", ".", "..", "na", "n.a.", "none", "NONE", "missing", "unknown", "#DIV/0!", "#VALUE!", "0000-00-00")
# and those so common that nobody needs to be told.
UNTOLD = ("", "?")


class Cells:
    """The texts of a column as numpy has them.

    Parameters
    ----------
    texts : ndarray of StringDType
        Without spaces around them.
    words : sequence of str
        Those that stand for nothing.
    """

    def __init__(self, texts: Text, words: Sequence[str]):
        self._given = texts
        self.words = tuple(words)

    def but(self, words: Sequence[str]) -> Cells:
        """The same where these words stand for nothing, too."""
        return type(self)(self._given, (*self.words, *words))

    @cached_property
    def texts(self) -> Text:
        """All texts."""
        return self._given

    @cached_property
    def is_missing(self) -> NDArray[np.bool_]:
        """Whether each stands for nothing."""
        return find_missing(self.texts, self.words)

    @cached_property
    def known(self) -> Text:
        """The texts that stand for something."""
        return self.texts[~self.is_missing]

    @cached_property
    def some(self) -> list[str]:
        """A few of the known texts, from all over the column."""
        return [str(text) for text in self.texts[self._places_of_some()].tolist()]

    def _places_of_some(self) -> NDArray[np.intp]:
        places = np.flatnonzero(~self.is_missing)
        return places[:: max(len(places) // SAMPLE, 1)]

    @cached_property
    def _sorted(self) -> tuple[list[str], NDArray[np.intp]]:
        distinct, places = np.unique(self.known, return_inverse=True)
        return [str(text) for text in distinct.tolist()], places

    @property
    def distinct(self) -> list[str]:
        """The different known texts."""
        return self._sorted[0]

    def filled(self, values: Sequence[Any], nothing: Any, dtype: Any) -> NDArray[Any]:
        """An array of the values of the different texts, each where its text stands."""
        column = np.full(len(self.is_missing), nothing, dtype)
        column[~self.is_missing] = self.spread(values, dtype)
        return column

    def spread(self, values: Sequence[Any], dtype: Any) -> NDArray[Any]:
        """The values of the different texts, for every known text."""
        found = np.empty(len(values), dtype)
        found[:] = values
        return found[self._sorted[1]]

    def replaced(self, texts: Sequence[str]) -> Cells:
        """The same column with these in place of the different texts."""
        return Cells(self.filled(texts, "", StringDType()), ("",))

    # -- what is asked of them --------------------------------------------------------------------------------

    def numbers(self) -> NDArray[np.float64] | None:
        """The values as float64 with NaN for missing ones, or None if one of them is no number."""
        some = np.array(self.some, StringDType())
        if to_numbers(some, np.zeros(len(some), bool)) is None:
            return None
        return self._all_numbers()

    def _all_numbers(self) -> NDArray[np.float64] | None:
        return to_numbers(self.texts, self.is_missing)

    def objects(self) -> NDArray[np.object_]:
        """The texts as str with None for missing ones."""
        return to_text(self.texts, self.is_missing)

    def holds(self, sign: str) -> bool:
        """Whether a sign stands in any of the known texts."""
        found = np.strings.find(self.texts, sign) >= 0
        return bool(found.any() and (found & ~self.is_missing).any())

    def told_words(self) -> list[str]:
        """The words for what is missing that a reader of the file is told of."""
        return [word for word in self._missing_words() if word not in UNTOLD]

    def _missing_words(self) -> list[str]:
        return [str(word) for word in np.unique(self.texts[self.is_missing]).tolist()]

    def find_padded(self, numbers: NDArray[np.float64]) -> int | None:
        """The first row whose digits begin with a nought, as codes do, if all numbers are written in digits alone."""
        return find_padded(self.texts, numbers)

    def find_large_whole(self, numbers: NDArray[np.float64]) -> int | None:
        """The first row with a whole number beyond 2**53, if there is one."""
        return find_large_whole(self.texts, numbers)
