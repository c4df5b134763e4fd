"""What the families of a query depend on: its rows, and where the variables are that a mode may take.

How variables are called, and those that no mode takes, such as numbers that were compared, change names alone. So most
queries of a tree share the families of a few forms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from petree.relational.bias.modes import EITHER, INPUT, Bias, Mode
from petree.relational.database import Database
from petree.relational.queries.scope import EXAMPLE, Place, Scope
from petree.relational.queries.terms import Aggregation, Literal, Term, Variable, fresh_variables
from petree.relational.refinement.families import is_slot

Form = tuple[tuple[str, ...], tuple[tuple[Place, ...], ...]]
# What aggregates are taken of, unless the query has such a variable.
OPEN = Variable("X")


def types_of(database: Database, mode: Mode) -> tuple[str | None, ...]:
    """The type of each argument of a mode, None where any will do."""
    if mode.relation in database.conditions:
        return database.conditions[mode.relation].types
    return database.relation(mode.relation).types


def open_variable(scope: Scope) -> Variable:
    """What aggregates behind a query are taken of."""
    return next(fresh_variables(scope.named)) if OPEN in scope.places else OPEN


@dataclass(frozen=True)
class Forms:
    """Tells the forms of scopes.

    Parameters
    ----------
    types : frozenset of str or None
        The types of which some mode takes variables.
    """

    types: frozenset[str | None]
    _taken: dict[int, tuple[Scope, list[Variable]]] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, database: Database, bias: Bias) -> Forms:
        modes = [*bias.modes, *(one.second for one in bias.lookaheads), *(one.entered for one in bias.aggregates)]
        modes += [one.modes[0] for one in bias.paths]
        pairs = (pair for mode in modes for pair in zip(mode.arguments, types_of(database, mode), strict=True))
        return cls(frozenset(kind for argument, kind in pairs if argument.kind in (INPUT, EITHER)))

    def taken(self, scope: Scope) -> list[Variable]:
        """The variables of a scope that some mode takes."""
        if id(scope) not in self._taken:
            found = [one for one in scope.variables if None in self.types or scope.type_of(one) in self.types]
            self._taken[id(scope)] = scope, found  # with the scope, so that nothing else has its id
        return self._taken[id(scope)][1]

    def form(self, scope: Scope) -> Form:
        """All of a scope that its families depend on, but for their names."""
        places = (scope.places[one] for one in self.taken(scope))
        return scope.relations, (scope.places.get(EXAMPLE, ()), *places)

    def known_names(self, one: Scope, other: Scope) -> dict[Term, Term]:
        """For the variables of a scope that some mode takes, those of another scope of its form."""
        return dict(zip(self.taken(one), self.taken(other), strict=True))

    def names(self, one: Scope, other: Scope, n_new: int, has_function: bool) -> dict[Term, Term]:
        """What the variables of literals behind a query are called behind another one of its form.

        So many are new in them, and they may end with a function, which is taken of a variable of its own.
        """
        found = self.known_names(one, other)
        before = list(one.named)
        after = list(other.named)
        if has_function:
            before.append(open_variable(one))
            after.append(open_variable(other))
            found[before[-1]] = after[-1]
        drawn = zip(fresh_variables(before), fresh_variables(after), strict=False)
        return found | dict(islice(drawn, n_new))


def new_variables(scope: Scope, literals: tuple[Literal, ...]) -> set[Variable]:
    """The variables of literals that the query before them has not, nor stand for constants."""
    return {one for one in variables_of(literals) if one not in scope.places and not is_slot(one)}


def variables_of(literals: tuple[Literal, ...]) -> Iterator[Variable]:
    """All variables of some literals."""
    for literal in literals:
        yield from literal.variables
        if isinstance(literal, Aggregation) and literal.variable is not None:
            yield literal.variable
