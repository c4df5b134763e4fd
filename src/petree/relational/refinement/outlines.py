"""Families but for the values that they try.

Values come from the training examples, all else from the language bias. So the trees of a fit, which have some of its
examples each, share what is found out about the forms of queries.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from petree.relational.bias.modes import Bias, Mode
from petree.relational.kept import KeptArrays
from petree.relational.queries.scope import Scope
from petree.relational.refinement.by_row import Entry, entry_of
from petree.relational.refinement.families import Family
from petree.relational.refinement.shapes import tried_place

# Bytes of answers that are kept for the rows of other trees.
SHARED_BYTES = 250_000_000


@dataclass(frozen=True, eq=False)
class Outline:
    """A family behind a scope, with the values that the tree tried which came first.

    Parameters
    ----------
    scope : Scope
    family : Family
    tried : int
        Whose values it tries: the number of a mode, or below 0 that of a lookahead (`~tried`).
    may_be_known : bool
        Whether a query may have some of its tests already.
    """

    scope: Scope
    family: Family
    tried: int
    may_be_known: bool

    @cached_property
    def entry(self) -> tuple[Entry, Family] | None:
        """The row that it depends on, if that is one, and the family in the words of that row."""
        return entry_of(self.family, self.scope)


@dataclass(frozen=True, eq=False)
class Outlines:
    """What the trees of one fit have found out about the forms of queries, and about rows where their values agree."""

    row_tests: KeptArrays = field(default_factory=lambda: KeptArrays(SHARED_BYTES), repr=False)
    _scopes: dict[Hashable, Scope] = field(default_factory=dict, repr=False)
    _found: dict[Hashable, list[Outline]] = field(default_factory=dict, repr=False)
    _numbers: dict[Hashable, int] = field(default_factory=dict, repr=False)

    def scope_of(self, form: Hashable, scope: Scope) -> Scope:
        """The scope of a form that was the first to be asked for."""
        return self._scopes.setdefault(form, scope)

    def find(self, key: Hashable, make: Callable[[], Iterable[Outline]]) -> list[Outline]:
        """What is known under a key, or else made."""
        if key not in self._found:
            self._found[key] = list(make())
        return self._found[key]

    def number_of(self, bias: Hashable) -> int:
        """A number that stands for a bias, which is long, in keys."""
        return self._numbers.setdefault(bias, len(self._numbers))


def without_values(bias: Bias, conditions: Iterable[str]) -> tuple[Any, ...]:
    """The modes of a bias and what is looked ahead, but for the values that are tried.

    The values stay where literals have them: those of relations that are `conditions`, and all if something may be
    looked ahead behind a value.
    """
    if not all(one.alone for one in bias.lookaheads):
        return bias.modes, bias.lookaheads
    kept = frozenset(conditions)
    lookaheads = tuple(replace(one, second=_without_values(one.second, kept)) for one in bias.lookaheads)
    return tuple(_without_values(mode, kept) for mode in bias.modes), lookaheads


def _without_values(mode: Mode, kept: frozenset[str]) -> Mode:
    place = tried_place(mode)
    if place is None or mode.relation in kept:
        return mode
    return mode.with_argument(place, replace(mode.arguments[place], constants=None))
