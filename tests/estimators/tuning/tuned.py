"""Tables to tune on, an estimate of a user's own, and the slow definition of the loss."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone
from tests.pruning.grown import make_cases

from petree.estimators.tuning.finish import FOLDS_OF_SMALL as FOLDS
from petree.estimators.tuning.folds import deal_folds
from petree.smoothing import Laplace

TONES = pd.CategoricalDtype(["red", "green", "blue", "never"])


class Tilted(BaseEstimator):
    """Laplace's estimate, mixed with the uniform distribution where the first column is above 0: row by row."""

    by_row: ClassVar[bool] = True
    candidates: ClassVar[dict[str, tuple[float, ...]]] = {"share": (0.0, 0.1, 0.5)}

    def __init__(self, share: Any = "auto") -> None:
        self.share = share

    def estimate(self, tree: Any) -> Any:
        return Laplace().estimate(tree)

    def answer(self, tree: Any, router: Any, table: Any, threads: Any) -> Any:
        answers = router.probabilities(table, self.estimate(tree), threads)
        share = self.share * (table.arrays[0] > 0)[:, None]
        return (1 - share) * answers + share / answers.shape[1]


def make_data(n_rows: int = 150, seed: int = 0) -> tuple[pd.DataFrame, Any]:
    """Three classes, the last very rare; numbers and categories, both with missing values."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "size": rng.normal(size=n_rows),
            "weight": rng.normal(size=n_rows),
            "tone": pd.Categorical(rng.choice(["red", "green", "blue"], n_rows)).set_categories(TONES.categories),
        }
    )
    y = ((X["size"] > 0) & (X["tone"] != "red")).to_numpy().astype(int)
    y = np.where(rng.random(n_rows) < 0.15, 1 - y, y)
    y[:2] = 2
    X.loc[rng.random(n_rows) < 0.1, "size"] = np.nan
    X.loc[rng.random(n_rows) < 0.1, "tone"] = None
    return X, y


def folds_of(X: pd.DataFrame, y: Any, weights: Any, n_folds: int = FOLDS, seed: int = 0) -> list[tuple[Any, Any]]:
    """For each fold the weights of the rows to learn from, and of those held out."""
    weights = np.asarray(weights, np.float64)
    cases = make_cases(X, y, weights)
    held = [fold.n_held * (weights / fold.n_copies) for fold in deal_folds(cases, n_folds, seed)]
    return [(weights - own, own) for own in held]


def slow_loss(model: Any, X: Any, y: Any, folds: Any) -> float:
    """Bits a row of one setting, by an estimator of its own a fold; the table has all classes 0, 1, 2."""
    bits = total = 0.0
    for learn_weights, own in folds:
        learn, hold_out = np.flatnonzero(learn_weights), np.flatnonzero(own)
        fitted = clone(model).fit(X.iloc[learn], y[learn], learn_weights[learn])
        answers = np.zeros((len(hold_out), 3))
        answers[:, fitted.classes_] = fitted.predict_proba(X.iloc[hold_out])
        bits -= own[hold_out] @ np.log2(np.maximum(answers[np.arange(len(hold_out)), y[hold_out]], 1e-6))
        total += own.sum()
    return bits / total
