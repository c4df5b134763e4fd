"""The tables of the benchmark of intervals: made ones, whose probabilities are known, and large real ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lab.quality import data as quality_data

Floats = NDArray[np.float64]
Maker = Callable[[np.random.Generator, int], tuple[pd.DataFrame, Floats]]


@dataclass(frozen=True)
class Task:
    """Rows to learn from, and others of which the class probabilities are known, or their classes."""

    X: pd.DataFrame
    y: NDArray[np.int64]
    others: pd.DataFrame
    truth: Floats


# -- made tables ------------------------------------------------------------------------------------------------------

OTHERS = 50_000


def make(name: str, n_rows: int, seed: int) -> Task:
    """A made table by the name of its kind; its other rows have their true probabilities."""
    random = np.random.default_rng([sorted(KINDS).index(name), n_rows, seed])
    X, probabilities = KINDS[name](random, n_rows + OTHERS)
    draws = random.random(n_rows)
    y = (draws[:, None] > probabilities[:n_rows].cumsum(axis=1)[:, :-1]).sum(axis=1)
    return Task(X.iloc[:n_rows], y, X.iloc[n_rows:].reset_index(drop=True), probabilities[n_rows:])


def _frame(columns: Floats) -> pd.DataFrame:
    return pd.DataFrame(columns, columns=[f"x{place}" for place in range(columns.shape[1])])


def _two(logits: Floats) -> Floats:
    """Probabilities of two classes."""
    second = 1 / (1 + np.exp(-logits))
    return np.column_stack((1 - second, second))


def _several(logits: Floats) -> Floats:
    parts = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(parts / parts.sum(axis=1, keepdims=True))


def linear(random: np.random.Generator, n: int) -> tuple[pd.DataFrame, Floats]:
    """A logit that is a sum of five numbers."""
    x = random.normal(size=(n, 5))
    return _frame(x), _two(x @ np.array([1.0, -0.8, 0.6, 0.4, 0.2]))


def thresholds(random: np.random.Generator, n: int) -> tuple[pd.DataFrame, Floats]:
    """A small tree."""
    x = random.random((n, 6))
    second = np.where(x[:, 0] < 0.4, np.where(x[:, 1] < 0.5, 0.1, 0.35), np.where(x[:, 2] < 0.7, 0.6, 0.9))
    return _frame(x), np.column_stack((1 - second, second))


def xor(random: np.random.Generator, n: int) -> tuple[pd.DataFrame, Floats]:
    """Two signs that say nothing alone, among other numbers."""
    x = random.normal(size=(n, 4))
    return _frame(x), _two(1.5 * np.sign(x[:, 0] * x[:, 1]))


def checkerboard(random: np.random.Generator, n: int) -> tuple[pd.DataFrame, Floats]:
    """Sixteen squares of a board."""
    x = random.random((n, 2))
    is_black = np.floor(4 * x).sum(axis=1) % 2 == 1
    return _frame(x), _two(np.where(is_black, 1.7, -1.2))


def irrelevant(random: np.random.Generator, n: int) -> tuple[pd.DataFrame, Floats]:
    """Two numbers that tell something among forty."""
    x = random.normal(size=(n, 40))
    return _frame(x), _two(1.2 * x[:, 0] + np.where(x[:, 1] > 0.5, 1.0, -0.5))


def categories(random: np.random.Generator, n: int) -> tuple[pd.DataFrame, Floats]:
    """Categories, each with its own part of the logit; one cell in ten is missing."""
    logits = np.zeros(n)
    columns = {}
    for place, n_categories in enumerate((3, 5, 8, 12)):
        codes = random.integers(n_categories, size=n)
        logits += np.random.default_rng(place).normal(0, 0.8, n_categories)[codes]
        columns[f"x{place}"] = pd.Categorical.from_codes(np.where(random.random(n) < 0.1, -1, codes), range(12))
    return pd.DataFrame(columns), _two(logits)


def rare(random: np.random.Generator, n: int) -> tuple[pd.DataFrame, Floats]:
    """A class of one case in twenty."""
    x = random.normal(size=(n, 6))
    return _frame(x), _two(-3.6 + x[:, 0] + 0.8 * np.abs(x[:, 1]))


def three_classes(random: np.random.Generator, n: int) -> tuple[pd.DataFrame, Floats]:
    x = random.normal(size=(n, 5))
    return _frame(x), _several(np.column_stack((x[:, 0], x[:, 1] - 0.5, 0.8 * x[:, 2] * x[:, 3])))


def five_classes(random: np.random.Generator, n: int) -> tuple[pd.DataFrame, Floats]:
    x = random.normal(size=(n, 6))
    directions = np.random.default_rng(5).normal(0, 0.9, (6, 5))
    return _frame(x), _several(x @ directions + np.array([0.0, -0.5, -1.0, -1.5, -2.0]))


def strong(random: np.random.Generator, n: int) -> tuple[pd.DataFrame, Floats]:
    """Probabilities near 0 and 1 nearly everywhere."""
    x = random.normal(size=(n, 4))
    return _frame(x), _two(5 * x[:, 0] + 4 * np.sign(x[:, 1]) * (x[:, 2] > -0.5))


def noise(random: np.random.Generator, n: int) -> tuple[pd.DataFrame, Floats]:
    """Nothing to learn."""
    return _frame(random.normal(size=(n, 10))), np.tile([0.7, 0.3], (n, 1))


def sine(random: np.random.Generator, n: int) -> tuple[pd.DataFrame, Floats]:
    """A smooth wave."""
    x = random.random((n, 3))
    return _frame(x), _two(2 * np.sin(4 * np.pi * x[:, 0]) + x[:, 1])


def interactions(random: np.random.Generator, n: int) -> tuple[pd.DataFrame, Floats]:
    """A sum of numbers and of their products."""
    x = random.normal(size=(n, 6))
    return _frame(x), _two(0.7 * x[:, 0] - 0.5 * x[:, 1] + 0.8 * x[:, 0] * x[:, 2] - 0.6 * x[:, 3] * x[:, 4])


KINDS: dict[str, Maker] = {
    maker.__name__: maker
    for maker in (
        linear, thresholds, xor, checkerboard, irrelevant, categories, rare, three_classes, five_classes, strong,
        noise, sine, interactions,
    )
}  # fmt: skip


# -- real tables ------------------------------------------------------------------------------------------------------

# The form of the intervals was chosen on the first of these, and judged on the others. Behind a colon: another
# column than the class of the table that is predicted from the rest.
CHOSEN_ON = ("adult", "adult:occupation", "covertype:wilderness", "letter", "satimage", "mushroom")
JUDGED_ON = ("covertype", "adult:sex", "adult:workclass", "nursery", "letter:vowel", "pendigits", "ann_thyroid")
# Rows for each row to learn from, at least: rates of few rows are no truth.
LEAST_RATIO = 4
MOST_OTHERS = 100_000


def take(name: str, n_rows: int, seed: int) -> Task | None:
    """Rows of a real table, and others with their classes; none where the others would be too few."""
    X, y = _read(name)
    if len(y) < (1 + LEAST_RATIO) * n_rows:
        return None
    order = np.random.default_rng([n_rows, seed]).permutation(len(y))
    learn = order[:n_rows]
    rest = order[n_rows : n_rows + MOST_OTHERS]
    classes, codes = np.unique(y[learn], return_inverse=True)
    truth = (y[rest][:, None] == classes).astype(np.float64)
    return Task(X.iloc[learn].reset_index(drop=True), codes, X.iloc[rest].reset_index(drop=True), truth)


@cache
def _read(name: str) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    table, _, target = name.partition(":")
    data = quality_data.load(quality_data.find_folder(), table, most_rows=np.inf)
    return (data.columns, data.y) if not target else TARGETS.get(target, _column)(data, target)


def _column(data: quality_data.FrameSet, target: str) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """A nominal column predicted from all others and the class, of the rows where it is known."""
    codes = data.columns[target].cat.codes.to_numpy()
    X = data.columns.drop(columns=target).assign(own_class=data.y.astype(float))
    return X[codes >= 0].reset_index(drop=True), codes[codes >= 0].astype(np.int64)


def _wilderness(data: quality_data.FrameSet, target: str) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    areas = [column for column in data.columns.columns if column.startswith("Wilderness")]
    X = data.columns.drop(columns=areas).assign(own_class=data.y.astype(float))
    return X, data.columns[areas].to_numpy(float).argmax(axis=1)


def _vowel(data: quality_data.FrameSet, target: str) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    return data.columns, np.isin(data.y, [ord(letter) - ord("A") for letter in "AEIOU"]).astype(np.int64)


TARGETS = {"wilderness": _wilderness, "vowel": _vowel}
