"""The tables of the pruning benchmark, ready for both sides."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.quality import data as quality_data
from lab.speed.data import Case, make

SYNTHETIC = "synthetic"
SYNTHETIC_ROWS = 100_000


@dataclass(frozen=True)
class Ready:
    """A table as petree takes it and as scikit-learn takes it."""

    name: str
    own: Any
    floats: NDArray[np.float32]
    y: NDArray[np.int64]

    @property
    def n_rows(self) -> int:
        return len(self.y)


def names_of(with_synthetic: bool) -> list[str]:
    """The sets of CW488 that the folder has, and the generated table."""
    known = quality_data.list_sets(quality_data.find_folder())
    names = [name for name in quality_data.TABLE_1 if name in known]
    return [*names, SYNTHETIC] if with_synthetic else names


def read(name: str) -> Ready:
    """A set by its name, with all its rows."""
    if name == SYNTHETIC:
        X, y = make(Case(SYNTHETIC_ROWS))
        return Ready(name, X, X.astype(np.float32), y)
    data = quality_data.load(quality_data.find_folder(), name, most_rows=math.inf)
    return Ready(name, data.columns, quality_data.one_hot(data.columns)[0].astype(np.float32), data.y)
