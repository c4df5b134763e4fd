"""Random models over tables of numbers, texts, truth values and ordered categories, and rows to ask them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from petree import ProbabilityTreeClassifier

HOMES = ["own", "rent", "it's free"]
GRADES = ["low", "middle", "high"]
# Of each kind of test, and of smoothings whose answer is that of the leaf.
TESTS = ("binary", "sets", "multiway")
SMOOTHINGS = ("none", "laplace", "m_branch", "hierarchical")


class Case(NamedTuple):
    """A model and rows that it did not see: with missing values, and with categories that are new."""

    model: ProbabilityTreeClassifier
    rows: pd.DataFrame


def random_case(seed: int, tests: str | None = None, has_categories: bool = True) -> Case:
    """A model of a random table, with missing values in every second one."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 150))
    table = _table(rng, n)
    if not has_categories:
        table = table[["age", "in come", "ok"]]
    if seed % 2:
        _lose(rng, table, 0.15)
    labels = rng.choice(["no", "yes", 'per"haps'][: int(rng.integers(2, 4))], n)
    labels = np.where((table["age"] > 0) & (rng.random(n) < 0.8), labels[0], labels)
    tests = rng.choice(TESTS) if tests is None else tests
    model = ProbabilityTreeClassifier(pruning="none", tests=tests, smoothing=rng.choice(SMOOTHINGS)).fit(table, labels)
    if seed % 4 == 3 and len(model.classes_) == 2:
        model.set_base_rates(dict(zip(model.classes_, (0.9, 0.1), strict=True)))
    return Case(model, _rows(rng, list(table.columns)))


def _table(rng: np.random.Generator, n: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "age": rng.normal(size=n).astype(np.float32).astype(np.float64),
            "in come": rng.integers(0, 9, n).astype(np.float64),
            "home": rng.choice(HOMES, n).astype(object),
            "grade": pd.Categorical(rng.choice(GRADES, n), GRADES, ordered=True),
            "ok": rng.random(n) < 0.5,
        }
    )


def _rows(rng: np.random.Generator, columns: list[str]) -> pd.DataFrame:
    rows = _table(rng, 40)[columns]
    _lose(rng, rows, 0.25)
    if "home" in rows:
        rows.loc[rng.random(len(rows)) < 0.2, "home"] = "new"
    return rows


def _lose(rng: np.random.Generator, table: pd.DataFrame, share: float) -> None:
    """Make some values of each column missing, but not of truth values."""
    for name in table.columns.drop("ok"):
        table.loc[rng.random(len(table)) < share, name] = None
