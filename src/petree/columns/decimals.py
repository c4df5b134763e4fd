"""How numbers were written in a file, noted at the type of the array that holds them.

Selected rows of an array have the same type, so that the note reaches the model by way of any dict of columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_NAME = "petree decimal"


def with_decimal(numbers: NDArray[np.float64], decimal: str) -> NDArray[np.float64]:
    """Return the numbers as read from texts with units, with signs between thousands or with this decimal sign."""
    return numbers.view(np.dtype(np.float64, metadata={_NAME: decimal}))


def decimal_of(values: Any) -> str:
    """Return the decimal sign of the texts that an array was read from, empty if they were plain numbers."""
    if not isinstance(values, np.ndarray) or values.dtype.metadata is None:
        return ""
    return str(values.dtype.metadata.get(_NAME, ""))
