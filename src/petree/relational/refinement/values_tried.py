"""Families of comparisons and of functions: what stands fixed in them, and what is tried."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from petree.relational.bias.conditions import placed
from petree.relational.bias.modes import AggregateMode, Condition
from petree.relational.bias.windows import seen_through
from petree.relational.comparisons import ComparisonRule
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import (
    OPERATORS,
    Aggregation,
    Atom,
    Comparison,
    Constant,
    Literal,
    Term,
    Variable,
    fresh_variables,
)
from petree.relational.refinement.families import AT_LEAST, BELOW, EQUALS, EXISTS, Family

# Stands where the values of an aggregate are tried.
OPEN_VALUE = Constant(0)


def of_condition(
    condition: ComparisonRule,
    terms: tuple[Term, ...],
    slot_place: int | None,
    constants: tuple[Constant, ...],
    number: int,
    before: tuple[Literal, ...],
) -> Iterator[Family]:
    """The families of a comparison: of a variable with constants, or of two variables."""
    left, right = condition.sides(terms)
    operator = condition.comparison.operator
    if slot_place is None:
        assert isinstance(left, Variable)
        yield Family((*before, Comparison(left, operator, right)), EXISTS, None, (), number)
        return
    if condition.arguments[slot_place] == condition.comparison.left.name:
        left = right
        operator = OPERATORS[operator]
    assert isinstance(left, Variable)
    if operator == "=":
        yield Family(before, EQUALS, left, constants, number)
        return
    for constant in constants:
        yield Family((*before, Comparison(left, operator, constant)), EXISTS, None, (), number)


def aggregations(
    aggregate: AggregateMode, chain: tuple[Atom, ...], free: Variable, number: int, scope: Scope
) -> Iterator[Family]:
    """The families of one aggregation: above and below thresholds, or for each value of a mode."""
    variable = None if aggregate.place is None else free
    kinds = (BELOW,) if len(scope.relations) == 1 else (BELOW, AT_LEAST)
    inside: Condition = ()
    *through, atom = chain
    fresh = fresh_variables((*scope.named, free, *(variable for one in chain for variable in one.variables)))
    if aggregate.conditions:
        atom, inside = placed(atom, aggregate.conditions, fresh)
    if aggregate.window is not None:
        atom, inside = seen_through(aggregate.window, scope, atom, inside, fresh)
    for share, kind in product(aggregate.shares, (EQUALS,) if aggregate.function == "mode" else kinds):
        literal = Aggregation(aggregate.function, variable, atom, kind, OPEN_VALUE, share, inside, tuple(through))
        yield Family((literal,), kind, None, aggregate.thresholds, number)
