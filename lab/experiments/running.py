"""The work of an experiment: what has no result yet, on all cores, with the time left shown."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from lab.experiments.measuring import measure
from lab.experiments.methods import Method
from lab.experiments.processes import in_processes
from lab.experiments.results import Key, ResultsFile
from lab.experiments.trials import Trial
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
    listed = list(trials)
    key = partial(Key.of, seed=seed)
    failures: dict[tuple[str, str], str] = {}
    for done in work_off(partial(do, seed=seed), left_to_do(listed, methods, key, file.read()), jobs):
        file.add(done.found)
        for method, reason in done.failures.items():
            failures.setdefault((method, done.data_set), f"{method} failed on {done.data_set}: {reason}")
    known = file.read()
    wanted = [key(method, trial) for trial in listed for method in methods]
    return Results({one: known[one] for one in wanted if one in known}, list(failures.values()))


def left_to_do(
    trials: Iterable[Trial],
    methods: Sequence[Method],
    key: Callable[[Method, Trial], Key],
    known: Container[Key],
) -> list[Job]:
    """The trials on which some methods have no result, in their order."""
    left = [Job(trial, [one for one in methods if key(one, trial) not in known]) for trial in trials]
    return [job for job in left if job.methods]


def work_off(work: Callable[[Job], Done], left: Sequence[Job], jobs: int) -> Iterator[Done]:
    """What `work` finds for each of the jobs, in their order, in so many processes; a terminal shows the time left."""
    return _with_progress(in_processes(work, [(job,) for job in left], jobs), len(left)) if left else iter(())


def do(job: Job, seed: int) -> Done:
    """Measure the methods of one job; runs in a process of its own."""
    done = Done(job.trial.data.name, [], {})
    for method in job.methods:
        try:
            found = measure(method, job.trial, seed + job.trial.part.run)
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
