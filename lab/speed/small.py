"""Unpruned fits of small tables beside scikit-learn's tree: every UCI set of at most so many rows, in turns.

python -m lab.speed.small [--most-rows 5000] [--rounds 11] [--markdown page.md]

petree gets the data frames as users have them, scikit-learn ready codes: a matrix of float32, nominal columns numbered.
"""

from __future__ import annotations

import gc
import math
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import geometric_mean, median
from time import perf_counter
from typing import Annotated, Any

import numpy as np
import pandas as pd
import typer
from sklearn.tree import DecisionTreeClassifier

from lab.quality import data as quality_data
from petree import ProbabilityTreeClassifier

THREADS = 2


def ready_codes(frame: pd.DataFrame) -> Any:
    """Numbers as they are, categories numbered."""
    columns = [
        column if pd.api.types.is_numeric_dtype(column) else pd.factorize(column)[0] for _, column in frame.items()
    ]
    return np.column_stack([np.asarray(column, np.float32) for column in columns])


def seconds(work: Callable[[], Any]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def measure(name: str, most_rows: int, rounds: int) -> tuple[int, int, float, float] | None:
    """Rows, columns and the median times of both, or nothing for a larger table."""
    data = quality_data.load(quality_data.find_folder(), name, most_rows=math.inf)
    if len(data.y) > most_rows:
        return None
    codes = ready_codes(data.columns)
    ours = []
    theirs = []
    tree = ProbabilityTreeClassifier(pruning="none", smoothing="laplace", n_jobs=THREADS)
    for _ in range(rounds + 1):
        ours.append(seconds(lambda: tree.fit(data.columns, data.y)))
        theirs.append(seconds(lambda: DecisionTreeClassifier(random_state=0).fit(codes, data.y)))
    return len(data.y), data.columns.shape[1], median(ours[1:]), median(theirs[1:])


def main(
    most_rows: int = 5000,
    rounds: Annotated[int, typer.Option(min=1)] = 11,
    markdown: Annotated[Path | None, typer.Option(help="Write the table there, too.")] = None,
) -> None:
    """Times of petree and of scikit-learn, in turns."""
    rows = ["| set | rows x columns | petree, ms | scikit-learn, ms | petree / scikit-learn |", "|---|---|---|---|---|"]
    ratios = []
    gc.collect()
    gc.freeze()
    warnings.simplefilter("ignore")  # of columns without values
    for name in quality_data.list_sets(quality_data.find_folder()):
        found = measure(name, most_rows, rounds)
        if found is None:
            continue
        n_rows, n_columns, ours, theirs = found
        ratios.append(ours / theirs)
        figures = f"{1000 * ours:.2f} | {1000 * theirs:.2f} | {ours / theirs:.2f}"
        rows.append(f"| {name} | {n_rows} x {n_columns} | {figures} |")
        print(rows[-1], flush=True)
    slower = sum(ratio > 1 for ratio in ratios)
    rows.append(f"| geometric mean | slower on {slower} of {len(ratios)} | | | {geometric_mean(ratios):.2f} |")
    print(rows[-1])
    if markdown is not None:
        markdown.write_text("\n".join([*rows, ""]))


if __name__ == "__main__":
    typer.run(main)
