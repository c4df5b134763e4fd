"""A table in memory with the numbers that its rows have in a data set in parts, by which large nodes are permuted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from petree.keys import Keys
from petree.partitions.amounts import ONE_EACH, Amounts
from petree.partitions.counting import Layout
from petree.partitions.engines.base import in_pairs
from petree.partitions.permuting.dealing import (
    CASES_AT_ONCE,
    Answer,
    CountDealt,
    LargeNodes,
    NumberedRows,
    Question,
    are_dealt,
    find_ends,
)
from petree.partitions.tables import CountedNodes
from petree.pruning.engine.permutation_tests import PermutationTests, PruningWalk
from petree.sources.base import Nodes
from petree.sources.coding import Vocabulary
from petree.sources.permutation import count_in_steps
from petree.sources.rows import Rows, n_rows_of
from petree.sources.searching import Searcher
from petree.sources.table import TableSource
from petree.threads import Threads

# Counters that are held at a time, where rows are in memory; searching takes as much for each column.
COUNTERS_AT_ONCE = 250_000
# Runs of rows for each thread: more than one, since some take longer.
RUNS_PER_THREAD = 4

Found = tuple[NDArray[np.int64], NDArray[np.int64]]
Exceedances = Callable[[PermutationTests], Found]


@dataclass(frozen=True, eq=False)
class Dealer:
    """Permutation tests of large nodes: classes are dealt, counted, and the best test sought in the counts."""

    layout: Layout
    searcher: Searcher
    threads: Threads
    most_counters: int

    def exceedances(self, nodes: LargeNodes, trials: PermutationTests) -> Found:
        """As those of a source."""

        def best(some: PermutationTests, permutations: range) -> NDArray[np.float64]:
            ends = find_ends(nodes, some.handles, some.keys, permutations)
            question = CountDealt(self.layout, permutations.start, ends)
            cells = nodes.ask(some.handles, some.keys, question)
            # amounts of weights fill a whole number, so that those of several permutations cannot be added up
            n_pieces = len(some) * len(permutations) if self.layout.amounts.counts_rows else 1
            best_scores = [self._best_scores(piece) for piece in np.split(cells, n_pieces)]
            return np.concatenate(best_scores).reshape(len(some), len(permutations))

        return count_in_steps(trials, np.full(len(trials), self.layout.n_counters), self.most_counters, best)

    def _best_scores(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        """The best score of each node that was counted."""
        counted = CountedNodes.of(self.layout, cells)
        splits = self.searcher.best_splits(counted.rows, Nodes(counted.slices, *counted.nodes_counts()), self.threads)
        best = np.full(len(counted.slices), -np.inf)
        best[splits.node] = splits.gain
        return best


def walk_in_waves(
    exceedances: Exceedances, trials: PermutationTests, parents: NDArray[np.int32], found: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The permutations found of all nodes of a tree, from the leaves up, after those that are found already (not -1).

    A node is tested when all its children are leaves, as those are with more than are allowed.
    """
    found = found.copy()
    stands = ~np.isnan(trials.scores) & (found <= trials.allowed)
    n_inner_children = np.bincount(parents[stands & (parents >= 0)], minlength=len(trials))
    nodes = np.flatnonzero(stands & (found < 0) & (n_inner_children == 0))
    while len(nodes):
        found[nodes] = exceedances(trials.take(nodes))[0]
        above = parents[nodes[(found[nodes] > trials.allowed) & (parents[nodes] >= 0)]]
        np.subtract.at(n_inner_children, above, 1)
        nodes = np.unique(above[n_inner_children[above] == 0]).astype(np.intp)
    return found


class NumberedSource(TableSource):
    """A table whose rows have the numbers of a data set in parts.

    Parameters
    ----------
    rows : Rows
        Their order in the table is that of their numbers.
    searcher : Searcher
    vocabulary : Vocabulary
    threads : Threads
    numbers : array
        By the place of a row in the table.
    amounts : Amounts
    """

    def __init__(
        self,
        rows: Rows,
        searcher: Searcher,
        vocabulary: Vocabulary,
        threads: Threads,
        numbers: NDArray[np.uint64],
        amounts: Amounts,
    ) -> None:
        super().__init__(rows, searcher, vocabulary, threads)
        self.numbers = numbers
        self.amounts = amounts

    @classmethod
    def of(cls, source: TableSource, numbers: NDArray[np.uint64]) -> NumberedSource:
        """A table of all rows, which have these numbers."""
        rows = source.rows
        amounts = Amounts.of(not rows.weights.are_fractional, float(rows.root().counts.sum()))
        return cls(rows, source.searcher, source.vocabulary, source.threads, numbers, amounts)

    def exceedances(self, trials: PermutationTests, moves_attributes: bool = False) -> Found:
        found = np.zeros(len(trials), np.int64)
        tried = np.zeros(len(trials), np.int64)
        is_dealt = are_dealt(self._n_cases(trials.handles))
        small = np.flatnonzero(~is_dealt)
        large = np.flatnonzero(is_dealt)
        found[small], tried[small] = super().exceedances(trials.take(small))
        if len(large):
            layout = Layout(self.rows.columns, self.rows.n_classes, self.amounts)
            dealer = Dealer(layout, self.searcher, self.threads, COUNTERS_AT_ONCE)
            found[large], tried[large] = dealer.exceedances(self, trials.take(large))
        return found, tried

    @property
    def pruning_walk(self) -> PruningWalk | None:
        return self.walk_up

    def walk_up(self, trials: PermutationTests, parents: NDArray[np.int32]) -> NDArray[np.int64]:
        """The permutations found of all nodes of a tree, or of several, from the leaves up."""
        found = np.full(len(trials), -1, np.int64)
        walk = super().pruning_walk
        if walk is not None:
            is_dealt = are_dealt(self._n_cases(trials.handles))
            below = np.where((parents >= 0) & ~is_dealt[parents], parents, np.int32(-1))
            found = walk(replace(trials, scores=np.where(is_dealt, np.nan, trials.scores)), below)
        return walk_in_waves(self.exceedances, trials, parents, found)

    def _n_cases(self, handles: NDArray[np.int64]) -> NDArray[np.int64]:
        """Cases of each node: rows, each as often as it has copies."""
        copies = self.rows.weights.copies
        if not len(copies):
            return n_rows_of(handles)
        before = np.append(0, np.cumsum(copies, dtype=np.int64))
        return before[handles[:, 1]] - before[handles[:, 0]]

    # -- the cases of large nodes -------------------------------------------------------------------------

    def totals(self, handles: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many cases of each class the nodes have."""
        copies = self.rows.weights.copies
        counted = []
        for start, stop in handles.tolist():
            of_rows = copies[start:stop] if len(copies) else None
            counted.append(np.bincount(self.rows.classes[start:stop], of_rows, self.rows.n_classes))
        return np.array(counted).astype(np.int64)

    def ask(self, handles: NDArray[np.int64], keys: Keys, question: Question[Answer]) -> Answer:
        """The answer of all cases of nodes that have these keys; slots are places among the nodes."""
        pieces = [
            (slot, first, min(first + CASES_AT_ONCE, stop))
            for slot, (start, stop) in enumerate(handles.tolist())
            for first in range(start, stop, CASES_AT_ONCE)
        ]
        n_runs = 1 if self.threads.n_threads == 1 else RUNS_PER_THREAD * self.threads.n_threads

        def answer(run: list[tuple[int, int, int]]) -> Answer:
            cases = chain.from_iterable(self._numbered(*piece).cases(keys) for piece in run)
            return question.of(cases, self.threads.stop)

        runs = [(pieces[first::n_runs],) for first in range(min(n_runs, len(pieces)))]
        joined: Answer = in_pairs(self.threads.run(answer, runs), question.join)
        return joined

    def _numbered(self, slot: int, start: int, stop: int) -> NumberedRows:
        rows = self.rows
        weights = rows.weights
        copies = weights.copies[start:stop].astype(np.int64) if len(weights.copies) else ONE_EACH
        unit = self.amounts.unit
        amounts = ONE_EACH if unit is None else np.rint(weights.fractions[start:stop] / unit).astype(np.int64)
        numbers = self.numbers[rows.order[start:stop]]
        slots = np.full(stop - start, slot, np.int32)
        return NumberedRows(rows.narrow[start:stop], rows.wide[start:stop], slots, numbers, copies, amounts)
