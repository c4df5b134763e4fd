"""A tree that was not grown here: its rows, where they are given, and what can be done with them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from petree.estimators.learning.cases import Cases
from petree.estimators.learning.content import row_copies
from petree.estimators.learning.contexts import FittingContext
from petree.estimators.learning.recipe import Recipe
from petree.estimators.learning.routed import route_cases
from petree.estimators.tables import TableReader
from petree.estimators.tuning.finish import Finished, choose, finish, needs_folds
from petree.estimators.tuning.folds import Fold
from petree.estimators.tuning.grid import Grid
from petree.growing import Grown
from petree.inputs import Table, take_rows
from petree.inputs.types import TableLike
from petree.pruning.engine.context import Context
from petree.sources.searching.scoring import Scoring
from petree.sources.table import TableSource
from petree.threads import Threads
from petree.tree import Tree


@dataclass(frozen=True)
class KnownColumns:
    """Reads X as an estimator does that knows its columns."""

    estimator: TableReader

    def _read(self, X: TableLike, *, reset: bool) -> Table:
        return self.estimator._read_whole(X)

    def _read_rows(self, X: TableLike, rows: NDArray[np.intp]) -> Table:
        return self.estimator._read_whole(take_rows(X, rows))

    def _sifted(self, table: Table, weights: NDArray[np.float64] | None) -> Table:
        return table


@dataclass(frozen=True)
class GivenTree:
    """A tree from elsewhere, how it is to be pruned and smoothed, and the most leaves where its size is chosen."""

    tree: Tree
    recipe: Recipe[TableSource]
    grid: Grid
    most_leaves: int | None

    def alone(self) -> Finished:
        """The pruned and smoothed tree where nothing is known but its counts."""
        if needs_folds(self.recipe, self.grid):
            part = self.recipe.pruning if self.recipe.pruning.chooses_size else self.grid.smoothing
            raise ValueError(
                f"{part!r} is chosen on rows, and there are none; give X and y, or set smoothing and pruning to parts "
                "that need counts alone, such as smoothing='laplace' and pruning='none'."
            )
        return Finished(self.recipe.pruning.prune(self.tree), self.grid.resolve({}), directions=self.grid.directions)

    def with_training(self, cases: Cases, threads: Threads) -> Finished:
        """The same with the rows that it was grown from; inner folds grow trees by the recipe."""
        recipe = self.recipe.for_rows(len(cases.codes))
        pruned = _prune(recipe, self.tree, cases, threads)
        return finish(pruned, self.grid, recipe, cases, threads, self.most_leaves)

    def with_unseen(self, cases: Cases, threads: Threads) -> Finished:
        """The same with rows that it was not grown from, on which all is chosen and measured that is to be."""
        context = Context(seed=self.recipe.seed, held_out=route_cases(self.tree, cases, threads))
        pruned = self.recipe.pruning.prune(self.tree, context)
        n_copies = row_copies(cases)
        folds = [(pruned, Fold(cases, n_copies, n_copies))]
        return choose(pruned, self.grid, self.recipe, folds, threads, self.most_leaves)


def _prune(recipe: Recipe[TableSource], tree: Tree, cases: Cases, threads: Threads) -> Tree:
    """The tree with the counts of its rows, pruned; what is drawn goes by the content of the rows, as in a fit."""
    canonical = recipe.maker.canonical(cases, recipe.seed)
    grown, source = seat(recipe, tree, canonical.cases, threads)
    context = FittingContext(recipe, canonical.cases, None, source, grown, threads).context()
    return canonical.restore(recipe.pruning.prune(grown.tree, context))


def seat(recipe: Recipe[TableSource], tree: Tree, cases: Cases, threads: Threads) -> tuple[Grown, TableSource]:
    """A tree as if it had been grown from these cases: with their counts, its gains, and their places in a source."""
    source = recipe.maker.source(cases, recipe.split, recipe.stopping.min_samples_leaf, threads)
    reached = route_cases(tree, cases, threads)
    counted = replace(
        tree,
        counts=reached.counts(tree),
        sizes=reached.sizes(tree),
        n_tests=source.n_tests(source.root())[0].repeat(tree.n_nodes),
        classes=tuple(cases.classes.tolist()),
        class_weight=cases.factors,
    )
    counted = counted.with_annotations(gain=_gains(counted, source.searcher.scoring))
    seated, handles = source.seated(counted, reached.leaves)
    return Grown(seated.annotate(counted, handles), handles), seated


def _gains(tree: Tree, scoring: Scoring) -> NDArray[np.float64]:
    """The score of the split of each node; NaN at leaves."""
    gains = np.full(tree.n_nodes, np.nan)
    arities = np.diff(tree.child_start)
    for arity in np.unique(arities):
        splits = np.flatnonzero(arities == arity)
        children = tree.weighted_counts[tree.children_of_splits(splits)]
        gains[tree.split_nodes[splits]] = scoring.ask(children.reshape(len(splits), arity, tree.n_classes))
    return gains
