"""Cases of one table in memory as a source."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from petree.columns import NUMBER
from petree.estimators.learning.cases import SMALL_TABLE, Cases
from petree.estimators.learning.recipe import SourceMaker
from petree.growing.first_test import FirstTest
from petree.parts import declared
from petree.pruning.engine.by_hand import keep_first_test
from petree.sources.base import Splits
from petree.sources.coding import Binning, CodedTable
from petree.sources.constraints import Constraints
from petree.sources.missing import bind_missing
from petree.sources.sampling import Sampling
from petree.sources.table import TableSource, table_source
from petree.sources.updating import OldTree, UpdatingSource
from petree.splitting.base import Scores, SplitScore
from petree.threads import Threads
from petree.tree import Tree

# A table of more values takes longer to code than a tree to grow, however few its rows are.
VALUES_OF_SMALL = 1_000_000


def check_first_split(maker: SourceMaker[TableSource], source: TableSource) -> None:
    """Raise where a first test is asked for that does not divide the rows of a source."""
    if isinstance(maker, TableSourceMaker) and maker.first_test and maker.first_split(source) is None:
        raise ValueError(
            f"The first test {maker.first_test.text!r} does not divide the rows in two branches of at least "
            f"{source.min_samples_leaf} rows; ask for another one."
        )


@dataclass(frozen=True)
class TableSourceMaker(SourceMaker[TableSource]):
    """Makes sources of one table: how numbers are cut, what nominal columns offer, and what trees may not do.

    `missing` is one of `sources.missing.WAYS`.
    """

    quick_rows: ClassVar[int] = 20_000

    binning: Binning
    tests: str = "binary"
    first_test: FirstTest | None = None
    constraints: Constraints | None = None
    sampling: Sampling | None = None
    old: OldTree | None = None
    missing: str = "branch"

    def first_split(self, source: TableSource) -> Splits | None:
        return None if self.first_test is None else self.first_test.split(source)

    def with_first_test(self, grown: Tree, pruned: Tree) -> Tree:
        is_asked = self.first_test is not None and self.first_test.is_of(grown)
        return keep_first_test(grown, pruned) if is_asked else pruned

    def source(self, cases: Cases, split: Scores, min_samples_leaf: int, threads: Threads) -> TableSource:
        shared = cases.coded()
        coded = self.code(cases, threads) if shared is None else shared
        looks_at_values = declared(split, SplitScore, "looks_at_values") and cases.numbers is None  # codes have none
        arrays = cases.table.arrays if shared is None or looks_at_values else ()
        source = table_source(coded, arrays, cases.targets, split, self.tests, min_samples_leaf, threads)
        source = source if self.sampling is None else self.sampling.bind(source)
        source = source if self.constraints is None else self.constraints.bind(source)
        source = source if self.old is None else UpdatingSource(source, self.old)
        return bind_missing(source, self.missing)

    def shared(self, cases: Cases, split: Scores, threads: Threads) -> Cases:
        """The same cases, coded once for all trees, where the table is long or wide.

        In a small one every tree has cuts of its own, between the values it knows.
        """
        if cases.codes_of_whole is not None:
            return cases
        n_rows = len(cases.codes)
        is_small = n_rows <= SMALL_TABLE and n_rows * len(cases.table.columns) <= VALUES_OF_SMALL
        looks_at_classes = getattr(self.binning, "looks_at_classes", True)
        if is_small or looks_at_classes or declared(split, SplitScore, "looks_at_values"):
            return cases
        return replace(cases, whole=cases.table, rows=None, codes_of_whole=self.code(cases, threads))

    def code(self, cases: Cases, threads: Threads) -> CodedTable:
        """The table in codes."""
        table = cases.table
        n_classes = len(cases.classes)
        coded = CodedTable.of(table.columns, table.arrays, cases.codes, cases.weights, n_classes, self.binning, threads)
        first = self.first_test
        if first is None or first.threshold is None or table.columns[first.column].kind != NUMBER:
            return coded
        return coded.with_cut(first.column, table.arrays[first.column], first.threshold)
