"""What of the literals of a mode is the same wherever it is used: of hundreds of arguments few depend on the query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

from petree.relational.bias.modes import IGNORED, OUTPUT, Mode
from petree.relational.queries.terms import ANONYMOUS, Term, Variable
from petree.relational.refinement.families import slot_at

# Stands where a new variable is to come.
NEW = Variable("$new")


class Shape(NamedTuple):
    """The arguments of a mode.

    Parameters
    ----------
    terms : tuple of terms
        All that are settled; at the places that are not, anything.
    new : tuple of int
        The places of new variables.
    open : tuple of (int, str or None)
        The places that depend on the query, with their types.
    slot : int or None
        The last place at which constants are tried; None where it is thresholds or values that are asked for.
    """

    terms: tuple[Term, ...]
    new: tuple[int, ...]
    open: tuple[tuple[int, str | None], ...]
    slot: int | None

    @classmethod
    def of(cls, mode: Mode, types: Sequence[str | None]) -> Self:
        slot = mode.tried if mode.compared is None else None
        asked = (slot, mode.compared, mode.known)
        settled = {IGNORED: ANONYMOUS, OUTPUT: NEW}
        terms = [
            slot_at(place) if place in asked else settled.get(one.kind, ANONYMOUS)
            for place, one in enumerate(mode.arguments)
        ]
        is_open = [place not in asked and one.kind not in settled for place, one in enumerate(mode.arguments)]
        places = ((place, kind) for place, kind in enumerate(types) if is_open[place])
        new = (place for place, term in enumerate(terms) if term is NEW)
        return cls(tuple(terms), tuple(new), tuple(places), slot)

    def with_terms(self, chosen: Sequence[Term]) -> tuple[Term, ...]:
        """All arguments, with terms at the places that depend on the query."""
        terms = list(self.terms)
        for (place, _), term in zip(self.open, chosen, strict=True):
            terms[place] = term
        return tuple(terms)

    def with_names(self, terms: tuple[Term, ...], fresh: Iterator[Variable]) -> tuple[Term, ...]:
        """Arguments with variables where new ones are to come, in their order."""
        named = list(terms)
        for place in sorted((*self.new, *(place for place, _ in self.open if terms[place] is NEW))):
            named[place] = next(fresh)
        return tuple(named)
