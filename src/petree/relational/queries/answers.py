"""Answers of a query over the rows of a database, example by example, in arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
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


class TooManyAnswersError(Exception):
    """A join would give more answers than the budget allows."""


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
        No join may have more answers.
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

    def renamed(self, scope: Scope, answers: Answers) -> Answers:
        """Other answers for the same examples, in a scope of their own."""
        return Answers(scope, self.examples, answers.owners, answers.rows, self.most)

    def after(self, step: Step) -> Answers:
        """Answers once an atom is joined; the scope is still the one before."""
        answers = self if step.is_same else self._match(step)
        keep = answers._agree(step, step.row if step.is_same else len(self.rows))
        return answers if keep is None else answers.take(keep)

    def _match(self, step: Step) -> Answers:
        database, left = self.scope.database, self.rows[step.row]
        link = database.link(self.scope.relations[step.row], step.left, step.relation, step.right)
        n_answers = core.relations.count_matches(left, link.starts, link.rows)
        if n_answers > self.most:
            raise TooManyAnswersError
        came_from, matched = np.empty(n_answers, np.int32), np.empty(n_answers, np.int32)
        core.relations.match(left, link.starts, link.rows, came_from, matched, core.NO_STOP)
        rows = (*(one[came_from] for one in self.rows), matched)
        joined = Answers(self.scope, self.examples, self.owners[came_from], rows, self.most)
        hidden = joined._is_hidden(step.relation, matched)
        return joined if hidden is None else joined.take(~hidden)

    def _is_hidden(self, relation: str, rows: NDArray[np.int32]) -> NDArray[np.bool_] | None:
        """Which rows their example must not see: those of a later time, and its own class; None where it sees all."""
        there, is_own = self.scope.database.relation(relation), None
        if there.of_others:
            own = zip(there.of_others, self.scope.relation(0).keys[0], strict=True)
            is_own = np.all([there.columns[one].codes[rows] == self.codes((0, key)) for one, key in own], axis=0)
        since, until = there.times, self.scope.relation(0).times
        if since is None or until is None:
            return is_own
        is_late = ~(since[rows] <= until[self.rows[0]])
        return is_late if is_own is None else is_own | is_late

    def _agree(self, step: Step, row: int) -> NDArray[np.bool_] | None:
        """Which answers have all that an atom asks of its row beyond the join."""
        columns, rows = self.scope.database.relation(step.relation).columns, self.rows[row]
        keep: NDArray[np.bool_] | None = None
        for place, column in step.agree:
            keep = _both(keep, _equal(self.codes(place), columns[column].codes[rows]))
        joined = zip(step.left, step.right, strict=True) if step.is_same else ()  # of a row that no link has looked at
        for one, other in (*joined, *step.repeated):
            keep = _both(keep, _equal(columns[one].codes[rows], columns[other].codes[rows]))
        for column, constant in step.constants:
            keep = _both(
                keep, _equal(np.int32(columns[column].domain.code(constant.value)), columns[column].codes[rows])
            )
        return keep

    def holds(self, literal: Comparison | Aggregation) -> NDArray[np.bool_]:
        """Which answers a comparison holds of."""
        if isinstance(literal, Aggregation):
            values, domain = self.aggregate(literal)
            return _compare(values, literal.operator, literal.value, domain)
        left, domain = self.codes_of(literal.left), self.domain_of(literal.left)
        if isinstance(literal.right, Constant):
            if literal.operator in ("=", "\\="):
                return _compare(left, literal.operator, literal.right, domain)
            return _compare(domain.numbers[left], literal.operator, literal.right, None)
        right, other = self.codes_of(literal.right), self.domain_of(literal.right)
        is_known = (left != MISSING) & (right != MISSING)
        if domain is other:
            return COMPARE[literal.operator](left, right) & is_known
        return COMPARE[literal.operator](domain.numbers[left], other.numbers[right]) & is_known

    def aggregate(self, literal: Aggregation) -> tuple[NDArray[Any], Domain | None]:
        """Value of an aggregation for each answer: a number, or a code of the domain that is returned."""
        return aggregate(self, literal)

    # -- reading values -------------------------------------------------------------------------------------

    def codes(self, place: Place) -> NDArray[np.int32]:
        """Codes of a place, one an answer."""
        row, column = place
        return self.scope.relation(row).columns[column].codes[self.rows[row]]

    def codes_of(self, variable: Variable) -> NDArray[np.int32]:
        return self.codes(self.scope.places[variable][0])

    def domain_of(self, variable: Variable) -> Domain:
        row, column = self.scope.places[variable][0]
        return self.scope.relation(row).columns[column].domain

    def take(self, keep: NDArray[np.bool_]) -> Answers:
        """Some of the answers."""
        return Answers(self.scope, self.examples, self.owners[keep], tuple(one[keep] for one in self.rows), self.most)

    def of(self, chosen: NDArray[np.bool_]) -> Answers:
        """The answers of some of the examples."""
        places = np.cumsum(chosen, dtype=np.int32) - np.int32(1)
        keep = chosen[self.owners]
        rows = tuple(one[keep] for one in self.rows)
        return Answers(self.scope, self.examples[chosen], places[self.owners[keep]], rows, self.most)


def _both(one: NDArray[np.bool_] | None, other: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return other if one is None else one & other


def _equal(one: Any, other: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Where two codes are equal and not missing."""
    return (one == other) & (other != MISSING)


def _compare(values: NDArray[Any], operator: str, constant: Constant, domain: Domain | None) -> NDArray[np.bool_]:
    """Where a comparison with a constant holds; it never does of what is undefined."""
    if domain is None:
        return COMPARE[operator](values, constant.value) & ~np.isnan(values)
    return COMPARE[operator](values, domain.code(constant.value)) & (values != MISSING)
