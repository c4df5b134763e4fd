"""Model files of every kind, small and whole: what damage starts from."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pandas as pd
from tests.relational.made_trees import made_database, made_model

from petree import OptionTreeClassifier, ProbabilityTreeClassifier, RelationalOptionTreeClassifier, smoothing
from petree.bayes import Prior
from petree.pruning import ErrorBased, ReducedError
from petree.storage import dumps

SETTINGS: list[dict[str, Any]] = [
    {"smoothing": "laplace", "tests": "multiway"},
    {"smoothing": "none", "class_weight": {0: 1.0, 1: 2.5}},
    {"smoothing": "m_branch", "pruning": "rand", "random_state": 3},
    {"smoothing": "bayes", "pruning": "chi"},
    {"smoothing": smoothing.Bayes(Prior("IV", penalties={"size": 0.5})), "pruning": "mdl"},
    {"smoothing": "shrinkage", "tests": "multiway", "pruning": ErrorBased(raising=True)},
    {"smoothing": "curtailment", "pruning": ReducedError(backfitting=True), "class_weight": "balanced"},
    {"smoothing": smoothing.Hierarchical("auto"), "categorical_features": ["colour", "letter"]},
    {"smoothing": smoothing.Confusion(0.2), "tests": "multiway", "n_jobs": 2},
    {"smoothing": smoothing.Doubt(0.1), "min_gain": 0.01, "max_depth": 4},
    {"smoothing": smoothing.Average((smoothing.Doubt(0.2), "laplace", smoothing.Average()))},
    {"smoothing": "laplace", "missing": "surrogates"},
    {"smoothing": "laplace", "missing": "fractions"},
]


def made_table(seed: int, n_rows: int = 60) -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers, nominal and ordered categories with gaps, and three classes."""
    random = np.random.default_rng(seed)
    size, letters = np.round(random.normal(size=n_rows), 1), random.choice(["a", "b", "c"], n_rows)
    colours = pd.Categorical(random.choice(["red", "blue"], n_rows), ["red", "green", "blue"])
    grades = pd.Categorical(random.choice(["low", "high"], n_rows), ["low", "middle", "high"], ordered=True)
    frame = pd.DataFrame({"size": size, "colour": colours, "grade": grades, "letter": letters})
    for name in ("size", "colour"):
        frame[name] = frame[name].mask(random.random(n_rows) < 0.15)
    y = (np.nan_to_num(size) > 0).astype(int) + (random.random(n_rows) < 0.2) * (letters == "a")
    y[:3] = 0, 1, 2
    return frame, y


def table_files() -> list[str]:
    files = []
    for seed, settings in enumerate(SETTINGS):
        frame, y = made_table(seed)
        if "categorical_features" in settings:
            frame = frame.drop(columns="grade")
        weights = None if seed % 3 else np.random.default_rng(seed).random(len(y)) + 0.1
        given = {"pruning": "none", "min_samples_leaf": 3, **settings}
        files.append(dumps(ProbabilityTreeClassifier(**given).fit(frame, y, sample_weight=weights)))
    X = np.random.default_rng(0).normal(size=(40, 3))
    files.append(dumps(ProbabilityTreeClassifier(smoothing="laplace", pruning="none").fit(X, X[:, 0] > 0.3)))
    few = ProbabilityTreeClassifier(smoothing="laplace").fit(X[:2], ["b", "a"])
    files += [dumps(few), dumps(few.set_base_rates({"a": 0.1, "b": 0.9}))]
    days = np.arange(40) // 4 + np.array("2024-02-20", "M8[D]")
    dated = {"day": days, "lasts": days - days[7], "size": X[:, 0]}
    files.append(
        dumps(ProbabilityTreeClassifier(smoothing="laplace", pruning="none").fit(dated, np.arange(40) % 7 > 3))
    )
    return files


def option_files() -> list[str]:
    frame, y = made_table(1, 25)
    small = {"max_options": 2, "max_depth": 3, "n_searches": 2}
    models = [
        OptionTreeClassifier(**small),
        OptionTreeClassifier(tests="multiway", **small),
        OptionTreeClassifier(Prior("III", shrink=0.5, mean="uniform"), option_depth=None, **small),
    ]
    files = [dumps(model.fit(frame, y)) for model in models]
    return [*files, dumps(models[0].summary())]


def relational_files() -> list[str]:
    single = [dumps(made_model(made_database(seed, with_times=bool(seed)))) for seed in (0, 4)]
    database = made_database(4, with_times=True)
    options = RelationalOptionTreeClassifier(database, "patient.class", max_depth=3, n_searches=2)
    return [*single, dumps(options.fit(database.keys("patient")))]


def valid_files() -> list[str]:
    """All of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [*table_files(), *option_files(), *relational_files()]


def parsed_files() -> list[dict[str, Any]]:
    return [json.loads(text) for text in valid_files()]
