"""Query packs (Blockeel et al. 2002): refinements that begin alike share the answers of what they begin with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from petree.relational.links import TooManyRowsError
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Place, Scope, Step
from petree.relational.queries.terms import Atom, Literal

# What tells one beginning from others.
Key = Step | tuple[Literal | Place, ...]


# A query of which some literals have been looked at: its number, the scope behind these, and the others.
Begun = tuple[int, Scope, Sequence[Literal]]


@dataclass(frozen=True, eq=False)
class Pack:
    """What some queries begin with: a literal behind another pack, or nothing.

    Parameters
    ----------
    before : Scope
        In whose words the literal is.
    scope : Scope
        With the literal.
    literal : Literal or None
    ends : tuple of (int, Scope)
        The queries that end here, each in a scope in its own words.
    behind : tuple of Pack
    """

    before: Scope
    scope: Scope
    literal: Literal | None
    ends: tuple[tuple[int, Scope], ...] = field(repr=False)
    behind: tuple[Pack, ...] = field(repr=False)

    @classmethod
    def of(cls, scope: Scope, queries: Sequence[tuple[int, Sequence[Literal]]]) -> Pack:
        """Numbered queries behind a scope."""
        return cls._of(scope, None, [(number, scope, literals) for number, literals in queries])

    @classmethod
    def _of(cls, before: Scope, literal: Literal | None, queries: Sequence[Begun]) -> Pack:
        """Queries that have begun alike, up to a literal in the words of the first of them."""
        ends = tuple((number, own) for number, own, rest in queries if not rest)
        begun: dict[Key, list[Begun]] = {}
        for query in queries:
            if query[2]:
                begun.setdefault(_key_of(query[2][0], query[1]), []).append(query)
        return cls(before, queries[0][1] if queries else before, literal, ends, tuple(map(cls._next, begun.values())))

    @classmethod
    def _next(cls, queries: Sequence[Begun]) -> Pack:
        """Queries whose next literals are alike."""
        _, before, (literal, *_) = queries[0]
        return cls._of(before, literal, [(number, own.extend(rest[:1]), rest[1:]) for number, own, rest in queries])

    @property
    def every(self) -> Iterator[Pack]:
        """This one and all behind it."""
        yield self
        for pack in self.behind:
            yield from pack.every

    def walk(self, answers: Answers) -> Iterator[Walked]:
        """Each pack with the answers before and behind its literal; None if these are too many, and so all behind.

        What is behind a pack comes at once after it, so that few answers are held at a time.
        """
        waiting = [(self, answers)]
        while waiting:
            pack, before = waiting.pop()
            here = before.renamed(pack.before, before)
            found = pack._find(here)
            yield Walked(pack, here, found)
            if found is not None:
                waiting += [(one, found) for one in reversed(pack.behind)]

    def _find(self, before: Answers) -> Answers | None:
        try:
            return before if self.literal is None else before.extend((self.literal,))
        except TooManyRowsError:
            return None


class Walked(NamedTuple):
    """A pack, and the answers before and behind its literal; None if these are too many."""

    pack: Pack
    before: Answers
    found: Answers | None


def _key_of(literal: Literal, scope: Scope) -> Key:
    """What a literal asks. A step says nothing of the names of new variables, whose places must be told beside them."""
    if isinstance(literal, Atom):
        return scope.step(literal)
    known = (one for one in literal.variables if one in scope.places)
    return (literal, *map(scope.place_of, known))
