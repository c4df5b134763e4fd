"""Families but for the values that they try.

Values come from the training examples, all else from the language bias. So the trees of a fit, which have some of its
examples each, and later fits of the same database share what is found out about the forms of queries.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable
from dataclasses import dataclass, field, replace
from threading import Lock

from petree.relational.bias.modes import IGNORED, Bias, Mode
from petree.relational.database import Database
from petree.relational.kept import KeptArrays
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Constant, Literal
from petree.relational.refinement.by_row import RowTests
from petree.relational.refinement.entries import Entry, entry_of
from petree.relational.refinement.families import Family

OfRow = tuple[Entry, Family]
# Bytes of answers that are kept for rows, of all families together: while a tree grows, and between fits.
ROW_BYTES = 750_000_000
ROW_BYTES_LEFT = 500_000_000
# More than that no fit leaves to the next one: some kilobytes each.
MOST_LEFT = 20_000
# Nor more constants and thresholds, of some hundred bytes each: other examples have others.
MOST_VALUES_LEFT = 500_000


@dataclass(frozen=True, eq=False)
class Outline:
    """A family behind a scope, with the values that the tree tried which came first.

    Parameters
    ----------
    scope : Scope
    family : Family
    tried : int
        Whose values it tries: the number of a mode, or below 0 that of a lookahead or path (`~tried`).
    may_be_known : bool
        Whether a query may have some of its tests already.
    """

    scope: Scope
    family: Family
    tried: int
    may_be_known: bool


@dataclass(frozen=True, eq=False)
class Outlines:
    """What the fits of a database have found out about the forms of queries, and about rows where their values agree.

    Parameters
    ----------
    rows : KeptArrays
        Answers of rows, by the tests that they answer.
    asked : dict
        The literals of tests of the fit that is under way, by their texts, so that nobody has to read these.
    """

    rows: KeptArrays = field(default_factory=lambda: KeptArrays(ROW_BYTES), repr=False)
    asked: dict[str, tuple[Literal, ...]] = field(default_factory=dict, repr=False)
    _scopes: dict[Hashable, Scope] = field(default_factory=dict, repr=False)
    _found: dict[Hashable, list[Outline]] = field(default_factory=dict, repr=False)
    _entries: dict[Outline, OfRow | None] = field(default_factory=dict, repr=False)
    _own: dict[OfRow, OfRow] = field(default_factory=dict, repr=False)
    _families: dict[Family, Family] = field(default_factory=dict, repr=False)
    _numbers: dict[Hashable, int] = field(default_factory=dict, repr=False)
    _row_tests: dict[Hashable, RowTests] = field(default_factory=dict, repr=False)
    _values: dict[tuple[Constant, ...], tuple[Constant, ...]] = field(default_factory=dict, repr=False)
    _first: dict[str, Scope] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    @classmethod
    def of(cls, database: Database) -> Outlines:
        """What earlier fits have left."""
        found: Outlines | None = database.kept.get(cls)
        return cls() if found is None else found

    def leave(self, database: Database) -> None:
        """Keep all for later fits, or nothing where it is too much."""
        self.rows.shrink(ROW_BYTES_LEFT)
        self.asked.clear()
        scopes = sum(one.n_beside for one in list(self._first.values()))
        values = sum(map(len, list(self._values)))
        if len(self) + len(self._row_tests) + scopes <= MOST_LEFT and values <= MOST_VALUES_LEFT:
            database.kept[Outlines] = self
        elif database.kept.get(Outlines) is self:
            del database.kept[Outlines]

    def first_scope(self, database: Database, target: str) -> Scope:
        """The scope of the empty query."""
        known = self._first.get(target)
        return known or self._first.setdefault(target, Scope.of_target(database, target))

    def __len__(self) -> int:
        return sum(map(len, list(self._found.values())))

    def scope_of(self, form: Hashable, scope: Scope) -> Scope:
        """The scope of a form that was the first to be asked for."""
        return self._scopes.setdefault(form, scope)

    def find(self, key: Hashable, make: Callable[[], Iterable[Outline]]) -> list[Outline]:
        """What is known under a key, or else made."""
        known = self._found.get(key)
        return self._found.setdefault(key, list(make())) if known is None else known

    def entry_of(self, outline: Outline) -> OfRow | None:
        """The row that a family depends on, if that is one, and the family in the words of that row."""
        if outline not in self._entries:
            found = entry_of(outline.family, outline.scope)
            if found is not None:  # in those words many families are one
                entry, family = found
                family = self._families.setdefault(family, family)
                found = self._own.setdefault((entry, family), (entry, family))
            self._entries[outline] = found
        return self._entries[outline]

    def row_tests(self, scope: Scope, entry: Entry, families: tuple[Family, ...]) -> RowTests:
        """The tests of a row of a scope, which several forms and trees may share."""
        key = (scope.relations[entry.row], entry.columns, families)
        known = self._row_tests.get(key)
        return known or self._row_tests.setdefault(key, RowTests.of(scope, entry, families))

    def same(self, values: tuple[Constant, ...]) -> tuple[Constant, ...]:
        """Equal values as one object, so that families which try them are compared at once."""
        return self._values.setdefault(values, values)

    def number_of(self, bias: Bias, asked: Hashable) -> int:
        """A number that stands in keys for what a bias asks, which is long, and for how far it may reach."""
        with self._lock:
            return self._numbers.setdefault((bias.max_links, bias.max_lookahead, asked), len(self._numbers))


def without_values(bias: Bias, conditions: Container[str]) -> tuple[Hashable, ...]:
    """What outlines depend on: the modes of a bias and what is looked ahead, but for the values that are tried.

    The values stay where literals have them: those of relations that are `conditions`, and all if something may be
    looked ahead behind a value.
    """
    if not all(one.alone for one in bias.lookaheads):
        return bias.modes, bias.lookaheads, bias.paths
    paths = ((*one.modes[:-1], _without_values(one.last, conditions)) for one in bias.paths)
    lookaheads = ((one.first, _without_values(one.second, conditions)) for one in bias.lookaheads)
    return *(_without_values(mode, conditions) for mode in bias.modes), *lookaheads, *paths


def _without_values(mode: Mode, conditions: Container[str]) -> Hashable:
    if mode.relation in conditions:
        return mode
    # Of hundreds of arguments most say nothing.
    said = [(place, one) for place, one in enumerate(mode.arguments) if one.kind != IGNORED]
    arguments = tuple((place, replace(one, constants=None) if place == mode.tried else one) for place, one in said)
    return mode.relation, arguments, mode.most_uses, mode.compared, mode.telling, mode.known
