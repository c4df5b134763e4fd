"""A classifier of one table that takes in new rows."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from math import inf, log
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from petree.estimators.elsewhere import FromElsewhere
from petree.estimators.learning.cases import Cases, read_cases
from petree.estimators.learning.given import KnownColumns
from petree.estimators.learning.learner import learn
from petree.estimators.learning.table_sources import TableSourceMaker, check_first_split
from petree.estimators.parameters import OWN_WAYS
from petree.estimators.replacing import by_one_model, in_one_step
from petree.estimators.tuning.finish import Finished, finish, needs_folds
from petree.estimators.tuning.grid import Grid
from petree.estimators.tuning.honest import halve, recount
from petree.estimators.updating.kept import KeptRows
from petree.inputs.memory import check_classes
from petree.inputs.target import UndeclaredClassError
from petree.inputs.types import LabelsLike, TableLike
from petree.inputs.values import LARGEST_WHOLE
from petree.parts import check_integer_or_none, check_number
from petree.pruning.engine.log import PruningLog
from petree.pruning.engine.routed_cases import RoutedCases
from petree.smoothing import resolve_smoothing
from petree.sources.updating import OldTree, UpdateRules
from petree.tree import Tree


@dataclass(frozen=True, eq=False)
class Updates:
    """What new rows are put to: the rows before them, the tree before pruning, and of how many rows it was grown."""

    kept: KeptRows
    grown: Tree
    n_looked: int

    def with_rows(self, cases: Cases) -> Updates:
        return replace(self, kept=self.kept.with_rows(cases))

    def is_due(self, ratio: float) -> bool:
        """Whether the rows have grown so much that the tests are looked at again."""
        return len(self.kept) >= self.n_looked * (2 - 1 / ratio)


class TakesNewRows(FromElsewhere):
    """A classifier of one table that can learn from some rows after the other."""

    update_ratio: float
    fix_ratio: float | None
    max_rows_kept: int | None
    _updates: Updates | None = None
    # Whether the tree was grown from parts of rows.
    _divides_rows: bool = False

    @property
    @by_one_model
    def n_rows_kept_(self) -> int:
        """Rows that the model keeps for later calls of `partial_fit`; 0 where new rows are only counted."""
        updates = self._updates
        return 0 if updates is None else len(updates.kept)

    @in_one_step
    def partial_fit(
        self,
        X: TableLike,
        y: LabelsLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from new rows, besides those that have come before.

        New rows are counted in the leaves they reach. Each time that the rows have grown by a share of
        ``1 - 1 / update_ratio`` the tests are looked at again: a node keeps its test unless another one is
        `update_ratio` times more probable, leaves are split and the tree is pruned and smoothed as in `fit`. With an
        `update_ratio` of 1 each call gives the tree of one fit of all rows, by the cuts of the first ones.

        Calls on one model from several threads follow each other, and no rows are lost.

        A model that keeps no rows only counts: one from `fit`, from a model file, or changed by hand, and one that has
        seen more rows than `max_rows_kept`.

        Parameters
        ----------
        X : array, data frame or dict of columns
            Later calls need the columns of the first one. Numbers are cut where the first rows say, unless `binning`
            declares it, and categories are those that the first call has, or declares by its type.
        y : class labels, one per row
        classes : array
            All classes of the problem. The first call needs it; later ones may leave it out.
        sample_weight : array, optional
            As in `fit`.
        """
        self._check_parameters()
        if self.missing == "fractions" or self._divides_rows:
            raise ValueError(
                "With missing='fractions' a row is counted in several leaves, which partial_fit does not; set another "
                "way and call fit with all rows, or begin with partial_fit."
            )
        is_begun = self.__sklearn_is_fitted__()
        if self._updates is not None or not is_begun:
            self._refuse_own_ways()
        if is_begun:
            self._go_on(self._read_more(X, y, classes, sample_weight))
            return self
        if classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit: y may lack some of them.")
        cases = read_cases(self, X, y, sample_weight, None, classes, self.class_weight)
        recipe, _ = self._for_table(self._recipe(), self._grid(), cases.table, len(cases.classes))
        coded = _table_maker(recipe.maker).code(cases, self._threads())
        if all(one.n_bins <= 1 for one in coded.columns):
            warnings.warn(
                "No column of the first rows has two values, and they say where numbers are cut in all that come "
                "later: the tree stays a single leaf; begin with more rows, or declare cuts by binning.",
                stacklevel=3,
            )
        self._look(KeptRows.begin(coded, cases), None, cases)
        return self

    def _read_more(
        self, X: TableLike, y: LabelsLike, classes: ArrayLike | None, sample_weight: ArrayLike | None
    ) -> Cases:
        """Rows for a fitted model."""
        if classes is not None and not np.array_equal(np.unique(np.asarray(classes)), self.classes_):
            raise ValueError(
                f"classes is not the same as on the first call to partial_fit, {self.classes_.tolist()}; leave it out."
            )
        try:
            return read_cases(KnownColumns(self), X, y, sample_weight, None, self.classes_, None)
        except UndeclaredClassError as error:
            raise ValueError(
                f"y has the class {error.label!r}, but the classes are those of the first call, "
                f"{self.classes_.tolist()}; begin anew with all of them in classes=."
            ) from None

    def _go_on(self, cases: Cases) -> None:
        _check_total(self.tree_, cases)
        rates = self.base_rates_ if self._shift().factors is not None else None
        updates = self._updates
        if updates is None:
            self._count(cases)
        else:
            updates = updates.with_rows(cases)
            if updates.is_due(self.update_ratio) or self._is_too_much(updates.kept):
                self._look(updates.kept, updates.grown, cases)
            else:
                self._count(cases)
                self._updates = updates
        if rates is not None:
            self.base_rates_ = rates

    def _is_too_much(self, kept: KeptRows) -> bool:
        return self.max_rows_kept is not None and len(kept) > self.max_rows_kept

    def _count(self, cases: Cases) -> None:
        """Count rows in the leaves they reach; the tests stay."""
        weights = cases.amounts
        reached = RoutedCases(self._router.leaves(cases.table, self._threads()).astype(np.intp), cases.codes, weights)
        tree = self.tree_
        counted = tree.with_counts(tree.counts + reached.counts(tree), tree.sizes + reached.sizes(tree))
        self._set_counted(counted)

    def _look(self, kept: KeptRows, grown: Tree | None, new: Cases) -> None:
        """Learn from all rows, with the tests of the tree before as far as no other is better."""
        cases = kept.cases(new.classes, self.class_weight)
        old = None
        if grown is not None and self.update_ratio > 1:
            fix = inf if self.fix_ratio is None else log(self.fix_ratio)
            old = OldTree(grown, kept.coded.columns, UpdateRules(log(self.update_ratio), fix))
        tree = self._learn(cases, old)
        self._updates = None if self._is_too_much(kept) else Updates(kept, tree, len(kept))

    def _learn(self, cases: Cases, old: OldTree | None = None) -> Tree:
        """Become the model of some cases; the tree before pruning."""
        table = cases.table
        recipe, grid = self._for_table(self._recipe(), self._grid(), table, len(cases.classes))
        check_classes(len(cases.classes), table.n_rows, recipe.stopping.min_samples_leaf, self.max_depth)
        threads = self._threads()
        growing, counted = halve(cases, recipe.seed) if self.honest else (cases, None)
        growing = recipe.sharing(growing, threads) if needs_folds(recipe, grid) else growing
        updating = recipe if old is None else replace(recipe, maker=replace(_table_maker(recipe.maker), old=old))
        tree, source = learn(updating, growing, threads)
        check_first_split(recipe.maker, source)
        done = finish(tree, grid, recipe, growing, threads, self.max_leaf_nodes)
        done = done if counted is None else recount(done.tree, grid, counted, recipe.seed, threads)
        self._set_fitted(replace(done, tree=self._noted(done.tree)), table.columns, cases.classes, recipe.split)
        return tree.pruning_log.grown if isinstance(tree.pruning_log, PruningLog) else tree

    def _changed(self, done: Finished) -> Self:
        """The same estimator with another tree, which new rows do not change."""
        model = super()._changed(done)
        model._updates = None
        return model

    def _grid(self) -> Grid:
        return Grid.of(resolve_smoothing(self.smoothing))

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number(self, "update_ratio", 1)
        if self.fix_ratio is not None:
            check_number(self, "fix_ratio", 1)
        check_integer_or_none(self, "max_rows_kept", 1)

    def _refuse_own_ways(self) -> None:
        """Raise where tests are chosen in a way that old tests cannot be compared with."""
        own = [name for name, unused in OWN_WAYS.items() if vars(self)[name] != unused]
        if own and self.update_ratio > 1:
            raise ValueError(
                f"The '{own[0]}' parameter chooses tests in a way of its own, so that partial_fit cannot compare them "
                "with those that nodes have; set update_ratio=1, with which every call learns from all rows anew."
            )


def _check_total(tree: Tree, new: Cases) -> None:
    """Refuse rows with which all weigh more than counts can tell."""
    total = tree.counts[0].sum() + (len(new.codes) if new.weights is None else new.weights.sum())
    if total > LARGEST_WHOLE:
        raise ValueError(
            f"With these rows sample_weight sums to {total:.3g} over all calls, beyond 2**53, where counts are no "
            "longer exact; begin anew with the weights divided by a constant."
        )


def _table_maker(maker: object) -> TableSourceMaker:
    """The maker of an estimator of one table."""
    assert isinstance(maker, TableSourceMaker)
    return maker
