"""What pruning criteria may ask for beyond the counts of a tree, made when they ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from petree.caching import cached_property
from petree.estimators.learning.cases import Cases
from petree.estimators.learning.recipe import Recipe
from petree.estimators.learning.rerouting import Rerouting
from petree.estimators.learning.routed import route_cases
from petree.estimators.tuning.folds import deal_folds
from petree.growing import Grown, grow
from petree.inputs import read_target, table_of
from petree.inputs.types import LabelsLike, TableLike
from petree.keys import combine_keys, path_keys
from petree.pruning.criterion import Criterion
from petree.pruning.engine.context import Context
from petree.pruning.engine.gate import Gate
from petree.pruning.engine.routed_cases import RoutedCases
from petree.sources.base import Source
from petree.threads import Threads
from petree.tree import Tree

NEEDS = ("source", "held_out", "training", "grow_folds", "regrow", "reroute")


@dataclass(frozen=True)
class FittingContext:
    """All that is known when a tree has been grown and is about to be pruned."""

    recipe: Recipe[Any]
    cases: Cases
    held_out: Cases | None
    source: Source
    grown: Grown
    threads: Threads

    def context(self, known: Sequence[str] = NEEDS) -> Context:
        """What the criterion says it needs, as far as it is known."""
        wanted = set(self.recipe.pruning.needs).intersection(known)
        parts: dict[str, Any] = {}
        if "source" in wanted:
            parts |= {"source": self.source, "handles": self.grown.handles, "keys": self.keys}
        if "held_out" in wanted and self.held_out is not None:
            parts |= {"held_out": self._reach(self.grown.tree, self.held_out), "read": self._read}
        if "training" in wanted:
            parts["training"] = self._reach(self.grown.tree, self.cases)
        if "grow_folds" in wanted:
            parts["grow_folds"] = self.grow_folds
        if "regrow" in wanted:
            parts["regrow"] = self.regrow
        if "reroute" in wanted:
            parts["reroute"] = Rerouting.of(self.cases, self.source, self.grown, self.threads)
        return Context(seed=self.recipe.seed, **parts)

    @cached_property
    def keys(self) -> NDArray[np.uint64]:
        """The random key of each node."""
        return path_keys(self.grown.tree, self.recipe.seed)

    # -- sending cases down ---------------------------------------------------------------------------------------

    def _reach(self, tree: Tree, cases: Cases) -> RoutedCases:
        return route_cases(tree, cases, self.threads)

    def _read(self, X: TableLike, y: LabelsLike) -> RoutedCases:
        columns = self.cases.table.columns
        n_columns = len(X) if isinstance(X, Mapping) else np.shape(cast(ArrayLike, X))[1]
        if n_columns != len(columns):
            raise ValueError(f"Cases to prune with have {n_columns} columns; the training data have {len(columns)}.")
        table = table_of(X, known=columns)
        codes = self._codes_of(y, table.n_rows)
        cases = replace(self.cases, whole=table, rows=None, codes=codes, weights=None, groups=None)
        return self._reach(self.grown.tree, cases)

    def _codes_of(self, y: LabelsLike, n_rows: int) -> NDArray[np.intp]:
        labels, codes = read_target(y, n_rows)
        known = {label: code for code, label in enumerate(self.cases.classes.tolist())}
        unknown = [label for label in labels.tolist() if label not in known]
        if unknown:
            raise ValueError(f"A case to prune with has the class {unknown[0]!r}, which no training case has.")
        return np.array([known[label] for label in labels.tolist()], np.intp)[codes]

    # -- growing more trees ---------------------------------------------------------------------------------------

    def grow_folds(self, n_folds: int) -> list[tuple[Tree, NDArray[np.float64]]]:
        """For each fold, the unpruned tree of all other cases, and the class counts of the fold's own at its nodes.

        The threads work together on one tree after the other, in small pieces, so that an interrupt never waits for a
        whole tree.
        """
        self.source.forget()
        folds = []
        for fold in deal_folds(self.cases, n_folds, self.recipe.seed):
            tree = self.recipe.grow(fold.others(), self.threads)[0].tree
            folds.append((tree, self._reach(tree, fold.rest()).counts(tree)))
        return folds

    def regrow(self, criterion: Criterion, node: int) -> Iterator[Tree]:
        """Trees in the place of a node, grown from its cases with permuted classes and pruned by a criterion."""
        stopping = self.recipe.stopping
        if stopping.max_depth is not None:
            stopping = replace(stopping, max_depth=stopping.max_depth - int(self.grown.tree.levels[node]))
        recipe = replace(self.recipe, pruning=criterion)
        classes = self.cases.classes.tolist()
        for number in count():
            key = combine_keys(self.keys[node : node + 1], np.array([number], np.uint64))[0]
            copy = self.source.permuted(self.grown.handles[node], key)
            gate = Gate(criterion, self.recipe.seed)
            grown = grow(copy, stopping, classes, self.cases.factors, gate)
            yield gate.finish(grown.tree, replace(self, recipe=recipe, source=copy, grown=grown).context(("source",)))
