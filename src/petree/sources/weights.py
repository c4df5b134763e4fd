"""Classes of the rows of a table, and weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.inputs.target import MOST_COPIES, is_whole

NO_COPIES = np.empty(0, np.uint32)
NO_FRACTIONS = np.empty(0)


@dataclass(frozen=True)
class Targets:
    """The code of each row's class, the labels of all classes, and the weights of rows and of classes."""

    classes: NDArray[np.intp]
    labels: Sequence[Any]
    weights: NDArray[np.float64] | None = None
    class_weight: NDArray[np.float64] | None = None

    @property
    def n_classes(self) -> int:
        return len(self.labels)

    @property
    def n_cases(self) -> float:
        """What all rows weigh together."""
        return float(len(self.classes) if self.weights is None else self.weights.sum())

    @property
    def factors(self) -> NDArray[np.float64]:
        """The weights of the classes, or an empty array where there are none."""
        return np.empty(0) if self.class_weight is None else self.class_weight

    @property
    def are_whole(self) -> bool:
        """Whether all counts are whole numbers."""
        return self.class_weight is None and not Weights.of(self.weights).are_fractional

    def counts(self) -> NDArray[np.float64]:
        """Class counts of all rows, times the weights of the classes."""
        counts = np.bincount(self.classes, self.weights, self.n_classes).astype(np.float64)
        counts *= 1.0 if self.class_weight is None else self.class_weight
        return counts


@dataclass(frozen=True)
class Weights:
    """Row weights: whole ones are copies of the row, others are plain weights; none at all is the usual case."""

    copies: NDArray[np.uint32]
    fractions: NDArray[np.float64]

    @classmethod
    def of(cls, weights: NDArray[np.float64] | None) -> Weights:
        if weights is None or (weights == 1).all():
            return cls(NO_COPIES, NO_FRACTIONS)
        if is_whole(weights) and weights.sum() < MOST_COPIES:
            return cls(weights.astype(np.uint32), NO_FRACTIONS)
        return cls(NO_COPIES, weights.astype(np.float64))

    @property
    def are_fractional(self) -> bool:
        return len(self.fractions) > 0

    @property
    def of_rows(self) -> NDArray[np.uint32] | NDArray[np.float64] | None:
        """What each row counts, or nothing where all count 1."""
        if self.are_fractional:
            return self.fractions
        return self.copies if len(self.copies) else None

    def take(self, which: NDArray[np.intp]) -> Weights:
        """Weights of some of the rows."""
        copies = self.copies[which] if len(self.copies) else self.copies
        return Weights(copies, self.fractions[which] if self.are_fractional else self.fractions)

    def of_cases(self, cases: NDArray[np.intp]) -> Weights:
        """Weights of cases: a row of several copies is as many cases, each of weight 1."""
        return Weights(NO_COPIES, self.fractions[cases] if self.are_fractional else self.fractions)
