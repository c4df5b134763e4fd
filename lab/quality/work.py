"""The work of the quality benchmark: what is not in the results file yet, on all cores, with the time left shown."""

from __future__ import annotations

import random
import warnings
from collections.abc import Collection, Sequence

from lab.experiments.results import Key
from lab.experiments.running import Done, Job, left_to_do, work_off
from lab.quality.contenders import Contender, answer
from lab.quality.data import FrameSet, is_first, shuffled_folds
from lab.quality.results import ResultsFile, key_of
from lab.quality.scoring import measure


def jobs(
    data_sets: Sequence[FrameSet], contenders: Sequence[Contender], seeds: Sequence[int], known: Collection[Key]
) -> list[Job]:
    """What is left to do, in a random order, so that the time that it took so far tells the time left."""
    trials = [trial for data in data_sets for trial in shuffled_folds(data, seeds)]
    first = [trial for trial in trials if is_first(trial.part.run, trial.part.fold)]
    left = left_to_do(trials, [one for one in contenders if not one.is_slow], key_of, known)
    left += left_to_do(first, [one for one in contenders if one.is_slow], key_of, known)
    random.Random(0).shuffle(left)
    return left


def work(job: Job) -> Done:
    """Answers and measures of one job; runs in a process of its own."""
    done = Done(job.trial.data.name, [], {})
    _, truth = job.trial.test
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns without values, classes of few rows
        for found in answer(job.methods, job.trial):
            if isinstance(found, str):
                done.failures[found] = job.trial.data.name
                continue
            for one in found:
                measures = measure(truth, one.probabilities) | {"leaves": one.leaves, "seconds": one.seconds}
                done.found.append((key_of(one.contender, job.trial), measures))
    return done


def run(left: Sequence[Job], file: ResultsFile, n_jobs: int) -> list[str]:
    """Do the jobs, each result being written as it comes; the sentences of the failures."""
    failures: dict[str, str] = {}
    for done in work_off(work, left, n_jobs):
        file.add(done.found)
        failures = done.failures | failures
    return [f"{failure} (first on {data_set})" for failure, data_set in failures.items()]
