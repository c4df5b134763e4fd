"""Tables of every kind of column, and what a table in memory makes of them."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow
import pyarrow.parquet

from petree.binning import Quantile
from petree.inputs import read_target, table_of
from petree.inputs.identifiers import find_identifiers, without_values
from petree.sources.coding import BinnedColumn, CodedTable
from petree.threads import Threads


def frame(n_rows: int = 600, seed: int = 0) -> pd.DataFrame:
    """Numbers of few and of many values, with gaps, text, ordered ones, moments, truth values, ids and nothing."""
    random = np.random.default_rng(seed)
    gaps = np.where(random.random(n_rows) < 0.2, np.nan, random.normal(size=n_rows))
    start = pd.Timestamp("2020-01-01")
    words = pd.Series(random.choice(["ä", "b", "c", None], n_rows), dtype="str")
    return pd.DataFrame(
        {
            "few": random.integers(0, 30, n_rows),
            "many": random.normal(size=n_rows),
            "gaps": gaps,
            "text": words,
            "size": pd.Categorical(random.choice(["lo", "mid", "hi"], n_rows), ["lo", "mid", "hi"], ordered=True),
            "day": start + pd.to_timedelta(random.integers(0, 1000, n_rows), "D"),
            "moment": start.tz_localize("UTC") + pd.to_timedelta(random.integers(0, 10**9, n_rows), "s"),
            "span": pd.to_timedelta(random.integers(0, 10**6, n_rows), "s"),
            "flag": random.random(n_rows) < 0.3,
            "id": [f"u{row}" for row in range(n_rows)],
            "nothing": np.full(n_rows, np.nan),
            "wide": random.choice([f"w{word}" for word in range(300)], n_rows),
            "w": random.integers(0, 4, n_rows).astype(float),
            "y": random.choice(["no", "yes"], n_rows),
        }
    )


def arrow(table: pd.DataFrame) -> pyarrow.Table:
    return pyarrow.Table.from_pandas(table, preserve_index=False)


def write_folder(folder: Path, table: pd.DataFrame, bounds: list[int], group_rows: int = 100) -> Path:
    """Files of the rows between the bounds."""
    folder.mkdir()
    for place, (start, stop) in enumerate(zip([0, *bounds], [*bounds, len(table)], strict=True)):
        path = folder / f"part-{place}.parquet"
        pyarrow.parquet.write_table(arrow(table[start:stop]), path, row_group_size=group_rows)
    return folder


def in_memory(table: pd.DataFrame, weights: str | None = None) -> tuple[CodedTable, np.ndarray, np.ndarray | None]:
    """The codes of a table, its classes and weights, as a fit has them."""
    rows = table if weights is None else table[table[weights] > 0]
    given = None if weights is None else rows[weights].to_numpy()
    read = table_of(arrow(rows.drop(columns=["y", *([weights] if weights else [])])))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read = without_values(read, find_identifiers(read, given))
    classes, codes = read_target(rows["y"], len(rows))
    coded = CodedTable.of(read.columns, read.arrays, codes, given, len(classes), Quantile(), Threads(1))
    return coded, codes, given


def plain(column: BinnedColumn) -> tuple[Any, ...]:
    """A column in a form that can be compared."""
    return (column.column, column.thresholds.tolist(), *column[2:5], column.centres.tolist())
