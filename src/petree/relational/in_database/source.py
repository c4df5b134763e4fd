"""Tables that stay in their database as a source: what is asked for nodes is a number of each of their examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from petree import progress
from petree.pruning.engine.permutation_tests import PermutationTests
from petree.relational.in_database.questions import Question, behind, question_of, writer_of
from petree.relational.in_database.server import Server
from petree.relational.in_database.values import ask_jointly, fill, joinable
from petree.relational.nodes import State
from petree.relational.queries.aggregates import goes_by_key
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope, Step
from petree.relational.queries.terms import ANONYMOUS, Aggregation, Atom, Constant, Literal, Term, text_of
from petree.relational.reading.sql_text import identifier
from petree.relational.refinement.families import Family
from petree.relational.refinement.forms import new_variables
from petree.relational.refinement.plans import Plan, Plans
from petree.relational.refinement.tabulation import asked_of
from petree.relational.relations import ROW
from petree.relational.source import RelationalSource
from petree.sources.base import Nodes, Splits
from petree.sources.permutation import draw_classes
from petree.sources.rows import Rows
from petree.sources.searching import Searcher
from petree.threads import Threads

# For each node its question, and the families that it answers, by their places, with what each asks.
Members = dict[int, tuple[Question, list[tuple[int, Question]]]]


@dataclass(frozen=True, eq=False)
class Limits:
    """Whether queries behind the empty one, of which `scope` is the scope, have at most so many answers.

    A database that is asked for too many would not come back. What counts is how many rows the links of a query lead to
    from all examples, whatever else it asks: a database is free to look at all these rows before it looks at anything
    else.
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
        p = self.server.own("p")
        equal = [f"{p}.{identifier(name)} = {writer.at(place)}" for name, place in zip(names, places, strict=True)]
        joined = f"JOIN {self.server.facts.alike(step.relation, names)} AS {p} ON {' AND '.join(equal) or '1 = 1'}"
        where = f" WHERE {' AND '.join(writer.conditions)}" if writer.conditions else ""
        query = f"SELECT SUM({p}.{self.server.own('n')}) FROM {' '.join(writer.tables)} {joined}{where}"
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


class InDatabaseSource(RelationalSource):
    """Tables that grow a tree where they are; parameters are those of `RelationalSource`."""

    def __init__(
        self,
        server: Server,
        plans: Plans,
        answers: Answers,
        rows: Rows,
        searcher: Searcher,
        threads: Threads,
    ) -> None:
        super().__init__(plans.refiner, answers, rows, searcher, threads.alone(), plans)
        self.server = server
        # A node may begin with a query, but all questions are about the examples alone.
        self.empty = Scope.of_target(answers.scope.database, answers.scope.relations[0])
        self.limits = Limits(server, self.empty, answers.most, server.examples(self.empty.relation(0)).n_rows)

    def _ask(self, plan: Plan, handles: Sequence[int]) -> tuple[NDArray[np.uint8], bool]:
        states = [self.states[handle] for handle in handles]
        examples = [self._first.examples[state.cases] for state in states]
        codes = [plan.layout.empty_codes(len(one)) for one in examples]
        for members in self._alike(plan, states):
            for questions in joinable({node: question for node, (question, _) in members.items()}):
                found = ask_jointly(self.server, questions, {node: examples[node] for node in questions})
                asked = [(node, place, question) for node in questions for place, question in members[node][1]]
                for node, place, question in asked:
                    first = int(np.searchsorted(plan.layout.family_of, place))
                    fill(plan.layout.families[place], question, found, examples[node], codes[node][:, first:])
        return np.concatenate(codes), True  # what is left out follows from the query alone

    def _alike(self, plan: Plan, states: Sequence[State]) -> list[Members]:
        """What is asked of some nodes, as few questions: those of one table and of the same families go together."""
        found: dict[tuple[str, int], Members] = {}
        for node, state in enumerate(states):
            variants: dict[tuple[str, str], int] = {}
            for place, question in self._questions(plan, state):
                known = [one for one in variants if one[0] == question.tables]
                variant = variants.setdefault((question.tables, question.conditions), len(known))
                members = found.setdefault((question.tables, variant), {})
                whole, asked = members.get(node, (question, []))
                outputs = tuple(dict.fromkeys((*whole.outputs, *question.outputs)))
                members[node] = (replace(whole, outputs=outputs), [*asked, (place, question)])
        return list(found.values())

    def _questions(self, plan: Plan, state: State) -> Iterator[tuple[int, Question]]:
        """The families of a node by their places; what would have too many answers is left out."""
        for place, family in enumerate(self._families(plan, state.scope)):
            whole = behind(state.query, family, state.first)
            if self.limits.keeps(whole):
                yield place, question_of(self.server, state.first, whole)
            else:
                self.left_out.add(text_of(family.literals))

    def _families(self, plan: Plan, scope: Scope) -> Iterator[Family]:
        """The families of a plan in the words of a scope of its form."""
        for _, family in plan.outlined:
            n_new = len(new_variables(plan.scope, family.literals))
            is_function = isinstance(family.last, Aggregation)
            yield family.renamed(plan.forms.names(plan.scope, scope, n_new, is_function))
        if plan.beside is not None:
            yield from self._families(plan.beside, scope.alone)

    def _n_answers(self, handle: int) -> int:
        return 0

    def _found(self, handle: int, holds: NDArray[np.bool_], literals: tuple[Literal, ...], success: State) -> Answers:
        return self._none(success.scope)

    def _left(self, handle: int, chosen: NDArray[np.bool_]) -> Answers:
        return self._none(self.states[handle].scope)

    def _none(self, scope: Scope) -> Answers:
        """Answers that stay in the database: nothing but what they could speak of."""
        empty = np.empty(0, np.int32)
        return Answers(scope, empty, empty, (empty,) * len(scope.relations), self._first.most)

    # -- criteria that look at cases again ------------------------------------------------------------------

    def exceedances(
        self, trials: PermutationTests, moves_attributes: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if moves_attributes:
            raise ValueError(
                "Values cannot be dealt anew in tables that stay in their database; choose a pruning that permutes "
                "classes, or read the tables into memory (without in_database)."
            )
        return super().exceedances(trials)

    def permuted(self, handle: int, key: np.uint64) -> InDatabaseSource:
        state = self.states[handle]
        copies = self.rows.weights.copies
        cases = np.repeat(state.cases, copies[state.cases]) if len(copies) else state.cases
        rows = self.rows.of_cases(cases, draw_classes(self.rows, cases, key))
        answers = Answers.of_examples(self.empty, self._first.examples[cases], self._first.most)
        other = InDatabaseSource(self.server, self.plans, answers, rows, self.searcher, self.threads)
        other.states[0] = replace(state, cases=np.arange(len(cases)))
        return other


class FittedInDatabaseSource(InDatabaseSource):
    """The source of a fit, which tells how far it has come."""

    def best_splits(self, nodes: Nodes) -> Splits:
        progress.report("examples in leaves", len(self.rows) - int(nodes.sizes.sum()), len(self.rows))
        return super().best_splits(nodes)
