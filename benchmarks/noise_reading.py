"""What the tables of the noise page say, in words."""

from __future__ import annotations

import numpy as np

# Inner nodes of each trial, by criterion and number of cases.
Sizes = dict[str, dict[int, list[int]]]


def growth(found: dict[int, list[int]]) -> float | None:
    """The b of mean size ~ N^b by least squares over the sizes of mean 1 and more; None where there are not two."""
    points = [(np.log(n), np.log(np.mean(values))) for n, values in found.items() if np.mean(values) >= 1]
    if len(points) < 2:
        return None
    return float(np.polyfit(*np.array(points).T, 1)[0])


def read(sizes: Sizes) -> list[str]:
    """The sentences."""
    return []
