"""How many rows a query may speak of beside that of its example.

Where that is bounded, the tests about the example by itself are those of the empty query everywhere: with one of them
the query goes on, or, where it would have too many rows, begins anew. And a literal that could find nothing but a row
which the query has already would ask nothing, nor would one that leads to what the query knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from petree.relational.bias.modes import NAMED, Lookahead, Mode
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Aggregation, Atom, Term, Variable
from petree.relational.refinement.families import Family


def is_beyond(scope: Scope, max_links: int | None) -> bool:
    """Whether a query of this scope speaks of more rows than it may."""
    return max_links is not None and len(scope.relations) - 1 > max_links


def is_near(family: Family, scope: Scope, max_links: int | None) -> bool:
    """Whether a family keeps to the rows that a query may speak of."""
    if max_links is None:
        return True
    inside = (one.atoms if isinstance(one, Aggregation) else (one,) for one in family.literals)
    atoms = [one for literals in inside for one in literals if isinstance(one, Atom)]
    # even if each finds a row of its own
    is_sure = len(scope.relations) - 1 + len(atoms) <= max_links
    return is_sure or scope.n_rows_with(atoms) - 1 <= max_links


def asks_of_others(family: Family, scope: Scope) -> bool:
    """Whether a family asks of rows that the query has found beside the example's own."""
    found = scope.found
    return family.slot in found or any(not found.isdisjoint(literal.named) for literal in family.literals)


def is_of_example(family: Family, scope: Scope) -> bool:
    """Whether a family is about the row of the example itself, whose number of tests is the same everywhere."""
    if len(family.literals) != 1 or not isinstance(family.literals[0], Atom):
        return False
    step = scope.step(family.literals[0])
    return step.is_same and step.row == 0


def needs_no_literal(lookahead: Lookahead, named: Mapping[str, Term], scope: Scope) -> bool:
    """Whether it is rows that a query has which are looked at ahead along links: they need no literal before."""
    asked = {named[one.name] for one in lookahead.second.arguments if one.kind == NAMED}
    return lookahead.alone and asked.issubset(scope.places)


def comes_back(mode: Mode, terms: Sequence[Term], scope: Scope) -> bool:
    """Whether the only row that a literal can find is one that the query has, though it does not name it."""
    if not mode.telling or mode.relation not in scope.relations:
        return False
    named = [scope.places.get(one, ()) if isinstance(one, Variable) else () for one in terms]
    rows = [row for row, name in enumerate(scope.relations) if name == mode.relation]

    def repeats(columns: tuple[int, ...]) -> bool:
        return any(all((row, column) in named[column] for column in columns) for row in rows)

    return repeats(mode.telling) and not any(map(repeats, scope.database.relation(mode.relation).keys))
