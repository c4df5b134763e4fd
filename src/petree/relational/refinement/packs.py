"""Query packs (Blockeel et al. 2002): refinements that begin alike share the answers of what they begin with."""

from __future__ import annotations

from collections.abc import Sequence

from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Place, Step
from petree.relational.queries.terms import Atom, Literal

# What tells one beginning from others.
Key = tuple[Step | Literal | Place, ...]


class Packs:
    """Answers of a query with literals behind it, each beginning answered once."""

    def __init__(self, answers: Answers) -> None:
        self._known: dict[Key, Answers] = {}
        self._answers = answers

    @property
    def found(self) -> list[Answers]:
        """All answers that were needed."""
        return [self._answers, *self._known.values()]

    def extend(self, literals: Sequence[Literal]) -> Answers:
        """Answers of the query with some literals behind it."""
        answers = self._answers
        key: Key = ()
        for literal in literals:
            key = (*key, *_key_of(literal, answers))
            if key not in self._known:
                self._known[key] = answers.extend((literal,))
            answers = answers.renamed(answers.scope.extend((literal,)), self._known[key])
        return answers


def _key_of(literal: Literal, answers: Answers) -> Key:
    """What a literal asks. A step says nothing of the names of new variables, whose places must be told beside them."""
    if isinstance(literal, Atom):
        return (answers.scope.join(literal)[0],)
    return (literal, *map(answers.scope.place_of, literal.variables))
