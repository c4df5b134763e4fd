"""The values that are tried for the "auto" parameters of a smoothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone

from petree.caching import cached_property
from petree.parts import declared, has_method
from petree.smoothing import Average
from petree.smoothing.base import Estimates, Smoothing
from petree.smoothing.directions import Directed, Directions

AUTO = "auto"

Values = tuple[float, ...]


@dataclass(frozen=True)
class Grid:
    """A smoothing, the values to try for each "auto" parameter of its own, and the grids of the estimates in it.

    Where columns have directions, `directions` moves what the smoothing answers; its parts are left alone.
    """

    smoothing: Estimates
    own: Mapping[str, Values]
    parts: Mapping[str, Grid]
    directions: Directions | None = None

    @classmethod
    def of(cls, smoothing: Estimates) -> Grid:
        candidates = _own_candidates(smoothing)
        own = {}
        for name, value in _parameters(smoothing).items():
            if not isinstance(value, str) or value != AUTO:
                continue
            if not candidates.get(name):
                raise ValueError(
                    f"The {name!r} parameter of {type(smoothing).__name__} cannot be {AUTO!r}, since its 'candidates' "
                    "name no values to try; give it a value."
                )
            own[name] = candidates[name]
        return cls(smoothing, own, {name: cls.of(part) for name, part in _parts(smoothing).items()})

    @property
    def candidates(self) -> dict[str, Values]:
        """The values of all parameters, those of a part by names such as "0__shrinkage"."""
        return {**self.own, **_with_parts({name: part.candidates for name, part in self.parts.items()})}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.candidates)

    @property
    def n_combinations(self) -> int:
        return prod(map(len, self.candidates.values()))

    @property
    def combinations(self) -> tuple[Values, ...]:
        """One value for each name, the last name's changing fastest."""
        return tuple(product(*self.candidates.values()))

    @cached_property
    def prior_bits(self) -> NDArray[np.float64]:
        """What each combination must save on left-out cases, in bits in all: one for each step to a weaker value.

        A few cases cannot tell that a weak smoothing is better than a strong one; many save far more than these bits.
        """
        declared_values = _own_candidates(self.smoothing)
        own = [
            [len(declared_values[name]) - 1.0 - declared_values[name].index(value) for value in values]
            for name, values in self.own.items()
        ]
        parts = [part.prior_bits for part in self.parts.values()]
        return np.array([sum(steps) for steps in product(*own, *parts)])

    def resolve(self, values: Mapping[str, float]) -> Any:
        """A copy of the smoothing with these values."""
        copy = clone(self.smoothing, safe=False)
        return copy.set_params(**values) if values else copy

    @property
    def is_mean(self) -> bool:
        """Whether the answers are the means of those of the parts."""
        return isinstance(self.smoothing, Average) and self.directions is None

    def answering(self, values: Mapping[str, float]) -> Any:
        """What answers with these values: the smoothing, under the directions if there are any."""
        smoothing = self.resolve(values)
        return smoothing if self.directions is None else Directed(smoothing, self.directions)

    @cached_property
    def variants(self) -> tuple[Any, ...]:
        """What answers under each combination, made once for all folds."""
        names = self.names
        return tuple(self.answering(dict(zip(names, combination, strict=True))) for combination in self.combinations)

    def start(self) -> Any:
        """What answers with the value in the middle for each "auto" parameter."""
        return self.answering({name: values[len(values) // 2] for name, values in self.candidates.items()})

    def coarse(self, most: int) -> Grid:
        """Every second value, and again, until there are no more combinations than these."""
        grid = self
        while grid.n_combinations > most:
            grid = grid._halved()
        return grid

    def _halved(self) -> Grid:
        own = {name: values[::2] for name, values in self.own.items()}
        parts = {name: part._halved() for name, part in self.parts.items()}
        return replace(self, own=own, parts=parts)

    def at(self, values: Mapping[str, float]) -> Grid:
        """The grid of one combination."""
        own = {name: (values[name],) for name in self.own}
        parts = {name: part.at(_of_part(values, name)) for name, part in self.parts.items()}
        return replace(self, own=own, parts=parts)


def to_be_tuned(smoothing: Estimates) -> Any:
    """A copy of the smoothing in which every parameter that may be "auto" is."""
    names = candidates_of(smoothing)
    if not names:
        raise ValueError(f"The smoothing {smoothing!r} has no parameter that can be chosen on the data.")
    return clone(smoothing).set_params(**dict.fromkeys(names, AUTO))


def candidates_of(smoothing: Estimates) -> dict[str, Values]:
    """The values to try of every parameter that may be "auto"."""
    parts = {name: candidates_of(part) for name, part in _parts(smoothing).items()}
    return _own_candidates(smoothing) | _with_parts(parts)


def _own_candidates(smoothing: Estimates) -> dict[str, Values]:
    """The values to try of the parameters that a smoothing itself has."""
    return {name: tuple(values) for name, values in declared(smoothing, Smoothing, "candidates").items()}


def _parameters(smoothing: Estimates) -> dict[str, Any]:
    """The parameters of a smoothing by name, not those of the estimates in it."""
    found = smoothing.get_params(deep=True) if isinstance(smoothing, BaseEstimator) else {}
    return {name: value for name, value in found.items() if "__" not in name}


def _parts(smoothing: Estimates) -> dict[str, Estimates]:
    """The estimates that a smoothing is made of, not those that these are made of."""
    return {name: part for name, part in _parameters(smoothing).items() if has_method(part, "estimate")}


def _with_parts(values: Mapping[str, Mapping[str, Values]]) -> dict[str, Values]:
    """What each part has by name, by the names in the whole."""
    return {f"{part}__{name}": value for part, of_part in values.items() for name, value in of_part.items()}


def _of_part(values: Mapping[str, float], part: str) -> dict[str, float]:
    """What belongs to a part, by the names in it."""
    start = f"{part}__"
    return {name.removeprefix(start): value for name, value in values.items() if name.startswith(start)}
