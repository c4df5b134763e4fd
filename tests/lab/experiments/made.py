"""Small data sets, methods that do as they are told, and results with chosen values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from lab.experiments.data import DataSet
from lab.experiments.measuring import MEASURES
from lab.experiments.results import Key
from lab.experiments.summary import Summary


def small_set(name: str = "pets", n_rows: int = 40, seed: int = 0) -> DataSet:
    """Numbers and text, both with missing values, and three classes, the last one rare."""
    rng = np.random.default_rng(seed)
    size, tone = rng.normal(size=n_rows).round(1), rng.choice(["red", "blue"], n_rows).astype(object)
    y = np.where((size > 0) != (rng.random(n_rows) < 0.15), "dog", "cat")
    y[:2] = "eel"
    size[rng.random(n_rows) < 0.1] = np.nan
    tone[rng.random(n_rows) < 0.1] = None
    return DataSet(name, {"size": size, "tone": tone}, y)


class Shares(ClassifierMixin, BaseEstimator):
    """Answers with the shares of the classes it has learned, whatever it is asked; keeps what it was given."""

    def __init__(self, power: float = 1.0, random_state: int | None = None) -> None:
        self.power = power
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Shares:
        self.X_ = X
        self.classes_, counts = np.unique(y, return_counts=True)
        weights = counts**self.power
        self.shares_ = weights / weights.sum()
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        self.asked_ = X
        return np.tile(self.shares_, (len(X), 1))


class Refuses(Shares):
    """Cannot be made."""

    def __init__(self) -> None:
        raise ArithmeticError("not today")


class Fails(Shares):
    """Has no luck with some numbers of rows."""

    def __init__(self, at_most: int = 10**9, random_state: int | None = None) -> None:
        super().__init__(random_state=random_state)
        self.at_most = at_most

    def fit(self, X: Any, y: Any) -> Shares:
        if len(y) <= self.at_most:
            raise ArithmeticError(f"no luck\nwith {np.sum(y == 'cat')} cats")
        return super().fit(X, y)


Values = Mapping[tuple[str, str], Mapping[str, ArrayLike]]


def made_results(values: Values) -> dict[Key, NDArray[np.float64]]:
    """Results with these values, runs x folds, of some measures for each data set and method; others are 0.5."""
    results = {}
    for (data_set, method), chosen in values.items():
        arrays = {measure: np.asarray(array, np.float64) for measure, array in chosen.items()}
        shape = next(iter(arrays.values())).shape
        filled = np.stack([arrays.get(measure, np.full(shape, 0.5)) for measure in MEASURES], axis=-1)
        for run, fold in np.ndindex(shape):
            results[Key(data_set, method, "", run, fold)] = filled[run, fold]
    return results


def made_summary(values: Values) -> Summary:
    """The summary of such results; data sets and methods in the order in which they are named."""
    data_sets, methods = (list(dict.fromkeys(names)) for names in zip(*values, strict=True))
    return Summary.of(made_results(values), methods, data_sets)
