"""Several tables as a source: nodes keep the answers of their query, and a test is a query with more literals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import Conditions
from petree.pruning.engine.permutation_tests import PermutationTests
from petree.relational.queries.answers import Answers
from petree.relational.queries.terms import Aggregation, Literal, text_of
from petree.relational.randomise import reached_rows, shuffle
from petree.relational.refinement.families import Family
from petree.relational.refinement.packs import Packs
from petree.relational.refinement.refiner import Refiner
from petree.relational.refinement.tabulation import Layout, LocalTable, tabulate
from petree.sources.base import Candidates, Nodes, Source, Splits
from petree.sources.permutation import TOLERANCE, draw_classes, exceedances
from petree.sources.rows import ColumnCodes, Rows
from petree.sources.searching import Searcher
from petree.threads import Threads
from petree.words import counted

# Bytes of tables of tests that are kept for pruning; beyond that they are made again.
TABLE_BYTES = 500_000_000


@dataclass(frozen=True, eq=False)
class State:
    """A node: its examples by their places in the training data, its query, and the answers."""

    cases: NDArray[np.intp]
    answers: Answers
    query: tuple[Literal, ...] = ()
    uses: tuple[tuple[int, int], ...] = ()


# A test: the node it was made for, and which cut of which column of that node's table of tests it is.
TEST = np.dtype([("handle", np.int64), ("column", np.int64), ("cut", np.int64)])


class RelationalSource(Source):
    """Several tables that grow a tree.

    Parameters
    ----------
    refiner : Refiner
        What may be asked.
    answers : Answers
        Those of the empty query, one for each training example.
    rows : Rows
        Classes and weights of the examples; the tests of each node become columns beside them.
    searcher : Searcher
    threads : Threads
    """

    def __init__(self, refiner: Refiner, answers: Answers, rows: Rows, searcher: Searcher, threads: Threads) -> None:
        self.refiner = refiner
        self.rows = rows
        self.searcher = searcher
        self.threads = threads
        self.states = [State(np.arange(len(answers.examples)), answers)]
        self.left_out: set[str] = set()
        self._layouts: dict[int, Layout] = {}
        self._tables: dict[int, LocalTable] = {}
        self._known: dict[Any, list[Family]] = {}
        self._bytes = 0

    # -- the source's answers -------------------------------------------------------------------------------

    def root(self) -> Nodes:
        return replace(self.rows.root(), handles=np.zeros(1, np.int64))

    def n_tests(self, nodes: Nodes) -> NDArray[np.int64]:
        states = (self.states[handle] for handle in nodes.handles.tolist())
        return np.array([sum(map(len, self._families(state))) for state in states], np.int64)

    def best_splits(self, nodes: Nodes) -> Splits:
        found = self.threads.run(self._best, [(nodes.take(np.array([k])),) for k in range(len(nodes))])
        n_found = [len(splits) for splits in found]
        return Splits(
            np.repeat(np.arange(len(nodes)), n_found),
            np.concatenate([np.empty(0), *(splits.gain for splits in found)]),
            np.concatenate([np.empty(0, TEST), *(splits.tests for splits in found)]),
        )

    def candidates(self, nodes: Nodes) -> Iterator[Candidates]:
        for node, handle in enumerate(nodes.handles.tolist()):
            rows = self._rows(handle)
            for found in self.searcher.candidates(rows, _whole(rows, nodes, node), self.threads.alone()):
                splits = Splits(np.full(len(found.splits), node), found.splits.gain, _tests(handle, found.splits))
                yield replace(found, splits=splits)

    def divide(self, nodes: Nodes, splits: Splits) -> tuple[Nodes, NDArray[np.intp]]:
        pairs = self.threads.run(self._children, splits.tests.tolist())
        states = [state for pair in pairs for state in pair]
        first = len(self.states)
        self.states += states
        alone = [self.rows.take(state.cases).root() for state in states]
        children = Nodes(
            np.arange(first, first + len(states)),
            np.concatenate([np.empty((0, self.rows.n_classes)), *(one.counts for one in alone)]),
            np.concatenate([np.empty(0, np.int64), *(one.sizes for one in alone)]),
        )
        return children, np.full(len(splits), 2, np.intp)

    def exceedances(
        self, trials: PermutationTests, moves_attributes: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        ones = [(trials.take(np.array([k])),) for k in range(len(trials))]
        if moves_attributes:  # one after the other: an interrupt must not wait for all shuffles of a large node
            found = self.threads.alone().run(self._count_by_shuffles, ones)
        else:
            found = self.threads.run(self._count_by_labels, ones)
        pairs = np.array(found, np.int64).reshape(len(trials), 2)
        return pairs[:, 0].copy(), pairs[:, 1].copy()

    def _count_by_labels(self, trials: PermutationTests) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        rows = self._rows(int(trials.handles[0]))
        return exceedances(rows, self.searcher, replace(trials, handles=rows.root().handles), self.threads.alone())

    def _count_by_shuffles(self, trials: PermutationTests) -> tuple[int, int]:
        best = self._best_of_shuffles(int(trials.handles[0]), trials.counts, trials.keys[0])
        found = 0
        tried = 0
        while tried < trials.n_permutations[0] and found <= trials.allowed:
            tried += 1
            found += next(best) >= trials.scores[0] - TOLERANCE
        return found, tried

    def _best_of_shuffles(self, handle: int, counts: NDArray[np.float64], key: np.uint64) -> Iterator[float]:
        """The best score of a node, again and again with the values of its objects dealt anew."""
        state = self.states[handle]
        random = np.random.default_rng(int(key))
        packs = Packs(state.answers, np.inf)  # all of them tell which rows are reached
        tabulate(state.answers, self._families(state), packs)
        reached = reached_rows(packs.found)
        while True:
            table = tabulate(shuffle(state.answers, reached, random), self._families(state))
            rows = self._beside(table, state.cases)
            node = replace(rows.root(), counts=counts)
            splits = self.searcher.best_splits(rows, node, self.threads.alone())
            yield float(splits.gain[0]) if len(splits) else -np.inf

    def permuted(self, handle: int, key: np.uint64) -> RelationalSource:
        state = self.states[handle]
        copies = self.rows.weights.copies
        cases = np.repeat(state.cases, copies[state.cases]) if len(copies) else state.cases
        rows = self.rows.of_cases(cases, draw_classes(self.rows, cases, key))
        first = self.states[0].answers
        answers = Answers.of_examples(first.scope, first.examples[cases], first.most).extend(state.query)
        other = RelationalSource(self.refiner, answers, rows, self.searcher, self.threads)
        other.states[0] = State(np.arange(len(cases)), answers, state.query, state.uses)
        return other

    def rows_of(self, handles: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        cases = [self.states[handle].cases for handle in handles.tolist()]
        return np.concatenate([np.empty(0, np.intp), *cases]), np.array([len(one) for one in cases], np.intp)

    @property
    def is_linked(self) -> bool:
        return True

    @property
    def is_plain_gain(self) -> bool:
        return self.searcher.gain_search(self.rows) is not None

    @property
    def are_tests_movable(self) -> bool:
        return False  # a query speaks of what those above it found

    def remarks(self) -> list[str]:
        """Names what was left out because it had too many answers."""
        if not self.left_out:
            return []
        few = "; ".join(sorted(self.left_out)[:3])
        left_out = counted(len(self.left_out), "refinement")
        return [f"{left_out} left out, with more answers than max_answers allows: {few}."]

    def conditions(self, waves: Sequence[NDArray[Any]]) -> Conditions:
        tests = np.concatenate([np.empty(0, TEST), *waves]).tolist()
        asked = (self._layouts[handle].test(column, cut)[1] for handle, column, cut in tests)
        return Conditions.queries([(text_of(literals), 2) for literals in asked])

    # -- one node at a time ---------------------------------------------------------------------------------

    def table(self, handle: int) -> LocalTable:
        """The tests of a node, answered."""
        if handle in self._tables:
            return self._tables[handle]
        state = self.states[handle]
        table = tabulate(state.answers, self._families(state))
        self._layouts[handle] = table.layout
        self.left_out.update(text_of(family.literals) for family in table.layout.left_out)
        if self._bytes + table.codes.nbytes <= TABLE_BYTES:
            self._bytes += table.codes.nbytes
            self._tables[handle] = table
        return table

    def _families(self, state: State) -> list[Family]:
        """What a node may ask, the same for all nodes of one query."""
        key = (state.query, state.uses)
        if key not in self._known:
            self._known[key] = self.refiner.families(state.answers.scope, state.query, dict(state.uses))
        return self._known[key]

    def _rows(self, handle: int) -> Rows:
        """The examples of a node, with its tests as columns."""
        return self._beside(self.table(handle), self.states[handle].cases)

    def _beside(self, table: LocalTable, cases: NDArray[np.intp]) -> Rows:
        """Some examples with tests as columns beside their classes and weights."""
        return replace(self.rows.take(cases), columns=ColumnCodes.of_cuts(table.layout.n_bins), narrow=table.codes)

    def _best(self, node: Nodes) -> Splits:
        handle = int(node.handles[0])
        rows = self._rows(handle)
        if not len(rows.columns):
            return Splits(np.empty(0, np.intp), np.empty(0), np.empty(0, TEST))
        splits = self.searcher.best_splits(rows, _whole(rows, node, 0), self.threads.alone())
        return replace(splits, tests=_tests(handle, splits))

    def _children(self, handle: int, column: int, cut: int) -> tuple[State, State]:
        state = self.states[handle]
        family, literals = self._layouts[handle].test(column, cut)
        holds = self.table(handle).holds(column, cut)
        success = state.answers.of(holds).extend(literals)
        uses = dict(state.uses)
        uses[family.mode] = uses.get(family.mode, 0) + 1
        used = tuple(uses.items())
        # A function finds no rows that a query could speak of, so it may be refined where it failed as well.
        is_refined = isinstance(family.last, Aggregation) and bool(family.last.conditions)
        others_used = used if is_refined else state.uses
        return (
            State(state.cases[holds], success, (*state.query, *literals), used),
            State(state.cases[~holds], state.answers.of(~holds), state.query, others_used),
        )


def _whole(rows: Rows, nodes: Nodes, node: int) -> Nodes:
    """A node as that of all rows, its own."""
    return replace(nodes.take(np.array([node])), handles=np.array([[0, len(rows)]]))


def _tests(handle: int, splits: Splits) -> NDArray[Any]:
    """The tests of a node's own table as tests of the source."""
    tests = np.empty(len(splits), TEST)
    tests["handle"] = handle
    tests["column"] = splits.tests["column"]
    tests["cut"] = splits.tests["cut"]
    return tests
