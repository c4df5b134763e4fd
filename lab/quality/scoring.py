"""Measures of a fold, their means over folds and sets, ranks, and how often one contender beats another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lab.experiments.measuring import measures_of
from lab.statistics.ranks import average_ranks
from lab.statistics.significance import WinsTiesLosses

MEASURES = ("bits", "auc", "brier", "accuracy", "zeros", "leaves", "seconds")
# Measures of which less is better.
COSTS = ("bits", "brier", "zeros", "leaves", "seconds")


def measure(y: NDArray[np.int64], probabilities: NDArray[np.float64]) -> dict[str, float]:
    """The measures of one fold; the columns of `probabilities` are the classes 0, 1, ..."""
    found = measures_of(y, probabilities, np.arange(probabilities.shape[1]))
    return {"bits": -found["log_likelihood"], "zeros": found["impossible"]} | {
        name: found[name] for name in ("auc", "brier", "accuracy")
    }


@dataclass(frozen=True)
class Scores:
    """Means over the folds (of seconds the medians): a frame per measure, data sets x contenders."""

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
        return dict(zip(contenders, average_ranks(values, measure not in COSTS).tolist(), strict=True))

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
    def record(self) -> str:
        """On how many sets it is better, as good and worse."""
        return str(WinsTiesLosses.direct(self.gains))
