"""Families that depend on one row of a query: their tests are answered once for all rows that are alike.

Wherever a query speaks of such a row, the answers are looked up. What is joined to the row on the way is found once,
however many answers of however many nodes have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.caching import cached_property
from petree.relational.groups import Groups
from petree.relational.kept import KeptArrays
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import EXAMPLE, Scope
from petree.relational.queries.terms import Atom
from petree.relational.refinement.entries import Entry, atoms_of, column_variable
from petree.relational.refinement.families import Family
from petree.relational.refinement.lines import Lines
from petree.relational.refinement.packs import Pack, Walked
from petree.relational.refinement.tabulation import Layout

# Answers that are looked at together, as far as the first literals tell, and the most that there may be.
PAIRS_AT_ONCE = 300_000
MOST_PAIRS = 20_000_000
# Bytes of answers of rows that are looked up together.
BYTES_AT_ONCE = 125_000_000
TOO_MANY = np.iinfo(np.int32).max
# The lowest of codes is kept, so that codes of which the highest counts are written from the other end.
HIGHEST = 255


class LookedUp(NamedTuple):
    """Some of the rows that were asked for, by their places, the line of each, and the lines as they stood then."""

    places: slice | NDArray[np.intp]
    lines: NDArray[np.int32]
    codes: NDArray[np.uint8]
    pairs: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class RowTests:
    """The tests of some families for the rows of a relation, answered when they are first asked for.

    Parameters
    ----------
    scope : Scope
        Of a row of the relation alone.
    columns : tuple of int
        Rows that have the same values there are alike.
    layout : Layout
        Of families of variables that are columns of the row.
    pack : Pack
        What these begin with.
    joins : dict of Pack to int
        Those of its packs that end with an atom, numbered.
    most_pairs : array
        The most answers that one row was seen to have after each join, before any is left out.
    """

    scope: Scope
    columns: tuple[int, ...]
    layout: Layout
    pack: Pack
    joins: dict[Pack, int]
    most_pairs: NDArray[np.int64]
    _lock: Lock = field(default_factory=Lock, repr=False)

    @classmethod
    def of(cls, scope: Scope, entry: Entry, families: Sequence[Family]) -> RowTests:
        """Those of families behind a scope, which depend on one row of it."""
        relation = scope.relations[entry.row]
        places = {column_variable(column): ((0, column),) for column in entry.columns}
        example = scope.columns_at(EXAMPLE, entry.row) if EXAMPLE in scope.places else ()
        if example:
            places[EXAMPLE] = ((0, example[0]),)
        own = scope.of_row(relation, places)
        layout = Layout.of(families)
        pack = layout.pack(own, range(len(families)))
        joins = [one for one in pack.every if isinstance(one.literal, Atom)]
        numbers = {join: number for number, join in enumerate(joins)}
        return cls(own, entry.columns, layout, pack, numbers, np.zeros(len(joins), np.int64))

    @property
    def width(self) -> int:
        """Number of columns that the tests take."""
        return len(self.layout.n_bins)

    @cached_property
    def flips(self) -> NDArray[np.uint8]:
        """What is written from the other end, so that of an example's answers the lowest counts: the highest codes."""
        return np.where(self.layout.is_upward, HIGHEST, 0).astype(np.uint8)

    @property
    def groups(self) -> Groups:
        """Which rows are alike."""
        relation = self.scope.relation(0)
        key = ("groups of rows", relation.name, self.columns)
        most_bytes = 2 * relation.n_rows * np.dtype(np.int32).itemsize
        return self.scope.database.arrays.find(key, lambda: Groups.of(relation, self.columns), most_bytes)

    @cached_property
    def families_of(self) -> list[list[int]]:
        """The places of the families behind each join."""
        return [[place for pack in join.every for place, _ in pack.ends] for join in self.joins]

    @cached_property
    def _most_first(self) -> int:
        """The most answers that one row may have after the first literal of a family."""
        return max([1, *(self.scope.most_matches(atom) for atom in self._firsts)])

    @cached_property
    def _firsts(self) -> tuple[Atom, ...]:
        """The atoms that families begin with."""
        return tuple(dict.fromkeys(atom for family in self.layout.families for atom in atoms_of(family)[:1]))

    # -- answers --------------------------------------------------------------------------------------------

    def mark(
        self, answers: Answers, row: int, columns: NDArray[np.intp], codes: NDArray[np.uint8], kept: KeptArrays
    ) -> None:
        """Write the answers of one of the rows of each answer of a query into the columns of the examples.

        They stay in `kept`, as far as there is room.
        """
        for found in self._look_up(answers.rows[row], answers.most, kept):
            owners = answers.owners[found.places]
            core.relations.mark_lines(owners, found.lines, found.codes, columns, self.flips, codes, core.NO_STOP)

    def totals(
        self, joins: Sequence[int], rows: NDArray[np.int32], nodes: NDArray[np.intp], most: int, kept: KeptArrays
    ) -> NDArray[np.float64]:
        """How many answers the rows of each node have after some joins; a line for each node, which `nodes` number."""
        n_nodes = int(nodes.max(initial=-1)) + 1
        totals = np.zeros((n_nodes, len(joins)))
        for found in self._look_up(rows, most, kept):
            own = nodes[found.places]
            for place, join in enumerate(joins):
                totals[:, place] += np.bincount(own, found.pairs[found.lines, join], n_nodes)
        return totals

    def _look_up(self, rows: NDArray[np.int32], most: int, kept: KeptArrays) -> Iterator[LookedUp]:
        """The answers of all rows, a piece at a time, where no test of one row has more answers than so many."""
        step = max(BYTES_AT_ONCE // (self.width + np.dtype(np.int32).itemsize * len(self.joins)), 1)
        for first in range(0, len(rows), step):
            yield from self._piece(rows[first : first + step], first, most, kept)

    def _piece(self, rows: NDArray[np.int32], first: int, most: int, kept: KeptArrays) -> list[LookedUp]:
        """The answers of some rows, from a place on: those that are kept, and those for which there is no room."""
        key = self, _allowed(most)
        with self._lock:
            lines: Lines = kept.get(key) or self._no_lines()
            kept.keep(key, None, lines.n_bytes)  # should an error come in between, nobody finds half of them
            found, added = lines.number(rows, self.groups.of_rows)
            has_all = self._add(added, lines, most, kept)
            kept.keep(key, lines, lines.n_bytes)
            if has_all:
                return [LookedUp(slice(first, first + len(rows)), found, lines.codes, lines.pairs)]
            is_kept = found < lines.n_lines  # those behind were taken back
            others = self._no_lines()
            found_alone, added = others.number(rows[~is_kept], self.groups.of_rows)
            self._write(added, others, most)
            places = np.arange(first, first + len(rows))
            return [
                LookedUp(places[is_kept], found[is_kept], lines.codes, lines.pairs),
                LookedUp(places[~is_kept], found_alone, others.codes, others.pairs),
            ]

    def _no_lines(self) -> Lines:
        return Lines(len(self.groups.a_row), self.width, len(self.joins))

    def _add(self, added: NDArray[np.int32], lines: Lines, most: int, kept: KeptArrays) -> bool:
        """Answer the groups that were numbered last, if there is room for all of them."""
        if not kept.keep((self, _allowed(most)), None, lines.n_bytes_with(len(added))):
            lines.take_back(added)
            return False
        self._write(added, lines, most)
        return True

    def _write(self, added: NDArray[np.int32], lines: Lines, most: int) -> None:
        """Write the lines of groups that were numbered last."""
        first = lines.n_lines
        lines.lengthen(len(added))
        for some in self._in_pieces(added):
            self._answer(some, lines, first, _allowed(most))
            first += len(some)

    def _in_pieces(self, groups: NDArray[np.int32]) -> list[NDArray[np.int32]]:
        """Groups that are answered together, so that no more rows are joined to them than are held at a time."""
        if len(groups) * self._most_first <= PAIRS_AT_ONCE:
            return [groups] if len(groups) else []
        first = Answers.of_examples(self.scope, self.groups.a_row[groups], MOST_PAIRS)
        sizes = np.ones(len(groups), np.int64)
        for atom in self._firsts:
            sizes = np.maximum(sizes, first.n_matches(atom))
        piece = np.cumsum(sizes) // PAIRS_AT_ONCE
        return np.split(groups, np.flatnonzero(np.diff(piece)) + 1)

    def _answer(self, groups: NDArray[np.int32], lines: Lines, first: int, most: int) -> None:
        """Write the lines of some groups, which follow each other from the first on."""
        answers = Answers.of_examples(self.scope, self.groups.a_row[groups], most)
        codes = lines.codes[first : first + len(groups)]
        pairs = lines.pairs[first : first + len(groups)]
        codes[:] = self.layout.empty_codes(1)
        pairs[:] = TOO_MANY
        if self.layout.fill(self._counting(answers, pairs), codes) and len(groups) > 1:
            half = len(groups) // 2
            self._answer(groups[:half], lines, first, most)
            self._answer(groups[half:], lines, first + half, most)
            return
        codes ^= self.flips
        self.most_pairs[:] = np.maximum(self.most_pairs, pairs.max(axis=0, initial=0))

    def _counting(self, answers: Answers, pairs: NDArray[np.int32]) -> Iterator[Walked]:
        """All packs with their answers; how many a join has, before any is left out, is written on the way."""
        for walked in self.pack.walk(answers):
            literal = walked.pack.literal
            if isinstance(literal, Atom):
                counts = np.bincount(walked.before.owners, walked.before.n_matches(literal), len(pairs))
                pairs[:, self.joins[walked.pack]] = np.minimum(counts, TOO_MANY)
            yield walked


def _allowed(most: int) -> int:
    """How many answers are looked at together where one row may have so many."""
    return max(most, MOST_PAIRS)
