"""Answers of a query over the rows of a database, example by example, in arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.caching import cached_property
from petree.relational.queries.aggregates import aggregate
from petree.relational.queries.scope import Place, Scope, Step
from petree.relational.queries.terms import Aggregation, Atom, Comparison, Constant, Literal, Variable
from petree.relational.relations import MISSING, Domain

COMPARE = {
    "=": np.equal,
    "\\=": np.not_equal,
    "<": np.less,
    ">": np.greater,
    "=<": np.less_equal,
    ">=": np.greater_equal,
}


@dataclass(frozen=True, eq=False)
class Answers:
    """All answers of a query for some examples.

    Parameters
    ----------
    scope : Scope
        What the query can speak of.
    examples : array
        Rows of the target table, one an example.
    owners : array
        Place of each answer's example among `examples`, never falling.
    rows : tuple of arrays
        The rows of each answer, one array for each relation of the scope.
    most : int
        No join may have more answers (`TooManyRowsError`).
    """

    scope: Scope
    examples: NDArray[np.int32]
    owners: NDArray[np.int32]
    rows: tuple[NDArray[np.int32], ...]
    most: int

    @classmethod
    def of_examples(cls, scope: Scope, examples: NDArray[np.int32], most: int) -> Answers:
        """Those of the empty query."""
        return cls(scope, examples, np.arange(len(examples), dtype=np.int32), (examples,), most)

    def __len__(self) -> int:
        return len(self.owners)

    @cached_property
    def covered(self) -> NDArray[np.bool_]:
        """Which examples have an answer."""
        covered = np.zeros(len(self.examples), bool)
        covered[self.owners] = True
        return covered

    # -- one literal more -----------------------------------------------------------------------------------

    def extend(self, literals: Sequence[Literal]) -> Answers:
        """Answers of the query with more literals."""
        answers = self
        for literal in literals:
            answers = answers.join(literal) if isinstance(literal, Atom) else answers.take(answers.holds(literal))
        return answers

    def join(self, atom: Atom) -> Answers:
        """Answers of the query with one atom more."""
        step, scope = self.scope.join(atom)
        return self.renamed(scope, self.after(step))

    def n_matches(self, atom: Atom) -> NDArray[np.int64]:
        """How many rows an atom is joined to, of each answer, before any is left out; none where it adds no row."""
        step = self.scope.step(atom)
        if step.is_same:
            return np.zeros(len(self), np.int64)
        link = self.scope.database.link(self.scope.relations[step.row], step.left, step.relation, step.right)
        rows = self.rows[step.row]
        return link.stops[rows] - link.starts[rows]

    def renamed(self, scope: Scope, answers: Answers) -> Answers:
        """Other answers for the same examples, in a scope of their own."""
        return Answers(scope, self.examples, answers.owners, answers.rows, self.most)

    def after(self, step: Step) -> Answers:
        """Answers once an atom is joined; the scope is still the one before."""
        answers = self if step.is_same else self._match(step)
        return answers.agreeing(step, step.row if step.is_same else len(self.rows))

    def agreeing(self, step: Step, row: int) -> Answers:
        """The answers whose row has all that an atom asks of it beyond the join."""
        keep = self._agree(step, row)
        return self if keep is None else self.take(keep)

    def _match(self, step: Step) -> Answers:
        link = self.scope.database.link(self.scope.relations[step.row], step.left, step.relation, step.right)
        came_from, matched = link.follow(self.rows[step.row], self.most)
        rows = (*(one[came_from] for one in self.rows), matched)
        joined = Answers(self.scope, self.examples, self.owners[came_from], rows, self.most)
        hidden = joined._is_hidden(step.relation, matched)
        return joined if hidden is None else joined.take(~hidden)

    def _is_hidden(self, relation: str, rows: NDArray[np.int32]) -> NDArray[np.bool_] | None:
        """Which rows their example must not see: those of a later time, and its own class; None where it sees all."""
        there = self.scope.database.relation(relation)
        example = self.scope.relation(0)
        hidden = []
        if there.of_others:
            own = zip(there.of_others, example.keys[0], strict=True)
            hidden.append(np.all([there.columns[one].codes[rows] == self.codes((0, key)) for one, key in own], axis=0))
        if there.times is not None and example.times is not None:
            hidden.append(~(there.times[rows] <= example.times[self.rows[0]]))
        return reduce(np.logical_or, hidden) if hidden else None

    def _agree(self, step: Step, row: int) -> NDArray[np.bool_] | None:
        """Which answers have all that an atom asks of its row beyond the join."""
        columns = self.scope.database.relation(step.relation).columns
        joined = zip(step.left, step.right, strict=True) if step.is_same else ()  # of a row that no link has looked at
        pairs: list[tuple[NDArray[np.int32] | np.int32, int]] = [
            (self.codes(place), column) for place, column in step.agree
        ]
        pairs += [(columns[one].codes[self.rows[row]], other) for one, other in (*joined, *step.repeated)]
        pairs += [(np.int32(columns[at].domain.code(constant.value)), at) for at, constant in step.constants]
        agree = [_equal(wanted, columns[column].codes[self.rows[row]]) for wanted, column in pairs]
        return reduce(np.logical_and, agree) if agree else None

    def holds(self, literal: Comparison | Aggregation) -> NDArray[np.bool_]:
        """Which answers a comparison holds of."""
        if isinstance(literal, Aggregation):
            values, domain = self.aggregate(literal)
            return _compare(values, literal.operator, literal.value, domain)
        left = self.codes_of(literal.left)
        domain = self.domain_of(literal.left)
        if isinstance(literal.right, Constant):
            if literal.operator in ("=", "\\="):
                return _compare(left, literal.operator, literal.right, domain)
            compared = Constant(domain.number_of(literal.right.value))
            return _compare(domain.numbers[left], literal.operator, compared, None)
        right = self.codes_of(literal.right)
        other = self.domain_of(literal.right)
        is_known = (left != MISSING) & (right != MISSING)
        if domain is other and not literal.less:
            return COMPARE[literal.operator](left, right) & is_known
        return COMPARE[literal.operator](domain.numbers[left], other.numbers[right] - literal.less) & is_known

    def aggregate(self, literal: Aggregation) -> tuple[NDArray[Any], Domain | None]:
        """Value of an aggregation for each answer: a number, or a code of the domain that is returned."""
        return aggregate(self, literal)

    # -- reading values -------------------------------------------------------------------------------------

    def codes(self, place: Place) -> NDArray[np.int32]:
        """Codes of a place, one an answer."""
        return self.scope.column_at(place).codes[self.rows[place[0]]]

    def codes_of(self, variable: Variable) -> NDArray[np.int32]:
        """Codes of a variable, one an answer."""
        return self.codes(self.scope.place_of(variable))

    def domain_of(self, variable: Variable) -> Domain:
        """The values that a variable may have."""
        return self.scope.column_of(variable).domain

    def take(self, keep: NDArray[np.bool_]) -> Answers:
        """Some of the answers."""
        return Answers(self.scope, self.examples, self.owners[keep], tuple(one[keep] for one in self.rows), self.most)

    def of(self, chosen: NDArray[np.bool_]) -> Answers:
        """The answers of some of the examples."""
        if len(self.rows) == 1 and len(self) == len(self.examples):  # each has one, which is its own row
            return Answers.of_examples(self.scope, self.examples[chosen], self.most)
        places = np.cumsum(chosen, dtype=np.int32) - np.int32(1)
        keep = chosen[self.owners]
        rows = tuple(one[keep] for one in self.rows)
        return Answers(self.scope, self.examples[chosen], places[self.owners[keep]], rows, self.most)


def joined(answers: Sequence[Answers], scope: Scope) -> Answers:
    """The answers of several nodes for all their examples, in a scope of the form that all of theirs have."""
    if len(answers) == 1:
        return answers[0].renamed(scope, answers[0])
    sizes = [len(one.examples) for one in answers]
    firsts = np.cumsum([0, *sizes[:-1]])
    owners = [one.owners + np.int32(first) for one, first in zip(answers, firsts.tolist(), strict=True)]
    rows = tuple(map(np.concatenate, zip(*(one.rows for one in answers), strict=True)))
    examples = np.concatenate([one.examples for one in answers])
    return Answers(scope, examples, np.concatenate(owners), rows, answers[0].most)


def _equal(one: NDArray[np.int32] | np.int32, other: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Where two codes are equal and not missing."""
    return (one == other) & (other != MISSING)


def _compare(values: NDArray[Any], operator: str, constant: Constant, domain: Domain | None) -> NDArray[np.bool_]:
    """Where a comparison with a constant holds; it never does of what is undefined."""
    if domain is None:
        return COMPARE[operator](values, constant.value) & ~np.isnan(values)
    return COMPARE[operator](values, domain.code(constant.value)) & (values != MISSING)
