"""Cases of one table in memory as a source."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from petree.estimators.learning.cases import SMALL_TABLE, Cases
from petree.estimators.learning.recipe import SourceMaker
from petree.parts import declared
from petree.sources.coding import Binning, CodedTable
from petree.sources.constraints import Constraints
from petree.sources.table import TableSource, table_source
from petree.splitting.base import Scores, SplitScore
from petree.threads import Threads


@dataclass(frozen=True)
class TableSourceMaker(SourceMaker[TableSource]):
    """Makes sources of one table: how numbers are cut, what nominal columns offer, and what trees may not do."""

    quick_rows: ClassVar[int] = 20_000

    binning: Binning
    tests: str = "binary"
    constraints: Constraints | None = None

    def source(self, cases: Cases, split: Scores, min_samples_leaf: int, threads: Threads) -> TableSource:
        shared = cases.coded()
        coded = self._code(cases, threads) if shared is None else shared
        arrays = cases.table.arrays if shared is None else ()
        source = table_source(coded, arrays, cases.targets, split, self.tests, min_samples_leaf, threads)
        return source if self.constraints is None else self.constraints.bind(source)

    def shared(self, cases: Cases, split: Scores, threads: Threads) -> Cases:
        """The same cases, coded once for all trees, where the table is large.

        In a small one every tree has cuts of its own, half way between the values it knows.
        """
        looks_at_classes = getattr(self.binning, "looks_at_classes", True)
        if len(cases.codes) <= SMALL_TABLE or looks_at_classes or declared(split, SplitScore, "looks_at_values"):
            return cases
        return replace(cases, codes_of_whole=self._code(cases, threads))

    def _code(self, cases: Cases, threads: Threads) -> CodedTable:
        """The table in codes."""
        table = cases.table
        n_classes = len(cases.classes)
        return CodedTable.of(table.columns, table.arrays, cases.codes, cases.weights, n_classes, self.binning, threads)
