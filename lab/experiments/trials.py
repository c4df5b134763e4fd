"""One step of an experiment: rows of a data set to learn from, and rows to answer for."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.experiments.data import DataSet
from lab.statistics.resampling import TrainTest, cross_validation
from petree.caching import cached_property


@dataclass(frozen=True)
class Trial:
    """A data set and one division of its rows."""

    data: DataSet
    part: TrainTest

    @property
    def train(self) -> tuple[Any, NDArray[Any]]:
        """What a learner gets: the rows to learn from, and their classes."""
        return self._given(self.part.learn)

    @property
    def test(self) -> tuple[Any, NDArray[Any]]:
        """The rows to answer for, and their classes."""
        return self._given(self.part.test)

    def _given(self, rows: NDArray[np.intp]) -> tuple[Any, NDArray[Any]]:
        return self.data.given(rows), self.data.y[rows]

    @cached_property
    def digest(self) -> str:
        """Short name of the contents of the table and of which rows learn and which are asked."""
        digest = hashlib.sha256(self.data.digest.encode())
        for rows in (self.part.learn, self.part.test):
            digest.update(np.ascontiguousarray(rows, np.int64).tobytes())
        return digest.hexdigest()[:12]


def trials_of(data: DataSet, parts: Iterable[TrainTest]) -> list[Trial]:
    return [Trial(data, part) for part in parts]


def cross_validated(data_sets: Iterable[DataSet], runs: int, folds: int, seed: int = 0) -> Iterator[Trial]:
    """The trials of repeated stratified cross-validation on each data set."""
    for data in data_sets:
        yield from trials_of(data, cross_validation(data.y, runs, folds, seed))


def resampled(make: Callable[[int], DataSet], runs: int, folds: int, seed: int = 0) -> Iterator[Trial]:
    """Cross-validation on a new sample in every run, which `make` gives for the number of the run."""
    for run in range(runs):
        data = make(run)
        for part in cross_validation(data.y, 1, folds, seed + run):
            yield Trial(data, part._replace(run=run))
