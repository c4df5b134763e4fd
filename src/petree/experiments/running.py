"""The work of an experiment: what has no result yet, on all cores, with the time left shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree.experiments.measuring import measure
from petree.experiments.methods import Method
from petree.experiments.processes import in_processes
from petree.experiments.results import Key, ResultsFile
from petree.experiments.trials import Trial
from petree.words import visible


@dataclass(frozen=True)
class Job:
    """A trial, and the methods that have no result on it."""

    trial: Trial
    methods: Sequence[Method]


@dataclass(frozen=True)
class Done:
    """What a job found, and why each method that failed did so."""

    data_set: str
    found: list[tuple[Key, dict[str, float]]]
    failures: dict[str, str]


@dataclass(frozen=True)
class Results:
    """The measures of every method on every trial, and a sentence for each method that failed on a data set."""

    measures: dict[Key, NDArray[np.float64]]
    failures: list[str]


def run(
    trials: Iterable[Trial],
    methods: Sequence[Method],
    file: ResultsFile,
    *,
    seed: int = 0,
    jobs: int = -1,
) -> Results:
    """Measure every method on every trial.

    Parameters
    ----------
    trials : iterable of Trial
    methods : sequence of Method
    file : ResultsFile
        What it holds already is not computed again; every result is added as soon as it is there, in the order of
        the trials, so that the file of an interrupted run is the beginning of the whole one.
    seed : int
        Learners get this seed plus the number of the run.
    jobs : int
        Number of processes; -1 takes all cores.
    """
    known = file.read()
    wanted: list[Key] = []
    left: list[Job] = []
    for trial in trials:
        keys = {Key.of(method, trial, seed): method for method in methods}
        wanted.extend(keys)
        missing = [method for key, method in keys.items() if key not in known]
        if missing:
            left.append(Job(trial, missing))
    failures = _work(left, file, seed, jobs) if left else []
    known = file.read()
    return Results({key: known[key] for key in wanted if key in known}, failures)


def _work(left: Sequence[Job], file: ResultsFile, seed: int, jobs: int) -> list[str]:
    """Do the jobs; a sentence for the first failure of each method on each data set."""
    failures: dict[tuple[str, str], str] = {}
    for one in _with_progress(in_processes(do, [(job, seed) for job in left], jobs), len(left)):
        file.add(one.found)
        for method, reason in one.failures.items():
            failures.setdefault((method, one.data_set), f"{method} failed on {one.data_set}: {reason}")
    return list(failures.values())


def do(job: Job, seed: int) -> Done:
    """Measure the methods of one job; runs in a process of its own."""
    done, part = Done(job.trial.data.name, [], {}), job.trial.part
    for method in job.methods:
        try:
            found = measure(method, job.trial, seed + part.run)
        except Exception as error:  # whatever it is, the other methods go on
            done.failures[method.name] = f"{type(error).__name__}: {' '.join(str(error).split())}"
        else:
            done.found.append((Key.of(method, job.trial, seed), found))
    return done


def _with_progress(done: Iterator[Done], total: int) -> Iterator[Done]:
    """The same, with a bar and the time left on a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    console = Console(stderr=True)
    shown = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    time_left = (TextColumn("left"), TimeLeft())
    with Progress(*shown, *time_left, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=total)
        for one in done:
            yield one
            progress.update(task, advance=1, description=visible(one.data_set))
