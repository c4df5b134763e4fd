"""Class probabilities under base rates other than those of the training data.

Where only the base rates differ, and cases of one class are like those of that class in training, Bayes' rule moves
every probability: its odds are multiplied by the new rate over the old one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from reprlib import repr as short
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from petree.inputs.target import refuse_unknown_classes
from petree.reading.view import Bounds

Floats = NDArray[np.float64]
# A few rates that were written down with six digits sum to 1 so nearly.
ROUNDING = 1e-5
# Less than this, times a probability, may be no number above 0 any more.
LEAST_RATE = 1e-300


def read_base_rates(rates: Mapping[Any, float], classes: NDArray[Any], trained: Floats) -> Floats:
    """The rate of each class, in the order of `classes`, checked; `trained` are those of the training data."""
    if not isinstance(rates, Mapping):
        raise ValueError(f"Base rates must be a dict {{class: rate}}, or None. Got {short(rates)} instead.")
    labels = classes.tolist()
    refuse_unknown_classes("A dict of base rates", rates, labels)
    for label, old in zip(labels, trained.tolist(), strict=True):
        if label not in rates:
            raise ValueError(f"The base rates lack the class {label!r}; name every class.")
        if not isinstance(rates[label], Real) or not LEAST_RATE <= rates[label] <= 1:
            raise ValueError(
                f"The base rate of class {label!r} must be a number above 0 and at most 1. Got {short(rates[label])}."
            )
        if old == 0:
            raise ValueError(
                f"The class {label!r} has no training cases, so that there is no rate from which to move to another "
                "one; fit a model that has some."
            )
    new = np.array([float(rates[label]) for label in labels])
    if abs(new.sum() - 1) > ROUNDING:
        raise ValueError(f"The base rates sum to {new.sum():.7g}; they must sum to 1.")
    return new / new.sum()


@dataclass(frozen=True)
class BaseRateShift:
    """The move from one set of base rates to another; `factors` are new over old, None where nothing moves."""

    factors: Floats | None = None

    @classmethod
    def between(cls, old: Floats, new: Floats) -> Self:
        """From old base rates to new ones."""
        return cls(None if old is new or np.array_equal(old, new) else new / old)

    def probabilities(self, given: Floats) -> Floats:
        """Probabilities (rows, classes) under the new base rates."""
        if self.factors is None:
            return given
        moved = given * self.factors
        return np.asarray(moved / moved.sum(axis=1, keepdims=True))

    def masses(self, given: Floats) -> Floats | None:
        """The same before they are divided by their sums, which blends need; None where nothing moves."""
        return None if self.factors is None else given * self.factors

    def bounds(self, lower: Floats, upper: Floats, given: Floats) -> Bounds:
        """Bounds of the probabilities `given` under the new base rates.

        A bound of one class is moved while the others share the rest in proportion to their probabilities, which for
        two classes is Bayes' rule and nothing else.
        """
        if self.factors is None:
            return lower, upper
        moved = self.probabilities(given)
        others = self._factors_of_others(self.factors, given)
        low, high = (bound * self.factors / (bound * self.factors + (1 - bound) * others) for bound in (lower, upper))
        return np.minimum(low, moved), np.maximum(high, moved)

    @staticmethod
    def _factors_of_others(factors: Floats, given: Floats) -> Floats:
        """The mean factor of all other classes, by their probabilities.

        It lies between their least and their largest factor, also where rounding or a probability of 1 says otherwise.
        """
        ranked = np.sort(factors)
        least = np.where(factors == ranked[0], ranked[1], ranked[0])
        largest = np.where(factors == ranked[-1], ranked[-2], ranked[-1])
        own = given * factors
        rest = own.sum(axis=1, keepdims=True) - own
        mean = np.divide(rest, 1 - given, out=np.broadcast_to(least, given.shape).copy(), where=given < 1)
        return np.clip(mean, least, largest)
