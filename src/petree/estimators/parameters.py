"""Parameters of the estimators: what a part must be able to do, and how it is set by its alias."""

from __future__ import annotations

from numbers import Integral
from typing import Any, Self, TypeAlias

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

# Parameters that choose tests in ways of their own, and their values where they are not used: they need all rows in
# memory, and tests that stand already know nothing of them.
OWN_WAYS = {
    "lookahead": 1,
    "honest": False,
    "first_test": None,
    "monotonic_cst": None,
    "interaction_cst": None,
    "missing": "branch",
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
