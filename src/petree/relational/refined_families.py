"""Families behind the best tests of all examples: what may be asked further about the rows that these have found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from petree.relational.columns_of_queries import by_score
from petree.relational.queries.terms import Variable
from petree.relational.refinement.families import Family
from petree.relational.source import RelationalSource


def refined_families(source: RelationalSource, most: int) -> list[Family]:
    """What may be asked further about the rows of so many queries, together with these: the tests of highest scores.

    Only tests that find rows are taken, and of those that hold for the same examples the first.
    """
    table = source.table(0)
    state = source.states[0]
    seen: set[bytes] = set()
    found: list[Family] = []
    for column, cut in by_score(source):
        if len(seen) == most:
            break
        family, literals = table.layout.test(column, cut)
        scope = state.scope.extend(literals)
        holds = np.packbits(table.holds(column, cut)).tobytes()
        if len(scope.relations) > 1 and holds not in seen:
            seen.add(holds)
            rows = set(scope.variables).difference(state.scope.variables)
            further = source.refiner.families(scope, literals, {family.mode: 1})
            found += [replace(one, literals=(*literals, *one.literals)) for one in further if _is_about(one, rows)]
    return found


def _is_about(family: Family, variables: set[Variable]) -> bool:
    """Whether a family asks something of the rows that have some variables."""
    named = {one for literal in family.literals for one in literal.named}
    return not variables.isdisjoint({*named, family.slot})
