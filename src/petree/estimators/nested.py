"""Parameters of an estimator's parts."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import BaseEstimator

from petree.binning import resolve_binning
from petree.pruning import resolve_pruning
from petree.smoothing import resolve_smoothing
from petree.splitting import resolve_split

RESOLVERS = {
    "split": resolve_split,
    "pruning": resolve_pruning,
    "smoothing": resolve_smoothing,
    "binning": resolve_binning,
}


class WithParts(BaseEstimator):
    """An estimator whose parts may be aliases; one that gets a parameter (``pruning__alpha``) becomes an object."""

    def set_params(self, **parameters: Any) -> Self:
        for name, resolve in RESOLVERS.items():
            part = parameters.get(name, getattr(self, name, None))
            if isinstance(part, str) and any(key.startswith(f"{name}__") for key in parameters):
                parameters[name] = resolve(part)
        return super().set_params(**parameters)
