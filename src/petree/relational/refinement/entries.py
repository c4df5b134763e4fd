"""The row of a query that a family depends on, and the family in the words of that row alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from petree.relational.queries.scope import EXAMPLE, Scope
from petree.relational.queries.terms import Aggregation, Atom, Term, Variable
from petree.relational.refinement.families import Family
from petree.relational.refinement.forms import new_variables, variables_of


@dataclass(frozen=True)
class Entry:
    """The row of a query that a family depends on, and the columns of it that matter."""

    row: int
    columns: tuple[int, ...]


def entry_of(family: Family, scope: Scope) -> tuple[Entry, Family] | None:
    """The row that a family depends on, and the family with that row's columns as variables; None of several rows."""
    last = family.last
    if isinstance(last, Aggregation) and last.conditions:
        return None
    relations = [scope.database.relation(atom.relation) for atom in atoms_of(family)]
    slot = () if family.slot is None else (family.slot,)
    known = {one for one in (*variables_of(family.literals), *slot) if one in scope.places}
    known |= {EXAMPLE} if any(one.of_examples for one in relations) else set()
    rows = (row for row in range(len(scope.relations)) if all(scope.columns_at(one, row) for one in known))
    row = next(rows, None)
    if row is None:
        return None
    columns = {one: scope.columns_at(one, row)[0] for one in known}
    if any(one.time is not None or one.of_others for one in relations):  # what is seen depends on the example
        if row > 0 or isinstance(last, Aggregation):
            return None
        return Entry(row, tuple(sorted({*columns.values(), *scope.relation(0).keys[0]}))), _own(family, scope, columns)
    return Entry(row, tuple(sorted(set(columns.values())))), _own(family, scope, columns)


def atoms_of(family: Family) -> list[Atom]:
    """The atoms of a family, those of its function with them."""
    found = [literal for literal in family.literals if isinstance(literal, Atom)]
    return [*found, *(family.last.atoms if isinstance(family.last, Aggregation) else ())]


def _own(family: Family, scope: Scope, columns: dict[Variable, int]) -> Family:
    """A family with variables that say nothing but which column they are, or in which order they are new."""
    names: dict[Term, Term] = {one: column_variable(column) for one, column in columns.items() if one != EXAMPLE}
    order = dict.fromkeys(one for one in variables_of(family.literals) if one not in names and one != EXAMPLE)
    new = new_variables(scope, family.literals)
    names |= {one: new_variable(place) for place, one in enumerate(one for one in order if one in new)}
    return family.renamed(names)


@cache
def new_variable(place: int) -> Variable:
    """One of those that a family brings in, by its place among them."""
    return Variable(f"N{place}")


@cache
def column_variable(column: int) -> Variable:
    """The variable that is a column of the row."""
    return Variable(f"R{column}")
