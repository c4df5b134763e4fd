"""How many answers a query can have: a database that is asked for too many would not come back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from petree.relational.in_database.questions import writer_of
from petree.relational.in_database.server import Server
from petree.relational.queries.aggregates import goes_by_key
from petree.relational.queries.scope import Scope, Step
from petree.relational.queries.terms import ANONYMOUS, Aggregation, Atom, Constant, Literal, Term
from petree.relational.reading.sql_text import identifier
from petree.relational.refinement.families import Family
from petree.relational.refinement.tabulation import asked_of
from petree.relational.relations import ROW


@dataclass(frozen=True, eq=False)
class Limits:
    """Whether queries behind the empty one, of which `scope` is the scope, have at most so many answers.

    What counts is how many rows the links of a query lead to from all examples, whatever else it asks: a database is
    free to look at all these rows before it looks at anything else.
    """

    server: Server
    scope: Scope
    most: int
    n_examples: int

    def keeps(self, family: Family) -> bool:
        """Whether no join of a family has too many answers."""
        scope = self.scope
        before: list[Atom] = []
        n_answers = self.n_examples
        for atom in _joins(scope, family):
            step, after = scope.join(atom)
            if not step.is_same:
                n_answers = self._joined(before, step, scope, n_answers)
                if n_answers > self.most:
                    return False
            before.append(atom)
            scope = after
        return True

    def _joined(self, before: Sequence[Atom], step: Step, scope: Scope, n_answers: int) -> int:
        """How many answers there are at most once an atom is joined; counted where a bound does not say enough."""
        names = _names(scope, step)
        if ROW in names:  # the row is known
            return n_answers
        bound = n_answers * self.server.facts.most_alike(step.relation, names)
        return bound if bound <= self.most else self._count(before, step, names)

    def _count(self, before: Sequence[Atom], step: Step, names: Sequence[str]) -> int:
        """How many answers there are once an atom is joined behind others."""
        writer = writer_of(self.server, self.scope, before)
        places = [(step.row, left) for left in step.left]
        equal = [f"p.{identifier(name)} = {writer.at(place)}" for name, place in zip(names, places, strict=True)]
        joined = f"JOIN {self.server.facts.alike(step.relation, names)} AS p ON {' AND '.join(equal) or '1 = 1'}"
        where = f" WHERE {' AND '.join(writer.conditions)}" if writer.conditions else ""
        query = f"SELECT SUM(p.n) FROM {' '.join(writer.tables)} {joined}{where}"
        return self.server.facts.once(("answers", query), lambda: int(self.server.session.one(query)[0] or 0))


def _names(scope: Scope, step: Step) -> list[str]:
    """The columns of a relation by which it is joined."""
    return [scope.database.relation(step.relation).columns[right].name for right in step.right]


def _joins(scope: Scope, family: Family) -> list[Atom]:
    """The links of a family; those of a function, too, where its rows are looked at for each answer."""
    asked = asked_of(family)
    found = list(_atoms(asked))
    last = family.last
    if isinstance(last, Aggregation):
        here = scope.extend(asked)
        found += () if goes_by_key(here, here.join(last.chain[0])[0], last) else _atoms(last.chain)
    return found


def _atoms(literals: Iterable[Literal]) -> Iterable[Atom]:
    """The atoms among some literals, without the constants that they ask for."""
    for one in literals:
        if isinstance(one, Atom):
            nothing: dict[Term, Term] = {term: ANONYMOUS for term in one.arguments if isinstance(term, Constant)}
            yield one.renamed(nothing)
