"""From the parameters of an estimator of one table to how its tree is grown, pruned and smoothed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import NoReturn, cast

from sklearn.base import clone

from petree.binning import resolve_binning
from petree.columns import Column
from petree.estimators.changing import ChangeableTree
from petree.estimators.constraints import InteractionCst, MonotonicCst, read_constraints
from petree.estimators.learning.recipe import Recipe
from petree.estimators.learning.table_sources import TableSourceMaker
from petree.estimators.parameters import Bins, Pruning, Smoothing, Split, seed_of
from petree.estimators.tuning.grid import Grid
from petree.growing import Stopping
from petree.growing.first_test import FirstTest, read_test
from petree.inputs import Table
from petree.inputs.types import RandomState
from petree.parts import (
    check_choice,
    check_integer,
    check_integer_or_none,
    check_number,
    check_rows,
    check_seed,
    declared,
)
from petree.pruning import resolve_pruning
from petree.pruning.criterion import Criterion
from petree.reading.view import View
from petree.smoothing import resolve_smoothing
from petree.smoothing.directions import Directions
from petree.sources.constraints import Constraints
from petree.sources.missing import WAYS
from petree.sources.sampling import Sampling
from petree.sources.table import TableSource
from petree.splitting import resolve_split
from petree.splitting.base import Scores, SplitScore, adds_up
from petree.splitting.codes import GrowthSetting


class WithRecipe(ChangeableTree):
    """A classifier of one table that knows how its trees are made."""

    split: Split
    pruning: Pruning
    smoothing: Smoothing
    tests: str
    binning: Bins
    min_samples_leaf: float
    max_depth: int | None
    min_gain: float
    lookahead: int
    beam: int
    random_state: RandomState
    honest: bool
    monotonic_cst: MonotonicCst
    interaction_cst: InteractionCst
    sample_ratio: float | None
    missing: str

    def _check_parameters(self) -> None:
        check_rows(self, "min_samples_leaf")
        check_number(self, "min_gain", 0)
        check_integer(self, "lookahead", 1)
        check_integer(self, "beam", 1)
        check_seed(self)
        check_integer_or_none(self, "max_depth", 1)
        check_integer_or_none(self, "max_leaf_nodes", 1)
        if self.sample_ratio is not None:
            if self.sample_ratio != inf:  # which no sample reaches
                check_number(self, "sample_ratio", 1)
            self._check_sampled()
        check_choice(self, "tests", ("binary", "sets", "multiway"))
        check_choice(self, "honest", (True, False))
        check_choice(self, "missing", WAYS)
        if not isinstance(self.first_test, str | None):
            raise TypeError(f"The 'first_test' parameter must be a text or None. Got {self.first_test!r} instead.")

    def _check_sampled(self) -> None:
        if self.lookahead > 1:
            raise ValueError("Tests that are chosen together need all rows; set lookahead=1 or sample_ratio=None.")
        if self.missing != "branch":
            raise ValueError(
                f"With missing={self.missing!r} a test is sought among the rows that have a value, not in samples; set "
                "missing='branch' or sample_ratio=None."
            )

    def _recipe(self, first_test: FirstTest | None = None) -> Recipe[TableSource]:
        split = clone(resolve_split(self.split), safe=False)
        pruning = resolve_pruning(self.pruning)
        least = cast(int, self.min_samples_leaf)  # or a share of the rows, until their number is known
        stopping = Stopping(least, self.max_depth, self.min_gain)
        if self.max_leaf_nodes is not None and not pruning.chooses_size:
            raise ValueError(
                f"The 'max_leaf_nodes' parameter bounds a size that the criterion chooses, which {pruning!r} does not; "
                "leave it out, or set pruning='best_size'."
            )
        if self.lookahead > 1 and not adds_up(split, GrowthSetting(self.tests, 1.0)):
            raise ValueError(
                f"Looking ahead needs a split score whose gains add up, such as gain, not {split!r}; set lookahead=1."
            )
        self._check_missing(split, pruning)
        maker = self._maker(first_test)
        return Recipe(split, pruning, stopping, maker, seed_of(self.random_state), self.lookahead, self.beam)

    def _check_missing(self, split: Scores, pruning: Criterion) -> None:
        """Raise where the parts cannot do with the way to treat missing values, before anything is grown."""
        if self.missing == "branch":
            return
        if declared(split, SplitScore, "looks_at_values"):
            self._refuse_missing(f"needs a split score of class counts, which {split!r} is not", "set split='gain'")
        if self.interaction_cst is not None:
            self._refuse_missing("does not go with 'interaction_cst'", "leave out one of the two")
        if pruning.chooses_tests and pruning.judges_while_growing:
            what = f"does not go with {pruning!r}, which chooses among all tests of a node"
            self._refuse_missing(what, 'set its when="post"')
        if self.missing == "fractions" and pruning.exchanges_rows:
            instead = "set pruning to one that goes by counts, such as 'best_size', 'cost_complexity', 'mdl' or 'chi'"
            self._refuse_missing(f"divides rows, and {pruning!r} permutes or draws whole ones", instead)
        if self.missing != "fractions" and self.tests == "multiway":
            instead = "set tests to 'binary' or 'sets', or missing='fractions'"
            self._refuse_missing("is for tests of two branches", instead)
        if self.missing == "surrogates" and self.monotonic_cst is not None:
            why = "another value of one column could send a row another way at another"
            self._refuse_missing(f"does not go with 'monotonic_cst': {why}", "leave out one of the two")
        if self.missing == "surrogates" and "reroute" in pruning.needs:
            self._refuse_missing(f"does not go with {pruning!r}, which raises branches", "set its raising=False")

    def _refuse_missing(self, what: str, instead: str) -> NoReturn:
        raise ValueError(f"missing={self.missing!r} {what}; {instead}, or set missing='branch'.")

    def _maker(self, first_test: FirstTest | None, constraints: Constraints | None = None) -> TableSourceMaker:
        """What makes the sources of the trees."""
        sampling = None
        if self.sample_ratio is not None:
            sampling = Sampling(float(self.sample_ratio), seed_of(self.random_state))
        binning = resolve_binning(self.binning)
        return TableSourceMaker(binning, self.tests, first_test, constraints, sampling, missing=self.missing)

    def _for_table(
        self, recipe: Recipe[TableSource], grid: Grid, table: Table, n_classes: int
    ) -> tuple[Recipe[TableSource], Grid]:
        """The recipe and the smoothing where the table is known: with the first test, and under the constraints."""
        first_test = None if self.first_test is None else read_test(self.first_test, table.columns)
        recipe = recipe if first_test is None else self._recipe(first_test)
        recipe, grid = self._constrained(recipe, grid, table.columns, n_classes, first_test)
        return recipe.for_rows(table.n_rows), grid

    def _constrained(
        self,
        recipe: Recipe[TableSource],
        grid: Grid,
        columns: Sequence[Column],
        n_classes: int,
        first_test: FirstTest | None = None,
    ) -> tuple[Recipe[TableSource], Grid]:
        """The recipe and the smoothing under the constraints, as these columns have them."""
        if self.monotonic_cst is None and self.interaction_cst is None:
            return recipe, grid
        constraints, directions = read_constraints(
            self.monotonic_cst, self.interaction_cst, columns, n_classes, grid.smoothing
        )
        maker = self._maker(first_test, constraints)
        return replace(recipe, maker=maker), replace(grid, directions=directions)

    def _view(self, level: float | None = None) -> View:
        return replace(super()._view(level), divides_rows=self.missing == "fractions")

    def _directions(self) -> Directions | None:
        grid = Grid.of(resolve_smoothing(self.smoothing))
        return self._constrained(self._recipe(), grid, self.columns_, len(self.classes_))[1].directions
