"""How many rows a query may speak of beside that of its example."""

from __future__ import annotations

from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Aggregation
from petree.relational.refinement.families import Family


def is_beyond(scope: Scope, max_links: int | None) -> bool:
    """Whether a query of this scope speaks of more rows than it may."""
    return max_links is not None and len(scope.relations) - 1 > max_links


def is_near(family: Family, scope: Scope, max_links: int | None) -> bool:
    """Whether a query keeps to the rows it may have with a family, or else with the family alone, about the example."""
    atoms = [atom for one in family.literals for atom in (one.atoms if isinstance(one, Aggregation) else [one])]
    # even if each finds a row of its own
    is_sure = max_links is None or len(scope.relations) - 1 + len(atoms) <= max_links
    if is_sure or not is_beyond(scope.extend(atoms), max_links):
        return True
    named = {family.slot, *(one for literal in family.literals for one in literal.named)}
    asks_of_others = any(one in scope.places and one not in scope.alone.places for one in named if one)
    return not asks_of_others and not is_beyond(scope.alone.extend(atoms), max_links)
