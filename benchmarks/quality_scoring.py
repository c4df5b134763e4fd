"""Measures of a fold, their means over folds and sets, ranks, and how often one contender beats another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import rankdata

from petree.evaluation import accuracy, brier, log2_likelihood, weighted_auc

CLIP = 1e-6
MEASURES = ("bits", "auc", "brier", "accuracy", "zeros", "leaves", "seconds")
# Measures of which less is better.
COSTS = ("bits", "brier", "zeros", "leaves", "seconds")


def measure(y: NDArray[np.int64], probabilities: NDArray[np.float64]) -> dict[str, float]:
    """The measures of one fold; the columns of `probabilities` are the classes 0, 1, ..."""
    classes = np.arange(probabilities.shape[1])
    return {
        "bits": -log2_likelihood(y, probabilities, classes, clip=CLIP),
        "auc": weighted_auc(y, probabilities, classes),
        "brier": brier(y, probabilities, classes),
        "accuracy": accuracy(y, probabilities, classes),
        "zeros": float((probabilities[np.arange(len(y)), y] == 0).mean()),
    }


@dataclass(frozen=True)
class Scores:
    """Means over the folds (of seconds the medians): a frame a measure, one row a data set, one column a contender."""

    frames: dict[str, pd.DataFrame]

    @classmethod
    def of(cls, results: pd.DataFrame, sets: Sequence[str], contenders: Sequence[str], n_folds: int) -> Scores:
        """Only the contenders that have results of all folds of all sets."""
        results = results[results["data_set"].isin(sets) & results["contender"].isin(contenders)]
        counts = results["contender"].value_counts()
        complete = [name for name in contenders if counts.get(name, 0) == len(sets) * n_folds]
        return cls({name: _over_folds(results, name).reindex(index=list(sets), columns=complete) for name in MEASURES})

    @property
    def contenders(self) -> list[str]:
        return list(self.frames["bits"].columns)

    @property
    def sets(self) -> list[str]:
        return list(self.frames["bits"].index)

    def of_sets(self, sets: Sequence[str]) -> Scores:
        return Scores({name: frame.loc[list(sets)] for name, frame in self.frames.items()})

    def on(self, data_set: str, measure: str, contender: str) -> float:
        return float(self.frames[measure][contender].to_dict()[data_set])

    def mean(self, measure: str, contender: str) -> float:
        """Mean over the sets."""
        return float(self.frames[measure][contender].mean())

    def median(self, measure: str, contender: str) -> float:
        return float(self.frames[measure][contender].median())

    def ranks(self, measure: str, contenders: Sequence[str]) -> dict[str, float]:
        """Mean over the sets of the rank among `contenders`, 1 the best; equals share the mean of their ranks."""
        values = self.frames[measure][list(contenders)].to_numpy()
        ranks = rankdata(values if measure in COSTS else -values, axis=1).mean(axis=0)
        return dict(zip(contenders, ranks.tolist(), strict=True))

    def best(self, measure: str, contenders: Sequence[str]) -> str:
        """The one of the best mean."""
        sign = 1 if measure in COSTS else -1
        return min(contenders, key=lambda name: sign * self.mean(measure, name))

    def versus(self, measure: str, one: str, other: str) -> Versus:
        """One contender beside another, set by set."""
        difference = self.frames[measure][one] - self.frames[measure][other]
        return Versus(-difference if measure in COSTS else difference)


def _over_folds(results: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Sets x contenders; of seconds the median, since the first fit of a process also loads the compiled loops."""
    way: Literal["median", "mean"] = "median" if measure == "seconds" else "mean"
    return results.pivot_table(measure, "data_set", "contender", aggfunc=way)


@dataclass(frozen=True)
class Versus:
    """By how much one contender is better than another on each set; negative where it is worse."""

    gains: pd.Series

    @property
    def mean(self) -> float:
        return float(self.gains.mean())

    @property
    def wins(self) -> int:
        return int((self.gains > 0).sum())

    @property
    def ties(self) -> int:
        return int((self.gains == 0).sum())

    @property
    def losses(self) -> int:
        return int((self.gains < 0).sum())

    @property
    def record(self) -> str:
        return f"{self.wins}/{self.ties}/{self.losses}"
