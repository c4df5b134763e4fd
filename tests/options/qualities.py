"""Buntine's quality of every test of a node from its definition, one row and one test at a time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from tests.bayes.oracles import leaf_value, node_value
from tests.oracles.growing import Candidate, PlainColumn, PlainTable, candidates_of, divide
from tests.oracles.growing import Rules as Tests

from petree.bayes import Prior
from petree.columns import NOMINAL
from petree.conditions import EQUALS, IS_MISSING, MULTIWAY, THRESHOLD

# Qualities of small tables never differ by so little unless they are equal.
TIE = 1e-9
BEAM = 4

Rows = tuple[int, ...]


class Option(NamedTuple):
    """A test of a node, its quality (a logarithm), what its cut costs (one too), and the rows of its branches."""

    test: Candidate
    quality: float
    penalty: float
    branches: list[Rows]


@dataclass(frozen=True)
class FittingContext:
    """A training table, what is believed of trees, and the rules of growing."""

    table: PlainTable
    prior: Prior = field(default_factory=Prior)
    tests: str = "binary"
    min_samples_leaf: int = 1
    max_depth: int = 2
    max_options: int = 4
    option_depth: int | None = None
    factor: float = 0.005
    lookahead: int = 1

    @property
    def all_rows(self) -> Rows:
        return tuple(range(len(self.table.classes)))

    def counts(self, rows: Sequence[int]) -> list[float]:
        counts = [0.0] * len(self.table.class_weight)
        for row in rows:
            counts[self.table.classes[row]] += float(self.table.weights[row])
        return counts

    def size(self, rows: Sequence[int]) -> int:
        return self.table.size(np.array(rows, np.intp))

    def leaf(self, rows: Sequence[int], level: int = 0) -> float:
        """ln CPleaf; tests are compared with the pseudo-counts of the root."""
        return leaf_value(self.prior, self.counts(rows), self.counts(self.all_rows), level)

    def node(self, column: int) -> float:
        """ln CPnode of a test of a column."""
        penalties = self.prior.penalties or {}
        return node_value(self.prior, self.n_prior_tests) + math.log(penalties.get(f"column {column}", 1))

    @property
    def n_prior_tests(self) -> int:
        """All tests of the table, where those of a number count once."""
        return max(sum(self._n_prior_tests(i, column) for i, column in enumerate(self.table.columns)), 1)

    def _n_prior_tests(self, index: int, column: PlainColumn) -> int:
        kinds = [candidate.kind for candidate in candidates_of(index, column, Tests(self.tests))]
        return len(kinds) - max(kinds.count(THRESHOLD) - 1, 0)

    def is_open(self, rows: Sequence[int]) -> bool:
        """A pure node is a leaf, and one that is too small for two branches."""
        n_classes = sum(count > 0 for count in self.counts(rows))
        return n_classes > 1 and self.size(rows) >= 2 * self.min_samples_leaf

    # -- one ply ----------------------------------------------------------------------------------------------

    def options(self, rows: Rows) -> list[Option]:
        """All tests that divide the node, in the order of their generation."""
        return [option for i in range(len(self.table.columns)) for option in self._of_column(i, rows)]

    def _of_column(self, index: int, rows: Rows) -> Iterator[Option]:
        column = self.table.columns[index]
        cells = [float(column.values[row]) for row in rows]
        present, has_missing = sorted({cell for cell in cells if cell == cell}), any(cell != cell for cell in cells)
        if has_missing:
            yield from self._best_of([Candidate(index, IS_MISSING)], rows)
        if column.kind != NOMINAL:
            yield from self._of_number(index, present, has_missing, rows)
        elif self.tests == "multiway":
            # with a lone value it divides the rows as "is missing" does
            missing = {"missing": column.n_categories} if has_missing else {}
            yield from self._best_of([Candidate(index, MULTIWAY, **missing)] if len(present) > 1 else [], rows)
        else:
            # of two values the second divides the rows as the first does, and a lone one as "is missing" does
            for value in present if len(present) > 2 else present[:-1]:
                test = Candidate(index, EQUALS, value)
                yield from self._best_of(directions(test, has_missing), rows)

    def _best_of(self, tests: list[Candidate], rows: Rows) -> Iterator[Option]:
        """The best of tests that differ in where missing values go, the first of equals."""
        best = None
        for test in tests:
            branches = self.branches(test, rows)
            if self._divides(branches):
                quality = self.node(test.column) + sum(self.leaf(branch) for branch in branches)
                if best is None or quality > best.quality + TIE:
                    best = Option(test, quality, 0.0, branches)
        if best is not None:
            yield best

    def _of_number(self, index: int, present: list[float], has_missing: bool, rows: Rows) -> Iterator[Option]:
        """The integral over all cuts of the node's range; missing values go where it is larger."""
        best = None
        for side in directions(Candidate(index, THRESHOLD), has_missing):
            cuts = []
            for low, high in pairwise(present):
                test = side._replace(value=self.threshold_between(index, low, high))
                branches = self.branches(test, rows)
                if self._divides(branches):
                    quality = self.node(index) + sum(self.leaf(branch) for branch in branches)
                    cuts.append((quality, Fraction(high) - Fraction(low), test, branches))
            if not cuts:
                continue
            span = Fraction(present[-1]) - Fraction(present[0])
            integral = log_sum([quality + log_of(width / span) for quality, width, _, _ in cuts])
            top = max(quality for quality, _, _, _ in cuts)
            _, _, test, branches = next(cut for cut in cuts if cut[0] > top - TIE)
            if best is None or integral > best.quality + TIE:
                best = Option(test, integral, integral - top, branches)
        if best is not None:
            yield best

    def threshold_between(self, index: int, low: float, high: float) -> float:
        """The threshold of the table that divides its values as the middle of a gap of the node does."""
        column = self.table.columns[index]
        middle = (Fraction(low) + Fraction(high)) / 2
        known = {float(cell) for cell in column.values if cell == cell} | set(map(float, range(column.n_categories)))
        above = min(value for value in known if value > middle)
        return max(float(threshold) for threshold in column.thresholds if threshold <= above)

    def branches(self, test: Candidate, rows: Rows) -> list[Rows]:
        parts = divide(test, self.table.columns[test.column], np.array(rows, np.intp))
        return [tuple(part.tolist()) for part in parts]

    def _divides(self, branches: list[Rows]) -> bool:
        return sum(len(one) > 0 and self.size(one) >= self.min_samples_leaf for one in branches) >= 2

    # -- several plies ----------------------------------------------------------------------------------------

    def value(self, rows: Rows, plies: int) -> float:
        """V of A11: the best that rows can do within so many plies."""
        leaf = self.leaf(rows)
        if plies == 0 or not self.is_open(rows):
            return leaf
        return max([leaf, *(self.ahead(option, plies) for option in self.beam(rows))])

    def beam(self, rows: Rows) -> list[Option]:
        width = self.max_options if self.lookahead == 1 else max(self.max_options, BEAM)
        return by_quality(self.options(rows))[:width]

    def ahead(self, option: Option, plies: int) -> float:
        """ln Quality of so many plies."""
        below = sum(self.value(branch, plies - 1) for branch in option.branches)
        return self.node(option.test.column) + option.penalty + below

    def chosen(self, rows: Rows, level: int) -> list[Option]:
        """The options of a node, best first; nobody looks below the last level."""
        if level == self.max_depth or not self.is_open(rows):
            return []
        plies = min(self.lookahead, self.max_depth - level)
        found = [option._replace(quality=self.ahead(option, plies)) for option in self.beam(rows)]
        keeps_several = self.option_depth is None or level < self.option_depth
        found = by_quality(found)[: self.max_options if keeps_several else 1]
        return [one for one in found if one.quality >= found[0].quality + math.log(self.factor) - TIE]


def directions(test: Candidate, has_missing: bool) -> list[Candidate]:
    """The test for every branch that missing values may take, in the order in which they are tried."""
    return [test._replace(missing=branch) for branch in (1, 0)] if has_missing else [test]


def log_of(share: Fraction) -> float:
    """The logarithm of a fraction whose parts may be too large or too small for a float."""
    return math.log(share.numerator) - math.log(share.denominator)


def log_sum(logs: Sequence[float]) -> float:
    """Logarithm of a sum of numbers given by their logarithms."""
    top = max(logs)
    return top + math.log(sum(math.exp(one - top) for one in logs))


def by_quality(options: Sequence[Option]) -> list[Option]:
    """Best first, the first of equals ahead."""

    def compare(one: Any, other: Any) -> int:
        difference = other.quality - one.quality
        return 0 if abs(difference) <= TIE else 1 if difference > 0 else -1

    return sorted(options, key=cmp_to_key(compare))
