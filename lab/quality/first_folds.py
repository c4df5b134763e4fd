"""The contenders that are too slow for all folds, beside the others on the first fold of each set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from lab.experiments.report.tables import Table
from lab.quality.contenders import DEFAULT, DEFAULT_OPTIONS, Contender
from lab.quality.data import is_first
from lab.quality.reading import read_peers
from lab.quality.scoring import Scores
from lab.quality.tables import main_table


@dataclass(frozen=True)
class FirstFolds:
    """What the first folds say: `scores` are of these alone."""

    scores: Scores
    contenders: Sequence[Contender]

    @classmethod
    def of(cls, results: pd.DataFrame, sets: Sequence[str], contenders: Sequence[Contender]) -> FirstFolds:
        """Of the results of all folds."""
        is_of_first = [is_first(*one) for one in zip(results["seed"], results["fold"], strict=True)]
        return cls(Scores.of(results[is_of_first], sets, [one.name for one in contenders], 1), contenders)

    @cached_property
    def slow(self) -> list[Contender]:
        """The slow contenders that have results of all sets."""
        return [one for one in self.contenders if one.is_slow and one.name in self.scores.contenders]

    @property
    def title(self) -> str:
        return f"First fold of the first repetition, {len(self.scores.sets)} sets"

    @property
    def reading(self) -> list[str]:
        own = [name for name in (DEFAULT_OPTIONS, DEFAULT) if name in self.scores.contenders]
        return [line for name in own for line in read_peers(self.scores, name, self.slow)]

    @property
    def tables(self) -> list[Table]:
        """The slow contenders beside the peers and petree without arguments."""
        own = (DEFAULT_OPTIONS, DEFAULT)
        shown = [one for one in self.contenders if not one.is_petree or one.name in own]
        return [main_table(f"{self.title}: peers and petree", self.scores, shown)] if self.slow else []
