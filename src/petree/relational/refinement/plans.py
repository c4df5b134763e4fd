"""How all tests of a form are answered, for many nodes at a time.

Most families depend on one row of the query and are looked up there (`by_row`); the others are joined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.caching import cached_property
from petree.relational.queries.answers import Answers, joined
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Aggregation, Atom, Constant, Literal, Variable
from petree.relational.refinement.by_row import RowTests
from petree.relational.refinement.entries import Entry
from petree.relational.refinement.families import Family, KnownTests
from petree.relational.refinement.forms import Forms, new_variables
from petree.relational.refinement.outlines import Outline, Outlines
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
    """All tests that queries of one form may ask. How they are answered is settled when they are first to be.

    Parameters
    ----------
    forms : Forms
    scope : Scope
        One of that form; the families speak of its variables.
    outlined : list of (Outline, Family)
    outlines : Outlines
        What the trees of a fit have in common.
    beside : Plan or None
        Of the tests about the example alone, whose columns come behind these.
    """

    forms: Forms
    scope: Scope
    outlined: list[tuple[Outline, Family]]
    outlines: Outlines
    beside: Plan | None
    _tests: dict[tuple[int, int], tuple[Family, tuple[Literal, ...], int]] = field(default_factory=dict, repr=False)
    _alike: dict[Literal, frozenset[tuple[int, Constant | None]]] = field(default_factory=dict, repr=False)

    @cached_property
    def layout(self) -> Layout:
        others = () if self.beside is None else self.beside.layout.families
        return Layout.of([*(family for _, family in self.outlined), *others])

    @cached_property
    def _by_entry(self) -> dict[Entry | None, list[tuple[int, Family]]]:
        """The places of the families that depend on one row, each in the words of that row; None of several rows."""
        found: dict[Entry | None, list[tuple[int, Family]]] = {}
        for place, (outline, family) in enumerate(self.outlined):
            entry, own = self.outlines.entry_of(outline) or (None, family)
            found.setdefault(entry, []).append((place, own.trying(family.values, family.mode)))
        return found

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """What is looked up."""
        entries = ((entry, members) for entry, members in self._by_entry.items() if entry is not None)
        return tuple(self._part(entry, members) for entry, members in entries)

    def _part(self, entry: Entry, members: list[tuple[int, Family]]) -> Part:
        places, families = zip(*members, strict=True)
        columns = self.layout.columns_of(places)
        return Part(entry.row, self.outlines.row_tests(self.scope, entry, families), places, columns)

    @cached_property
    def rest(self) -> list[int]:
        """The places of the families that are joined."""
        return [place for place, _ in self._by_entry.get(None, ())]

    @cached_property
    def n_tests(self) -> int:
        """Number of tests, with those that a query may have already."""
        own = sum(len(family) for _, family in self.outlined)
        return own if self.beside is None else own + self.beside.n_tests

    @cached_property
    def n_own(self) -> int:
        """Number of columns before those of the tests about the example alone."""
        return len(self.layout.n_bins) - (0 if self.beside is None else len(self.beside.layout.n_bins))

    @cached_property
    def _repeatable(self) -> dict[Literal | Variable | None, list[Family]]:
        """The families of which a query may have tests, those that speak of nothing new, by their keys.

        They have one literal, or none but their slot: what is looked ahead always finds something new.
        """
        found: dict[Literal | Variable | None, list[Family]] = {}
        for outline, family in self.outlined:
            if outline.may_be_known and not new_variables(self.scope, family.literals):
                found.setdefault(family.key, []).append(family)
        return found

    @cached_property
    def _repeated(self) -> frozenset[str | None]:
        """The relations of their last literals; None of those that end with another literal than an atom."""
        keys = self._repeatable
        return frozenset(one.relation if isinstance(one, Atom) else None for one in keys)

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
        return beside + len(frozenset().union(*(self._tests_like(one.renamed(names)) for one in asked)))

    def _tests_like(self, literal: Literal) -> frozenset[tuple[int, Constant | None]]:
        """The tests that ask the same as a literal: for each the id of its family, and its value if it has any."""
        if literal not in self._alike:
            known = KnownTests((literal,))
            families = (family for key in known.keys for family in self._repeatable.get(key, ()))
            self._alike[literal] = frozenset((id(one), value) for one in families for value in known.values_of(one))
        return self._alike[literal]

    def test(self, column: int, cut: int, scope: Scope) -> tuple[Family, tuple[Literal, ...]]:
        """Family and literals of the test that is a cut of a column, in the words of a scope of this form."""
        if self.beside is not None and column >= self.n_own:
            return self.beside.test(column - self.n_own, cut, scope.alone)
        family, literals, n_new = self._test(column, cut)
        if scope is self.scope:
            return family, literals
        names = self.forms.names(self.scope, scope, n_new, isinstance(family.last, Aggregation))
        return family, tuple(one.renamed(names) for one in literals)

    def _test(self, column: int, cut: int) -> tuple[Family, tuple[Literal, ...], int]:
        """The same in the words of its own scope, and how many variables are new in it; many nodes have one test."""
        known = self._tests.get((column, cut))
        if known is None:
            family, literals = self.layout.test(column, cut)
            known = family, literals, len(new_variables(self.scope, literals))
        return self._tests.setdefault((column, cut), known)

    # -- tables ---------------------------------------------------------------------------------------------

    def tabulate(self, nodes: Sequence[Answers]) -> tuple[NDArray[np.uint8], list[Family]]:
        """The tests of some nodes, a row for each of their examples, and what had too many answers somewhere."""
        answers = joined(nodes, self.scope)
        codes = self.layout.empty_codes(len(answers.examples))
        bounds = np.cumsum([0, *(len(one.examples) for one in nodes)])
        left_out = self._fill_rest(answers, nodes, bounds, codes)
        for part in self.parts:
            known = answers if part.row else Answers.of_examples(self.scope, answers.examples, answers.most)
            part.tests.mark(known, part.row, part.columns, codes, self.outlines.rows)
            left_out += self._too_many(part, answers, nodes, bounds, codes)
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
        self, part: Part, answers: Answers, nodes: Sequence[Answers], bounds: NDArray[Any], codes: NDArray[np.uint8]
    ) -> list[int]:
        """What would have too many answers at some node is not asked there."""
        sizes = list(map(len, nodes))
        joins = np.flatnonzero(max(sizes) * part.tests.most_pairs > answers.most).tolist()
        if not joins:
            return []
        which = np.repeat(np.arange(len(nodes)), sizes)
        totals = part.tests.totals(joins, answers.rows[part.row], which, answers.most, self.outlines.rows)
        found = []
        for node, place in np.argwhere(totals > answers.most).tolist():
            families = [part.families[one] for one in part.tests.families_of[joins[place]]]
            columns = self.layout.columns_of(families)
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
                outlined = self.refiner.own_families(first, dict(uses))
                self._known[form] = Plan(self.forms, first, outlined, self.refiner.outlines, beside)
            self._by_scope[key] = scope, self._known[form]  # with the scope, so that nothing else has its id
        return self._by_scope[key][1]
