"""One small model of each kind, with what it answers for: three classes, gaps, categories that were never seen."""

from __future__ import annotations

from copy import copy
from functools import cache
from typing import Any

import numpy as np
from tests.fuzzing.valid_files import made_table
from tests.plain import plain_classifier
from tests.relational.made_trees import made_database, made_model

from petree import OptionTreeClassifier
from petree.smoothing import Doubt

KINDS = ("leaf", "doubt", "options", "related")


def made_case(kind: str, seed: int = 0) -> tuple[Any, Any]:
    """A fitted model, whose base rates may be set, and what it can predict."""
    model, X = _made(kind, seed)
    return copy(model), X


@cache
def _made(kind: str, seed: int) -> tuple[Any, Any]:
    frame, y = made_table(seed)
    if kind == "related":
        database = made_database(seed)
        return made_model(database), database.keys("patient")
    new = frame.assign(letter=np.where(np.arange(len(frame)) % 3 == 0, "z", frame["letter"]))
    if kind == "options":
        return OptionTreeClassifier(n_searches=3, max_depth=3).fit(frame, y), new
    smoothing = Doubt(0.2) if kind == "doubt" else "laplace"
    return plain_classifier(smoothing=smoothing, min_samples_leaf=3).fit(frame, y), new


def random_rates(model: Any, seed: int = 0) -> dict[Any, float]:
    rates = np.random.default_rng(seed).dirichlet(np.ones(len(model.classes_)))
    return dict(zip(model.classes_.tolist(), rates.tolist(), strict=True))
