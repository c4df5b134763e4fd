"""Tests that differ in one value, which are answered in one pass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from petree.relational.queries.terms import Aggregation, Atom, Comparison, Constant, Literal, Variable

# How the values of a family are tried: not at all, for equality, or as thresholds from above or from below.
EXISTS, EQUALS, BELOW, AT_LEAST = "exists", "=", "<", ">="


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

    def __len__(self) -> int:
        return 1 if self.kind == EXISTS else len(self.values)

    def test(self, place: int) -> tuple[Literal, ...]:
        """The literals of one of the tests."""
        if self.kind == EXISTS:
            return self.literals
        *before, last = self.literals or (None,)
        value = self.values[place]
        if isinstance(last, Aggregation):
            one = Aggregation(last.function, last.variable, last.atom, self.kind, value, last.share)
            return (*before, one)
        assert self.slot is not None
        if self.kind == EQUALS and isinstance(last, Atom) and _is_only_at(self.slot, self.literals):
            return (*before, last.substitute({self.slot: value}))
        return (*self.literals, Comparison(self.slot, self.kind, value))


def _is_only_at(slot: Variable, literals: tuple[Literal, ...]) -> bool:
    """Whether a variable is new in the last literal, and stands nowhere else."""
    last = literals[-1]
    return isinstance(last, Atom) and last.arguments.count(slot) == 1 and slot.name.startswith("$")


class Asked:
    """What a query asks already: its literals, and for each family that one of them belongs to, with which value."""

    def __init__(self, query: Iterable[Literal]) -> None:
        self._literals = frozenset(query)
        self._values: dict[Atom | Variable | None, set[Constant]] = {}
        for literal in self._literals:
            if isinstance(literal, Comparison) and literal.operator == "=" and isinstance(literal.right, Constant):
                self._values.setdefault(literal.left, set()).add(literal.right)
            for place, term in enumerate(literal.arguments if isinstance(literal, Atom) else ()):
                if isinstance(term, Constant):
                    others = literal.arguments[:place], literal.arguments[place + 1 :]  # type: ignore[union-attr]
                    family = Atom(literal.relation, (*others[0], slot_at(place), *others[1]))  # type: ignore[union-attr]
                    self._values.setdefault(family, set()).add(term)

    def without(self, family: Family) -> Family | None:
        """A family without the tests that the query has already; None where none is left."""
        if family.kind == EXISTS:
            return None if self._literals.issuperset(family.literals) else family
        last = family.literals[-1] if family.literals else family.slot
        known = self._values.get(last) if isinstance(last, (Atom, Variable)) and family.kind == EQUALS else None
        if not known:
            return family
        values = tuple(value for value in family.values if value not in known)
        return replace(family, values=values) if values else None


def slot_at(place: int) -> Variable:
    """The variable that stands where the constants of an argument are tried."""
    return Variable(f"${place}")
