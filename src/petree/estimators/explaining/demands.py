"""What a leaf asks of each column: all tests of its path that are about the column, taken together."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from petree.columns import NUMBER, Column
from petree.conditions import Condition, Equals, In, IsMissing, Threshold, number_text
from petree.reading.paths import steps_to
from petree.tree import Tree
from petree.words import named, visible


@dataclass(frozen=True)
class Demand:
    """The values of a column that meet all tests of a path.

    Parameters
    ----------
    column : Column
    lower, upper : float
        Numbers from `lower` on, below `upper`.
    codes : frozenset of int
        Categories, where the column has any.
    takes_missing : bool
        Whether a missing value meets them.
    takes_new : bool
        Whether a category that was never seen does: where nothing is asked but whether the value is missing.
    """

    column: Column
    lower: float = -np.inf
    upper: float = np.inf
    codes: frozenset[int] = frozenset()
    takes_missing: bool = True
    takes_new: bool = True

    @classmethod
    def of(cls, column: Column) -> Demand:
        """Any value of a column."""
        return cls(column, codes=frozenset(range(len(column.categories))))

    @property
    def is_number(self) -> bool:
        return self.column.kind == NUMBER

    @property
    def has_values(self) -> bool:
        return self.lower < self.upper if self.is_number else bool(self.codes)

    @property
    def is_possible(self) -> bool:
        """Whether any value meets it."""
        return self.has_values or self.takes_missing

    def is_met(self, value: float) -> bool:
        """Whether a value does: a number or a code, NaN where missing, infinity for a category never seen."""
        if np.isnan(value):
            return self.takes_missing
        if np.isinf(value):
            return self.takes_new
        if self.is_number:
            return self.lower <= value < self.upper
        return value in self.codes

    def narrowed(self, condition: Condition, branch: int) -> Demand:
        """The demand and one test more."""
        if isinstance(condition, IsMissing):
            return self._without_values() if branch == 0 else replace(self, takes_missing=False)
        takes_missing = self.takes_missing and condition.missing == branch
        taking = replace(self, takes_missing=takes_missing, takes_new=False)
        if isinstance(condition, Threshold) and self.is_number:
            bound = condition.threshold
            if branch == 0:
                return replace(taking, upper=min(self.upper, bound))
            return replace(taking, lower=max(self.lower, bound))
        return replace(taking, codes=self.codes.intersection(condition.codes_of(branch)))

    def _without_values(self) -> Demand:
        return replace(self, lower=np.inf, upper=-np.inf, codes=frozenset(), takes_new=False)

    def __str__(self) -> str:
        """In words, such as ``2 <= size < 3 or missing``."""
        if not self.has_values:
            return visible(IsMissing(self.column).branches[0])
        text = self._interval() if self.is_number else self._set()
        return visible(text) + " or missing" * self.takes_missing

    def _interval(self) -> str:
        name = named(self.column.name)
        above = number_text(self.column, self.lower) if self.lower > -np.inf else ""
        below = f" < {number_text(self.column, self.upper)}" if self.upper < np.inf else ""
        if self.lower > -np.inf:
            return f"{above} <= {name}{below}" if below else f"{name} >= {above}"
        return f"{name}{below}" if below else IsMissing(self.column).branches[1]

    def _set(self) -> str:
        """By the categories in the set, or by those outside if these are fewer."""
        outside = set(range(len(self.column.categories))) - self.codes
        if not outside and self.takes_new:
            return IsMissing(self.column).branches[1]
        if not outside:
            return f"{named(self.column.name)} is of a known category"
        is_inside = len(self.codes) <= len(outside)
        codes = tuple(sorted(self.codes if is_inside else outside))
        asked = Equals(self.column, codes[0]) if len(codes) == 1 else In(self.column, codes)
        return asked.short_branches[0 if is_inside else 1]


def demands_of(tree: Tree, leaf: int) -> dict[int, Demand]:
    """What a leaf asks of each column that its path tests, by the number of the column."""
    demands: dict[int, Demand] = {}
    for step in steps_to(tree, leaf):
        number = int(tree.conditions.column[step.split])
        demand = demands.get(number, Demand.of(tree.conditions.columns[number]))
        demands[number] = demand.narrowed(step.condition, step.branch)
    return demands


def is_possible(tree: Tree, leaf: int) -> bool:
    """Whether any row can come to a leaf: the tests of a path can contradict each other where subtrees were moved."""
    return all(demand.is_possible for demand in demands_of(tree, leaf).values())
