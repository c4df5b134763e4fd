"""Several tables as a source: nodes keep the answers of their query, and a test is a query with more literals."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import THRESHOLD, Conditions
from petree.pruning.engine.trials import Trials
from petree.relational.answers import Answers
from petree.relational.families import Family
from petree.relational.local import Layout, LocalTable, Packs, tabulate
from petree.relational.randomise import reached_rows, shuffle
from petree.relational.refine import Refiner
from petree.relational.terms import Literal, text_of
from petree.sources.base import Candidates, Nodes, Splits, Wave
from petree.sources.permutation import TOLERANCE, draw_classes
from petree.sources.table import TableSource
from petree.sources.weights import Weights
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


class RelationalSource:
    """Several tables that grow a tree.

    Parameters
    ----------
    refiner : Refiner
        What may be asked.
    answers : Answers
        Those of the empty query, one for each training example.
    pattern : TableSource
        A table with the classes, weights, score and rules; the tests of each node take the place of its columns.
    """

    def __init__(self, refiner: Refiner, answers: Answers, pattern: TableSource) -> None:
        self.refiner = refiner
        self.pattern = pattern
        self.threads = pattern.threads
        self.n_classes = pattern.n_classes
        self.states = [State(np.arange(len(answers.examples)), answers)]
        self.left_out: set[str] = set()
        self._layouts: dict[int, Layout] = {}
        self._tables: dict[int, LocalTable] = {}
        self._known: dict[Any, list[Family]] = {}
        self._bytes = 0

    # -- the source's answers -------------------------------------------------------------------------------

    def root(self) -> Nodes:
        whole = self.pattern.root()
        return Nodes(np.zeros(1, np.int64), whole.counts, whole.sizes)

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
            table, whole = self._as_table(handle), self._whole(nodes, node)
            for found in table.candidates(whole):
                splits = Splits(np.full(len(found.splits), node), found.splits.gain, _tests(handle, found.splits))
                yield replace(found, splits=splits)

    def finish(self, nodes: Nodes, level: int, most_waves: int, min_gain: float) -> list[Wave] | None:
        return None

    def divide(self, nodes: Nodes, splits: Splits) -> tuple[Nodes, NDArray[np.intp]]:
        pairs = self.threads.run(self._children, splits.tests.tolist())
        states = [state for pair in pairs for state in pair]
        first = len(self.states)
        self.states += states
        counts = np.array([self._counts(state.cases) for state in states]).reshape(len(states), self.n_classes)
        sizes = np.array([self._size(state.cases) for state in states], np.int64)
        handles = np.arange(first, first + len(states))
        return Nodes(handles, counts, sizes), np.full(len(splits), 2, np.intp)

    def exceedances(
        self, trials: Trials, moves_attributes: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        ones = [(trials.take(np.array([k])),) for k in range(len(trials))]
        if moves_attributes:  # one after the other: an interrupt must not wait for all shuffles of a large node
            found = self.threads.alone().run(self._count_by_shuffles, ones)
        else:
            found = self.threads.run(self._count_by_labels, ones)
        pairs = np.array(found, np.int64).reshape(len(trials), 2)
        return pairs[:, 0].copy(), pairs[:, 1].copy()

    def _count_by_labels(self, trials: Trials) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        table = self._as_table(int(trials.handles[0]))
        return table.exceedances(replace(trials, handles=np.array([[0, len(table.order)]])))

    def _count_by_shuffles(self, trials: Trials) -> tuple[int, int]:
        handle, found, tried = int(trials.handles[0]), 0, 0
        node = Nodes(trials.handles, trials.counts, np.array([self._size(self.states[handle].cases)]))
        best = self._best_of_shuffles(handle, node, trials.keys[0])
        while tried < trials.n_permutations[0] and found <= trials.allowed:
            tried += 1
            found += next(best) >= trials.scores[0] - TOLERANCE
        return found, tried

    def _best_of_shuffles(self, handle: int, node: Nodes, key: np.uint64) -> Iterator[float]:
        """The best score of a node, again and again with the values of its objects dealt anew."""
        state, random = self.states[handle], np.random.default_rng(int(key))
        packs = Packs(state.answers)
        tabulate(state.answers, self._families(state), packs)
        reached = reached_rows(packs.found)
        while True:
            table = tabulate(shuffle(state.answers, reached, random), self._families(state))
            splits = self._dressed(table, state.cases).best_splits(self._whole(node, 0))
            yield float(splits.gain[0]) if len(splits) else -np.inf

    def permuted(self, handle: int, key: np.uint64) -> RelationalSource:
        state, copies = self.states[handle], self.pattern.weights.copies
        cases = np.repeat(state.cases, copies[state.cases]) if len(copies) else state.cases
        pattern = copy(self.pattern)
        pattern.classes = draw_classes(self.pattern, cases, key)
        pattern.weights, pattern.order = self.pattern.weights.take(cases), np.arange(len(cases), dtype=np.uint32)
        first = self.states[0].answers
        answers = Answers.of_examples(first.scope, first.examples[cases], first.most).extend(state.query)
        other = RelationalSource(self.refiner, answers, pattern)
        other.states[0] = State(np.arange(len(cases)), answers, state.query, state.uses)
        return other

    def prune_up(self, trials: Trials, parents: NDArray[np.int32]) -> None:
        return None

    def annotate(self, tree: Any, handles: NDArray[np.int64]) -> Any:
        return tree

    @property
    def is_linked(self) -> bool:
        return True

    @property
    def is_plain_gain(self) -> bool:
        return self.pattern.is_plain_gain

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

    def _as_table(self, handle: int) -> TableSource:
        """The tests of a node as a table of its own."""
        return self._dressed(self.table(handle), self.states[handle].cases)

    def _dressed(self, table: LocalTable, cases: NDArray[np.intp]) -> TableSource:
        """Tests of some cases as a table with their classes and weights."""
        one = copy(self.pattern)
        n_columns = table.codes.shape[1]
        one.narrow, one.n_bins = table.codes, table.layout.n_bins
        one.wide, one.n_narrow = np.empty((len(cases), 0), np.uint32), n_columns
        one.columns = (self.pattern.columns[0],) * n_columns
        one.column_order, one.places = np.arange(n_columns, dtype=np.int32), np.arange(n_columns)
        one.kinds = np.full(n_columns, THRESHOLD, np.int64)
        one.classes, one.order = self.pattern.classes[cases], np.arange(len(cases), dtype=np.uint32)
        copies, fractions = self.pattern.weights.copies, self.pattern.weights.fractions
        one.weights = Weights(
            copies[cases] if len(copies) else copies, fractions[cases] if len(fractions) else fractions
        )
        one.threads = self.threads.alone()
        return one

    def _whole(self, nodes: Nodes, node: int) -> Nodes:
        """A node as that of its own table."""
        one = slice(node, node + 1)
        n_rows = len(self.states[int(nodes.handles[node])].cases)
        return Nodes(np.array([[0, n_rows]]), nodes.counts[one], nodes.sizes[one])

    def _best(self, node: Nodes) -> Splits:
        handle = int(node.handles[0])
        table = self._as_table(handle)
        if not len(table.columns):
            return Splits(np.empty(0, np.intp), np.empty(0), np.empty(0, TEST))
        splits = table.best_splits(self._whole(node, 0))
        return replace(splits, tests=_tests(handle, splits))

    def _children(self, handle: int, column: int, cut: int) -> tuple[State, State]:
        state, (family, literals) = self.states[handle], self._layouts[handle].test(column, cut)
        holds = self.table(handle).holds(column, cut)
        success, uses = state.answers.of(holds).extend(literals), dict(state.uses)
        uses[family.mode] = uses.get(family.mode, 0) + 1
        return (
            State(state.cases[holds], success, (*state.query, *literals), tuple(uses.items())),
            State(state.cases[~holds], state.answers.of(~holds), state.query, state.uses),
        )

    def _counts(self, cases: NDArray[np.intp]) -> NDArray[np.float64]:
        weights = self.pattern.row_weights()
        chosen = None if weights is None else weights[cases]
        return np.bincount(self.pattern.classes[cases], chosen, self.n_classes).astype(np.float64)

    def _size(self, cases: NDArray[np.intp]) -> int:
        copies = self.pattern.weights.copies
        return int(copies[cases].sum()) if len(copies) else len(cases)

    def warn(self) -> None:
        """Name what was left out because it had too many answers."""
        if self.left_out:
            few = "; ".join(sorted(self.left_out)[:3])
            left_out = counted(len(self.left_out), "refinement")
            warnings.warn(f"{left_out} left out, with more answers than max_answers allows: {few}.", stacklevel=5)


def _tests(handle: int, splits: Splits) -> NDArray[Any]:
    """The tests of a node's own table as tests of the source."""
    tests = np.empty(len(splits), TEST)
    tests["handle"], tests["column"], tests["cut"] = handle, splits.tests["column"], splits.tests["cut"]
    return tests
