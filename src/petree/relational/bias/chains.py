"""The atoms of a function over rows: one, or two of which the first finds the rows that lead to those of the second."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from petree.relational.bias.modes import NAMED, OUTPUT, AggregateMode, Mode
from petree.relational.queries.terms import ANONYMOUS, Atom, Term, Variable


def chain_of(
    aggregate: AggregateMode, known: Mapping[int, Term], free: Variable, fresh: Iterator[Variable]
) -> tuple[Atom, ...]:
    """The atoms of a function that is taken of a variable, with terms at the places by which the first is entered."""
    through = aggregate.through
    if through is None:
        return (_atom(aggregate.mode, _opened(aggregate, known, free)),)
    outputs = {at: next(fresh) for at, one in enumerate(through.arguments) if one.kind == OUTPUT}
    terms: dict[int, Term] = {**outputs, **known}
    named = {through.arguments[at].name: term for at, term in terms.items()}
    inputs = {at: named[one.name] for at, one in enumerate(aggregate.mode.arguments) if one.kind == NAMED}
    return _atom(through, terms), _atom(aggregate.mode, _opened(aggregate, inputs, free))


def _opened(aggregate: AggregateMode, known: Mapping[int, Term], free: Variable) -> dict[int, Term]:
    """Terms at places, with the variable of which the function is."""
    return dict(known) if aggregate.place is None else {aggregate.place: free, **known}


def _atom(mode: Mode, terms: Mapping[int, Term]) -> Atom:
    return Atom(mode.relation, tuple(terms.get(at, ANONYMOUS) for at in range(len(mode.arguments))))
