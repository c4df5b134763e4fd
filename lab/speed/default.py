"""The default beside an unpruned fit of the same threads, and beside scikit-learn's tree where columns are many.

python -m lab.speed.default [--rows 1e4 1e5 1e6] [--rounds 11]

Fits take turns; seconds are medians by the clock, of long ones over fewer rounds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.tree import DecisionTreeClassifier

from lab.speed.small import seconds
from lab.speed.versions import numeric
from petree import ProbabilityTreeClassifier

THREADS = (1, 2)
WIDE = (500, 5000)
# Rows that all rounds fit together, unless that is fewer than three rounds.
MOST_ROWS = 3_000_000
LEAST_ROUNDS = 3


def in_turns(models: Sequence[Any], X: Any, y: Any, rounds: int) -> list[float]:
    """Median seconds of a fit of each model, after one to warm up."""
    found = [[seconds(lambda model=model: model.fit(X, y)) for model in models] for _ in range(rounds + 1)]
    return [median(times) for times in zip(*found[1:], strict=True)]


def unpruned(n_jobs: int) -> ProbabilityTreeClassifier:
    return ProbabilityTreeClassifier(pruning="none", smoothing="laplace", n_jobs=n_jobs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="+", type=float, default=[1e4, 1e5, 1e6])
    parser.add_argument("--rounds", type=int, default=11)
    options = parser.parse_args()
    table = Table("rows x columns", "threads", "beside", "seconds of that", "seconds of the default", "times")
    for n_rows in map(int, options.rows):
        X, y = numeric(n_rows, 2)
        rounds = min(options.rounds, max(MOST_ROWS // n_rows, LEAST_ROUNDS))
        for n_jobs in THREADS:
            times = in_turns([unpruned(n_jobs), ProbabilityTreeClassifier(n_jobs=n_jobs)], X, y, rounds)
            add_row(table, X.shape, n_jobs, "unpruned", times)
    generator = np.random.default_rng(0)
    X = generator.normal(size=WIDE)
    y = generator.integers(0, 2, len(X))
    for n_jobs in THREADS:
        models = [DecisionTreeClassifier(random_state=0), ProbabilityTreeClassifier(n_jobs=n_jobs)]
        add_row(table, WIDE, n_jobs, "scikit-learn", in_turns(models, X, y, LEAST_ROUNDS))
    Console(width=None if sys.stdout.isatty() else 120).print(table)


def add_row(table: Table, shape: tuple[int, ...], n_jobs: int, beside: str, times: Sequence[float]) -> None:
    theirs, ours = times
    size = f"{shape[0]:,} x {shape[1]:,}"
    table.add_row(size, str(n_jobs), beside, f"{theirs:.4f}", f"{ours:.4f}", f"{ours / theirs:.2f}")


if __name__ == "__main__":
    main()
