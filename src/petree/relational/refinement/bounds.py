"""How many rows a query may speak of beside that of its example.

Where that is bounded, the tests about the example by itself are those of the empty query everywhere: with one of them
the query goes on, or, where it would have too many rows, begins anew.
"""

from __future__ import annotations

from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Aggregation, Atom
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
