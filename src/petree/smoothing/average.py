"""The mean of several estimates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import product
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from petree import smoothing
from petree.parts import nested_parameters
from petree.smoothing.base import Estimates, Probabilities, Router, Smoothing, Table, goes_by_row, strength_of
from petree.threads import Threads
from petree.tree import Tree


def mean_of(estimates: Iterable[Probabilities], n_estimates: int) -> Probabilities:
    """The mean of so many estimates; no more than two of them need be there at a time."""
    total: Probabilities = reduce(np.add, estimates)
    return total / n_estimates


def means_of(parts: Sequence[Sequence[Probabilities]]) -> Iterator[Probabilities]:
    """The mean of every combination of one estimate of each part; those of the last part change fastest."""
    *others, last = parts
    together = np.array(last)
    for combination in product(*others):
        yield from (sum(combination) + together) / len(parts)


class Average(Smoothing):
    """The mean of several estimates.

    Parameters
    ----------
    parts : sequence of str or smoothings, default=("hierarchical", "m_branch")
        The estimates. They and theirs are parameters too, named by their places: "0", "0__shrinkage", "1".

    Examples
    --------
    >>> Average().set_params(**{"1__m": 2.0})
    Average(parts=('hierarchical', MBranch(m=2.0)))
    """

    def __init__(self, parts: Sequence[str | Estimates] = ("hierarchical", "m_branch")) -> None:
        self.parts = parts

    def estimate(self, tree: Tree) -> Probabilities:
        parts = self._resolved()
        return mean_of((part.estimate(tree) for part in parts), len(parts))

    def strength(self, tree: Tree) -> NDArray[np.float64]:
        parts = self._resolved()
        return mean_of((strength_of(part, tree) for part in parts), len(parts))

    @property
    def by_row(self) -> bool:
        return any(map(goes_by_row, self._resolved()))

    def answer(self, tree: Tree, router: Router[Table], table: Table, threads: Threads) -> Probabilities:
        def answer_of(part: Estimates) -> Probabilities:
            if goes_by_row(part):
                return part.answer(tree, router, table, threads)
            return router.probabilities(table, part.estimate(tree), threads)

        parts = self._resolved()
        return mean_of(map(answer_of, parts), len(parts))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        parameters: dict[str, Any] = super().get_params(deep=False)
        for place, part in enumerate(self._resolved()) if deep else ():
            parameters |= nested_parameters(str(place), part)
        return parameters

    def set_params(self, **parameters: Any) -> Self:
        self.parts = parameters.pop("parts", self.parts)
        for name in sorted(parameters):  # "0" before "0__m", which then is one of the new part
            self._set_part(name, parameters[name])
        return self

    def _set_part(self, name: str, value: Any) -> None:
        parts = self._resolved()
        place, _, inner = name.partition("__")
        if place not in map(str, range(len(parts))):
            raise ValueError(f"Average has no parameter {name!r}; it has {', '.join(self.get_params())}.")
        part: Any = parts[int(place)]
        changed = part.set_params(**{inner: value}) if inner else value
        self.parts = (*self.parts[: int(place)], changed, *self.parts[int(place) + 1 :])

    def _resolved(self) -> list[Estimates]:
        if not isinstance(self.parts, (list, tuple)) or not self.parts:
            raise ValueError(
                "The 'parts' parameter of Average must be a list or tuple of one or more smoothings. "
                f"Got {self.parts!r} instead."
            )
        return [smoothing.resolve_smoothing(part) for part in self.parts]
