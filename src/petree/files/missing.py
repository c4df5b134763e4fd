"""Words for what is missing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.files.text import Text

# What nobody takes for a value.
SURE = ("", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NAN", "NaT", "null", "NULL", "Null", "None")
# What may be a category, but stands among numbers and dates for what is missing.
RISKY = ("-", "--", ".", "..", "na", "n.a.", "none", "NONE", "missing", "unknown", "#DIV/0!", "#VALUE!", "0000-00-00")
# So common that nobody needs to be told.
UNTOLD = ("", "?")


def told_words(values: Text, is_missing: NDArray[np.bool_]) -> list[str]:
    """The words among what is missing that a reader of the file is told of."""
    return [str(word) for word in np.unique(values[is_missing]).tolist() if str(word) not in UNTOLD]
