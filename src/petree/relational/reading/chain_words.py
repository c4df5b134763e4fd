"""How sentences speak of rows at the end of a chain: "bonds whose atom1 points to atoms of the molecule"."""

from __future__ import annotations

from collections.abc import Sequence

from petree.relational.queries.scope import Scope, Step
from petree.relational.queries.terms import Atom
from petree.relational.reading.row_words import RowWords
from petree.words import named, plural


def rows_behind(words: RowWords, chain: Sequence[Atom], having: str) -> str:
    """The rows at the end of a chain of atoms: their table, what they have, and the rows that lead to them."""
    first, *others = chain
    scope = words.scope
    relation = scope.database.relation(first.relation)
    step, scope_after = scope.join(first)
    told = named(plural(relation.called)) + words.link(relation, step.equalities)
    if not others:
        return told + having
    for place, atom in enumerate(others, 1):
        in_time = words.in_time(relation)
        told = f"{told} with {in_time}" if in_time and not step.is_same else told
        relation = scope.database.relation(atom.relation)
        step, after = scope_after.join(atom)
        rows = named(plural(relation.called)) + (having if place == len(others) else "")
        told = rows + _led_to(scope_after, step, told)
        scope_after = after
    return told


def _led_to(scope: Scope, step: Step, before: str) -> str:
    """How the rows of an atom are found from the ones before, which are told already."""
    here = [named(scope.relation(step.row).columns[left].name) for left in step.left]
    there = [named(scope.database.relation(step.relation).columns[right].name) for right in step.right]
    points = "points" if len(here) == 1 else "point"
    if _is_link(scope, step):
        return f" that {' and '.join(here)} of {before} {points} to"
    if _is_link(scope, step, is_back=True):
        return f" whose {' and '.join(there)} {points} to {before}"
    pairs = zip(there, here, strict=True)
    return f" whose {' and whose '.join(f'{one} is {other}' for one, other in pairs)} of {before}"


def _is_link(scope: Scope, step: Step, is_back: bool = False) -> bool:
    """Whether rows are found by what the ones before point to, or by pointing to those."""
    ends = [(scope.relations[step.row], step.left), (step.relation, step.right)]
    (table, columns), (to_table, to_columns) = reversed(ends) if is_back else ends
    database = scope.database
    own = database.relation(table)
    other = database.relation(to_table)
    pairs = set(zip(columns, to_columns, strict=True))
    return any(
        link.to_table == to_table
        and pairs == set(zip(own.places(link.columns), other.places(link.to_columns), strict=True))
        for link in database.keys_of(table)
    )
