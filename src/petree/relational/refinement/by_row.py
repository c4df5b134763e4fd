"""Families that depend on one row of a query: their tests are answered once for all rows that are alike.

Wherever a query speaks of such a row, the answers are looked up. What is joined to the row on the way is found once,
however many answers of however many nodes have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from petree.relational.links import joint_keys
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import EXAMPLE, Scope
from petree.relational.queries.terms import Aggregation, Atom, Literal, Term, Variable
from petree.relational.refinement.families import AT_LEAST, Family
from petree.relational.refinement.forms import new_variables, variables_of
from petree.relational.refinement.packs import CountingPacks
from petree.relational.refinement.tabulation import asked_of, tabulate

# Answers that are looked at together, as far as the first literals tell, and the most that there may be.
PAIRS_AT_ONCE = 2_000_000
MOST_PAIRS = 20_000_000
# One group of so many is few.
FEW = 20
TOO_MANY = np.iinfo(np.int32).max
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


def _atoms(family: Family) -> list[Atom]:
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
        return cls(scope.of_row(relation, places), entry.columns, tuple(families))

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
        relation = self.scope.relation(0)
        key = ("groups of rows", relation.name, self.columns)
        return self.scope.database.arrays.find(key, self._grouped, relation.n_rows * np.dtype(np.int32).itemsize)

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

    @property
    def n_bytes(self) -> int:
        """Bytes of all answers."""
        return self.n_groups * (self.width + len(self.joins) * np.dtype(np.int32).itemsize)

    @cached_property
    def codes(self) -> NDArray[np.uint8]:
        """The answers of each group that is known, the lowest of which count."""
        return np.zeros((self.n_groups, self.width), np.uint8)

    @cached_property
    def joins(self) -> dict[tuple[Literal, ...], int]:
        """The beginnings of families that end with an atom, numbered; many families begin alike."""
        asked = map(asked_of, self.families)
        found = (one[: place + 1] for one in asked for place, last in enumerate(one) if isinstance(last, Atom))
        return {join: number for number, join in enumerate(dict.fromkeys(found))}

    @cached_property
    def joins_of(self) -> list[list[int]]:
        """The joins of each family."""
        asked = list(map(asked_of, self.families))
        beginnings = ([one[: place + 1] for place in range(len(one))] for one in asked)
        return [[self.joins[join] for join in some if join in self.joins] for some in beginnings]

    @cached_property
    def pairs(self) -> NDArray[np.int32]:
        """How many answers one row of each known group has after each join, before any is left out."""
        return np.zeros((self.n_groups, len(self.joins)), np.int32)

    @cached_property
    def most_pairs(self) -> NDArray[np.int64]:
        """The most of these."""
        return np.zeros(len(self.joins), np.int64)

    @cached_property
    def _is_known(self) -> NDArray[np.bool_]:
        return np.zeros(self.n_groups, bool)

    @cached_property
    def _a_row(self) -> NDArray[np.int32]:
        """Some row of each group."""
        found = np.zeros(self.n_groups, np.int32)
        found[self.groups] = np.arange(len(self.groups), dtype=np.int32)
        return found

    def answer(self, rows: NDArray[np.int32], most: int) -> None:
        """Make sure that the groups of some rows are known, where no test of one row has more answers than so many."""
        with self._lock:
            groups = self.groups[rows]
            missing = self._distinct(groups[~self._is_known[groups]])
            for some in self._in_pieces(missing) if len(missing) else ():
                self._answer(some, max(most, MOST_PAIRS))
            self._is_known[missing] = True

    def _distinct(self, groups: NDArray[np.int32]) -> NDArray[np.intp]:
        """Each of some groups once, in order: few are sorted, and of many it is marked which there are."""
        if len(groups) * FEW < self.n_groups:
            return np.unique(groups).astype(np.intp)
        asked = np.zeros(self.n_groups, bool)
        asked[groups] = True
        return np.flatnonzero(asked)

    def _in_pieces(self, groups: NDArray[np.intp]) -> list[NDArray[np.intp]]:
        """Groups that are answered together, so that no more rows are joined to them than are held at a time."""
        first = Answers.of_examples(self.scope, self._a_row[groups], MOST_PAIRS)
        sizes = np.ones(len(groups), np.int64)
        for atom in dict.fromkeys(atom for family in self.families for atom in _atoms(family)[:1]):
            sizes = np.maximum(sizes, first.n_matches(atom))
        piece = np.cumsum(sizes) // PAIRS_AT_ONCE
        return np.split(groups, np.flatnonzero(np.diff(piece)) + 1)

    def _answer(self, groups: NDArray[np.intp], most: int) -> None:
        packs = CountingPacks(Answers.of_examples(self.scope, self._a_row[groups], most), most)
        table = tabulate(packs.answers, self.families, packs)
        if table.layout.left_out and len(groups) > 1:
            half = len(groups) // 2
            self._answer(groups[:half], most)
            self._answer(groups[half:], most)
            return
        self.codes[groups] = np.where(self.is_upward, HIGHEST - table.codes, table.codes)
        for join, number in self.joins.items():
            self.pairs[groups, number] = np.minimum(packs.pairs(join), TOO_MANY)
        self.most_pairs[:] = np.maximum(self.most_pairs, self.pairs[groups].max(axis=0, initial=0))

    def totals(self, join: int, rows: NDArray[np.int32]) -> int:
        """How many answers some rows have after a join."""
        return int(self.pairs[self.groups[rows], join].sum(dtype=np.int64))
