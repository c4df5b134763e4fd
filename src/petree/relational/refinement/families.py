"""Tests that differ in one value, which are answered in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from petree.caching import cached_property
from petree.relational.queries.terms import Aggregation, Atom, Comparison, Constant, Literal, Term, Variable

# How the values of a family are tried: not at all, for equality, or as thresholds from above or from below.
EXISTS = "exists"
EQUALS = "="
BELOW = "<"
AT_LEAST = ">="


@dataclass(frozen=True)
class Family:
    """Tests that differ in one value.

    Parameters
    ----------
    literals : tuple of literals
        What all of them ask; the last one may be an `Aggregation`, whose value is then left open.
    kind : `EXISTS`, `EQUALS`, `BELOW` or `AT_LEAST`
    slot : Variable or None
        The variable that is tried with each of the values; None where the last literal is an aggregation.
    values : tuple of Constant
        In the order in which they are tried.
    mode : int
        Which mode it came from, for those that may be used a few times only.
    """

    literals: tuple[Literal, ...]
    kind: str
    slot: Variable | None
    values: tuple[Constant, ...]
    mode: int

    def __hash__(self) -> int:  # without the values, which are many, and the same where all else is
        return hash((self.literals, self.kind, self.slot, len(self.values), self.mode))

    def __len__(self) -> int:
        return 1 if self.kind == EXISTS else len(self.values)

    @property
    def is_of_thresholds(self) -> bool:
        return self.kind in (BELOW, AT_LEAST)

    @property
    def last(self) -> Literal | None:
        """The last of the literals, if there are any."""
        return self.literals[-1] if self.literals else None

    @property
    def key(self) -> Literal | Variable | None:
        """By which a query is looked up that has some of its tests: its last literal, or else its slot."""
        return self.last or self.slot

    def renamed(self, names: Mapping[Term, Term]) -> Family:
        """The same tests with other terms in the place of some."""
        slot = None if self.slot is None else names.get(self.slot, self.slot)
        assert slot is None or isinstance(slot, Variable)
        return replace(self, literals=tuple(one.renamed(names) for one in self.literals), slot=slot)

    def trying(self, values: tuple[Constant, ...], mode: int) -> Family:
        """The same family with other values, if it has any, of a mode of another number."""
        if mode == self.mode and (self.kind == EXISTS or values is self.values):
            return self
        return Family(self.literals, self.kind, self.slot, () if self.kind == EXISTS else values, mode)

    def test(self, place: int) -> tuple[Literal, ...]:
        """The literals of one of the tests."""
        if self.kind == EXISTS:
            return self.literals
        last = self.last
        value = self.values[place]
        if isinstance(last, Aggregation):
            return (*self.literals[:-1], replace(last, operator=self.kind, value=value))
        assert self.slot is not None
        if isinstance(last, Atom) and self.kind == EQUALS and self.slot in last.arguments and is_slot(self.slot):
            return (*self.literals[:-1], last.with_argument(last.arguments.index(self.slot), value))
        return (*self.literals, Comparison(self.slot, self.kind, value))


class KnownTests:
    """What a query asks already: its literals, and for each family that one of them belongs to, with which value."""

    def __init__(self, query: Iterable[Literal]) -> None:
        self._literals = frozenset(query)
        self._values: dict[Literal | Variable | None, set[Constant]] = {}
        for literal in self._literals:
            if isinstance(literal, Atom):
                for place, value in literal.constants:
                    self._values.setdefault(literal.with_argument(place, slot_at(place)), set()).add(value)
            elif isinstance(literal, Comparison) and literal.operator == "=" and isinstance(literal.right, Constant):
                self._values.setdefault(literal.left, set()).add(literal.right)

    @cached_property
    def keys(self) -> frozenset[Literal | Variable | None]:
        """The keys of all families that may have some of its tests."""
        return self._literals.union(self._values)

    def values_of(self, family: Family) -> tuple[Constant | None, ...]:
        """The values of those tests of a family that the query has already; None of the one that has no value."""
        left = self.without(family)
        if family.kind == EXISTS:
            return () if left is family else (None,)
        return tuple(value for value in family.values if left is None or value not in left.values)

    def without(self, family: Family) -> Family | None:
        """A family without the tests that the query has already; None where none is left."""
        if family.kind == EXISTS:
            return None if self._literals.issuperset(family.literals) else family
        known = self._values.get(family.key) if family.kind == EQUALS else None
        if not known:
            return family
        values = tuple(value for value in family.values if value not in known)
        return replace(family, values=values) if values else None


@cache
def slot_at(place: int) -> Variable:
    """The variable that stands where the constants of an argument are tried."""
    return Variable(f"${place}")


def is_slot(variable: Variable) -> bool:
    """Whether a variable stands where constants are tried."""
    return variable.startswith("$")
