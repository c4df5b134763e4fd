"""Cases to learn from, and how a tree is learned from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from petree.estimators.content import Canonical
from petree.estimators.contexts import World
from petree.estimators.folds import deal_folds, read_groups
from petree.growing import Grown, Stopping, grow
from petree.growing.lookahead import Lookahead
from petree.inputs import Table, class_weights, declare_classes, read_target, read_weights
from petree.inputs.table import CHUNK_ROWS
from petree.parts import count_rows, declared
from petree.pruning.engine.gate import Gate
from petree.routing import Router
from petree.sources.coding import CodedTable
from petree.sources.table import TableSource
from petree.splitting import SplitScore
from petree.threads import Threads
from petree.tree import Tree

# Where a criterion needs cases that the tree was not grown from, these are one of so many folds.
PARTS = 3
# Tables of no more rows than this have more inner folds, and fold trees with cuts of their own: luck is large there.
SMALL_TABLE = 5_000
# No table has more rows than this, so that a larger leaf is none, too.
MOST_ROWS = 2**31


@dataclass(frozen=True)
class Cases:
    """Rows with the code of their class; `weights` are of the rows, `factors` of the classes while growing.

    Rows of one of the `groups` stay together where some are held out. `route` makes of a tree what sends rows down it.
    The cases are some `rows` of the `whole` table, or all. `codes_of_whole` are its codes, where several trees are
    grown from them. Rows are told apart by what stands in the table, or in `told` where that has but their numbers.
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

    @cached_property
    def table(self) -> Table:
        """The rows of the cases, taken when they are asked for: trees that are grown from codes do not need them."""
        return self.whole if self.rows is None else _take_rows(self.whole, self.rows)

    @property
    def content(self) -> Table:
        """What tells the cases apart."""
        if self.told is None:
            return self.table
        return self.told if self.rows is None else _take_rows(self.told, self.rows)

    def coded(self) -> CodedTable | None:
        """The codes of the cases, where the whole table is coded, in memory of their own."""
        if self.codes_of_whole is None:
            return None
        return self.codes_of_whole.copy() if self.rows is None else self.codes_of_whole.take(self.rows)

    def take(self, rows: NDArray[np.intp]) -> Cases:
        """Some of the rows; columns and classes stay those of the whole, also where a value no longer occurs."""
        weights = None if self.weights is None else self.weights[rows]
        groups = None if self.groups is None else self.groups[rows]
        of_whole = rows if self.rows is None else self.rows[rows]
        return replace(self, codes=self.codes[rows], weights=weights, groups=groups, rows=of_whole)

    def pieces(self) -> Iterator[Cases]:
        """The same some rows at a time, so that no more of a large table is copied at once."""
        for start in range(0, len(self.codes), CHUNK_ROWS):
            yield self.take(np.arange(start, min(start + CHUNK_ROWS, len(self.codes))))


def _take_rows(table: Table, rows: NDArray[np.intp]) -> Table:
    if table.matrix is None:
        return Table(table.columns, tuple(array[rows] for array in table.arrays), len(rows))
    matrix = table.matrix[rows]
    return Table(table.columns, tuple(matrix.T), len(rows), matrix)


def read_cases(
    estimator: Any, X: Any, y: Any, sample_weight: Any, groups: Any, declared: Any, class_weight: Any
) -> Cases:
    """What an estimator learns from, checked; rows without weight are as if they had never been there."""
    table = estimator._read(X, reset=True)
    classes, codes = read_target(y, table.n_rows)
    weights = read_weights(sample_weight, table.n_rows)
    groups = read_groups(groups, table.n_rows)
    if weights is not None and not weights.all():
        rows = np.flatnonzero(weights)
        table = estimator._read_rows(X, rows)
        present, codes = np.unique(codes[rows], return_inverse=True)
        classes, weights = classes[present], weights[rows]
        groups = None if groups is None else groups[rows]
    if declared is not None:
        classes, codes = declare_classes(declared, classes, codes)
    if len(classes) < 2:
        where = "" if sample_weight is None else " in the rows that have a weight"
        raise ValueError(
            f"y has only one class, {classes.tolist()[0]!r}{where}; at least two classes are needed to learn."
        )
    totals = np.bincount(codes, weights, len(classes)).astype(np.float64)
    return Cases(table, classes, codes, weights, class_weights(class_weight, classes, totals), groups)


def stopping_of(estimator: Any) -> Stopping:
    """When nodes stay leaves, as an estimator says."""
    return Stopping(estimator.min_samples_leaf, estimator.max_depth, estimator.min_gain)


@dataclass(frozen=True)
class Recipe:
    """The parts and rules by which a tree is grown and pruned."""

    # A tree of so many rows takes a small part of a second.
    quick_rows: ClassVar[int] = 20_000

    split: Any
    pruning: Any
    binning: Any
    tests: str
    stopping: Stopping
    seed: int = 0
    lookahead: int = 1
    beam: int = 4

    def for_rows(self, n_rows: int) -> Self:
        """The same for so many rows: a share of them is a number, and the criterion may ask for more in a leaf."""
        least = count_rows(self.stopping.min_samples_leaf, n_rows)
        if self.pruning.chooses_size:
            least = max(least, self.pruning.least_rows(n_rows))
        return replace(self, stopping=replace(self.stopping, min_samples_leaf=min(least, MOST_ROWS)))

    def learn(self, cases: Cases, threads: Threads) -> tuple[Tree, TableSource]:
        """The pruned tree, and the source it was grown from."""
        needs = set(self.pruning.needs)
        if not needs & {"source", "held_out", "training"}:
            return self._learn(cases, needs, threads)
        # What is drawn are cases and classes in their order, which thus has to come from the cases themselves.
        canonical = Canonical.of(cases, self.seed)
        tree, source = self._learn(canonical.cases, needs, threads)
        return canonical.restore(tree), source

    def _learn(self, cases: Cases, needs: set[str], threads: Threads) -> tuple[Tree, TableSource]:
        held_out = None
        if "held_out" in needs:
            fold = deal_folds(cases, PARTS, self.seed)[0]
            cases, held_out = fold.others(), fold.rest()
        gate = Gate(self.pruning, self.seed)
        grown, source = self.grow(cases, threads, gate)
        context = World(self, cases, held_out, source, grown, threads).context()
        return gate.finish(grown.tree, context), source

    def grow(self, cases: Cases, threads: Threads, gate: Gate | None = None) -> tuple[Grown, TableSource]:
        """The tree before pruning, but for what a gate closes, and its source."""
        source = self.source(cases, threads)
        asked = source if self.lookahead == 1 else Lookahead(source, self.lookahead, self.beam)
        grown = grow(asked, self.stopping, cases.classes.tolist(), cases.factors, gate)
        return replace(grown, tree=source.annotate(grown.tree, grown.handles)), source

    def source(self, cases: Cases, threads: Threads) -> TableSource:
        """What counts the cases."""
        shared = cases.coded()
        coded = self._code(cases, threads) if shared is None else shared
        return TableSource(
            coded, cases.table.arrays if shared is None else (), cases.codes, len(cases.classes), self.split,
            self.tests, self.stopping.min_samples_leaf, cases.weights, cases.factors, threads,
        )  # fmt: skip

    def coding_once(self, cases: Cases, threads: Threads) -> Cases:
        """The same cases, coded once for all trees that are grown from parts of them, where the table is large.

        In a small one every tree has cuts of its own, half way between the values it knows.
        """
        looks_at_classes = getattr(self.binning, "looks_at_classes", True)
        if len(cases.codes) <= SMALL_TABLE or looks_at_classes or declared(self.split, SplitScore, "looks_at_values"):
            return cases
        return replace(cases, codes_of_whole=self._code(cases, threads))

    def _code(self, cases: Cases, threads: Threads) -> CodedTable:
        """The table in codes."""
        return CodedTable.of(
            cases.table.columns, cases.table.arrays, cases.codes, cases.weights, len(cases.classes), self.binning,
            threads,
        )  # fmt: skip
