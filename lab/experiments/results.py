"""Results of methods on trials, in a file that grows: work can be interrupted, and goes on where it stopped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lab.experiments.growing_file import GrowingFile
from lab.experiments.measuring import MEASURES
from lab.experiments.methods import Method
from lab.experiments.trials import Trial


class Key(NamedTuple):
    """What a result is of; `settings` names everything that decides it."""

    data_set: str
    method: str
    settings: str
    run: int
    fold: int

    @classmethod
    def of(cls, method: Method, trial: Trial, seed: int) -> Key:
        settings = method.digest(f"{trial.digest} {seed}")
        return cls(trial.data.name, method.name, settings, trial.part.run, trial.part.fold)


HEADS = (*Key._fields, *MEASURES)


class ResultsFile(GrowingFile):
    """One line for each method on each trial."""

    heads = HEADS

    def add(self, results: Iterable[tuple[Key, dict[str, float]]]) -> None:
        """Write results."""
        self.append([*key, *(repr(float(found[name])) for name in MEASURES)] for key, found in results)

    def read(self) -> dict[Key, NDArray[np.float64]]:
        """The measures of all results; of several with one key the last."""
        return dict(self._parse(cells, number) for number, cells in self.rows())

    def _parse(self, cells: Sequence[str], number: int) -> tuple[Key, NDArray[np.float64]]:
        try:
            if len(cells) == len(HEADS):
                data_set, method, settings, run, fold, *values = cells
                return Key(data_set, method, settings, int(run), int(fold)), np.array(values, np.float64)
        except ValueError:
            pass
        raise self.no_result(number)
