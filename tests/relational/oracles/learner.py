"""A relational tree by a slow, plain learner: one test, one example, one answer at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.families.splits import plain_gain
from tests.relational.oracles.queries import Facts, Values, answers
from tests.relational.oracles.refiner import Test, plain_text, refined, refinements
from tests.relational.oracles.vocabulary import Vocabulary

from petree.relational import Bias, Database
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.terms import Atom, Literal, Variable

TIE = 1e-12


@dataclass(frozen=True)
class SlowNode:
    """A node: examples by their places in the training data, all its tests and whom each holds for, and its choice."""

    cases: list[int]
    counts: list[int]
    tests: list[str]
    holds: list[list[bool]]
    chosen: str | None = None
    branches: tuple[SlowNode, ...] = ()

    def walk(self) -> list[SlowNode]:
        """All nodes, level by level, the branch of success first."""
        found, level = list[SlowNode](), [self]
        while level:
            found += level
            level = [branch for node in level for branch in node.branches]
        return found


@dataclass(frozen=True)
class SlowLearner:
    """Grows the tree; `bias` has all its constants and thresholds."""

    database: Database
    facts: Facts
    bias: Bias
    examples: Sequence[int]
    classes: Sequence[int]
    n_classes: int
    min_samples_leaf: int = 1
    min_gain: float = 0.0
    max_depth: int | None = None

    def grow(self) -> SlowNode:
        found = [[self.facts.start(example)] for example in self.examples]
        vocabulary = Vocabulary.of(self.database, self.facts.target, self.facts.named, ())
        return self.node(list(range(len(self.examples))), vocabulary, (), {}, found, 0)

    def node(
        self,
        cases: list[int],
        vocabulary: Vocabulary,
        query: tuple[Literal, ...],
        uses: Mapping[int, int],
        found: list[list[Values]],
        level: int,
    ) -> SlowNode:
        """A node of some cases; `found` has the answers of its query for each case of the training data."""
        tests = refinements(vocabulary, self.bias, query, uses)
        holds = [[self.is_true(case, test, found) for case in cases] for _, test in tests]
        texts = [plain_text(test, vocabulary.types) for _, test in tests]
        node = SlowNode(cases, self.counts(cases), texts, holds)
        best = self.choose(cases, holds)
        if best is None or max(node.counts) == len(cases) or level == self.max_depth:
            return node
        number, test = tests[best]
        yes = [case for case, one in zip(cases, holds[best], strict=True) if one]
        no = [case for case in cases if case not in yes]
        below = self.extended(yes, test, found)
        used = {**uses, number: uses.get(number, 0) + 1}
        branches = (
            self.node(yes, refined(vocabulary, test, self.bias), (*query, *test), used, below, level + 1),
            self.node(no, vocabulary, query, uses, found, level + 1),
        )
        return SlowNode(cases, node.counts, texts, holds, texts[best], branches)

    def is_true(self, case: int, test: Test, found: list[list[Values]]) -> bool:
        example = self.examples[case]
        return any(next(answers(self.facts, example, test, known), None) is not None for known in found[case])

    def extended(self, cases: list[int], test: Test, found: list[list[Values]]) -> list[list[Values]]:
        below = list[list[Values]]([] for _ in found)
        for case in cases:
            example = self.examples[case]
            below[case] = [one for known in found[case] for one in answers(self.facts, example, test, known)]
        return below

    def counts(self, cases: Sequence[int]) -> list[int]:
        return [sum(self.classes[case] == k for case in cases) for k in range(self.n_classes)]

    def choose(self, cases: list[int], holds: list[list[bool]]) -> int | None:
        """The first test of the best gain among those that leave enough cases on both sides."""
        labels = [self.classes[case] for case in cases]
        gains = [self.gain(labels, one) for one in holds]
        best = max((gain for gain in gains if gain is not None), default=None)
        if best is None or (self.min_gain > 0 and best < self.min_gain - TIE):
            return None
        return next(k for k, gain in enumerate(gains) if gain is not None and gain >= best - TIE)

    def gain(self, labels: Sequence[int], holds: Sequence[bool]) -> float | None:
        """Gain of a test under some labels, None where it leaves too few cases on a side."""
        if min(sum(holds), len(holds) - sum(holds)) < self.min_samples_leaf:
            return None
        children = [[0] * self.n_classes, [0] * self.n_classes]
        for label, one in zip(labels, holds, strict=True):
            children[0 if one else 1][label] += 1
        return float(plain_gain(children))


def chosen_texts(tree: Any, named: Sequence[str]) -> list[str | None]:
    """Tests of a fitted tree level by level, written like those of the slow learner; None for leaves."""
    found, level = list[str | None](), [(0, tuple(map(Variable, named)))]
    while level:
        below = []
        for index, known in level:
            node = tree.node(index)
            literals = parse_literals(str(node.conditions[0])) if node.conditions else ()
            found.append(plain_text(literals, known) if literals else None)
            if literals:
                more = dict.fromkeys([*known, *(one for literal in literals for one in bound(literal))])
                yes, no = node.children[0]
                below += [(yes, tuple(more)), (no, known)]
        level = below
    return found


def bound(literal: Literal) -> tuple[Variable, ...]:
    """Variables that a literal makes known."""
    return literal.variables if isinstance(literal, Atom) else ()
