"""Which test of a node is so much more probable than those of all other columns that it is chosen (Buntine 1992)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree.sources.base import Nodes, Splits
from petree.sources.found import Best
from petree.sources.quality import EvidenceOfTests
from petree.sources.rows import Rows
from petree.threads import Threads

# Leads that differ by no more than this are equal.
TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Tried:
    """The best test of each column at some nodes: values and tests (columns, nodes), and what counts as equal."""

    values: NDArray[np.float64]
    tests: NDArray[np.void]
    tolerance: NDArray[np.float64]

    @classmethod
    def of(cls, by_column: Sequence[Best]) -> Tried:
        """From the best tests of all columns, in the user's order."""
        values = np.array([np.where(best.test["column"] >= 0, best.value, -np.inf) for best in by_column])
        tolerance = np.max([best.tolerance for best in by_column], axis=0)
        return cls(values, np.array([best.test for best in by_column]), tolerance)

    def two_best(self) -> tuple[NDArray[np.void], NDArray[np.void]]:
        """The best tests of the best and of the second column of each node; column -1 where there is none."""
        nodes = np.arange(self.values.shape[1])
        first = self._first_of_equals(self.values)
        left = self.values.copy()
        left[first, nodes] = -np.inf
        second = self.tests[self._first_of_equals(left), nodes]
        second["column"][np.isneginf(left).all(axis=0)] = -1
        return self.tests[first, nodes], second

    def _first_of_equals(self, values: NDArray[np.float64]) -> NDArray[np.intp]:
        """The first of the columns whose values are the greatest."""
        return np.argmax(values >= values.max(axis=0) - self.tolerance, axis=0)


@dataclass(frozen=True, eq=False)
class Lead:
    """How many times more probable than the best test of any other column the first one must be.

    Columns compete and not cuts, since neighbouring cuts are always nearly alike.
    """

    evidence: EvidenceOfTests
    ratio: float

    @property
    def _least(self) -> float:
        return float(np.log(self.ratio)) - TOLERANCE

    def decided(self, tried: Tried, rows: Rows, nodes: Nodes, threads: Threads) -> NDArray[np.void]:
        """The best test of each node where it leads; column -1 elsewhere, and where it has no rival."""
        first, second = tried.two_best()
        lead = self._support(rows, nodes, first, threads) - self._support(rows, nodes, second, threads)
        first["column"][(second["column"] < 0) | (lead < self._least)] = -1
        return first

    def _support(self, rows: Rows, nodes: Nodes, tests: NDArray[np.void], threads: Threads) -> NDArray[np.float64]:
        """What the classes say for a test of each node; for the node as it is where there is none."""
        support = self.evidence.of_children(nodes, np.ones(len(nodes), np.intp))
        which = np.flatnonzero(tests["column"] >= 0)
        splits = Splits(which, np.zeros(len(which)), tests[which])
        support[which] = self.evidence.of_children(*rows.divide(nodes.take(which), splits, threads, moves=False))
        return support
