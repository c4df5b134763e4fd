"""How a tree is grown and pruned, from whatever source."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Self, TypeVar

from petree.estimators.learning.cases import Cases
from petree.estimators.learning.content import Canonical
from petree.growing import Grown, Stopping, grow
from petree.growing.lookahead import LookaheadSearch
from petree.parts import count_rows
from petree.pruning.engine.gate import Gate
from petree.sources.base import Source, SourceByColumn, Splits
from petree.splitting.base import Scores
from petree.threads import Threads
from petree.tree import Tree

# No table has more rows than this, so that a larger leaf is none, too.
MOST_ROWS = 2**31

AnySource = TypeVar("AnySource", bound=Source)


class SourceMaker(ABC, Generic[AnySource]):
    """What makes a source of cases: all that a recipe knows of where they lie.

    It is asked for every tree, also for those of inner folds: the cases may be some of all rows, in any order, and
    their classes in another order than the user's. Where rows lie elsewhere, `cases.table` has but their numbers.
    """

    # A tree of so many rows takes a small part of a second, so that several are grown side by side.
    quick_rows: ClassVar[int] = 0

    @abstractmethod
    def source(self, cases: Cases, split: Scores, min_samples_leaf: int, threads: Threads) -> AnySource:
        """What counts the cases, scores tests by `split` (with `cases.factors`), and leaves so many rows in a child."""

    def first_split(self, source: AnySource) -> Splits | None:
        """The split of the root that a person asks for; None where nobody does, or it does not divide the cases."""
        return None

    def with_first_test(self, grown: Tree, pruned: Tree) -> Tree:
        """A pruned tree, in which the root keeps a test that a person asked for."""
        return pruned

    def shared(self, cases: Cases, split: Scores, threads: Threads) -> Cases:
        """The same cases with what several trees that are grown from parts of them may have in common."""
        return cases

    def canonical(self, cases: Cases, seed: int) -> Canonical:
        """The cases in an order that comes from themselves, for what is drawn in their order."""
        return Canonical.of(cases, seed)


@dataclass(frozen=True)
class Recipe(Generic[AnySource]):
    """The parts and rules by which a tree is grown and pruned, and what makes the source."""

    split: Any
    pruning: Any
    stopping: Stopping
    maker: SourceMaker[AnySource]
    seed: int = 0
    lookahead: int = 1
    beam: int = 4

    def for_rows(self, n_rows: int) -> Self:
        """The same for so many rows: a share of them is a number, and the criterion may ask for more in a leaf."""
        least = count_rows(self.stopping.min_samples_leaf, n_rows)
        if self.pruning.chooses_size:
            least = max(least, self.pruning.least_rows(n_rows))
        return replace(self, stopping=replace(self.stopping, min_samples_leaf=min(least, MOST_ROWS)))

    def grow(self, cases: Cases, threads: Threads, gate: Gate | None = None) -> tuple[Grown, AnySource]:
        """The tree before pruning, but for what a gate closes, and its source."""
        source = self.maker.source(cases, self.split, self.stopping.min_samples_leaf, threads)
        classes = cases.classes.tolist()
        first = self.maker.first_split(source)
        grown = grow(source, self.stopping, classes, cases.factors, gate, self._lookahead_in(source), first)
        return replace(grown, tree=source.annotate(grown.tree, grown.handles)), source

    def _lookahead_in(self, source: Source) -> LookaheadSearch | None:
        if self.lookahead == 1:
            return None
        if not isinstance(source, SourceByColumn):
            raise ValueError(f"Tests of {type(source).__name__} are not compared column by column; set lookahead=1.")
        return LookaheadSearch(source, self.lookahead, self.beam)

    def sharing(self, cases: Cases, threads: Threads) -> Cases:
        """The same cases with what the trees of inner folds may have in common."""
        return self.maker.shared(cases, self.split, threads)
