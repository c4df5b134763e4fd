"""A tree is learned from data in parts: grown, pruned and finished as from a table in memory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.estimators.learning.cases import SMALL_TABLE
from petree.estimators.learning.held_out import HeldOut
from petree.estimators.learning.learner import PARTS
from petree.estimators.learning.recipe import Recipe
from petree.estimators.partitioned.data import cases_of
from petree.estimators.tuning.finish import FOLDS, FOLDS_OF_SMALL
from petree.growing import grow
from petree.keys import path_keys
from petree.partitions.amounts import Amounts
from petree.partitions.code_tree import CodeTree
from petree.partitions.counting import CountLeaves, Layout, Reached, new_token
from petree.partitions.decoding import coded_table
from petree.partitions.ground import Ground
from petree.partitions.partition import CodedData, Partition
from petree.partitions.sampling import HOLDING_OUT, FoldRows
from petree.partitions.source import PartitionedSource
from petree.pruning.engine.context import Context
from petree.pruning.engine.counts import over_leaves
from petree.pruning.engine.gate import Gate
from petree.pruning.engine.log import noted
from petree.pruning.engine.routed_cases import RoutedCases
from petree.sources.coding import BinnedColumn
from petree.sources.quality import Quality
from petree.sources.rows import ColumnCodes
from petree.sources.searching import Searcher, searcher_of
from petree.sources.weights import Targets
from petree.tree import Tree

# What columns mean, and not what stands in them, is told by none.
NO_ROWS = Partition(
    np.empty((0, 0), np.uint8), np.empty((0, 0), np.uint32), np.empty(0, np.uint16), None, np.empty(0, np.uint64)
)


@dataclass(frozen=True, eq=False)
class Parts:
    """Data in parts, how their rows are counted, and the recipe by which trees are made of them.

    Parameters
    ----------
    data : CodedData
    ground : Ground
    recipe : Recipe
        For the number of rows that there are.
    tests : {"binary", "sets", "multiway"}
    amounts : Amounts
        Which rows count, and how.
    factors : array (classes,) or None
        Weights of the classes while a tree is grown.
    n_rows : int
    """

    data: CodedData
    ground: Ground
    recipe: Recipe[Any]
    tests: str
    amounts: Amounts
    factors: NDArray[np.float64] | None
    n_rows: int

    @property
    def layout(self) -> Layout:
        columns = ColumnCodes.of(coded_table(NO_ROWS, self.data.columns), self.tests)
        return Layout(columns, len(self.data.classes), self.amounts)

    def folds(self, n_folds: int) -> list[PartFold]:
        """The folds of all rows."""
        return [self._fold(FoldRows(self.recipe.seed, n_folds, fold, True)) for fold in range(n_folds)]

    def _fold(self, rows: FoldRows) -> PartFold:
        return PartFold(self, replace(rows, within=self.amounts.rows))

    def learn(self) -> Tree:
        """The tree, grown and pruned."""
        if "held_out" not in self.recipe.pruning.needs:
            return self._learn()
        held = self._fold(FoldRows(self.recipe.seed + HOLDING_OUT, PARTS, 0, True))
        return held.others()._learn(held)

    def _learn(self, held: PartFold | None = None) -> Tree:
        recipe = self.recipe
        gate = Gate(recipe.pruning, recipe.seed)
        source = self._source()
        tree = self._grow(source, gate)
        context = Context(seed=recipe.seed, grow_folds=self.grow_folds)
        if "source" in recipe.pruning.needs:
            keys = path_keys(tree, recipe.seed)
            context = replace(context, source=source.seated(tree), handles=np.arange(tree.n_nodes), keys=keys)
        if held is not None:
            context = replace(context, held_out=held.routed(tree))
        pruned = gate.finish(tree, context)
        for remark in source.remarks():
            pruned = noted(pruned, remark)
        return pruned

    def learn_folds(self) -> list[tuple[Tree, PartFold]]:
        """For each inner fold the tree of the other rows."""
        n_folds = FOLDS_OF_SMALL if self.n_rows <= SMALL_TABLE else FOLDS
        return [(fold.others().learn(), fold) for fold in self.folds(n_folds)]

    def grow_folds(self, n_folds: int) -> list[tuple[Tree, NDArray[np.float64]]]:
        """For each fold the unpruned tree of all other rows, and the class counts of the fold's own at its nodes."""
        trees = [(fold.others().grow(), fold) for fold in self.folds(n_folds)]
        return [(tree, fold.counts(tree)) for tree, fold in trees]

    def grow(self) -> Tree:
        """The tree before pruning."""
        return self._grow(self._source())

    def reached(self, tree: Tree) -> Reached:
        """The rows counted in the leaves of a tree."""
        slots = np.zeros(tree.n_nodes, np.int32)
        task = CountLeaves(self.layout, CodeTree.of(tree, self.data.columns), slots, new_token())
        return self.ground.engine.reduce(task, self.ground.parts)

    def _grow(self, source: PartitionedSource, gate: Gate | None = None) -> Tree:
        grown = grow(source, self.recipe.stopping, self.data.classes.tolist(), self.factors, gate)
        return source.annotate(grown.tree, grown.handles)

    def _source(self) -> PartitionedSource:
        return PartitionedSource(self.ground, self.data.columns, self.layout, self._searcher, self.tests)

    def _searcher(self, counts: NDArray[np.float64], columns: tuple[BinnedColumn, ...]) -> Searcher:
        """What searches tests of rows of such counts: what they weigh and whether it is whole is told by two rows."""
        total = float(counts.sum())
        weights = np.array([total - 0.5, 0.5]) if self.amounts.counts_rows else np.array([total - 1, 1])
        targets = Targets(np.zeros(2, np.intp), self.data.classes.tolist(), weights, self.factors)
        weighted = counts if self.factors is None else counts * self.factors
        return searcher_of(
            self.recipe.split,
            self.tests,
            self.recipe.stopping.min_samples_leaf,
            targets,
            lambda prior: Quality.of(coded_table(NO_ROWS, columns), (), weighted, prior, self.tests),
        )


@dataclass(frozen=True, eq=False)
class PartFold:
    """Rows that one of the inner folds leaves out."""

    whole: Parts
    rows: FoldRows

    def others(self) -> Parts:
        """All other rows."""
        return self._counting(replace(self.rows, are_held=False))

    def counts(self, tree: Tree) -> NDArray[np.float64]:
        """Class counts of the rows at every node."""
        return over_leaves(tree, self._leaf_counts(tree))

    @property
    def is_grouped(self) -> bool:
        """False: data in parts have no groups."""
        return False

    def sums_by_group(self, tree: Tree, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        raise NotImplementedError

    def routed(self, tree: Tree) -> RoutedCases:
        """The rows in the leaves of a tree: all of one leaf and class are one case of their weight."""
        counts = self._leaf_counts(tree)
        leaves, classes = np.nonzero(counts)
        return RoutedCases(leaves, classes, counts[leaves, classes])

    def _leaf_counts(self, tree: Tree) -> NDArray[np.float64]:
        """Class counts of the rows in leaves; rows that no leaf has are in the heaviest of those they reach."""
        reached = self._counting(self.rows).reached(tree)
        counts = self.whole.amounts.weigh(reached.amounts)
        held = self._others(reached, tree)
        if len(held.rows.codes):
            leaves = held.router.leaves(held.rows.table, held.threads).astype(np.intp)
            np.add.at(counts, (leaves, held.rows.codes), held.weights)
        return counts

    def held_out(self, tree: Tree, by_row: bool) -> HeldOut:
        """The rows, sent down a tree."""
        assert not by_row
        reached = self._counting(self.rows).reached(tree)
        return self._others(reached, tree, np.flatnonzero(reached.amounts))

    def _others(self, reached: Reached, tree: Tree, cells: NDArray[np.intp] | None = None) -> HeldOut:
        """The rows that no leaf has, and those in some cells."""
        pieces = reached.others
        amounts = self.whole.amounts
        part = Partition(
            np.concatenate([piece.rows.narrow for piece in pieces]),
            np.concatenate([piece.rows.wide for piece in pieces]),
            np.concatenate([piece.rows.classes for piece in pieces]),
            None,
            np.concatenate([piece.rows.keys for piece in pieces]),
        )
        weights = np.concatenate([piece.weights if amounts.counts_rows else piece.copies for piece in pieces])
        cells = np.empty(0, np.intp) if cells is None else cells
        of_cells = amounts.weigh(reached.amounts.ravel()[cells])
        rows = cases_of(part, self.whole.data, self.whole.factors, weights.astype(np.float64))
        return HeldOut(tree, rows, cells, np.concatenate((of_cells, weights)))

    def _counting(self, rows: FoldRows) -> Parts:
        return replace(self.whole, amounts=replace(self.whole.amounts, rows=rows))
