"""A classifier of one table that also learns from data in parts."""

from __future__ import annotations

from dataclasses import replace

from petree.estimators.partitioned.data import bytes_in_memory, cases_in_memory, check_data
from petree.estimators.partitioned.learning import Parts
from petree.estimators.partitioned.reading import ReadsParts
from petree.estimators.partitioned.refusing import refuse_beyond_memory
from petree.estimators.partitioned.warning import warn_of_passes
from petree.estimators.tables import warn_of_chains
from petree.estimators.tuning.finish import Finished, choose, needs_folds
from petree.estimators.updating.new_rows import TakesNewRows
from petree.inputs import Table, class_weights
from petree.inputs.memory import check_classes
from petree.inputs.types import ClassWeight
from petree.partitions.amounts import Amounts, weigh
from petree.partitions.engines import chosen
from petree.partitions.ground import Ground
from petree.partitions.partition import CodedData
from petree.routing import DividingRouter
from petree.splitting.base import code_of
from petree.splitting.codes import GrowthSetting


class LearnsFromParts(ReadsParts, TakesNewRows):
    """A classifier that learns from a `CodedData`: in memory where all of it fits, else part by part."""

    class_weight: ClassWeight

    def _fit_parts(self, data: CodedData) -> None:
        """Become the model of a data set."""
        check_data(data)
        code_of(self._recipe().split, GrowthSetting(self.tests, float(data.class_totals.sum())))  # refuses some tests
        columns = tuple(binned.column for binned in data.columns)
        self._set_names([column.name for column in columns])
        if self.tests != "multiway" and self.max_depth is None:
            warn_of_chains(Table(columns, (), data.n_rows), 4)
        if bytes_in_memory(data) > chosen().memory:
            self._learn_by_counts(data)
            return
        cases = cases_in_memory(data, self.class_weight)
        self._learn(replace(cases, route=DividingRouter.of) if self.missing == "fractions" else cases)

    def _learn_by_counts(self, data: CodedData) -> None:
        recipe = self._recipe()
        grid = self._grid()
        refuse_beyond_memory(self.get_params(deep=False), recipe, grid)
        threads = self._threads()
        engine = chosen().engine(threads)
        ground = Ground.of(data, engine, chosen().memory, threads)
        weighed = weigh(engine, ground.parts)
        recipe = recipe.for_rows(weighed.n_rows)
        check_classes(len(data.classes), weighed.n_rows, recipe.stopping.min_samples_leaf, self.max_depth)
        amounts = Amounts.of(weighed.are_whole, float(data.class_totals.sum()))
        factors = class_weights(self.class_weight, data.classes, data.class_totals)
        parts = Parts(data, ground, recipe, self.tests, amounts, factors, weighed.n_rows)
        warn_of_passes(ground, parts.layout, self.max_depth, 4)
        tree = parts.learn()
        done = Finished(tree, grid.resolve({}), directions=grid.directions)
        if needs_folds(recipe, grid):  # one fold after the other: all workers work on each
            done = choose(tree, grid, recipe, parts.learn_folds(), threads.alone(), self.max_leaf_nodes)
        self._set_fitted(done, tuple(binned.column for binned in data.columns), data.classes, recipe.split)
