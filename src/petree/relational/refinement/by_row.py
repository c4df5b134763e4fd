"""Families that depend on one row of a query: their tests are answered once for all rows that are alike.

Wherever a query speaks of such a row, the answers are looked up. What is joined to the row on the way is found once,
however many answers of however many nodes have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.relational.kept import KeptArrays
from petree.relational.links import joint_keys
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import EXAMPLE, Scope
from petree.relational.queries.terms import Aggregation, Atom, Term, Variable
from petree.relational.refinement.families import Family
from petree.relational.refinement.forms import new_variables, variables_of
from petree.relational.refinement.lines import Lines
from petree.relational.refinement.packs import Pack, Walked
from petree.relational.refinement.tabulation import Layout

# Answers that are looked at together, as far as the first literals tell, and the most that there may be.
PAIRS_AT_ONCE = 2_000_000
MOST_PAIRS = 20_000_000
# Bytes of answers of rows that are looked up together.
BYTES_AT_ONCE = 250_000_000
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
    kept : KeptArrays
        Where the answers are kept, as long as there is room.
    """

    scope: Scope
    columns: tuple[int, ...]
    families: tuple[Family, ...]
    kept: KeptArrays
    _lock: Lock = field(default_factory=Lock, repr=False)

    @classmethod
    def of(cls, scope: Scope, entry: Entry, families: Sequence[Family], kept: KeptArrays) -> RowTests:
        """Those of families behind a scope, which depend on one row of it."""
        relation = scope.relations[entry.row]
        places = {column_variable(column): ((0, column),) for column in entry.columns}
        example = scope.columns_at(EXAMPLE, entry.row) if EXAMPLE in scope.places else ()
        if example:
            places[EXAMPLE] = ((0, example[0]),)
        return cls(scope.of_row(relation, places), entry.columns, tuple(families), kept)

    @cached_property
    def layout(self) -> Layout:
        return Layout.of(self.families)

    @property
    def width(self) -> int:
        """Number of columns that the tests take."""
        return len(self.layout.n_bins)

    @cached_property
    def flips(self) -> NDArray[np.uint8]:
        """What is written from the other end, so that of an example's answers the lowest counts: the highest codes."""
        return np.where(self.layout.is_upward, HIGHEST, 0).astype(np.uint8)

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
    def _a_row(self) -> NDArray[np.int32]:
        """Some row of each group."""
        found = np.zeros(int(self.groups.max(initial=-1)) + 1, np.int32)
        found[self.groups] = np.arange(len(self.groups), dtype=np.int32)
        return found

    @cached_property
    def _pack(self) -> Pack:
        return self.layout.pack(self.scope, range(len(self.families)))

    @cached_property
    def _joins(self) -> dict[Pack, int]:
        """The packs that end with an atom, numbered."""
        joins = [pack for pack in self._pack.every if isinstance(pack.literal, Atom)]
        return {pack: number for number, pack in enumerate(joins)}

    @cached_property
    def families_of(self) -> list[list[int]]:
        """The places of the families behind each join."""
        return [[place for pack in join.every for place, _ in pack.ends] for join in self._joins]

    @cached_property
    def most_pairs(self) -> NDArray[np.int64]:
        """The most answers that one row was seen to have after each join, before any is left out."""
        return np.zeros(len(self._joins), np.int64)

    @cached_property
    def _most_first(self) -> int:
        """The most answers that one row may have after the first literal of a family."""
        return max([1, *(self.scope.most_matches(atom) for atom in self._firsts)])

    @cached_property
    def _firsts(self) -> tuple[Atom, ...]:
        """The atoms that families begin with."""
        return tuple(dict.fromkeys(atom for family in self.families for atom in _atoms(family)[:1]))

    # -- answers --------------------------------------------------------------------------------------------

    def mark(self, answers: Answers, row: int, columns: NDArray[np.intp], codes: NDArray[np.uint8]) -> None:
        """Write the answers of one of the rows of each answer of a query into the columns of the examples."""
        for some in self._pieces(len(answers)):
            lines, known = self._known(answers.rows[row][some], answers.most)
            core.relations.mark_lines(
                answers.owners[some], lines, known.codes, columns, self.flips, codes, core.NO_STOP
            )

    def totals(self, join: int, rows: NDArray[np.int32], most: int) -> int:
        """How many answers some rows have after a join."""
        total = 0
        for some in self._pieces(len(rows)):
            lines, known = self._known(rows[some], most)
            total += int(known.pairs[lines, join].sum(dtype=np.int64))
        return total

    def _pieces(self, n_rows: int) -> list[slice]:
        """Rows whose answers are held together."""
        step = max(BYTES_AT_ONCE // (self.width + np.dtype(np.int32).itemsize * len(self._joins)), 1)
        return [slice(first, first + step) for first in range(0, n_rows, step)]

    def _known(self, rows: NDArray[np.int32], most: int) -> tuple[NDArray[np.int32], Written]:
        """The lines of some rows, all of them answered, where no test of one row has more answers than so many."""
        with self._lock:
            lines: Lines = self.kept.get(self) or Lines(len(self._a_row), self.width, len(self._joins))
            groups = self.groups[rows]
            added = lines.add(groups)
            for some in self._in_pieces(added):
                self._answer(some, lines, max(most, MOST_PAIRS))
            self.kept.keep(self, lines, lines.n_bytes)
            return lines.of(groups), Written(lines.codes, lines.pairs)

    def _in_pieces(self, groups: NDArray[np.int32]) -> list[NDArray[np.int32]]:
        """Groups that are answered together, so that no more rows are joined to them than are held at a time."""
        if len(groups) * self._most_first <= PAIRS_AT_ONCE:
            return [groups] if len(groups) else []
        first = Answers.of_examples(self.scope, self._a_row[groups], MOST_PAIRS)
        sizes = np.ones(len(groups), np.int64)
        for atom in self._firsts:
            sizes = np.maximum(sizes, first.n_matches(atom))
        piece = np.cumsum(sizes) // PAIRS_AT_ONCE
        return np.split(groups, np.flatnonzero(np.diff(piece)) + 1)

    def _answer(self, groups: NDArray[np.int32], lines: Lines, most: int) -> None:
        """Write the lines of some groups, which follow each other."""
        answers = Answers.of_examples(self.scope, self._a_row[groups], most)
        first = int(lines.of(groups[:1])[0])
        codes = lines.codes[first : first + len(groups)]
        pairs = lines.pairs[first : first + len(groups)]
        codes[:] = self.layout.empty_codes(1)
        pairs[:] = TOO_MANY
        if self.layout.fill(self._counting(answers, pairs), codes) and len(groups) > 1:
            half = len(groups) // 2
            self._answer(groups[:half], lines, most)
            self._answer(groups[half:], lines, most)
            return
        codes ^= self.flips
        self.most_pairs[:] = np.maximum(self.most_pairs, pairs.max(axis=0, initial=0))

    def _counting(self, answers: Answers, pairs: NDArray[np.int32]) -> Iterator[Walked]:
        """All packs with their answers; how many a join has, before any is left out, is written on the way."""
        for pack, before, found in self._pack.walk(answers):
            if isinstance(pack.literal, Atom):
                counts = np.bincount(before.owners, before.n_matches(pack.literal), len(pairs))
                pairs[:, self._joins[pack]] = np.minimum(counts, TOO_MANY)
            yield pack, before, found


class Written(NamedTuple):
    """Lines as they stood when they were asked for."""

    codes: NDArray[np.uint8]
    pairs: NDArray[np.int32]
