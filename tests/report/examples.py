"""Models and rows for reports: every kind of column and test, missing and unknown values, and hostile names."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pandas as pd

from petree import OptionTreeClassifier, ProbabilityTreeClassifier, RelationalTreeClassifier
from petree.relational import Database
from petree.report import Report
from petree.smoothing import Average, Confusion, Doubt

HOSTILE = "<img src=x onerror=window.hacked=1></script><script>window.hacked=1</script>'\"&\u202e"
KINDS = ["binary", "sets", "multiway", "doubt", "confusion", "average"]


def mixed_rows(n_rows: int, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Rows of numbers, categories and ordered categories, some missing, and their classes."""
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n_rows)
    colour = rng.choice(["red", "green", "blue", "black"], n_rows)
    grade = rng.integers(0, 4, n_rows)
    chance = 1 / (1 + np.exp(-(1.5 * size + (colour == "red") - 0.8 * grade + 1)))
    label = np.where(rng.random(n_rows) < chance, "yes", np.where(rng.random(n_rows) < 0.3, "maybe", "no"))
    frame = pd.DataFrame(
        {
            "size": np.where(rng.random(n_rows) < 0.1, np.nan, size),
            "colour": pd.Series(np.where(rng.random(n_rows) < 0.1, None, colour), dtype=object),
            "grade": pd.Categorical.from_codes(grade, ["low", "mid", "high", "top"], ordered=True),
            "noise": rng.integers(0, 50, n_rows) / 10,
        }
    )
    return frame, label


def flat_model(kind: str = "binary", **parameters: Any) -> ProbabilityTreeClassifier:
    """A tree of such rows, with tests or a smoothing of the kind."""
    X, y = mixed_rows(300)
    by_row = {"doubt": Doubt(0.2), "confusion": Confusion(0.3), "average": Average(["laplace", Doubt(0.1)])}
    given = {"smoothing": by_row[kind]} if kind in by_row else {"tests": kind}
    return ProbabilityTreeClassifier(**{"pruning": "none", "min_samples_leaf": 12, **given, **parameters}).fit(X, y)


def new_rows(n_rows: int = 80) -> tuple[pd.DataFrame, np.ndarray]:
    """Rows that no model has seen, with missing values and with a colour that was never seen."""
    X, y = mixed_rows(n_rows, seed=1)
    X.loc[::7, "colour"] = "violet"
    X.loc[::5, "size"] = np.nan
    return X, y


def option_model() -> OptionTreeClassifier:
    X, y = mixed_rows(120)
    return OptionTreeClassifier(n_searches=5).fit(X, y)


def dated_model() -> tuple[ProbabilityTreeClassifier, pd.DataFrame, np.ndarray]:
    """A tree of dates with milliseconds."""
    rng = np.random.default_rng(0)
    hours = pd.to_timedelta(12 * rng.integers(0, 900, 200), unit="h")
    X = pd.DataFrame({"signed": pd.Timestamp("2024-01-01 10:30:15.250") + hours, "x": rng.normal(size=200)})
    y = np.where((X["signed"] > "2024-07-14") ^ (rng.random(200) < 0.1), "late", "early")
    return ProbabilityTreeClassifier(pruning="none", min_samples_leaf=20).fit(X, y), X, y


def relational_model() -> tuple[RelationalTreeClassifier, np.ndarray, np.ndarray]:
    """A tree of molecules and their atoms, the keys and the classes."""
    rng = np.random.default_rng(0)
    owner = np.repeat(np.arange(60), 4)
    element = rng.choice(["c", "n", "o"], len(owner))
    has_n = np.isin(np.arange(60), owner[element == "n"])
    label = np.where(has_n ^ (rng.random(60) < 0.1), "yes", "no")
    atom = {"molecule": owner, "element": element, "charge": rng.normal(size=len(owner)).round(2)}
    database = Database(
        {"molecule": {"id": range(60), "active": label}, "atom": atom}, links=["atom.molecule -> molecule.id"]
    )
    model = RelationalTreeClassifier(database, "molecule.active", pruning="none", max_depth=3).fit(range(60))
    return model, np.arange(60), label


def hostile_model() -> tuple[ProbabilityTreeClassifier, dict[str, list[Any]], list[str]]:
    """Names of columns, categories and classes that would run if they were markup."""
    X: dict[str, list[Any]] = {
        HOSTILE: [f"{HOSTILE}{value % 3}" for value in range(60)],
        "x</style>": [value / 2 for value in range(60)],
    }
    y = [f"{HOSTILE}{value % 3 == 0}" for value in range(60)]
    return ProbabilityTreeClassifier(pruning="none", min_samples_leaf=10).fit(X, y), X, y


def content_of(report: Report) -> dict[str, Any]:
    """The values that a page holds."""
    found = re.search(r'<script type="application/json" id="content">(.*?)</script>', report.html, re.DOTALL)
    assert found is not None
    content: dict[str, Any] = json.loads(found[1])
    return content
