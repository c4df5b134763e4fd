"""How a tree is grown over several tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from petree.columns import Column
from petree.estimators.learning import Cases, Recipe
from petree.relational.bias.grounding import Grounding
from petree.relational.bias.modes import Bias
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.refinement.refiner import Refiner
from petree.relational.source import RelationalSource
from petree.sources.coding import CodedTable
from petree.sources.table import TableSource
from petree.threads import Threads

# The one column of a table of examples.
ROW = Column("row")


@dataclass(frozen=True)
class RelationalRecipe(Recipe):
    """How a tree is grown over several tables.

    Parameters
    ----------
    scope : Scope
        Of the empty query.
    bias : Bias
        What may be asked; constants and thresholds come from the cases.
    min_examples : int
        Cases in which a constant must occur to be tried.
    max_answers : int
        Most answers of a query.
    """

    quick_rows: ClassVar[int] = 0

    scope: Scope = None  # type: ignore[assignment]
    bias: Bias = None  # type: ignore[assignment]
    min_examples: int = 1
    max_answers: int = 20_000_000

    def source(self, cases: Cases, threads: Threads) -> RelationalSource:  # type: ignore[override]
        examples, n_classes = np.asarray(cases.table.arrays[0], np.int32), len(cases.classes)
        rows = np.zeros(len(examples))
        coded = CodedTable.of((ROW,), (rows,), cases.codes, cases.weights, n_classes, self.binning, threads)
        pattern = TableSource(
            coded, (rows,), cases.codes, n_classes, self.split, "binary",
            self.stopping.min_samples_leaf, cases.weights, cases.factors, threads,
        )  # fmt: skip
        grounding = Grounding(
            self.scope.database, self.scope.relations[0], examples, cases.codes, n_classes, cases.weights,
            self.binning, self.min_examples, self.max_answers,
        )  # fmt: skip
        refiner = Refiner(self.scope.database, grounding.ground(self.bias))
        source = RelationalSource(refiner, Answers.of_examples(self.scope, examples, self.max_answers), pattern)
        source.left_out |= grounding.left_out
        return source
