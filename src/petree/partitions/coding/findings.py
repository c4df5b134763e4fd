"""What the first pass finds of a column, batch by batch; neither order nor parts matter to it."""

from __future__ import annotations

import warnings
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from petree.columns import NOMINAL, NUMBER, ORDERED, Column
from petree.inputs.identifiers import DISTINCT_SHARE, FEWEST_ROWS, IdentifierWarning
from petree.inputs.target import MOST_CLASSES, read_target
from petree.partitions.coding.sketches import Sketch
from petree.partitions.coding.values import (
    ArrowArray,
    ArrowType,
    categories_of,
    column_of,
    is_whole_type,
    keeps_quantity,
    numbers_of,
)
from petree.sources.coding import NO_CUTS, BinnedColumn, Binning

Weights = NDArray[np.float64] | None

# More categories than this are not kept, and the column is left out.
MOST_CATEGORIES = 2**20


class Looks(Protocol):
    """What looks at the values of a column."""

    name: str

    def add(self, values: ArrowArray, weights: Weights) -> None:
        """Look at some more values."""

    def merged(self, other: Self) -> Self:
        """What has seen the values of both, of the same column."""


class Findings(Looks, Protocol):
    """What is known of a column so far."""

    def binned(self, binning: Binning) -> BinnedColumn:
        """How the column is coded."""


def findings_of(name: str, kind: ArrowType, told: str | None) -> Findings:
    """Nothing known yet but the type of a column."""
    column = column_of(name, kind, told)
    return NumberFindings(column, kind) if column.kind == NUMBER else CategoryFindings(column, kind, told is not None)


def _empty(name: str) -> BinnedColumn:
    """A column from which nothing is learned; it may hold anything later."""
    return BinnedColumn(Column(name, NOMINAL), NO_CUTS, 0, True, True)


def _warn_of_empty(name: str) -> None:
    warnings.warn(f"Column {name!r} has no values at all and is left out.", stacklevel=6)


class NumberFindings:
    """The values of a column of numbers in cells, and whether some are missing."""

    def __init__(self, column: Column, kind: ArrowType) -> None:
        self.name = column.name
        self.column = column
        self.kind = kind
        self.has_missing = False
        self.sketch = Sketch.empty()

    def add(self, values: ArrowArray, weights: Weights) -> None:
        known, weights = known_of(self.name, values, weights)
        self.has_missing |= len(known) < len(values)
        self.sketch = self.sketch.with_values(known, weights)
        cells = self.sketch.cells
        if len(cells) and not np.isfinite([cells[0, 1], cells[-1, 2]]).all():
            raise ValueError(
                f"Column {self.name!r} holds an infinite value; petree takes finite numbers, and NaN for missing: "
                "replace inf by one of these."
            )

    def merged(self, other: NumberFindings) -> NumberFindings:
        both = NumberFindings(self.column, self.kind)
        both.has_missing = self.has_missing or other.has_missing
        both.sketch = self.sketch.merged(other.sketch)
        return both

    def refine(self, finer: Finer) -> None:
        """Put finer cells in the place of those that hold too much."""
        self.sketch = self.sketch.refined(finer.cells)

    def binned(self, binning: Binning) -> BinnedColumn:
        is_empty = not len(self.sketch.cells)
        if is_empty:
            _warn_of_empty(self.name)
        if is_empty and not keeps_quantity(self.kind):
            return _empty(self.name)
        cuts = self.sketch.cuts(self.name, binning, bool(self.column.quantity))
        centres = self.sketch.centres(cuts)
        return BinnedColumn(self.column, cuts, len(cuts) + 1, self.has_missing, is_empty, centres)


class Finer:
    """Looks once more at values in the cells of a column that hold too much."""

    def __init__(self, name: str, coarse: Sketch) -> None:
        self.name = name
        self.coarse = coarse
        self.cells = Sketch.empty()

    def add(self, values: ArrowArray, weights: Weights) -> None:
        known, weights = known_of(self.name, values, weights)
        is_inside = self.coarse.in_coarse(known)
        self.cells = self.cells.with_values(known[is_inside], None if weights is None else weights[is_inside])

    def merged(self, other: Finer) -> Finer:
        both = Finer(self.name, self.coarse)
        both.cells = self.cells.merged(other.cells)
        return both


def known_of(name: str, values: ArrowArray, weights: Weights) -> tuple[NDArray[np.float64], Weights]:
    """The numbers that are not missing, and what they weigh."""
    numbers = numbers_of(name, values)
    is_missing = np.isnan(numbers)
    if not is_missing.any():
        return numbers, weights
    return numbers[~is_missing], None if weights is None else weights[~is_missing]


class CategoryFindings:
    """The categories of a column, how many rows have one, and what they weigh."""

    def __init__(self, column: Column, kind: ArrowType, is_told: bool) -> None:
        self.name = column.name
        self.column = column
        self.kind = kind
        self.is_told = is_told
        self.has_missing = False
        self.declared: tuple[Any, ...] | None = None
        self.known: set[Any] = set()
        self.n_known = 0.0
        self.are_copies = True

    @property
    def are_too_many(self) -> bool:
        return len(self.known) > MOST_CATEGORIES

    def add(self, values: ArrowArray, weights: Weights) -> None:
        if self.are_too_many:
            return
        coded = categories_of(self.name, values)
        is_known = coded.codes >= 0
        self.has_missing |= not is_known.all()
        if coded.is_ordered:
            self._declare(coded.categories)
        is_used = np.bincount(coded.codes[is_known], minlength=len(coded.categories)) > 0
        self.known.update(category for category, used in zip(coded.categories, is_used.tolist(), strict=True) if used)
        self._count(is_known, weights)
        self._refuse_too_many()

    def _refuse_too_many(self) -> None:
        if self.are_too_many and self.is_told:
            raise ValueError(
                f"Column {self.name!r} has more than {MOST_CATEGORIES} categories, too many to be coded; leave it out "
                "(ignore=), or put rare ones together."
            )

    def merged(self, other: CategoryFindings) -> CategoryFindings:
        both = CategoryFindings(self.column, self.kind, self.is_told)
        both.has_missing = self.has_missing or other.has_missing
        both.known = self.known | other.known
        both.n_known = self.n_known + other.n_known
        both.are_copies = self.are_copies and other.are_copies
        for one in (self, other):
            if one.declared is not None:
                both._declare(one.declared)
        both._refuse_too_many()
        return both

    def _declare(self, categories: tuple[Any, ...]) -> None:
        if self.declared not in (None, categories):
            raise ValueError(
                f"The ordered column {self.name!r} declares the categories {list(categories)[:10]}, but elsewhere "
                f"{list(self.declared or ())[:10]}; declare the same ones everywhere."
            )
        self.declared = categories

    def _count(self, is_known: NDArray[np.bool_], weights: Weights) -> None:
        known = None if weights is None else weights[is_known]
        self.are_copies &= known is None or bool((known == np.rint(known)).all())
        self.n_known += float(is_known.sum() if known is None or not self.are_copies else known.sum())

    def binned(self, binning: Binning) -> BinnedColumn:
        if not self.known and not self.declared:
            _warn_of_empty(self.name)
            return _empty(self.name)
        if self.are_too_many:
            warnings.warn(
                f"Column {self.name!r} has more than {MOST_CATEGORIES} categories, and is left out.", stacklevel=5
            )
            return _empty(self.name)
        if self._names_rows():
            warnings.warn(IdentifierWarning(self.name, f"say types={{{self.name!r}: 'nominal'}}"), stacklevel=5)
            return _empty(self.name)
        categories = self._categories()
        column = Column(self.name, self.column.kind, categories)
        n_bins = len(categories)
        cuts = np.arange(1, n_bins, dtype=np.float64) if column.kind == ORDERED else NO_CUTS
        return BinnedColumn(column, cuts, n_bins, self.has_missing, not self.known)

    def _names_rows(self) -> bool:
        is_suspect = self.column.kind == NOMINAL and not self.is_told and self.n_known >= FEWEST_ROWS
        return is_suspect and len(self.known) > DISTINCT_SHARE * self.n_known

    def _categories(self) -> tuple[Any, ...]:
        if self.declared is not None:
            return self.declared
        if self.column.categories:  # truth values
            return self.column.categories
        found = sorted(self.known)
        as_floats = is_whole_type(self.kind) and self.has_missing  # as columns of whole numbers in memory, then
        return tuple(map(float, found)) if as_floats else tuple(found)


class TargetFindings:
    """The labels of the classes."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.labels: set[Any] = set()

    def add(self, values: ArrowArray, weights: Weights) -> None:
        coded = categories_of(self.name, values)
        if (coded.codes < 0).any():
            raise ValueError(f"The target {self.name!r} is missing in some rows; fill it in or remove the rows.")
        is_used = np.bincount(coded.codes, minlength=len(coded.categories)) > 0
        self.labels.update(label for label, used in zip(coded.categories, is_used.tolist(), strict=True) if used)
        self._refuse_odd()

    def merged(self, other: TargetFindings) -> TargetFindings:
        """What is known by both."""
        both = TargetFindings(self.name)
        both.labels = self.labels | other.labels
        both._refuse_odd()
        return both

    def _refuse_odd(self) -> None:
        odd = [label for label in self.labels if not isinstance(label, (str, bool, int, float))]
        if odd:
            raise TypeError(
                f"The target {self.name!r} holds a {type(odd[0]).__name__}; make its labels text or numbers."
            )
        if len(self.labels) > MOST_CLASSES:
            raise ValueError(f"The target {self.name!r} has more than {MOST_CLASSES} classes; a tree takes no more.")

    def classes(self) -> NDArray[Any]:
        """The labels, sorted and checked as those of a table in memory."""
        if not self.labels:
            raise ValueError("The data have no rows that have a weight; there is nothing to learn from.")
        # Three of each, since so few rows a class as one would be taken for a mistake.
        labels = [label for label in self.labels for _ in range(3)]
        classes: NDArray[Any] = read_target(labels, len(labels))[0]
        return classes
