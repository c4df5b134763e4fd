"""Grown trees with all that is known of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from petree.binning import resolve_binning
from petree.estimators.learning.cases import Cases
from petree.estimators.learning.contexts import FittingContext
from petree.estimators.learning.recipe import Recipe
from petree.estimators.learning.table_sources import TableSourceMaker
from petree.growing import Stopping
from petree.inputs import table_of
from petree.pruning import resolve_pruning
from petree.sources.table import TableSource
from petree.splitting import resolve_split
from petree.threads import Threads


def make_recipe(
    pruning: Any = "none", tests: str = "binary", stopping: Stopping | None = None, seed: int = 0
) -> Recipe[TableSource]:
    maker = TableSourceMaker(resolve_binning("exact"), tests)
    return Recipe(resolve_split("gain"), resolve_pruning(pruning), stopping or Stopping(), maker, seed)


def make_cases(
    frame: pd.DataFrame, codes: NDArray[np.int64], weights: Any = None, factors: Any = None, groups: Any = None
) -> Cases:
    return Cases(table_of(frame), np.arange(codes.max() + 1), codes.astype(np.intp), weights, factors, groups)


def make_fitting(recipe: Recipe[TableSource], cases: Cases, n_threads: int = 1) -> FittingContext:
    threads = Threads(n_threads)
    grown, source = recipe.grow(cases, threads)
    return FittingContext(recipe, cases, None, source, grown, threads)
