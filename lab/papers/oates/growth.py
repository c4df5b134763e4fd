"""How the size of trees grows with the number of cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from statistics import fmean, linear_regression
from typing import TypeAlias

# Inner nodes of several trees, by the number of cases.
Sizes: TypeAlias = Mapping[int, Sequence[float]]

# Exponents of what is called linear growth, and the mean number of inner nodes that is called small.
LINEAR = (0.9, 1.1)
SMALL = 1.0


def growth(found: Sizes) -> float | None:
    """The b of mean size ~ N^b by least squares over the N whose mean is not 0.

    None where there are not two, and where the trees are small at every N, since chance makes that exponent.

    Examples
    --------
    >>> from lab.papers.oates.growth import growth
    >>> round(growth({100: [9, 11], 200: [20, 20], 400: [38, 42]}), 2)
    1.0
    """
    means = {n: fmean(values) for n, values in found.items() if any(values)}
    if len(means) < 2 or is_small(found):
        return None
    return linear_regression([log(n) for n in means], [log(mean) for mean in means.values()]).slope


def is_small(found: Sizes) -> bool:
    return max(map(fmean, found.values())) <= SMALL


def is_linear(found: Sizes) -> bool:
    power = growth(found)
    return power is not None and LINEAR[0] <= power <= LINEAR[1]
