"""Candidate thresholds by definition: a cut between all neighbours, and minimal entropy with an agenda."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from tests.oracles.growing import class_counts, entropy

# Gains of small tables never differ by so little unless they are equal.
TIE = 1e-10


def midpoint(lower: float, upper: float) -> float:
    """The middle of two numbers, or the upper one where the middle rounds to the lower."""
    middle = float((Fraction(lower) + Fraction(upper)) / 2)
    return middle if middle > lower else upper


@cache
def shortest_between(lower: float, upper: float) -> float:
    """The shortest decimal number above one value and not above another, whether these have 64 bits or 32."""
    with np.errstate(over="ignore"):
        above = max(lower, float(np.float32(lower)))
        up_to = min(upper, float(np.float32(upper)))
    return _shortest(above, up_to) if above < up_to else _shortest(lower, upper)


def _shortest(lower: float, upper: float) -> float:
    """Zero, or of all numbers of one digit, of two digits, ... that fit one with the fewest behind the point."""
    middle = midpoint(lower, upper)
    if lower < 0 <= upper:
        return 0.0
    first = Decimal(middle).adjusted()
    for n_digits in range(1, 16):
        found = [
            (max(-place, 0), float(times * Fraction(10) ** place))
            for place in range(max(first - n_digits, -22), min(first - n_digits + 2, 22) + 1)
            for times in _around(Fraction(middle) / Fraction(10) ** place)
            if 0 < abs(times) <= 10**n_digits
        ]
        fitting = [(behind, abs(number - middle), number) for behind, number in found if lower < number <= upper]
        if fitting:
            return min(fitting)[-1]
    return middle


def _around(number: Fraction) -> range:
    """Whole numbers near another."""
    return range(math.floor(number) - 12, math.floor(number) + 13)


def cuts_between_all(values: ArrayLike) -> NDArray[np.float64]:
    """The cut between every two neighbouring distinct values."""
    distinct = sorted(set(np.asarray(values, np.float64).tolist()))
    return np.array([shortest_between(*pair) for pair in pairwise(distinct)], np.float64)


@dataclass(frozen=True)
class Cut:
    """A cut of an interval: the class counts of the interval and of its two parts."""

    threshold: float
    whole: NDArray[np.float64]
    parts: tuple[NDArray[np.float64], NDArray[np.float64]]

    @property
    def gain(self) -> float:
        total = self.whole.sum()
        return entropy(self.whole) - sum(float(part.sum() / total) * entropy(part) for part in self.parts)

    @property
    def impurity(self) -> float:
        """The entropy of what is cut, by which intervals are taken from the agenda."""
        return entropy(self.whole)

    @property
    def is_accepted_by_mdl(self) -> bool:
        """The stop of Fayyad and Irani: the gain pays for the description of the cut."""
        total = float(self.whole.sum())
        present = int(np.count_nonzero(self.whole))
        surprise = present * entropy(self.whole)
        surprise -= sum(int(np.count_nonzero(part)) * entropy(part) for part in self.parts)
        return self.gain > (math.log2(total - 1) + math.log2(3**present - 2) - surprise) / total


@dataclass(frozen=True)
class Sample:
    """The rows of one interval of a column."""

    values: NDArray[np.float64]
    classes: NDArray[np.intp]
    weights: NDArray[np.float64]
    n_classes: int

    def where(self, is_inside: NDArray[np.bool_]) -> Sample:
        return Sample(self.values[is_inside], self.classes[is_inside], self.weights[is_inside], self.n_classes)

    @property
    def counts(self) -> NDArray[np.float64]:
        return class_counts(self.classes, self.weights, self.n_classes)

    def best_cut(self) -> Cut | None:
        """The cut of largest gain, the lowest where several are equal."""
        cuts = [self.cut(threshold) for threshold in cuts_between_all(self.values)]
        if not cuts:
            return None
        best = max(cut.gain for cut in cuts)
        return next(cut for cut in cuts if cut.gain >= best - TIE)

    def cut(self, threshold: float) -> Cut:
        below = self.values < threshold
        return Cut(float(threshold), self.counts, (self.where(below).counts, self.where(~below).counts))


def entropy_order(sample: Sample, max_thresholds: int, stop: str | None = None) -> list[float]:
    """Thresholds of minimal entropy in the order in which they are found.

    The interval of greatest entropy goes first, the leftmost where several are equal; one of one class is not cut.
    """
    intervals: list[tuple[Sample, Cut]] = _open_intervals([sample], stop)
    found: list[float] = []
    while intervals and len(found) < max_thresholds:
        most = max(cut.impurity for _, cut in intervals)
        place = next(i for i, (_, cut) in enumerate(intervals) if cut.impurity >= most - TIE)
        interval, cut = intervals[place]
        below = interval.values < cut.threshold
        intervals[place : place + 1] = _open_intervals([interval.where(below), interval.where(~below)], stop)
        found.append(cut.threshold)
    return found


def _open_intervals(samples: Sequence[Sample], stop: str | None) -> list[tuple[Sample, Cut]]:
    pairs = [(sample, sample.best_cut()) for sample in samples if np.count_nonzero(sample.counts) > 1]
    return [(sample, cut) for sample, cut in pairs if cut and (stop is None or cut.is_accepted_by_mdl)]


def entropy_thresholds(
    values: Any, classes: Any, weights: Any, n_classes: int, max_thresholds: int, stop: str | None = None
) -> NDArray[np.float64]:
    """The same thresholds, ascending."""
    weights = np.ones(len(values)) if weights is None else weights
    sample = Sample(np.asarray(values, np.float64), np.asarray(classes), np.asarray(weights, np.float64), n_classes)
    return np.array(sorted(entropy_order(sample, max_thresholds, stop)), np.float64)
