"""How all tests of a form are answered, for many nodes at a time.

Most families depend on one row of the query and are looked up there (`by_row`); the others are joined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.relational.queries.answers import Answers, joined
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Aggregation, Atom, Literal, Variable
from petree.relational.refinement.by_row import Entry, RowTests
from petree.relational.refinement.families import Family, KnownTests
from petree.relational.refinement.forms import Forms, new_variables
from petree.relational.refinement.outlines import Outline
from petree.relational.refinement.packs import Pack
from petree.relational.refinement.refiner import Refiner
from petree.relational.refinement.tabulation import Layout

# Stands for a variable that no mode takes.
UNTAKEN = Variable("$untaken")

Uses = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Part:
    """Tests that are looked up at a row of the query, by the places of their families and of their columns."""

    row: int
    tests: RowTests
    families: tuple[int, ...]
    columns: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Plan:
    """All tests that queries of one form may ask.

    Parameters
    ----------
    forms : Forms
    scope : Scope
        One of that form; the families speak of its variables.
    families : list of (Family, bool)
        With whether a query may have some of their tests already.
    parts : tuple of Part
    rest : tuple of int
        Places of the families that are joined.
    beside : Plan or None
        Of the tests about the example alone, whose columns come behind these.
    """

    forms: Forms
    scope: Scope
    families: list[tuple[Family, bool]]
    layout: Layout
    parts: tuple[Part, ...]
    rest: tuple[int, ...]
    beside: Plan | None

    @cached_property
    def n_tests(self) -> int:
        """Number of tests, with those that a query may have already."""
        own = sum(len(family) for family, _ in self.families)
        return own if self.beside is None else own + self.beside.n_tests

    @cached_property
    def n_own(self) -> int:
        """Number of columns before those of the tests about the example alone."""
        return len(self.layout.n_bins) - (0 if self.beside is None else len(self.beside.layout.n_bins))

    @cached_property
    def _repeatable(self) -> list[Family]:
        """The families of which a query may have tests: those that speak of nothing new."""
        pairs = ((family, known) for family, known in self.families if known)
        return [family for family, _ in pairs if not new_variables(self.scope, family.literals)]

    @cached_property
    def _repeated(self) -> frozenset[str | None]:
        """The relations of their last literals; None of those that end with another literal than an atom."""
        lasts = (family.last for family in self._repeatable)
        return frozenset(one.relation if isinstance(one, Atom) else None for one in lasts)

    def _may_repeat(self, literal: Literal) -> bool:
        """Whether a literal of a query may be a test of these families."""
        if isinstance(literal, Aggregation) or not self._repeated:
            return False
        return None in self._repeated or (isinstance(literal, Atom) and literal.relation in self._repeated)

    def n_known(self, scope: Scope, query: Sequence[Literal]) -> int:
        """Number of tests that a query of this form has already."""
        beside = 0 if self.beside is None else self.beside.n_known(scope.alone, query)
        asked = [one for one in query if self._may_repeat(one)]
        if not asked:
            return beside
        names = dict.fromkeys(scope.variables, UNTAKEN) | self.forms.known_names(scope, self.scope)
        known = KnownTests(one.renamed(names) for one in asked)
        left = ((family, known.without(family)) for family in self._repeatable)
        return beside + sum(len(family) - (0 if rest is None else len(rest)) for family, rest in left)

    def test(self, column: int, cut: int, scope: Scope) -> tuple[Family, tuple[Literal, ...]]:
        """Family and literals of the test that is a cut of a column, in the words of a scope of this form."""
        if self.beside is not None and column >= self.n_own:
            return self.beside.test(column - self.n_own, cut, scope.alone)
        family, literals = self.layout.test(column, cut)
        if scope is self.scope:
            return family, literals
        names = self.forms.names(self.scope, scope, literals)
        return family, tuple(one.renamed(names) for one in literals)

    # -- tables ---------------------------------------------------------------------------------------------

    def tabulate(self, nodes: Sequence[Answers]) -> tuple[NDArray[np.uint8], list[Family]]:
        """The tests of some nodes, a row for each of their examples, and what had too many answers somewhere."""
        answers = joined(nodes, self.scope)
        codes = self.layout.empty_codes(len(answers.examples))
        bounds = np.cumsum([0, *(len(one.examples) for one in nodes)])
        left_out = self._fill_rest(answers, nodes, bounds, codes)
        for part in self.parts:
            known = answers if part.row else Answers.of_examples(self.scope, answers.examples, answers.most)
            part.tests.mark(known, part.row, part.columns, codes)
            left_out += self._too_many(part, nodes, bounds, codes)
        families = [self.layout.families[place] for place in dict.fromkeys(left_out)]
        if self.beside is None:
            return codes, families
        alone = [Answers.of_examples(self.beside.scope, one.examples, one.most) for one in nodes]
        codes[:, self.n_own :], others = self.beside.tabulate(alone)
        return codes, families + others

    @cached_property
    def _rest_pack(self) -> Pack:
        return self.layout.pack(self.scope, self.rest)

    def _fill_rest(
        self, answers: Answers, nodes: Sequence[Answers], bounds: NDArray[Any], codes: NDArray[np.uint8]
    ) -> list[int]:
        """The families that are joined; where those of all nodes are too many, each node by itself."""
        left_out = self.layout.fill(self._rest_pack.walk(answers), codes)
        if not left_out or len(nodes) == 1:
            return left_out
        pack = self.layout.pack(self.scope, left_out)
        found = []
        for one, first, last in zip(nodes, bounds[:-1], bounds[1:], strict=True):
            found += self.layout.fill(pack.walk(one.renamed(self.scope, one)), codes[first:last])
        return found

    def _too_many(
        self, part: Part, nodes: Sequence[Answers], bounds: NDArray[Any], codes: NDArray[np.uint8]
    ) -> list[int]:
        """What would have too many answers at some node is not asked there."""
        most = nodes[0].most
        tests = part.tests
        found = []
        for join in np.flatnonzero(max(map(len, nodes)) * tests.most_pairs > most).tolist():
            families = [part.families[place] for place in tests.families_of[join]]
            columns = np.flatnonzero(np.isin(self.layout.family_of, families))
            for node, one in enumerate(nodes):
                if tests.totals(join, one.rows[part.row], most) > most:
                    codes[bounds[node] : bounds[node + 1], columns] = self.layout.empty_codes(1)[:, columns]
                    found += families
        return found


@dataclass(frozen=True, eq=False)
class Plans:
    """The plans of a refiner, one for each form of query that has been asked for."""

    refiner: Refiner
    _known: dict[Any, Plan] = field(default_factory=dict, repr=False)
    _by_scope: dict[Any, tuple[Scope, Plan]] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    @cached_property
    def forms(self) -> Forms:
        return Forms.of(self.refiner.database, self.refiner.bias)

    def of(self, scope: Scope, uses: Uses) -> Plan:
        """The plan for queries of a scope that have used some modes."""
        with self._lock:
            return self._of(scope, uses)

    def _of(self, scope: Scope, uses: Uses) -> Plan:
        key = (id(scope), uses)
        if key not in self._by_scope:
            form = (self.forms.form(scope), self.refiner.used(dict(uses)))
            if form not in self._known:
                beside = self._of(scope.alone, uses) if self.refiner.has_beside(scope) else None
                first = self.refiner.outlines.scope_of((self.forms.types, form[0]), scope)
                self._known[form] = self._make(first, self.refiner.own_families(first, dict(uses)), beside)
            self._by_scope[key] = scope, self._known[form]  # with the scope, so that nothing else has its id
        return self._by_scope[key][1]

    def _make(self, scope: Scope, outlined: list[tuple[Outline, Family]], beside: Plan | None) -> Plan:
        by_entry: dict[Entry, list[tuple[int, Family]]] = {}
        rest = []
        for place, (outline, family) in enumerate(outlined):
            found = self.refiner.outlines.entry_of(outline)
            if found is None:
                rest.append(place)
            else:
                entry, own = found
                by_entry.setdefault(entry, []).append((place, own.trying(family.values, family.mode)))
        families = [(family, outline.may_be_known) for outline, family in outlined]
        others = () if beside is None else beside.layout.families
        layout = Layout.of([*(family for family, _ in families), *others])
        parts = []
        for entry, members in by_entry.items():
            tests = self.refiner.outlines.row_tests(scope, entry, tuple(family for _, family in members))
            columns = np.concatenate([layout.columns_of(place) for place, _ in members])
            parts.append(Part(entry.row, tests, tuple(place for place, _ in members), columns))
        return Plan(self.forms, scope, families, layout, tuple(parts), tuple(rest), beside)
