"""Cases to learn from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import column_or_1d

from petree.caching import cached_property
from petree.inputs import Table, class_weights, declare_classes, in_memory, read_target, read_weights
from petree.inputs.table import CHUNK_ROWS
from petree.inputs.types import ClassWeight, LabelsLike, TableLike
from petree.routing import Router
from petree.sources.coding import CodedTable
from petree.sources.weights import Targets
from petree.tree import Tree

# Tables of no more rows than this have more inner folds, and fold trees with cuts of their own: luck is large there.
SMALL_TABLE = 5_000


@dataclass(frozen=True)
class Cases:
    """Rows with the codes of their classes, and all that learning knows of them.

    Where the rows lie elsewhere, in several tables or on a cluster, `whole` has but their numbers, in one column.

    Parameters
    ----------
    whole : Table
        The cases are some `rows` of it, or all.
    classes : array
        The labels; `codes` are their places.
    codes : array (rows,)
    weights, factors : array or None
        Weights of the rows, and of the classes while a tree is grown.
    groups : array (rows,) or None
        Rows of one group stay together where some are held out.
    route : callable
        Makes of a tree what sends rows down it.
    rows : array (rows,) or None
    codes_of_whole : CodedTable or None
        The codes of the whole table, where several trees are grown from parts of it.
    told : Table or None
        What tells rows apart, a row for each of `whole`, where that has but their numbers. Whatever is drawn at random
        goes by it, so that it does not depend on the order of the rows.
    numbers : array (rows,) or None
        Of rows of data in parts: their numbers, by which inner folds are dealt then.
    """

    whole: Table
    classes: NDArray[Any]
    codes: NDArray[np.intp]
    weights: NDArray[np.float64] | None
    factors: NDArray[np.float64] | None
    groups: NDArray[np.intp] | None = None
    route: Callable[[Tree], Any] = Router.of
    rows: NDArray[np.intp] | None = None
    codes_of_whole: CodedTable | None = None
    told: Table | None = None
    numbers: NDArray[np.uint64] | None = None

    @cached_property
    def table(self) -> Table:
        """The rows of the cases, taken when they are asked for: trees that are grown from codes do not need them."""
        return self.whole if self.rows is None else self.whole.take(self.rows)

    @property
    def content(self) -> Table:
        """What tells the cases apart."""
        if self.told is None:
            return self.table
        return self.told if self.rows is None else self.told.take(self.rows)

    def coded(self) -> CodedTable | None:
        """The codes of the cases, where the whole table is coded, in memory of their own."""
        if self.codes_of_whole is None:
            return None
        return self.codes_of_whole.copy() if self.rows is None else self.codes_of_whole.take(self.rows)

    def take(self, rows: NDArray[np.intp]) -> Cases:
        """Some of the rows; columns and classes stay those of the whole, also where a value no longer occurs."""
        weights = None if self.weights is None else self.weights[rows]
        groups = None if self.groups is None else self.groups[rows]
        numbers = None if self.numbers is None else self.numbers[rows]
        of_whole = rows if self.rows is None else self.rows[rows]
        return replace(self, codes=self.codes[rows], weights=weights, groups=groups, rows=of_whole, numbers=numbers)

    @property
    def amounts(self) -> NDArray[np.float64]:
        """What each row counts: its weight, or 1."""
        return np.ones(len(self.codes)) if self.weights is None else self.weights

    @property
    def targets(self) -> Targets:
        """Their classes and weights, as a source wants them."""
        return Targets(self.codes, self.classes.tolist(), self.weights, self.factors)

    def pieces(self) -> Iterator[Cases]:
        """The same some rows at a time, so that no more of a large table is copied at once."""
        for start in range(0, len(self.codes), CHUNK_ROWS):
            yield self.take(np.arange(start, min(start + CHUNK_ROWS, len(self.codes))))


class Reader(Protocol):
    """An estimator that reads X."""

    def _read(self, X: Any, *, reset: bool) -> Table:
        """X as a table."""

    def _read_rows(self, X: Any, rows: NDArray[np.intp]) -> Table:
        """Some rows of X as a table, as if there were no others."""

    def _sifted(self, table: Table, weights: NDArray[np.float64] | None) -> Table:
        """The table as it is learned from, without the values of columns that name the rows."""


def read_cases(
    estimator: Reader,
    X: TableLike,
    y: LabelsLike,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
    declared: ArrayLike | None,
    class_weight: ClassWeight,
) -> Cases:
    """What an estimator learns from, checked; rows without weight are as if they had never been there."""
    X = in_memory(X)
    table = estimator._read(X, reset=True)
    classes, codes = read_target(y, table.n_rows)
    weights = read_weights(sample_weight, table.n_rows)
    members = read_groups(groups, table.n_rows)
    if weights is not None and not weights.all():
        rows = np.flatnonzero(weights)
        table = estimator._read_rows(X, rows)
        present, codes = np.unique(codes[rows], return_inverse=True)
        classes = classes[present]
        weights = weights[rows]
        members = None if members is None else members[rows]
    table = estimator._sifted(table, weights)
    if declared is not None:
        classes, codes = declare_classes(declared, classes, codes)
    if len(classes) < 2:
        where = "" if sample_weight is None else " in the rows that have a weight"
        raise ValueError(
            f"y has only one class, {classes.tolist()[0]!r}{where}; at least two classes are needed to learn."
        )
    totals = np.bincount(codes, weights, len(classes)).astype(np.float64)
    return Cases(table, classes, codes, weights, class_weights(class_weight, classes, totals), members)


def read_groups(groups: ArrayLike | None, n_rows: int) -> NDArray[np.intp] | None:
    """The number of each row's group, checked."""
    if groups is None:
        return None
    try:
        numbers = np.unique(column_or_1d(np.asarray(groups)), return_inverse=True)[1]
    except (TypeError, ValueError):
        raise ValueError("groups must be one label a row, all of one type.") from None
    if len(numbers) != n_rows:
        raise ValueError(f"X has {n_rows} rows, but groups has {len(numbers)} labels.")
    return numbers.astype(np.intp)
