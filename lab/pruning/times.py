"""Seconds of fits, measured in turn."""

from __future__ import annotations

import gc
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from sklearn.tree import DecisionTreeClassifier

from lab.pruning.contenders import Contender, left_out
from lab.pruning.data import Ready
from petree import ProbabilityTreeClassifier

THREADS = 2
SCIKIT_LEARN = "scikit-learn"
# A contender gets no further round on a set once its fits there took this long, so that the whole list ends in time.
# The fit to warm up does not count: it may have to load what others have loaded already.
BUDGET_SECONDS = 3.0

Fit = Callable[[], object]


@dataclass(frozen=True)
class Timed:
    """Median seconds of the fits of each contender on one set; those that sat out or failed are not in it.

    `rounds` says how many fits each median is of.
    """

    name: str
    n_rows: int
    seconds: dict[str, float]
    rounds: dict[str, int] = field(default_factory=dict)

    def ratio(self, name: str, base: str) -> float | None:
        """The time of one fit as a multiple of another's."""
        if name not in self.seconds or base not in self.seconds:
            return None
        return self.seconds[name] / self.seconds[base]


def measure(
    contenders: Sequence[Contender], tables: Sequence[Ready], repeats: int, console: Console
) -> tuple[list[Timed], list[str]]:
    """Times on every table, and sentences about contenders that failed."""
    times: list[Timed] = []
    failed: dict[str, dict[str, Exception]] = defaultdict(dict)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=len(tables) * (repeats + 1))
        for table in tables:
            progress.update(task, description=table.name)
            taken, errors = take_turns(_fits(contenders, table), repeats, lambda: progress.advance(task))
            seconds = {name: median(found[1:]) for name, found in taken.items()}
            rounds = {name: len(found) - 1 for name, found in taken.items()}
            times.append(Timed(table.name, table.n_rows, seconds, rounds))
            for name, error in errors.items():
                failed[name][table.name] = error
    return times, [left_out(name, list(errors), next(iter(errors.values()))) for name, errors in failed.items()]


def take_turns(
    fits: dict[str, Fit], repeats: int, advance: Callable[[], None]
) -> tuple[dict[str, list[float]], dict[str, Exception]]:
    """Seconds of fits that take turns, so that other work on the machine meets all of them; what failed."""
    taken: dict[str, list[float]] = {name: [] for name in fits}
    failed: dict[str, Exception] = {}
    for _ in range(repeats + 1):  # the first round warms up
        # What is there by now stays: to look through all modules before every fit takes a hundred
        # times as long as a fit, and leaves nothing else in the processor's caches.
        gc.collect()
        gc.freeze()
        for name in [name for name, found in taken.items() if sum(found[1:]) < BUDGET_SECONDS]:
            try:
                taken[name].append(_seconds(fits[name]))
            except Exception as error:  # whatever it is, the others go on
                failed[name] = error
                del taken[name]
        advance()
    return taken, failed


def _fits(contenders: Sequence[Contender], table: Ready) -> dict[str, Fit]:
    """Fits by name."""
    own = {one.name: _own_fit(one, table) for one in contenders if one.takes(table.n_rows)}
    return {SCIKIT_LEARN: _sklearn_fit(table), **own}


def _sklearn_fit(table: Ready) -> Fit:
    return lambda: DecisionTreeClassifier(criterion="entropy", random_state=0).fit(table.floats, table.y)


def _own_fit(contender: Contender, table: Ready) -> Fit:
    def fit() -> Any:
        learner = ProbabilityTreeClassifier("gain", contender.make(), "laplace", random_state=0, n_jobs=THREADS)
        return learner.fit(table.own, table.y)

    return fit


def _seconds(fit: Fit) -> float:
    gc.collect()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns without values
        started = time.perf_counter()
        fit()
        return time.perf_counter() - started
