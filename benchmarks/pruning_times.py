"""Seconds of fits, measured in turn."""

from __future__ import annotations

import gc
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from pruning_contenders import Contender
from pruning_data import Ready
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from sklearn.tree import DecisionTreeClassifier

from petree import ProbabilityTreeClassifier

THREADS = 2
SCIKIT_LEARN = "scikit-learn"
# A contender gets no further round on a set once its fits there took this long.
BUDGET_SECONDS = 20.0


@dataclass(frozen=True)
class Timed:
    """Median seconds of the fits of each contender on one set."""

    name: str
    n_rows: int
    seconds: dict[str, float]


def measure(
    contenders: Sequence[Contender], tables: Sequence[Ready], repeats: int, console: Console
) -> list[Timed]:
    """The contenders take turns, round after round, so that other work on the machine meets all of them."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=len(tables) * (repeats + 1))
        return [_measure_one(table, contenders, repeats, progress, task) for table in tables]


def _measure_one(
    table: Ready, contenders: Sequence[Contender], repeats: int, progress: Progress, task: Any
) -> Timed:
    fits = {SCIKIT_LEARN: _sklearn_fit(table)}
    fits |= {one.name: _own_fit(one, table) for one in contenders if one.takes(table.n_rows)}
    taken: dict[str, list[float]] = {name: [] for name in fits}
    for turn in range(repeats + 1):  # the first round warms up
        progress.update(task, description=table.name)
        for name, fit in fits.items():
            if sum(taken[name]) < BUDGET_SECONDS:
                taken[name].append(_seconds(fit))
        progress.advance(task)
    return Timed(table.name, table.n_rows, {name: median(found[1:] or found) for name, found in taken.items()})


def _sklearn_fit(table: Ready) -> Callable[[], Any]:
    return lambda: DecisionTreeClassifier(criterion="entropy", random_state=0).fit(table.floats, table.y)


def _own_fit(contender: Contender, table: Ready) -> Callable[[], Any]:
    return lambda: ProbabilityTreeClassifier(pruning=contender.make(), n_jobs=THREADS).fit(table.own, table.y)


def _seconds(fit: Callable[[], Any]) -> float:
    gc.collect()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns without values
        started = time.perf_counter()
        fit()
        return time.perf_counter() - started
