"""Data sets and trials: what they hold, and by what their contents are known."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
from tests.lab.experiments.made import small_set

from lab.experiments.data import DataSet
from lab.experiments.trials import Trial, cross_validated, resampled
from lab.statistics.resampling import TrainTest


def test_what_a_data_set_says() -> None:
    data = small_set()
    assert (data.n_rows, data.n_classes) == (40, 3)
    assert data.classes.tolist() == ["cat", "dog", "eel"]


def test_some_rows() -> None:
    data, rows = small_set(), np.array([3, 0, 3])
    taken = data.take(rows)
    assert taken.y.tolist() == [data.y[3], data.y[0], data.y[3]]
    assert taken.columns["tone"].tolist() == data.columns["tone"][rows].tolist()
    assert taken.digest != data.digest
    assert taken.classes.tolist() == sorted(set(data.y[rows].tolist()))


def test_the_digest_tells_contents_apart() -> None:
    data = small_set()
    size, tone = data.columns["size"], data.columns["tone"]
    others = [
        {"size": size + 1, "tone": tone},
        {"size": size, "tone": tone[::-1]},
        {"size": size, "shade": tone},
        {"tone": tone, "size": size},
        {"size": size, "tone": tone, "": size},
        {"size": size, "tone": tone, "": tone},
        {"size": size},
    ]
    made: list[Any] = [data, *(replace(data, columns=columns) for columns in others), replace(data, y=data.y[::-1])]
    assert len({one.digest for one in made}) == len(made)


def test_the_digest_is_of_the_contents_alone() -> None:
    data = small_set()
    assert small_set(name="other").digest == data.digest
    assert data.renamed("other").digest == data.digest
    assert data.renamed("other").name == "other"
    assert pickle.loads(pickle.dumps(data)).digest == data.digest
    assert data.take(np.arange(40)).digest == data.digest


def test_a_trial_is_known_by_its_contents_and_rows() -> None:
    data = small_set()
    rows = [np.arange(20), np.arange(20, 40), np.arange(21, 40), np.arange(19)]
    parts = [TrainTest(0, 0, rows[0], rows[1]), TrainTest(0, 0, rows[0], rows[2]), TrainTest(0, 0, rows[3], rows[1])]
    parts.append(TrainTest(0, 0, rows[1], rows[0]))
    digests = {Trial(data, part).digest for part in parts} | {Trial(small_set(seed=1), parts[0]).digest}
    assert len(digests) == 5
    assert Trial(data, TrainTest(3, 4, rows[0].astype(np.int32), rows[1])).digest in digests


def test_rows_of_a_trial() -> None:
    trial = next(cross_validated([small_set()], 1, 4))
    columns = trial.data.given(trial.part.test)
    assert list(columns) == ["size", "tone"]
    np.testing.assert_array_equal(columns["size"], trial.data.columns["size"][trial.part.test])


def test_trials_come_set_by_set() -> None:
    trials = list(cross_validated([small_set("a"), small_set("b", seed=1)], 2, 3))
    said = [(trial.data.name, trial.part.run, trial.part.fold) for trial in trials]
    assert said == [(name, run, fold) for name in "ab" for run in range(2) for fold in range(3)]


def test_a_new_sample_in_every_run() -> None:
    def make(run: int) -> DataSet:
        return small_set("drawn", n_rows=20 + run, seed=run)

    trials = list(resampled(make, 2, 3))
    assert [(trial.part.run, trial.part.fold) for trial in trials] == [
        (run, fold) for run in range(2) for fold in range(3)
    ]
    assert [trial.data.n_rows for trial in trials] == [20] * 3 + [21] * 3
    for run in range(2):
        asked = [row for trial in trials if trial.part.run == run for row in trial.part.test.tolist()]
        assert sorted(asked) == list(range(20 + run))
