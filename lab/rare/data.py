"""Tasks in which one class is rare, made of the tables of the quality benchmark.

One class of a table is set against the rest. A training sample of `n_rows` rows holds it at a given share, and all
rows that are left are test rows. They are weighted so that the class has the same share as in training: the log loss
is that of a population like the training sample, and the AUC is measured on as many cases as there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lab.quality.data import FrameSet, list_sets, load

SHARES = (0.05, 0.02, 0.01, 0.005)
ROWS = (300, 1000, 3000, 10_000)
# Fewer cases to learn from say nothing, fewer to test with cannot judge.
LEAST_LEARNED = 5
LEAST_TESTED = 25
MOST_CLASSES = 3
TASKS_PER_CLASS = 2
# Of large tables a random sample of so many rows is used.
MOST_ROWS = 50_000
# The same rows as another table.
COPIES = ("anneal_na", "pendigits_train", "voting_missing")
# Tables about the same patients are kept in one half.
THYROID = ("ann_thyroid", "sick", "thyroid_allhypo", "thyroid_hypothyroid", "thyroid_sick_euthyroid")
CHOOSING, JUDGING = "choosing", "judging"


@dataclass(frozen=True)
class RareTask:
    """One class of a table against the rest, thinned.

    Parameters
    ----------
    source : str
    target : int
        Code of the class.
    share : float
        Share of the class in the training sample.
    n_rows : int
    """

    source: str
    target: int
    share: float
    n_rows: int

    @property
    def name(self) -> str:
        return f"{self.source}:{self.target} {self.share:.1%} of {self.n_rows}"

    @property
    def n_cases(self) -> int:
        """Number of training rows of the class."""
        return round(self.share * self.n_rows)

    def is_possible(self, n_cases: int, n_others: int) -> bool:
        """Whether a table has enough rows to learn from and to test with."""
        enough_cases = self.n_cases >= LEAST_LEARNED and n_cases >= self.n_cases + LEAST_TESTED
        return enough_cases and n_others >= self.n_rows - self.n_cases + LEAST_TESTED

    def sample(self, data: FrameSet) -> RareSample:
        """Draw the training rows; the same in every run."""
        is_case = data.y == self.target
        random = np.random.default_rng([self.n_rows, round(1 / self.share), self.target, len(data.y)])
        cases = random.permutation(np.flatnonzero(is_case))
        others = random.permutation(np.flatnonzero(~is_case))
        n_others = self.n_rows - self.n_cases
        learn = random.permutation(np.concatenate((cases[: self.n_cases], others[:n_others])))
        test = np.concatenate((cases[self.n_cases :], others[n_others:]))
        y = is_case.astype(np.int64)
        weights = np.where(y[test] == 1, self.share / y[test].mean(), (1 - self.share) / (1 - y[test].mean()))
        return RareSample(data.given(learn), y[learn], data.given(test), y[test], weights)


@dataclass(frozen=True)
class RareSample:
    """The rows of a task: to learn from, and to test with."""

    X: pd.DataFrame
    y: NDArray[np.int64]
    X_test: pd.DataFrame
    y_test: NDArray[np.int64]
    weights: NDArray[np.float64]


def list_sources(folder: Path, half: str) -> list[str]:
    """The tables of one half: every second one of the list, without copies."""
    names = [name for name in list_sets(folder) if name not in COPIES and name not in THYROID]
    return names[::2] if half == CHOOSING else sorted([*names[1::2], *THYROID])


def tasks_of(data: FrameSet) -> Iterator[RareTask]:
    """The tasks of a table: some classes, each with some of the possible shares and sizes, drawn at random."""
    random = np.random.default_rng([len(data.y), data.n_classes, data.columns.shape[1]])
    counts = np.bincount(data.y)
    n_used = 0
    for target in random.permutation(len(counts)).tolist():
        possible = [
            task
            for share in SHARES
            for n_rows in ROWS
            if (task := RareTask(data.name, target, share, n_rows)).is_possible(
                counts[target], len(data.y) - counts[target]
            )
        ]
        if not possible:
            continue
        chosen = random.permutation(len(possible))[:TASKS_PER_CLASS]
        yield from (possible[place] for place in sorted(chosen.tolist()))
        n_used += 1
        if n_used == MOST_CLASSES:
            return


def load_tasks(folder: Path, half: str) -> Iterator[tuple[FrameSet, Sequence[RareTask]]]:
    """Each table of a half with its tasks."""
    for name in list_sources(folder, half):
        data = load(folder, name, MOST_ROWS)
        tasks = list(tasks_of(data))
        if tasks:
            yield data, tasks
