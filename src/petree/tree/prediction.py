"""The class that is answered, given probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Weighted probabilities that differ by no more than this, relative to the larger, are equal.
TIE = 1e-12


def most_probable_codes(
    probabilities: NDArray[np.float64], class_weight: NDArray[np.float64] | None
) -> NDArray[np.intp]:
    """Number of the most probable class of each row, after class weights; the first of equals."""
    if class_weight is None:
        return np.argmax(probabilities, axis=1)
    weighted = probabilities * class_weight
    return np.argmax(weighted >= weighted.max(axis=1, keepdims=True) * (1 - TIE), axis=1)
