"""How many answers a query has, before it is asked: bounds from what is known of whole tables, or exact counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from petree.relational.in_database.questions import ServedWriter, limited, writer_of
from petree.relational.in_database.server import Server
from petree.relational.queries.aggregates import goes_by_key
from petree.relational.queries.scope import Scope, Step
from petree.relational.queries.terms import Aggregation, Atom, Literal
from petree.relational.reading.sql_text import identifier
from petree.relational.refinement.families import Family
from petree.relational.refinement.tabulation import asked_of
from petree.relational.relations import ROW


@dataclass(frozen=True, eq=False)
class Limits:
    """Whether queries behind the empty one, of which `scope` is the scope, have at most so many answers."""

    server: Server
    scope: Scope
    most: int

    def bound(self, literals: Iterable[Literal], n_examples: int) -> float:
        """No fewer answers than some examples have after any of the joins."""
        scope = self.scope
        found: float = n_examples
        most: float = n_examples
        for literal in literals:
            if isinstance(literal, Atom):
                step, after = scope.join(literal)
                if not step.is_same:
                    found = self._joined(step, scope, found)
                    most = max(most, found)
                scope = after
        return most

    def _joined(self, step: Step, scope: Scope, n_answers: float) -> float:
        """No fewer answers than there are once an atom is joined."""
        names = _names(scope, step)
        if ROW in names:
            return n_answers
        found = n_answers * self.server.facts.most_alike(step.relation, names)
        if found > self.most and len(scope.relations) == 1:  # all that are joined to examples are counted once
            found = min(found, self.server.facts.once(("total", step), lambda: self._count((), step)))
        return found

    def _count(self, literals: Sequence[Literal], step: Step, chosen: str | None = None) -> int:
        """How many answers there are once an atom is joined behind some literals, before any is left out."""
        writer = writer_of(self.server, self.scope, literals)
        return counted_pairs(writer, step, chosen)

    def keeps(self, query: Sequence[Literal], family: Family, node: NodeExamples) -> bool:
        """Whether no join of a family behind the query of a node has too many answers there."""
        asked = _joins(self.scope.extend(query), family)
        if self.bound((*query, *asked), len(node.examples)) <= self.most:
            return True
        scope = self.scope.extend(query)
        for place, literal in enumerate(asked):
            if not isinstance(literal, Atom):
                continue
            step, scope = scope.join(literal)
            if not step.is_same and node.count(self, (*query, *asked[:place]), step) > self.most:
                return False
        return True


@dataclass(frozen=True, eq=False)
class NodeExamples:
    """The examples of a node by their numbers, and what was counted of them."""

    server: Server
    examples: NDArray[np.int32]
    _counts: dict[str, int] = field(default_factory=dict, repr=False)

    def count(self, limits: Limits, literals: Sequence[Literal], step: Step) -> int:
        """How many answers the examples have once an atom is joined behind some literals."""
        key = f"{writer_of(self.server, limits.scope, literals).source} {step}"
        if key not in self._counts:
            chosen = self.server.chosen(np.unique(self.examples))
            self._counts[key] = limits._count(literals, step, chosen)
        return self._counts[key]


def counted_pairs(writer: ServedWriter, step: Step, chosen: str | None) -> int:
    """How many answers a query has once an atom is joined to it."""
    names = _names(writer.scope, step)
    places = [(step.row, left) for left in step.left]
    equal = [f"p.{identifier(name)} = {writer.at(place)}" for name, place in zip(names, places, strict=True)]
    facts = writer.server.facts
    joined = f" CROSS JOIN {facts.alike(step.relation, ())} AS p"
    if equal:
        joined = f" JOIN {facts.alike(step.relation, names)} AS p ON {' AND '.join(equal)}"
    conditions = [*writer.conditions, *(() if chosen is None else (limited(chosen),))]
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    found = writer.server.session.one(f"SELECT SUM(p.n) FROM {' '.join(writer.tables)}{joined}{where}")[0]
    return int(found or 0)


def _names(scope: Scope, step: Step) -> list[str]:
    """The columns of a relation by which it is joined."""
    return [scope.database.relation(step.relation).columns[right].name for right in step.right]


def _joins(scope: Scope, family: Family) -> tuple[Literal, ...]:
    """What is joined behind a query; the rows of a function, too, where they are looked at for each answer."""
    asked = asked_of(family)
    last = family.last
    if not isinstance(last, Aggregation):
        return asked
    here = scope.extend(asked)
    return asked if goes_by_key(here, here.join(last.atom)[0], last) else (*asked, last.atom)
