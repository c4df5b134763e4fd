"""Several tables as a source: nodes keep the answers of their query, and a test is a query with more literals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import Conditions
from petree.pruning.engine.permutation_tests import PermutationTests
from petree.relational.links import TooManyRowsError
from petree.relational.node_tables import NodeTables, joined
from petree.relational.nodes import TEST, Child, State, counted, remarks_on, slices_of, tests_of, whole
from petree.relational.queries.answers import Answers
from petree.relational.queries.terms import Aggregation, Literal, text_of
from petree.relational.randomise import count_exceedances, shuffled_tables
from petree.relational.refinement.families import Family
from petree.relational.refinement.plans import Plan, Plans, Uses
from petree.relational.refinement.refiner import Refiner
from petree.relational.refinement.tabulation import LocalTable
from petree.sources.base import Candidates, Nodes, Source, Splits
from petree.sources.permutation import draw_classes, exceedances
from petree.sources.rows import ColumnCodes, Rows
from petree.sources.searching import Searcher
from petree.threads import Threads

# Codes and answers of nodes that are looked at together.
CELLS_AT_ONCE = 10_000_000


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
    plans : Plans, optional
        What sources of the same refiner have found out already.
    """

    def __init__(
        self,
        refiner: Refiner,
        answers: Answers,
        rows: Rows,
        searcher: Searcher,
        threads: Threads,
        plans: Plans | None = None,
    ) -> None:
        self.refiner = refiner
        self.rows = rows
        self.searcher = searcher
        self.threads = threads
        self.plans = plans or Plans(refiner)
        self.states = [State(np.arange(len(answers.examples)), answers.scope, answers.scope)]
        self.left_out: set[str] = set()
        self._first = answers
        self._answers = {0: answers}
        self._holds: dict[tuple[int, int, int], NDArray[np.bool_]] = {}
        self._tables = NodeTables()
        # By a scope and a query, which live as long as the states that have them.
        self._n_tests: dict[tuple[int, int, Uses], int] = {}
        self._tests: dict[tuple[int, int, int], tuple[Family, tuple[Literal, ...]]] = {}

    # -- the source's answers -------------------------------------------------------------------------------

    def root(self) -> Nodes:
        return replace(self.rows.root(), handles=np.zeros(1, np.int64))

    def n_tests(self, nodes: Nodes) -> NDArray[np.int64]:
        return np.array([self._count_tests(self.states[handle]) for handle in nodes.handles.tolist()], np.int64)

    def _count_tests(self, state: State) -> int:
        """Number of tests of a node; where a test fails, the query and its tests are those of the node above."""
        key = (id(state.scope), id(state.query), state.uses)
        if key not in self._n_tests:
            plan = self.plan(state)
            self._n_tests[key] = plan.n_tests - plan.n_known(state.scope, state.query)
        return self._n_tests[key]

    def best_splits(self, nodes: Nodes) -> Splits:
        found = self.threads.run(self._best, [(nodes, *batch) for batch in self._batches(nodes)])
        which = np.concatenate([np.empty(0, np.intp), *(splits.node for splits in found)])
        order = np.argsort(which, kind="stable")
        gains = np.concatenate([np.empty(0), *(splits.gain for splits in found)])
        tests = np.concatenate([np.empty(0, TEST), *(splits.tests for splits in found)])
        return Splits(which[order], gains[order], tests[order])

    def _batches(self, nodes: Nodes) -> Iterator[tuple[Plan, NDArray[np.intp]]]:
        """Nodes whose queries have one form, as many as are looked at together."""
        by_plan: dict[Plan, list[int]] = {}
        states = [self.states[handle] for handle in nodes.handles.tolist()]
        for place, state in enumerate(states):
            by_plan.setdefault(self.plan(state), []).append(place)
        for plan, places in by_plan.items():
            n_columns = len(plan.layout.n_bins)
            handles = nodes.handles[places].tolist()
            cells = [self._n_answers(one) + n_columns * len(self.states[one].cases) for one in handles]
            piece = np.cumsum(cells) // CELLS_AT_ONCE
            for some in np.split(np.array(places), np.flatnonzero(np.diff(piece)) + 1) if n_columns else ():
                yield plan, some

    def candidates(self, nodes: Nodes) -> Iterator[Candidates]:
        for node, handle in enumerate(nodes.handles.tolist()):
            rows = self._rows(handle)
            for found in self.searcher.candidates(rows, whole(rows, nodes, node), self.threads.alone()):
                splits = Splits(np.full(len(found.splits), node), found.splits.gain, tests_of(handle, found.splits))
                yield replace(found, splits=splits)

    def divide(self, nodes: Nodes, splits: Splits) -> tuple[Nodes, NDArray[np.intp]]:
        made = self.threads.run(self._children, splits.tests.tolist())
        first = len(self.states)
        self._answers.clear()  # of nodes that are divided; should pruning come back to them, they are found again
        self._holds.clear()
        opened = dict(enumerate((child for pair in made for child in pair), first))
        self._answers.update({handle: child.answers for handle, child in opened.items() if child.answers is not None})
        self._tables.divide({handle: child.left for handle, child in opened.items() if child.left is not None})
        self.states += [child.state for child in opened.values()]
        children = replace(counted(self.rows, self.states[first:]), handles=np.arange(first, len(self.states)))
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
        return count_exceedances(self._best_of_shuffles(int(trials.handles[0]), trials.counts, trials.keys[0]), trials)

    def _best_of_shuffles(self, handle: int, counts: NDArray[np.float64], key: np.uint64) -> Iterator[float]:
        """The best score of a node, again and again with the values of its objects dealt anew."""
        state = self.states[handle]
        families = self.refiner.families(state.scope, state.query, dict(state.uses))
        for table in shuffled_tables(self.answers_of(handle), families, np.random.default_rng(int(key))):
            rows = self._beside(table.layout.n_bins, table.codes, state.cases)
            node = replace(rows.root(), counts=counts)
            splits = self.searcher.best_splits(rows, node, self.threads.alone())
            yield float(splits.gain[0]) if len(splits) else -np.inf

    def permuted(self, handle: int, key: np.uint64) -> RelationalSource:
        state = self.states[handle]
        copies = self.rows.weights.copies
        cases = np.repeat(state.cases, copies[state.cases]) if len(copies) else state.cases
        rows = self.rows.of_cases(cases, draw_classes(self.rows, cases, key))
        answers = self._asked(replace(state, cases=cases))
        other = RelationalSource(self.refiner, answers, rows, self.searcher, self.threads, self.plans)
        other.states[0] = replace(state, cases=np.arange(len(cases)))
        return other

    def rows_of(self, handles: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        cases = [self.states[handle].cases for handle in handles.tolist()]
        return np.concatenate([np.empty(0, np.intp), *cases]), np.array([len(one) for one in cases], np.intp)

    @property
    def is_linked(self) -> bool:
        return True

    @property
    def is_plain_gain(self) -> bool:
        return self.searcher.gain_search(self.rows.columns) is not None

    @property
    def are_tests_movable(self) -> bool:
        return False  # a query speaks of what those above it found

    def remarks(self) -> list[str]:
        """Names what was left out because it had too many answers."""
        return remarks_on(self.left_out)

    def conditions(self, waves: Sequence[NDArray[Any]]) -> Conditions:
        tests = np.concatenate([np.empty(0, TEST), *waves]).tolist()
        asked = [self._test(*test)[1] for test in tests]
        texts = list(map(text_of, asked))
        self.refiner.outlines.asked.update(zip(texts, asked, strict=True))
        return Conditions.queries([(text, 2) for text in texts])

    # -- one node at a time ---------------------------------------------------------------------------------

    def plan(self, state: State) -> Plan:
        """How the tests of a node are answered."""
        return self.plans.of(state.scope, state.uses)

    def table(self, handle: int) -> LocalTable:
        """The tests of a node, answered."""
        table = self._tables.find(handle)
        if table is None:
            plan = self.plan(self.states[handle])
            table = LocalTable(self._tabulate(plan, [handle])[0], plan.layout)
            self._tables.add(handle, table, is_whole=False)  # nobody divides the node now
        return table

    def _tabulate(self, plan: Plan, handles: Sequence[int]) -> tuple[NDArray[np.uint8], bool]:
        """The tests of some nodes whose queries have one form, and whether they are those of their parts as well."""
        known = [self._tables.left(handle) for handle in handles]
        asked = [handle for handle, codes in zip(handles, known, strict=True) if codes is None]
        codes, is_whole = self._ask(plan, asked) if asked else (np.empty((0, len(plan.layout.n_bins)), np.uint8), True)
        return joined(known, codes, [len(self.states[handle].cases) for handle in handles]), is_whole

    def _ask(self, plan: Plan, handles: Sequence[int]) -> tuple[NDArray[np.uint8], bool]:
        """The same of nodes of which nothing is known; what had too many answers may have fewer in their parts."""
        codes, left_out = plan.tabulate([self.answers_of(handle) for handle in handles])
        self.left_out.update(text_of(family.literals) for family in left_out)
        return codes, not left_out

    def _n_answers(self, handle: int) -> int:
        """How many answers a node's query has in memory."""
        return len(self.answers_of(handle))

    def answers_of(self, handle: int) -> Answers:
        """The answers of a node's query."""
        return self._answers[handle] if handle in self._answers else self._asked(self.states[handle])

    def _asked(self, state: State) -> Answers:
        return Answers.of_examples(state.first, self._first.examples[state.cases], self._first.most).extend(state.query)

    def _rows(self, handle: int) -> Rows:
        """The examples of a node, with its tests as columns."""
        table = self.table(handle)
        return self._beside(table.layout.n_bins, table.codes, self.states[handle].cases)

    def _beside(self, n_bins: NDArray[np.int64], codes: NDArray[np.uint8], cases: NDArray[np.intp]) -> Rows:
        """Some examples with tests as columns beside their classes and weights."""
        return replace(self.rows.take(cases), columns=ColumnCodes.of_cuts(n_bins), narrow=codes)

    def _best(self, nodes: Nodes, plan: Plan, places: NDArray[np.intp]) -> Splits:
        """The best tests of some nodes whose queries have one form."""
        handles = nodes.handles[places]
        codes, is_whole = self._tabulate(plan, handles.tolist())
        cases = [self.states[handle].cases for handle in handles.tolist()]
        slices = slices_of(list(map(len, cases)))
        rows = self._beside(plan.layout.n_bins, codes, np.concatenate(cases))
        some = replace(nodes.take(places), handles=slices)
        splits = self.searcher.best_splits(rows, some, self.threads.alone())
        tests = tests_of(handles[splits.node], splits)
        for node, test in zip(splits.node.tolist(), tests.tolist(), strict=True):
            own = LocalTable(codes[slice(*slices[node])], plan.layout)
            self._holds[test] = own.holds(*test[1:])
            self._tables.add(test[0], own, is_whole)
        return Splits(places[splits.node], splits.gain, tests)

    def _test(self, handle: int, column: int, cut: int) -> tuple[Family, tuple[Literal, ...]]:
        """Family and literals of a test of a node."""
        key = (handle, column, cut)
        if key not in self._tests:
            state = self.states[handle]
            self._tests[key] = self.plan(state).test(column, cut, state.scope)
        return self._tests[key]

    def _children(self, handle: int, column: int, cut: int) -> tuple[Child, Child]:
        state = self.states[handle]
        family, literals = self._test(handle, column, cut)
        known = self._holds.get((handle, column, cut))
        holds = self.table(handle).holds(column, cut) if known is None else known
        used = state.using(family.mode) if self.refiner.counts_uses_of(family.mode) else state.uses
        # A function finds no rows that a query could speak of, so it may be refined where it failed as well.
        is_refined = isinstance(family.last, Aggregation) and bool(family.last.conditions)
        success = state.succeeded(holds, literals, used, self.refiner.bias.max_links)
        rest = replace(state, cases=state.cases[~holds], uses=used if is_refined else state.uses)
        others = self._left(handle, ~holds) if rest.is_mixed(self.rows.classes) else None
        left = (handle, ~holds) if others is not None and rest.uses == state.uses else None
        failed = Child(rest, others, left)
        if not success.is_mixed(self.rows.classes):
            return Child(success, None), failed
        try:
            found = self._found(handle, holds, literals, success)
        except TooManyRowsError:  # all combinations of what was found before and by a test about the example alone
            if column < self.plan(state).n_own:
                raise
            success = state.begun_anew(holds, literals, used)
            found = self._found(handle, holds, literals, success)
        return Child(success, found), failed

    def _found(self, handle: int, holds: NDArray[np.bool_], literals: tuple[Literal, ...], success: State) -> Answers:
        """The answers of the examples for which a test holds, with what it has found."""
        goes_on = len(success.query) > len(literals)
        return self._left(handle, holds).extend(literals) if goes_on else self._asked(success)

    def _left(self, handle: int, chosen: NDArray[np.bool_]) -> Answers:
        """The answers of some examples of a node."""
        return self.answers_of(handle).of(chosen)
