"""Small tables with numbers, categories and missing values, as sources."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from petree.binning import resolve_binning
from petree.growing import Grown, Stopping, grow
from petree.inputs import table_of
from petree.sources.coding import CodedTable
from petree.sources.table import TableSource, table_source
from petree.sources.weights import Targets
from petree.splitting import resolve_split
from petree.threads import Threads


def make_table(seed: int, n_rows: int, n_classes: int) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """Columns of every kind, and classes that depend a little on them."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "number": random.normal(size=n_rows).round(1),
            "letter": random.choice(list("xyz"), n_rows),
            "small": random.integers(0, 4, n_rows).astype(float),
            "two": random.choice(["u", "v"], n_rows),
        }
    )
    frame.loc[random.random(n_rows) < 0.15, "number"] = np.nan
    frame.loc[random.random(n_rows) < 0.1, "letter"] = None
    shift = (frame["small"].to_numpy() > 1) & (random.random(n_rows) < 0.5)
    classes = (random.integers(0, n_classes, n_rows) + shift) % n_classes
    classes[:n_classes] = np.arange(n_classes)
    return frame, classes


def make_source(
    frame: pd.DataFrame,
    classes: NDArray[np.int64],
    split: Any = "gain",
    tests: str = "binary",
    min_samples_leaf: int = 1,
    binning: str = "quantile",
    weights: NDArray[np.float64] | None = None,
    class_weight: NDArray[np.float64] | None = None,
    n_threads: int = 1,
) -> TableSource:
    table = table_of(frame, "from_dtype")
    n_classes, threads = int(classes.max()) + 1, Threads(n_threads)
    coded = CodedTable.of(table.columns, table.arrays, classes, weights, n_classes, resolve_binning(binning), threads)
    targets = Targets(classes, range(n_classes), weights, class_weight)
    return table_source(coded, table.arrays, targets, resolve_split(split), tests, min_samples_leaf, threads)


def grow_all(source: TableSource, min_samples_leaf: int = 1) -> Grown:
    factors = source.searcher.scoring.class_weight
    return grow(source, Stopping(min_samples_leaf), range(source.rows.n_classes), factors if len(factors) else None)
