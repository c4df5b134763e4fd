"""The class that is answered, given probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Weighted probabilities and expected costs that differ by no more than this, relative to the best, are equal.
TIE = 1e-12


def most_probable_codes(
    probabilities: NDArray[np.float64], class_weight: NDArray[np.float64] | None
) -> NDArray[np.intp]:
    """Number of the most probable class of each row, after class weights; the first of equals."""
    if class_weight is None:
        return np.argmax(probabilities, axis=1)
    weighted = probabilities * class_weight
    return np.argmax(weighted >= weighted.max(axis=1, keepdims=True) * (1 - TIE), axis=1)


def cheapest_codes(probabilities: NDArray[np.float64], costs: NDArray[np.float64]) -> NDArray[np.intp]:
    """Number of the class of each row whose answer costs least on average; the first of equals.

    `costs` has a row for each true class and a column for each answer.
    """
    expected = probabilities @ costs
    return np.argmax(expected <= expected.min(axis=1, keepdims=True) * (1 + TIE), axis=1)
