"""The work of an experiment: what has no result yet, on all cores, with the time left shown."""

from __future__ import annotations

import threading
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from lab.experiments.measuring import measure
from lab.experiments.methods import Method
from lab.experiments.processes import in_processes
from lab.experiments.results import Key, ResultsFile
from lab.experiments.trials import Trial
from petree.progress import Steps, report, shown, watched_by

MEASURING = "folds x methods"
# Seconds between two looks at what other processes have done.
PATIENCE = 0.5


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
    """What `work` finds for each of the jobs, in their order, in so many processes; its progress is shown."""
    if not left:
        return
    finished = 0
    with TemporaryDirectory(prefix="petree-") as folder, shown("Measuring"):
        notes = Path(folder) / "notes"
        with _followed(notes, sum(len(job.methods) for job in left)) as steps:
            found = in_processes(partial(_noted, work, notes), [(job,) for job in left], jobs)
            for job, done in zip(left, found, strict=True):
                finished += len(job.methods)
                steps.reach(finished)
                yield done


def do(job: Job, seed: int) -> Done:
    """Measure the methods of one job; runs in a process of its own."""
    done = Done(job.trial.data.name, [], {})
    part = job.trial.part
    for number, method in enumerate(job.methods, 1):
        try:
            found = measure(method, job.trial, seed + part.run)
        except Exception as error:  # whatever it is, the other methods go on
            done.failures[method.name] = f"{type(error).__name__}: {' '.join(str(error).split())}"
        else:
            done.found.append((Key.of(method, job.trial, seed), found))
        report(
            MEASURING,
            number,
            len(job.methods),
            f"{done.data_set}, run {part.run + 1}, fold {part.fold + 1}: {method.name}",
        )
    return done


def _noted(work: Callable[[Job], Done], notes: Path, job: Job) -> Done:
    """Do a job, and add a line to a file for each method that is done, which another process can read."""

    def note(doing: str, done: int, total: int, item: str = "") -> None:
        if doing == MEASURING:
            with notes.open("a", encoding="utf-8", errors="surrogatepass") as file:
                file.write(" ".join(item.split()) + "\n")

    with watched_by(note):
        return work(job)


@contextmanager
def _followed(notes: Path, total: int) -> Iterator[Steps]:
    """Steps that are counted as lines are added to a file."""
    steps = Steps(MEASURING, total)
    is_over = threading.Event()

    def follow() -> None:
        while not is_over.wait(PATIENCE):
            lines = notes.read_text(encoding="utf-8", errors="surrogatepass").splitlines() if notes.exists() else []
            if lines:
                steps.reach(len(lines), lines[-1])

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    try:
        yield steps
    finally:
        is_over.set()
        thread.join()
