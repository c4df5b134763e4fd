"""The work of the quality benchmark: what is not in the results file yet, on all cores, with the time left shown."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from joblib import Parallel, delayed
from quality_contenders import Contender, answer
from quality_data import DataSet, Fold, deal
from quality_results import Key, ResultsFile, settings_of
from quality_scoring import MEASURES, measure
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


@dataclass(frozen=True)
class Job:
    """One fold, and the contenders that have no result on it."""

    fold: Fold
    contenders: Sequence[Contender]


@dataclass(frozen=True)
class Done:
    """The lines of a job for the results file, and sentences about contenders that failed."""

    data_set: str
    lines: list[list[Any]]
    failures: list[str]


def jobs(
    data_sets: Sequence[DataSet], contenders: Sequence[Contender], seeds: Sequence[int], done: set[Key]
) -> list[Job]:
    """What is left to do, in a random order, so that the time that it took so far tells the time left."""
    left = [Job(fold, _missing(fold, contenders, done)) for data in data_sets for fold in deal(data, seeds)]
    left = [job for job in left if job.contenders]
    random.Random(0).shuffle(left)
    return left


def _missing(fold: Fold, contenders: Sequence[Contender], done: set[Key]) -> list[Contender]:
    return [contender for contender in contenders if _key(contender, fold) not in done]


def _key(contender: Contender, fold: Fold) -> Key:
    return (fold.data.name, contender.name, settings_of(contender, fold.data), fold.seed, fold.number)


def work(job: Job) -> Done:
    """Answers and measures of one job; runs in a process of its own."""
    done = Done(job.fold.data.name, [], [])
    truth = job.fold.data.y[job.fold.test]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns without values, classes of few rows
        for answers in answer(job.contenders, job.fold):
            if isinstance(answers, str):
                done.failures.append(answers)
                continue
            for one in answers:
                found = measure(truth, one.probabilities) | {"leaves": one.leaves, "seconds": one.seconds}
                done.lines.append([*_key(one.contender, job.fold), *(found[name] for name in MEASURES)])
    return done


def run(left: Sequence[Job], file: ResultsFile, n_jobs: int, console: Console) -> list[str]:
    """Do the jobs, each result being written as it comes; the sentences of the failures."""
    failures: dict[str, str] = {}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("left"), TimeRemainingColumn(), console=console) as progress:
        task = progress.add_task("folds", total=len(left))
        for done in _in_processes(left, n_jobs):
            file.add(done.lines)
            failures = dict.fromkeys(done.failures, done.data_set) | failures
            progress.update(task, advance=1, description=f"folds ({done.data_set})")
    return [f"{failure} (first on {data_set})" for failure, data_set in failures.items()]


def _in_processes(left: Sequence[Job], n_jobs: int) -> Iterator[Done]:
    results: Iterator[Done] = Parallel(n_jobs, return_as="generator_unordered")(delayed(work)(job) for job in left)
    return results
