"""Another program answers from a model file alone as petree does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.storage.plain_reader import PlainModel

from petree import OptionTreeClassifier, ProbabilityTreeClassifier, smoothing
from petree.bayes import Prior
from petree.pruning import ErrorBased, ReducedError
from petree.storage import dumps

N_MODELS = 200
SMOOTHINGS: list[Any] = [
    *("none", "laplace", "m_estimate", "m_branch", "bayes", "curtailment", "shrinkage", "hierarchical", "average"),
    smoothing.Confusion(0.3, "laplace"),
    smoothing.Doubt(0.1),
    smoothing.Doubt(0.9, "laplace"),
    smoothing.Average((smoothing.Doubt(0.2), "laplace", smoothing.Confusion(0.1))),
]
COLOURS, GRADES = ["red", "green", "blue", "grey"], ["low", "middle", "high"]


def random_frame(random: np.random.Generator, n_rows: int, is_new: bool) -> pd.DataFrame:
    """Numbers, categories, truth values and grades, with gaps; new rows have categories that were never seen."""
    colours = random.choice([*COLOURS[:3], "pink"] if is_new else COLOURS[:3], n_rows)
    columns = {
        "size": pd.Series(np.round(random.normal(size=n_rows), 1)),
        "colour": pd.Series(pd.Categorical(colours, ["pink", *COLOURS] if is_new else COLOURS)),
        "grade": pd.Series(pd.Categorical(random.choice(GRADES, n_rows), GRADES, ordered=True)),
        "is new": pd.Series(random.random(n_rows) < 0.5),
        "letter": pd.Series(random.choice(["a", "b", "c", "d"] if is_new else ["a", "b"], n_rows)),
    }
    for name in ("size", "colour", "grade", "letter"):
        if is_new or random.random() < 0.5:
            columns[name] = columns[name].mask(random.random(n_rows) < 0.2)
    return pd.DataFrame(columns)


def random_model(random: np.random.Generator, number: int) -> Any:
    n_rows, n_classes = int(random.integers(8, 40)), int(random.integers(2, 4))
    frame, tests = random_frame(random, n_rows, False), ("binary", "multiway")[number % 2]
    y = np.append(np.arange(n_classes), random.integers(0, n_classes, n_rows - n_classes))
    weight = (None, random.integers(1, 4, n_rows), random.random(n_rows) + 0.01)[int(random.integers(3))]
    if number % 4 == 0:
        prior = ("cautious", "I", Prior("IV", alpha=2.0, mean="uniform"))[int(random.integers(3))]
        return OptionTreeClassifier(prior, max_depth=3, n_searches=3, tests=tests).fit(frame, y, sample_weight=weight)
    chosen = SMOOTHINGS[int(random.integers(len(SMOOTHINGS)))]
    classes = (None, "balanced", {0: 3.0})[int(random.integers(3))]
    pruning = ("none", "none", ReducedError(backfitting=True), ErrorBased(raising=True))[int(random.integers(4))]
    model = ProbabilityTreeClassifier(pruning=pruning, smoothing=chosen, tests=tests, class_weight=classes)
    return model.fit(frame, y, sample_weight=weight)


def plain_rows(frame: pd.DataFrame) -> Iterator[list[Any]]:
    for row in frame.astype(object).to_numpy().tolist():
        yield [None if pd.isna(value) else value for value in row]


@pytest.mark.parametrize("number", range(N_MODELS))
def test_a_plain_reader_answers_the_same(number: int) -> None:
    random = np.random.default_rng(number)
    model, frame = random_model(random, number), random_frame(random, 8, True)
    if number % 3 == 0:
        model.set_base_rates(dict(zip(model.classes_, random.dirichlet(np.ones(len(model.classes_))), strict=True)))
    data = json.loads(dumps(model))
    plain = PlainModel(data)
    assert "counts_replaced" not in data["tree"]
    assert ("base_rates" in data) == (number % 3 == 0)
    answers = [plain.probabilities(row) for row in plain_rows(frame)]
    np.testing.assert_allclose(answers, model.predict_proba(frame), rtol=0, atol=1e-12)


def test_the_reader_is_short_and_plain() -> None:
    from pathlib import Path

    text = (Path(__file__).parent / "plain_reader.py").read_text()
    assert len(text.splitlines()) <= 60
    assert [line for line in text.splitlines() if line.startswith(("import", "from"))] == ["import math"]
