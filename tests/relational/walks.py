"""Random walks down trees that nobody grew: at each step some test of all that may be asked there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree import RelationalTreeClassifier
from petree.relational.database import Database
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Literal
from petree.relational.refinement.families import Family
from petree.relational.source import RelationalSource


@dataclass(frozen=True)
class Step:
    """What held before, the test, and which examples come to it and find that it holds; the last by petree itself."""

    query: tuple[Literal, ...]
    test: tuple[Literal, ...]
    arrived: NDArray[np.bool_]
    holds: NDArray[np.bool_]


class Walks:
    """Walks down the tests of a classifier's bias."""

    def __init__(self, model: RelationalTreeClassifier, keys: NDArray[np.generic], seed: int) -> None:
        labels = np.random.default_rng(seed).choice(["x", "y"], len(keys))
        maker, cases = model._prepare(keys, labels)
        recipe = model._recipe(maker).for_rows(len(keys))
        source = recipe.maker.source(cases, recipe.split, 1, model._threads())
        assert isinstance(source, RelationalSource)
        self.source = source
        self.first = source.answers_of(0)
        self.numbers = random.Random(seed)

    @property
    def scope(self) -> Scope:
        return self.first.scope

    @property
    def database(self) -> Database:
        return self.scope.database

    def steps(self, n_steps: int) -> Iterator[Step]:
        """One way down, along tests that hold for some examples."""
        answers = self.first
        query: tuple[Literal, ...] = ()
        uses: dict[int, int] = {}
        for _ in range(n_steps):
            families = self.source.refiner.families(answers.scope, query, uses)
            family = self._some(families)
            test = family.test(self.numbers.randrange(len(family)))
            found: Answers = answers.extend(test)
            yield Step(query, test, answers.covered, found.covered)
            if found.covered.any():
                answers = found
                query += test
                uses[family.mode] = uses.get(family.mode, 0) + 1

    def _some(self, families: list[Family]) -> Family:
        """A family, those of any mode as likely as those of others."""
        number = self.numbers.choice(sorted({one.mode for one in families}))
        return self.numbers.choice([one for one in families if one.mode == number])
