"""Parameters of the estimators: what a part must be able to do, and how it is set by its alias."""

from __future__ import annotations

from numbers import Integral
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from petree.binning import resolve_binning
from petree.inputs.types import RandomState
from petree.pruning import resolve_pruning
from petree.pruning.criterion import Prunes
from petree.smoothing import resolve_smoothing
from petree.smoothing.base import Estimates
from petree.sources.coding import Binning
from petree.splitting import resolve_split
from petree.splitting.base import Scores

Numbers = NDArray[np.float64]


Split: TypeAlias = str | Scores
Pruning: TypeAlias = str | Prunes
Smoothing: TypeAlias = str | Estimates
Bins: TypeAlias = str | Binning

RESOLVERS = {
    "split": resolve_split,
    "pruning": resolve_pruning,
    "smoothing": resolve_smoothing,
    "binning": resolve_binning,
}


class WithParts(BaseEstimator):
    """An estimator whose parts may be aliases; one that gets a parameter (``pruning__alpha``) becomes an object."""

    def set_params(self, **parameters: Any) -> Self:
        own = self.get_params(deep=False)
        for name, resolve in RESOLVERS.items():
            part = parameters.get(name, own.get(name))
            if isinstance(part, str) and any(key.startswith(f"{name}__") for key in parameters):
                parameters[name] = resolve(part)
        return super().set_params(**parameters)


def seed_of(random_state: RandomState) -> int:
    """Seed of folds, permutations and draws: the same data, the same tree, also without a `random_state`."""
    return int(random_state) if isinstance(random_state, Integral) else 0
