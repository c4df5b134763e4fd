"""Cases to learn from, and how a tree is learned from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.growing import Grown, Stopping, grow
from petree.inputs import Table
from petree.keys import path_keys
from petree.pruning.context import Context
from petree.pruning.gate import Gate
from petree.sources.table import TableSource
from petree.threads import Threads
from petree.tree import Tree


@dataclass(frozen=True)
class Cases:
    """Rows with the code of their class; `weights` are of the rows, `factors` of the classes while growing."""

    table: Table
    classes: NDArray[Any]
    codes: NDArray[np.intp]
    weights: NDArray[np.float64] | None
    factors: NDArray[np.float64] | None

    def take(self, rows: NDArray[np.intp]) -> Cases:
        """Some of the rows; columns and classes stay those of the whole, also where a value no longer occurs."""
        weights = None if self.weights is None else self.weights[rows]
        return Cases(_take_rows(self.table, rows), self.classes, self.codes[rows], weights, self.factors)


def _take_rows(table: Table, rows: NDArray[np.intp]) -> Table:
    if table.matrix is None:
        return Table(table.columns, tuple(array[rows] for array in table.arrays), len(rows))
    matrix = table.matrix[rows]
    return Table(table.columns, tuple(matrix.T), len(rows), matrix)


@dataclass(frozen=True)
class Recipe:
    """The parts and rules by which a tree is grown and pruned."""

    split: Any
    pruning: Any
    binning: Any
    tests: str
    stopping: Stopping
    seed: int = 0

    def learn(self, cases: Cases, threads: Threads) -> tuple[Tree, TableSource]:
        """The pruned tree, and the source it was grown from."""
        source = TableSource(
            cases.table.columns, cases.table.arrays, cases.codes, len(cases.classes), self.binning, self.split,
            self.tests, self.stopping.min_samples_leaf, cases.weights, cases.factors, threads,
        )  # fmt: skip
        gate = Gate(self.pruning, self.seed)
        grown = grow(source, self.stopping, cases.classes.tolist(), cases.factors, gate)
        return gate.finish(grown.tree, self._context(source, grown)), source

    def _context(self, source: TableSource, grown: Grown) -> Context:
        """What the criterion says it needs."""
        if "source" not in getattr(self.pruning, "needs", ()):
            return Context(seed=self.seed)
        return Context(source, grown.handles, path_keys(grown.tree, self.seed), seed=self.seed)
