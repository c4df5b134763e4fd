"""Query packs (Blockeel et al. 2002): refinements that begin alike share the answers of what they begin with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from petree.relational.links import TooManyRowsError
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Place, Scope, Step
from petree.relational.queries.terms import Atom, Literal

# What tells one beginning from others.
Key = Step | tuple[Literal | Place, ...]


@dataclass(eq=False)
class Pack:
    """What some queries begin with: a literal behind another pack, or nothing.

    Parameters
    ----------
    before : Scope
        In whose words the literal is.
    scope : Scope
        With the literal.
    literal : Literal or None
    """

    before: Scope
    scope: Scope
    literal: Literal | None = None
    ends: list[tuple[int, Scope]] = field(default_factory=list, repr=False)
    _behind: dict[Key, Pack] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, scope: Scope, queries: Sequence[tuple[int, Sequence[Literal]]]) -> Pack:
        """Numbered queries behind a scope; each ends in a pack, in a scope in its own words."""
        first = cls(scope, scope)
        for number, literals in queries:
            pack, own = first, scope
            for literal in literals:
                before, own = own, own.extend((literal,))
                pack = pack._behind.setdefault(_key_of(literal, before), cls(before, own, literal))
            pack.ends.append((number, own))
        return first

    @property
    def every(self) -> Iterator[Pack]:
        """This one and all behind it."""
        yield self
        for pack in self._behind.values():
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
            yield pack, here, found
            if found is not None:
                waiting += [(one, found) for one in reversed(pack._behind.values())]

    def _find(self, before: Answers) -> Answers | None:
        try:
            return before if self.literal is None else before.extend((self.literal,))
        except TooManyRowsError:
            return None


def _key_of(literal: Literal, scope: Scope) -> Key:
    """What a literal asks. A step says nothing of the names of new variables, whose places must be told beside them."""
    if isinstance(literal, Atom):
        return scope.step(literal)
    known = (one for one in literal.variables if one in scope.places)
    return (literal, *map(scope.place_of, known))


# A pack, and the answers before and behind its literal.
Walked = tuple[Pack, Answers, Answers | None]
