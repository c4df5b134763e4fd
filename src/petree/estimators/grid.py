"""The values that are tried for the "auto" parameters of a smoothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from petree.tree import Tree

AUTO = "auto"


@dataclass(frozen=True)
class Grid:
    """A smoothing, and the values to try for each of its "auto" parameters; its parts' parameters are among them."""

    smoothing: Any
    candidates: Mapping[str, tuple[float, ...]]

    @classmethod
    def of(cls, smoothing: Any) -> Grid:
        names = [name for name, value in _parameters(smoothing).items() if isinstance(value, str) and value == AUTO]
        candidates = candidates_of(smoothing)
        for name in names:
            if name not in candidates:
                raise ValueError(
                    f"The {name!r} parameter of {type(smoothing).__name__} cannot be {AUTO!r}, since its 'candidates' "
                    "name no values to try; give it a value."
                )
        return cls(smoothing, {name: candidates[name] for name in names})

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.candidates)

    @property
    def combinations(self) -> tuple[tuple[float, ...], ...]:
        """One value for each name, the last name's changing fastest."""
        return tuple(product(*self.candidates.values()))

    def resolve(self, values: Mapping[str, Any]) -> Any:
        """A copy of the smoothing with these values."""
        copy = clone(self.smoothing, safe=False)
        return copy.set_params(**values) if values else copy

    def variants(self, ask: Callable[[Any], NDArray[np.float64]]) -> Iterator[Any]:
        """The smoothing under each combination.

        A part of it that is an estimate itself is asked once for each of its own combinations, and its place is then
        taken by what it answered: two parts of ten values each are asked twenty times for their hundred combinations.
        """
        own = {part: [name for name in self.names if _owner(name) == part] for part in _parts(self.smoothing)}
        answers = {part: self._answers(part, names, ask) for part, names in own.items()}
        for combination in self.combinations:
            values = dict(zip(self.names, combination, strict=True))
            known = {part: answers[part][tuple(values[name] for name in names)] for part, names in own.items()}
            yield self.resolve({name: value for name, value in values.items() if _owner(name) not in own} | known)

    def _answers(
        self, part: str, names: list[str], ask: Callable[[Any], NDArray[np.float64]]
    ) -> dict[tuple[float, ...], Known]:
        answers = {}
        for combination in product(*(self.candidates[name] for name in names)):
            resolved = self.resolve(dict(zip(names, combination, strict=True)))
            answers[combination] = Known(ask(_parameters(resolved)[part]), getattr(self.smoothing, "by_row", False))
        return answers


def to_be_tuned(smoothing: Any) -> Any:
    """A copy of the smoothing in which every parameter that may be "auto" is."""
    names = candidates_of(smoothing)
    if not names:
        raise ValueError(f"The smoothing {smoothing!r} has no parameter that can be chosen on the data.")
    return clone(smoothing).set_params(**dict.fromkeys(names, AUTO))


@dataclass(frozen=True)
class Known:
    """An estimate whose answer is there already, of the nodes or (`by_row`) of the rows in question."""

    values: NDArray[np.float64]
    by_row: bool

    def estimate(self, tree: Tree) -> NDArray[np.float64]:
        return self.values

    def answer(self, *_: Any) -> NDArray[np.float64]:
        return self.values


def _parameters(smoothing: Any) -> dict[str, Any]:
    return smoothing.get_params(deep=True) if hasattr(smoothing, "get_params") else {}


def _owner(name: str) -> str:
    """The part that a parameter belongs to, such as "0" of "0__shrinkage"; "" is the smoothing itself."""
    return name.rpartition("__")[0]


def _parts(smoothing: Any) -> list[str]:
    """Names of the estimates that a smoothing is made of and that are not made of others."""
    parts = [name for name, value in _parameters(smoothing).items() if callable(getattr(value, "estimate", None))]
    return [part for part in parts if not any(other.startswith(f"{part}__") for other in parts)]


def candidates_of(smoothing: Any) -> dict[str, tuple[float, ...]]:
    """The values to try of every parameter that may be "auto"."""
    parameters = _parameters(smoothing)
    owners = {"": smoothing, **parameters}
    candidates = {name: getattr(owners[_owner(name)], "candidates", {}) for name in parameters}
    found = {name: tuple(values.get(name.rpartition("__")[2], ())) for name, values in candidates.items()}
    return {name: values for name, values in found.items() if values}
