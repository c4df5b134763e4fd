"""Queries that say themselves that an example sees no row of a later time than its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import (
    ANONYMOUS,
    Aggregation,
    Atom,
    Comparison,
    Constant,
    Literal,
    Term,
    Variable,
    fresh_variables,
)


def with_times(scope: Scope, literals: Sequence[Literal]) -> list[Literal]:
    """A query from the example on, in which every row that has a time is compared with that of the example."""
    taken = [*scope.variables, *(one for literal in literals for one in _variables(literal))]
    fresh = fresh_variables(taken)
    until = next(fresh)
    written = list(_Writer(scope, until, fresh).written(literals))
    return [own_atom(scope, until), *written] if written != list(literals) else written


def time_of(scope: Scope, relation: str) -> int | None:
    """The place of the time of a relation's rows, where examples have a time as well."""
    return None if scope.relation(0).time is None else scope.database.relation(relation).time


def _variables(literal: Literal) -> Iterable[Variable]:
    of_function = (literal.variable,) if isinstance(literal, Aggregation) and literal.variable else ()
    return (*literal.variables, *of_function)


def own_atom(scope: Scope, until: Variable) -> Atom:
    """The atom of the example, with its key and its time."""
    target = scope.relation(0)
    terms: list[Term] = [ANONYMOUS] * len(target.columns)
    for place in target.keys[0]:
        terms[place] = next(one for one in scope.variables if (0, place) in scope.places[one])
    assert target.time is not None
    terms[target.time] = until
    return Atom(target.name, tuple(terms))


@dataclass
class _Writer:
    """Writes literals one after the other; the scope is that of what stands before."""

    scope: Scope
    until: Variable
    fresh: Iterator[Variable]

    def written(self, literals: Iterable[Literal]) -> Iterator[Literal]:
        for literal in literals:
            if isinstance(literal, Aggregation):
                yield self._function(literal)
            elif isinstance(literal, Atom):
                atom, compared = self._timed(literal)
                yield atom
                yield from compared
            else:
                yield literal

    def _function(self, literal: Aggregation) -> Aggregation:
        inside = _Writer(self.scope, self.until, self.fresh)
        timed = [inside._timed(one) for one in literal.chain]
        *through, atom = [one for one, _ in timed]
        conditions = [*(one for _, some in timed for one in some), *inside.written(literal.conditions)]
        kept = tuple(one for one in conditions if not isinstance(one, Aggregation))
        return replace(literal, atom=atom, conditions=kept, through=tuple(through))

    def _timed(self, atom: Atom) -> tuple[Atom, list[Comparison]]:
        """An atom, its time named, and how that compares with the time of the example."""
        step, self.scope = self.scope.join(atom)
        place = time_of(self.scope, atom.relation)
        if step.is_same or place is None:
            return atom, []
        since = atom.arguments[place]
        if since == ANONYMOUS:
            since = next(self.fresh)
        if isinstance(since, Constant):
            compared = Comparison(self.until, ">=", since)
        else:
            compared = Comparison(since, "=<", self.until)
        return atom.with_argument(place, since), [compared]
