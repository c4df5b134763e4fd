"""Tests that differ in one value, which are answered in one pass."""

from __future__ import annotations

from dataclasses import dataclass

from petree.relational.terms import Aggregation, Atom, Comparison, Constant, Literal, Variable

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


def without(family: Family, query: frozenset[Literal]) -> Family:
    """The family without the tests that the query has already."""
    if family.kind == EXISTS:
        is_known = all(literal in query for literal in family.literals)
        return Family((), EQUALS, None, (), family.mode) if is_known else family
    if family.kind != EQUALS:
        return family
    known = {value for literal in query if (value := _value_in(literal, family)) is not None}
    values = tuple(value for value in family.values if value not in known) if known else family.values
    return Family(family.literals, family.kind, family.slot, values, family.mode)


def _value_in(literal: Literal, family: Family) -> Constant | None:
    """The value with which a literal is one of the tests of a family."""
    last = family.literals[-1] if family.literals else None
    if isinstance(literal, Comparison) and last is None:
        is_one = (literal.left, literal.operator) == (family.slot, "=") and isinstance(literal.right, Constant)
        return literal.right if is_one else None  # type: ignore[return-value]
    if not isinstance(literal, Atom) or not isinstance(last, Atom) or literal.relation != last.relation:
        return None
    pairs = zip(last.arguments, literal.arguments, strict=True)
    different = [(one, other) for one, other in pairs if one != other]
    is_one = len(different) == 1 and different[0][0] == family.slot and isinstance(different[0][1], Constant)
    return different[0][1] if is_one else None  # type: ignore[return-value]
