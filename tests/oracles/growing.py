"""Tables, and the tests that a node may choose from, by plain enumeration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from tests.families.splits import entropy as entropy

from petree.columns import NOMINAL, NUMBER
from petree.conditions import EQUALS, IN, IS_MISSING, MULTIWAY, THRESHOLD, UNSEEN


@dataclass(frozen=True)
class PlainColumn:
    """A column as floats: numbers or category codes, NaN where missing."""

    kind: str
    values: NDArray[np.float64]
    thresholds: NDArray[np.float64]
    n_categories: int = 0


@dataclass(frozen=True)
class PlainTable:
    """A training table without rows of zero weight."""

    columns: tuple[PlainColumn, ...]
    classes: NDArray[np.intp]
    weights: NDArray[np.float64]
    class_weight: NDArray[np.float64]

    @property
    def has_whole_weights(self) -> bool:
        return bool((self.weights == np.rint(self.weights)).all())

    @property
    def is_weighted_by_fractions(self) -> bool:
        """Whether rounding may disturb the order of equal gains."""
        return not (self.has_whole_weights and (self.class_weight == 1).all())

    def counts(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """Class counts on the scale of the data."""
        return class_counts(self.classes[rows], self.weights[rows], len(self.class_weight))

    def weight(self, rows: NDArray[np.intp]) -> float:
        """Total weight as the split score sees it."""
        return float((self.counts(rows) * self.class_weight).sum())

    def size(self, rows: NDArray[np.intp]) -> int:
        """Number of rows, a whole weight counting as so many copies."""
        return int(self.weights[rows].sum()) if self.has_whole_weights else len(rows)


@dataclass(frozen=True)
class Rules:
    """The parameters that decide which tests there are and where growing ends."""

    tests: str = "binary"
    min_samples_leaf: int = 1
    max_depth: int | None = None
    min_gain: float = 0.0
    split: Any = "gain"
    # by column: 1 where the share of the second class must not fall over a cut, -1 where it must not rise
    signs: tuple[int, ...] = ()
    # which columns may be tested on one path, and which are left to a node
    groups: tuple[frozenset[int], ...] = ()
    columns: frozenset[int] | None = None

    def may_test(self, column: int) -> bool:
        return self.columns is None or column in self.columns

    def below(self, path: frozenset[int]) -> Rules:
        """The rules of a node below tests of these columns."""
        if not self.groups:
            return self
        return replace(self, columns=frozenset().union(*(group for group in self.groups if path <= group)))


class Candidate(NamedTuple):
    """One test: `value` is a threshold, a category code or several, `missing` the branch of missing values."""

    column: int
    kind: int
    value: float | tuple[int, ...] = 0.0
    missing: int = UNSEEN


def class_counts(classes: Any, weights: Any, n_classes: int) -> NDArray[np.float64]:
    """Total weight of each class."""
    return np.array([np.sum(weights[classes == c]) for c in range(n_classes)], np.float64)


def n_candidates(table: PlainTable, rules: Rules) -> int:
    """Number of tests generated for a table, whether or not they split anything."""
    if rules.tests == "sets":
        counts = [n_sets(column, len(table.class_weight)) for column in table.columns]
    else:
        counts = [len(list(candidates_of(i, column, rules))) for i, column in enumerate(table.columns)]
    return sum(count for i, count in enumerate(counts) if rules.may_test(i))


def n_sets(column: PlainColumn, n_classes: int) -> int:
    """The same of a column where tests are for sets: the cuts of all orders, or all sets if these are fewer."""
    is_missing = np.isnan(column.values)
    if column.kind != NOMINAL:
        return len(column.thresholds) + bool(is_missing.any())
    n_cuts = (1 if n_classes == 2 else n_classes + 1) * (column.n_categories - 1)
    return 0 if is_missing.all() else min(n_cuts, 2 ** (column.n_categories - 1) - 1) + bool(is_missing.any())


def candidates_of(index: int, column: PlainColumn, rules: Rules) -> Iterator[Candidate]:
    """The tests of a column in the order of their generation."""
    if np.isnan(column.values).any():
        yield Candidate(index, IS_MISSING)
    if column.kind != NOMINAL:
        yield from (Candidate(index, THRESHOLD, float(threshold)) for threshold in column.thresholds)
    elif rules.tests == "multiway":
        yield Candidate(index, MULTIWAY)
    else:
        yield from (Candidate(index, EQUALS, float(code)) for code in range(column.n_categories))


def in_the_middle(candidate: Candidate, column: PlainColumn, rows: NDArray[np.intp]) -> Candidate:
    """The threshold that divides the column of the whole table as the middle of the gap of these rows does.

    A bin lies in the middle of its least and greatest value, or of its cuts if it is empty, a category at its code. A
    bin in the middle of the gap goes left. Other tests stay as they are.
    """
    own = column.values[rows]
    if candidate.kind != THRESHOLD or not ((own < candidate.value).any() and (own >= candidate.value).any()):
        return candidate
    cuts = column.thresholds
    positions = bin_positions(column.values, cuts) if column.kind == NUMBER else np.arange(len(cuts) + 1)
    below = np.searchsorted(cuts, own[own < candidate.value].max(), "right")
    above = np.searchsorted(cuts, own[own >= candidate.value].min(), "right")
    middle = positions[below] / 2 + positions[above] / 2
    last = max(code for code in range(below, above) if code == below or positions[code] <= middle)
    return candidate._replace(value=float(cuts[last]))


def bin_positions(values: NDArray[np.float64], cuts: NDArray[np.float64]) -> list[float]:
    """The position of each bin between cuts."""
    known = values[~np.isnan(values)]
    codes = np.searchsorted(cuts, known, "right")
    positions = []
    for code in range(len(cuts) + 1):
        inside = known[codes == code] if (codes == code).any() else cuts[max(code - 1, 0) : code + 1]
        low, high = float(inside.min()), float(inside.max())
        positions.append(low if low == high else low / 2 + high / 2)
    return positions


def directions(candidate: Candidate, column: PlainColumn, rows: NDArray[np.intp]) -> list[Candidate]:
    """The same test for every branch that missing values may take, in the order in which they are tried."""
    is_known = candidate.kind == IS_MISSING or candidate.missing != UNSEEN
    if is_known or not np.isnan(column.values[rows]).any():
        return [candidate]
    branches = [column.n_categories] if candidate.kind == MULTIWAY else [1, 0]
    return [candidate._replace(missing=branch) for branch in branches]


def branches_of(candidate: Candidate, column: PlainColumn, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """The branch that each row takes."""
    values = column.values[rows]
    if candidate.kind == IS_MISSING:
        return np.where(np.isnan(values), 0, 1)
    if candidate.kind == MULTIWAY:
        branches = values
    elif candidate.kind == THRESHOLD:
        branches = np.where(values < candidate.value, 0, 1)
    elif candidate.kind == IN:
        branches = np.where(np.isin(values, candidate.value), 0, 1)
    else:
        branches = np.where(values == candidate.value, 0, 1)
    return np.where(np.isnan(values), candidate.missing, branches).astype(np.intp)


def n_branches(candidate: Candidate, column: PlainColumn) -> int:
    """Number of children, empty ones included."""
    return column.n_categories + (candidate.missing != UNSEEN) if candidate.kind == MULTIWAY else 2


def divide(candidate: Candidate, column: PlainColumn, rows: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """The rows of each child."""
    branches = branches_of(candidate, column, rows)
    return [rows[branches == branch] for branch in range(n_branches(candidate, column))]
