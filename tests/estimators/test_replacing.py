"""A model is replaced in one step, what is wrong is said before the work, and no file starts a thousand threads."""

from __future__ import annotations

from threading import Thread
from typing import Any

import numpy as np
import pytest
from joblib import cpu_count

from petree import ProbabilityTreeClassifier
from petree.estimators import learning, memory
from petree.threads import count_threads

X = np.random.default_rng(0).normal(size=(80, 3))
Y = (X[:, 0] > 0).astype(int)


def test_who_predicts_meanwhile_sees_the_old_model_or_the_new_one() -> None:
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(X, Y)
    tables = [(X, Y), (X[:, :3], np.repeat(["x", "y", "z", "w"], 20))]
    expected = [ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(*one).predict(X) for one in tables]
    wrong: list[Any] = []
    is_over = False

    def predict() -> None:
        while not is_over:
            answer = model.predict(X)
            if not any(np.array_equal(answer, one) for one in expected):
                wrong.append(answer)

    thread = Thread(target=predict)
    thread.start()
    for turn in range(60):
        model.fit(*tables[turn % 2])
    is_over = True
    thread.join()
    assert not wrong


def test_a_fit_that_fails_changes_nothing() -> None:
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit({"a": X[:, 0]}, Y)
    before = dict(vars(model))
    with pytest.raises(ValueError, match="one class"):
        model.fit({"b": X[:, 0]}, np.zeros(80))
    assert vars(model) == before


def test_columns_are_warned_of_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def learn(*_: Any) -> Any:
        raise RuntimeError("the work has begun")

    monkeypatch.setattr(learning.Recipe, "learn", learn)
    columns = {"a": X[:, 0], "nothing": np.full(80, np.nan)}
    with pytest.warns(UserWarning, match="'nothing' has no values"), pytest.raises(RuntimeError, match="begun"):
        ProbabilityTreeClassifier().fit(columns, Y)


def test_more_threads_than_processors_are_not_started() -> None:
    assert count_threads(3000) == cpu_count()
    assert count_threads(1) == 1


def test_so_many_classes_that_counts_do_not_fit_are_refused_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "memory_of_machine", lambda: 10**6)
    wide, y = np.random.default_rng(1).normal(size=(600, 2)), np.arange(600) // 2
    with pytest.raises(ValueError, match=r"300 classes in 600 rows.*max_depth or min_samples_leaf"):
        ProbabilityTreeClassifier().fit(wide, y)
    bounded = ProbabilityTreeClassifier(max_depth=3, pruning="none", smoothing="laplace")
    assert bounded.fit(wide, y).get_depth() == 3
    monkeypatch.setattr(memory, "memory_of_machine", lambda: 10**7)
    with pytest.warns(UserWarning, match=r"300 classes in 600 rows.*may take up to 0 GB, if it gets 1200 nodes"):
        ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(wide, y)
