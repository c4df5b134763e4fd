"""Query packs (Blockeel et al. 2002): refinements that begin alike share the answers of what they begin with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Place, Step
from petree.relational.queries.terms import Atom, Literal

# What tells one beginning from others.
Key = tuple[Step | Literal | Place, ...]


class Packs:
    """Answers of a query with literals behind it, each beginning answered once.

    As soon as more than `most` answers are kept, those that are not needed at once are dropped, and found again where
    another query begins with them.
    """

    def __init__(self, answers: Answers, most: float) -> None:
        self._known: dict[Key, Answers] = {}
        self.answers = answers
        self._most = most
        self._n_kept = 0

    @property
    def found(self) -> list[Answers]:
        """All answers that were needed."""
        return [self.answers, *self._known.values()]

    def extend(self, literals: Sequence[Literal]) -> Answers:
        """Answers of the query with some literals behind it."""
        answers = self.answers
        key: Key = ()
        for literal in literals:
            key = (*key, *_key_of(literal, answers))
            found = self._known.get(key)
            if found is None:
                found = self._find(key, answers, literal)
                self._keep(key, found)
            answers = answers.renamed(answers.scope.extend((literal,)), found)
        return answers

    def _find(self, key: Key, answers: Answers, literal: Literal) -> Answers:
        return answers.extend((literal,))

    def _keep(self, key: Key, found: Answers) -> None:
        if self._n_kept + len(found) > self._most:
            self._known.clear()
            self._n_kept = 0
        self._known[key] = found
        self._n_kept += len(found)


class CountingPacks(Packs):
    """The same, where it is noted how many answers each example has after each join, before any is left out."""

    def __init__(self, answers: Answers, most: float) -> None:
        super().__init__(answers, most)
        self._pairs: dict[Key, NDArray[np.float64]] = {}

    def pairs(self, literals: Sequence[Literal]) -> NDArray[np.float64]:
        """How many answers each example has after the last of some literals; infinite if one before had too many."""
        scope = self.answers.scope
        key: Key = ()
        for literal in literals:
            here = self.answers.renamed(scope, self.answers)
            key = (*key, *_key_of(literal, here))
            scope = scope.extend((literal,))
        return self._pairs.get(key, np.full(len(self.answers.examples), np.inf))

    def _find(self, key: Key, answers: Answers, literal: Literal) -> Answers:
        if isinstance(literal, Atom):
            counts = np.bincount(answers.owners, answers.n_matches(literal), len(answers.examples))
            self._pairs[key] = counts.astype(np.float64)
        return super()._find(key, answers, literal)


def _key_of(literal: Literal, answers: Answers) -> Key:
    """What a literal asks. A step says nothing of the names of new variables, whose places must be told beside them."""
    if isinstance(literal, Atom):
        return (answers.scope.step(literal),)
    known = (one for one in literal.variables if one in answers.scope.places)
    return (literal, *map(answers.scope.place_of, known))
