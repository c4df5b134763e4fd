"""Who learns and who is asked: folds of repeated cross-validation, and random splits."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.statistics.resampling import TrainTest, cross_validation, random_splits

LABELS = st.lists(st.sampled_from("abc"), min_size=2, max_size=30)
MANY = ["a"] * 30 + ["b"] * 12 + ["c"]


@st.composite
def divided(draw: st.DrawFn) -> tuple[list[str], list[list[TrainTest]]]:
    """Labels, and the parts of each run."""
    labels = draw(LABELS)
    runs, folds = draw(st.integers(1, 3)), draw(st.integers(2, len(labels)))
    parts = list(cross_validation(labels, runs, folds, draw(st.integers(0, 5))))
    assert [(part.run, part.fold) for part in parts] == [(run, fold) for run in range(runs) for fold in range(folds)]
    return labels, [parts[run * folds : (run + 1) * folds] for run in range(runs)]


def listed(parts: Any) -> list[tuple[int, int, list[int], list[int]]]:
    """Parts that can be compared."""
    return [(part.run, part.fold, part.learn.tolist(), part.test.tolist()) for part in parts]


# -- cross-validation ----------------------------------------------------------------------------------------


@given(divided())
def test_every_row_is_asked_once_a_run_and_else_learned_from(
    made: tuple[list[str], list[list[TrainTest]]],
) -> None:
    labels, runs = made
    everything = list(range(len(labels)))
    for parts in runs:
        assert sorted(row for part in parts for row in part.test.tolist()) == everything
        for part in parts:
            assert sorted([*part.learn.tolist(), *part.test.tolist()]) == everything


@given(divided())
def test_folds_differ_by_one_row_at_most_in_all_and_by_class(
    made: tuple[list[str], list[list[TrainTest]]],
) -> None:
    labels, runs = made
    for parts in runs:
        sizes = [len(part.test) for part in parts]
        assert max(sizes) - min(sizes) <= 1
        counts = [Counter(labels[row] for row in part.test) for part in parts]
        for label in set(labels):
            found = [count[label] for count in counts]
            assert max(found) - min(found) <= 1


def test_one_seed_one_division() -> None:
    assert listed(cross_validation(MANY, 2, 5, seed=3)) == listed(cross_validation(MANY, 2, 5, seed=3))
    assert listed(cross_validation(MANY, 2, 5, seed=3)) != listed(cross_validation(MANY, 2, 5, seed=4))


def test_runs_differ() -> None:
    first, second = ([part[2:] for part in listed(cross_validation(MANY, 2, 5)) if part[0] == run] for run in range(2))
    assert first != second


def test_fewer_runs_are_the_first_of_more() -> None:
    assert listed(cross_validation(MANY, 2, 5)) == listed(cross_validation(MANY, 10, 5))[:10]


def test_names_of_classes_do_not_matter() -> None:
    numbers = ["abc".index(label) for label in MANY]
    assert listed(cross_validation(numbers, 2, 5)) == listed(cross_validation(MANY, 2, 5))


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"runs": 0, "folds": 2}, "runs must be at least 1, got 0."),
        ({"runs": 1, "folds": 1}, "folds must be at least 2, got 1."),
        ({"runs": 1, "folds": 2, "seed": -1}, "seed must be at least 0, got -1."),
        ({"runs": 1, "folds": 5}, "5 folds need as many rows, but there are 4; take fewer folds."),
    ],
)
def test_cross_validation_refuses(wanted: dict[str, int], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        list(cross_validation(list("abab"), **wanted))


# -- random splits -------------------------------------------------------------------------------------------


@given(st.integers(2, 30), st.data())
def test_a_split_learns_from_so_many_rows_and_asks_the_others(n_rows: int, data: st.DataObject) -> None:
    n_learn, runs = data.draw(st.integers(1, n_rows - 1)), data.draw(st.integers(1, 3))
    parts = list(random_splits(n_rows, n_learn, runs))
    assert [(part.run, part.fold) for part in parts] == [(run, 0) for run in range(runs)]
    for part in parts:
        assert len(part.learn) == n_learn
        assert sorted([*part.learn.tolist(), *part.test.tolist()]) == list(range(n_rows))


def test_splits_of_one_seed_and_of_others() -> None:
    first, second = random_splits(50, 30, 2, seed=1)
    assert listed(random_splits(50, 30, 2, seed=1)) == listed([first, second])
    assert first.learn.tolist() != second.learn.tolist()
    assert listed(random_splits(50, 30, 2, seed=2)) != listed([first, second])
    assert (np.diff(first.learn) > 0).all()


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"n_rows": 5, "n_learn": 5, "runs": 1}, "5 rows to learn from leave none of 5 to ask; take fewer."),
        ({"n_rows": 5, "n_learn": 0, "runs": 1}, "n_learn must be at least 1, got 0."),
        ({"n_rows": 5, "n_learn": 2, "runs": 0}, "runs must be at least 1, got 0."),
        ({"n_rows": 5, "n_learn": 2, "runs": 1, "seed": -2}, "seed must be at least 0, got -2."),
    ],
)
def test_random_splits_refuse(wanted: dict[str, int], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        list(random_splits(**wanted))
