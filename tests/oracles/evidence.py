"""Choosing tests on samples and keeping old ones, from the definitions, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import lgamma, log2
from typing import NamedTuple


class Cut(NamedTuple):
    """A number below a cut."""

    column: int
    threshold: float


@dataclass(frozen=True)
class PlainRows:
    """Rows of whole numbers, their classes, and where columns may be cut."""

    rows: Sequence[Sequence[int]]
    classes: Sequence[int]
    n_classes: int
    thresholds: Sequence[float]

    def tests(self) -> Iterator[Cut]:
        for column in range(len(self.rows[0])):
            for threshold in self.thresholds:
                yield Cut(column, threshold)

    def divide(self, members: Sequence[int], test: Cut) -> tuple[list[int], list[int]]:
        below = [row for row in members if self.rows[row][test.column] < test.threshold]
        return below, [row for row in members if self.rows[row][test.column] >= test.threshold]

    def counts(self, members: Sequence[int]) -> list[int]:
        return [sum(self.classes[row] == code for row in members) for code in range(self.n_classes)]

    def gain(self, members: Sequence[int], test: Cut) -> float:
        """Bits that a test gains; below any gain where it does not divide."""
        parts = self.divide(members, test)
        if not all(parts):
            return -1.0
        return _bits(self.counts(members)) - sum(_bits(self.counts(part)) for part in parts)

    def best(self, members: Sequence[int], columns: Sequence[int] | None = None) -> Cut | None:
        """The first of the best tests, of some columns."""
        tests = [test for test in self.tests() if columns is None or test.column in columns]
        gains = [self.gain(members, test) for test in tests]
        if max(gains, default=-1.0) < -0.5:  # rounding makes no gain a little less than none
            return None
        least = max(gains) - 1e-12 * len(members)
        return self._in_the_middle(
            members, next(test for test, gain in zip(tests, gains, strict=True) if gain >= least)
        )

    def _in_the_middle(self, members: Sequence[int], test: Cut) -> Cut:
        """The cut that divides all rows as the middle of the gap of these rows does."""
        below, above = ([self.rows[row][test.column] for row in part] for part in self.divide(members, test))
        middle = (max(below) + min(above)) / 2
        last = max(row[test.column] for row in self.rows if row[test.column] <= middle)
        return Cut(test.column, min(threshold for threshold in self.thresholds if threshold > last))

    def evidence(self, members: Sequence[int], test: Cut) -> float:
        """Logarithm of how probable the classes below a test are, if a class of all rows is as often in each leaf."""
        return sum(_evidence(self.counts(part), self._alphas()) for part in self.divide(members, test))

    def _alphas(self) -> list[float]:
        return [count / len(self.classes) for count in self.counts(range(len(self.classes)))]

    def sampled_test(self, members: Sequence[int], bands: Sequence[int], least: int, log_ratio: float) -> Cut | None:
        """The test of a node: of the column that some sample decides for, or else of any."""
        band = int(log2(len(members) / least)) if len(members) >= least else 0
        for smallest in range(band, 2, -1):
            sample = [row for row in members if bands[row] >= smallest]
            column = self._decided(sample, log_ratio)
            if column is not None:
                return self.best(members, [column])
        return self.best(members)

    def _decided(self, sample: Sequence[int], log_ratio: float) -> int | None:
        columns = range(len(self.rows[0]))
        first = self.best(sample) if sample else None
        if first is None:
            return None
        second = self.best(sample, [column for column in columns if column != first.column])
        if second is None:
            return None
        lead = self.evidence(sample, first) - self.evidence(sample, second)
        return first.column if lead >= log_ratio - 1e-9 else None

    def test_of_parts(self, members: Sequence[int], drawn: Sequence[bool], least: int, log_ratio: float) -> Cut | None:
        """The test of a node of data in parts: by its rows that are drawn, or of the columns that these leave."""
        sample = [row for row in members if drawn[row]]
        first = self.best(sample) if len(sample) >= least and len({self.classes[row] for row in sample}) > 1 else None
        if first is None:
            return self.best(members)
        if self._decided(sample, log_ratio) is not None:
            return first
        columns = [column for column in range(len(self.rows[0])) if self._lead(sample, first, column) < log_ratio]
        return self.best(members, [first.column, *columns])

    def _lead(self, sample: Sequence[int], first: Cut, column: int) -> float:
        """By how much a test is more probable than the best of a column, or than none."""
        best = self.best(sample, [column])
        other = self.whole_evidence(sample) if best is None else self.evidence(sample, best)
        return self.evidence(sample, first) - other

    def whole_evidence(self, members: Sequence[int]) -> float:
        """Logarithm of how probable the classes of some rows are together."""
        return _evidence(self.counts(members), self._alphas())

    def kept_test(self, members: Sequence[int], old: Cut | None, log_ratio: float) -> Cut | None:
        """The test of a node that had one: another only if it is so much more probable."""
        best = self.best(members)
        if old is None or best is None or not all(self.divide(members, old)):
            return best
        return best if self.evidence(members, best) - self.evidence(members, old) >= log_ratio else old

    def is_fixed(self, members: Sequence[int], test: Cut, log_ratio: float) -> bool:
        """Whether a test is so much more probable than those of all other columns."""
        other = self.best(members, [column for column in range(len(self.rows[0])) if column != test.column])
        return other is not None and self.evidence(members, test) - self.evidence(members, other) >= log_ratio


def _bits(counts: Sequence[int]) -> float:
    total = sum(counts)
    return sum(count * log2(total / count) for count in counts if count)


def _evidence(counts: Sequence[int], alphas: Sequence[float]) -> float:
    possible = [(count, alpha) for count, alpha in zip(counts, alphas, strict=True) if alpha]
    of_classes = sum(lgamma(count + alpha) - lgamma(alpha) for count, alpha in possible)
    return of_classes - lgamma(sum(counts) + 1.0)
