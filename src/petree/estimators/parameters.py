"""Parameters of the estimators: what a part must be able to do, and how it is set by its alias."""

from __future__ import annotations

from numbers import Integral
from typing import Any, Protocol, Self, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from petree.binning import resolve_binning
from petree.inputs.types import RandomState
from petree.pruning import resolve_pruning
from petree.pruning.context import Context
from petree.smoothing import resolve_smoothing
from petree.splitting import resolve_split
from petree.tree import Tree

Numbers = NDArray[np.float64]


class SplitScore(Protocol):
    """Says how good tests are; `petree.splitting` has what else a member may say of itself."""

    def score(self, counts: Numbers) -> Numbers:
        """Scores of blocks of counts (..., children, classes)."""


class PruningCriterion(Protocol):
    """Says which subtrees go; `petree.pruning` has what else a member may say of itself."""

    def prune(self, tree: Tree, context: Context | None = None) -> Tree:
        """The tree that is left."""


@runtime_checkable
class Estimate(Protocol):
    """Class counts to probabilities; `petree.smoothing.base` has what else a member may say of itself."""

    def estimate(self, tree: Tree) -> Numbers:
        """Class probabilities of every node."""


class Binning(Protocol):
    """Where a numeric column may be cut; `petree.binning` has what else a member may say of itself."""

    def thresholds(self, values: Numbers, classes: NDArray[Any], weights: Numbers | None, n_classes: int) -> Numbers:
        """Ascending cuts of a column."""


Split: TypeAlias = str | SplitScore
Pruning: TypeAlias = str | PruningCriterion
Smoothing: TypeAlias = str | Estimate
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
