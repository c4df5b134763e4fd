"""Predicates that compare, which have no rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from petree.relational.queries.terms import Comparison, Term, Variable

T = TypeVar("T")


@dataclass(frozen=True)
class ComparisonRule:
    """A predicate without rows of its own, such as ``equals(X, Y) :- X = Y``: a comparison of its arguments."""

    arguments: tuple[str, ...]
    types: tuple[str | None, ...]
    comparison: Comparison

    def sides(self, terms: Sequence[T]) -> tuple[T | Term, T | Term]:
        """What is compared where these are the arguments."""
        given = dict(zip(self.arguments, terms, strict=True))
        left = given[self.comparison.left.name]
        right = self.comparison.right
        return left, given[right.name] if isinstance(right, Variable) else right
