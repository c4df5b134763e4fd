"""What a query has to speak of, and what may be new in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from petree.relational import Database, Mode
from petree.relational.queries.terms import Atom, Literal, Variable


@dataclass
class Vocabulary:
    """The variables of a query with their types, in the order in which they came, and the rows that it speaks of.

    A row is a relation and the variables that stand in each of its columns; the first is the example's own. Variables
    that stand in no row any more are forgotten, but keep their names.
    """

    database: Database
    types: dict[Variable, str] = field(default_factory=dict)
    rows: list[tuple[str, dict[int, set[Variable]]]] = field(default_factory=list)

    @classmethod
    def of(cls, database: Database, target: str, named: Mapping[str, int], query: Iterable[Literal]) -> Vocabulary:
        found = cls(database)
        columns = database.relation(target).columns
        found.types = {Variable(name): columns[column].domain.name for name, column in named.items()}
        found.rows = [(target, {column: {Variable(name)} for name, column in named.items()})]
        return found.after(query)

    def after(self, literals: Iterable[Literal]) -> Vocabulary:
        """Once some literals are part of the query."""
        copied = [(name, {column: set(one) for column, one in columns.items()}) for name, columns in self.rows]
        after = Vocabulary(self.database, dict(self.types), copied)
        for literal in literals:
            if isinstance(literal, Atom):
                after._add(literal)
        return after

    def alone(self) -> Vocabulary:
        """Once all rows but the example's own are forgotten."""
        return Vocabulary(self.database, dict(self.types), self.rows[:1])

    def known(self, kind: str | None) -> list[Variable]:
        """The variables of a type that can be asked about."""
        standing = {one for _, columns in self.rows for variables in columns.values() for one in variables}
        return [one for one, type_ in self.types.items() if one in standing and kind in (None, type_)]

    def _add(self, atom: Atom) -> None:
        relation = self.database.relation(atom.relation)
        row = self.row_of(atom)
        if row is None:
            row = len(self.rows)
            self.rows.append((atom.relation, {}))
        for place, term in enumerate(atom.arguments):
            if isinstance(term, Variable) and not term.is_anonymous:
                self.types.setdefault(term, relation.written[place].domain.name)
                self.rows[row][1].setdefault(place, set()).add(term)

    def row_of(self, atom: Atom) -> int | None:
        """The row that an atom speaks of again: one of the same relation whose key it repeats."""
        for row, (name, columns) in enumerate(self.rows):
            for key in self.database.relation(name).keys:
                if name == atom.relation and all(atom.arguments[k] in columns.get(k, ()) for k in key):
                    return row
        return None

    def comes_back(self, mode: Mode, terms: Sequence[Any]) -> bool:
        """Whether a literal can find no row but one that the query has, without naming that by its key."""
        known = [columns for name, columns in self.rows if name == mode.relation]
        keys = self.database.relation(mode.relation).keys if mode.telling else ()
        is_named = any(all(terms[k] in columns.get(k, ()) for k in key) for columns in known for key in keys)
        is_found = any(all(terms[k] in columns.get(k, ()) for k in mode.telling) for columns in known)
        return bool(mode.telling) and is_found and not is_named
