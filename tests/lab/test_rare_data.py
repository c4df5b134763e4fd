"""Tasks in which one class is rare."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lab.quality.data import FrameSet
from lab.rare.data import LEAST_LEARNED, LEAST_TESTED, MOST_CLASSES, TASKS_PER_CLASS, RareTask, tasks_of


@pytest.fixture
def data() -> FrameSet:
    random = np.random.default_rng(0)
    y = random.choice(4, 2000, p=[0.5, 0.3, 0.15, 0.05])
    return FrameSet("made", pd.DataFrame({"row": np.arange(2000.0)}), y)


def test_a_sample_has_its_share_and_the_test_rows_are_weighted_to_it(data: FrameSet) -> None:
    sample = RareTask("made", 2, 0.02, 1000).sample(data)
    assert (len(sample.y), sample.y.sum()) == (1000, 20)
    rows = np.concatenate((sample.X["row"], sample.X_test["row"])).astype(int)
    assert sorted(rows.tolist()) == list(range(2000))
    np.testing.assert_array_equal(np.concatenate((sample.y, sample.y_test)), data.y[rows] == 2)
    assert np.average(sample.y_test, weights=sample.weights) == pytest.approx(0.02)


def test_samples_are_the_same_in_every_run(data: FrameSet) -> None:
    task = RareTask("made", 1, 0.05, 300)
    pd.testing.assert_frame_equal(task.sample(data).X, task.sample(data).X)
    assert not task.sample(data).X.equals(RareTask("made", 1, 0.02, 300).sample(data).X)


def test_tasks_leave_enough_rows_to_learn_from_and_to_test_with(data: FrameSet) -> None:
    tasks = list(tasks_of(data))
    assert 0 < len(tasks) <= MOST_CLASSES * TASKS_PER_CLASS
    assert len(set(tasks)) == len(tasks)
    counts = np.bincount(data.y)
    for task in tasks:
        assert task.n_cases >= LEAST_LEARNED
        assert counts[task.target] - task.n_cases >= LEAST_TESTED
        assert len(data.y) - counts[task.target] - (task.n_rows - task.n_cases) >= LEAST_TESTED
