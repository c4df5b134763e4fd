"""Families that depend on one row of a query: their tests are answered once for all rows that are alike.

Wherever a query speaks of such a row, the answers are looked up. What is joined to the row on the way is found once,
however many answers of however many nodes have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from petree.relational.links import joint_keys
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import EXAMPLE, Scope, arguments_of
from petree.relational.queries.terms import Aggregation, Atom, Term, Variable
from petree.relational.refinement.families import AT_LEAST, Family
from petree.relational.refinement.forms import new_variables, variables_of
from petree.relational.refinement.packs import CountingPacks
from petree.relational.refinement.tabulation import asked_of, tabulate

# Answers that are looked at together, as far as the first literals tell, and the most that there may be.
PAIRS_AT_ONCE = 2_000_000
MOST_PAIRS = 20_000_000
# The lowest of codes is kept, so that codes of which the highest counts are written from the other end.
HIGHEST = 255


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
    relations = [scope.database.relation(atom.relation) for atom in _atoms(family)]
    known = {one for one in variables_of(family.literals) if one in scope.places}
    known |= {family.slot} if family.slot in scope.places else set()
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


def _atoms(family: Family) -> list[Atom]:
    found = [literal for literal in family.literals if isinstance(literal, Atom)]
    return [*found, *(family.last.atoms if isinstance(family.last, Aggregation) else ())]


def _own(family: Family, scope: Scope, columns: dict[Variable, int]) -> Family:
    """A family with variables that say nothing but which column they are, or in which order they are new."""
    names: dict[Term, Term] = {one: column_variable(column) for one, column in columns.items() if one != EXAMPLE}
    order = dict.fromkeys(one for one in variables_of(family.literals) if one not in names and one != EXAMPLE)
    new = new_variables(scope, family.literals)
    names |= {one: Variable(f"N{place}") for place, one in enumerate(one for one in order if one in new)}
    return family.renamed(names)


def column_variable(column: int) -> Variable:
    """The variable that is a column of the row."""
    return Variable(f"R{column}")


@dataclass(frozen=True, eq=False)
class RowTests:
    """The tests of some families for the rows of a relation, answered when they are first asked for.

    Parameters
    ----------
    scope : Scope
        Of a row of the relation alone.
    columns : tuple of int
        Rows that have the same values there are alike.
    families : sequence of Family
        Of variables that are columns of the row.
    """

    scope: Scope
    columns: tuple[int, ...]
    families: tuple[Family, ...]
    _lock: Lock = field(default_factory=Lock, repr=False)

    @classmethod
    def of(cls, scope: Scope, entry: Entry, families: Sequence[Family]) -> RowTests:
        """Those of families behind a scope, which depend on one row of it."""
        relation = scope.relations[entry.row]
        places = {column_variable(column): ((0, column),) for column in entry.columns}
        example = scope.columns_at(EXAMPLE, entry.row) if EXAMPLE in scope.places else ()
        if example:
            places[EXAMPLE] = ((0, example[0]),)
        alone = Scope(scope.database, (relation,), places, lookups=scope.lookups)
        return cls(alone, entry.columns, tuple(families))

    @cached_property
    def width(self) -> int:
        """Number of columns that the tests take."""
        return int(self.widths.sum())

    @cached_property
    def widths(self) -> NDArray[np.intp]:
        return np.array([1 if family.is_of_thresholds else len(family) for family in self.families], np.intp)

    @cached_property
    def is_upward(self) -> NDArray[np.bool_]:
        """Which columns have the highest code of an example's answers."""
        return np.repeat([family.kind == AT_LEAST for family in self.families], self.widths)

    @cached_property
    def groups(self) -> NDArray[np.int32]:
        """The group of each row: rows of a group are alike."""
        database = self.scope.database
        key = ("groups of rows", self.scope.relations[0], self.columns)
        if key not in database.kept:
            database.kept[key] = self._grouped()
        found: NDArray[np.int32] = database.kept[key]
        return found

    def _grouped(self) -> NDArray[np.int32]:
        relation = self.scope.relation(0)
        if any(set(self.columns).issuperset(key) for key in relation.keys):
            return np.arange(relation.n_rows, dtype=np.int32)
        if not self.columns:
            return np.zeros(relation.n_rows, np.int32)
        if len(self.columns) == 1:
            return relation.columns[self.columns[0]].codes + np.int32(1)  # nothing is known of a missing value either
        codes = [relation.columns[one].codes + np.int32(1) for one in self.columns]
        keys = joint_keys(codes, [one[:0] for one in codes])[0]
        return np.unique(keys, return_inverse=True)[1].astype(np.int32)

    @cached_property
    def n_groups(self) -> int:
        return int(self.groups.max(initial=-1)) + 1

    @cached_property
    def codes(self) -> NDArray[np.uint8]:
        """The answers of each group that is known, the lowest of which count."""
        return np.zeros((self.n_groups, self.width), np.uint8)

    @cached_property
    def pairs(self) -> NDArray[np.float64]:
        """The most answers that each family has had for one row."""
        return np.zeros(len(self.families))

    @cached_property
    def _is_known(self) -> NDArray[np.bool_]:
        return np.zeros(self.n_groups, bool)

    @cached_property
    def _a_row(self) -> NDArray[np.int32]:
        """Some row of each group."""
        found = np.zeros(self.n_groups, np.int32)
        found[self.groups] = np.arange(len(self.groups), dtype=np.int32)
        return found

    def answer(self, rows: NDArray[np.int32]) -> None:
        """Make sure that the groups of some rows are known."""
        with self._lock:
            asked = np.zeros(self.n_groups, bool)
            asked[self.groups[rows]] = True
            missing = np.flatnonzero(asked & ~self._is_known)
            for some in self._in_pieces(missing):
                self._answer(some)
            self._is_known[missing] = True

    def _in_pieces(self, groups: NDArray[np.intp]) -> list[NDArray[np.intp]]:
        sizes = np.ones(len(groups))
        rows = self._a_row[groups]
        for step in {self.scope.join(atom)[0] for family in self.families for atom in _atoms(family)[:1]}:
            if not step.is_same:
                link = self.scope.database.link(self.scope.relations[0], step.left, step.relation, step.right)
                sizes = np.maximum(sizes, link.sizes[rows])
        piece = np.cumsum(sizes) // PAIRS_AT_ONCE
        return np.split(groups, np.flatnonzero(np.diff(piece)) + 1) if len(groups) else []

    def _answer(self, groups: NDArray[np.intp]) -> None:
        rows = self._a_row[groups]
        packs = CountingPacks(Answers.of_examples(self.scope, rows, MOST_PAIRS), MOST_PAIRS)
        table = tabulate(packs.answers, self.families, packs)
        if table.layout.left_out and len(groups) > 1:
            half = len(groups) // 2
            self._answer(groups[:half])
            self._answer(groups[half:])
            return
        self.codes[groups] = np.where(self.is_upward, HIGHEST - table.codes, table.codes)
        for place, family in enumerate(self.families):
            found = np.inf if family in table.layout.left_out else packs.most_pairs(asked_of(family))
            self.pairs[place] = max(self.pairs[place], found)
