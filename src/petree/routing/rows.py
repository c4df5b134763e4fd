"""Rows of a table to leaves of a tree, and to class probabilities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.conditions import IN, QUERY, Conditions
from petree.inputs import Table
from petree.threads import Threads
from petree.tree import Tree, wiring_of

Numbers = NDArray[np.float64]
# Rows that one thread takes at a time, where each goes to one leaf and where all leaves answer it.
ROWS_PER_PIECE = 50_000
CONFUSED_PER_PIECE = 512
# The least weight of a doubted way that is followed to its leaves. The answer of a node is close to the mean of those
# of its leaves, so that answers change far less than by the weight that is cut off.
LEAST_WEIGHT = 1e-4
_NO_BYTES = np.empty(0, np.uint8)
_NO_CODES = np.empty(0, np.int32)
_NO_NUMBERS = np.empty(0)


@dataclass(frozen=True)
class Router:
    """A tree packed for the compiled loops."""

    packed: Any

    @classmethod
    def of(cls, tree: Tree) -> Router:
        """Pack a tree whose tests are conditions on the columns of one table."""
        if tree.is_dag or (tree.conditions.kind == QUERY).any():
            raise ValueError("Rows cannot be sent down this tree: its tests are not about columns of one table.")
        weights = tree.counts.sum(axis=1, dtype=np.float64)
        packed = core.prediction.Router(tests_of(tree.conditions), wiring_of(tree), weights, surrogates_of(tree))
        return cls(packed)

    def leaves(self, table: Table, threads: Threads) -> NDArray[np.int64]:
        """Leaf of each row; of a blend the heaviest."""
        leaves = np.empty(table.n_rows, np.int64)

        def find(matrix: Numbers, rows: slice) -> None:
            core.prediction.find_leaves(self.packed, matrix, leaves[rows], threads.stop)

        run_in_pieces(find, table, ROWS_PER_PIECE, threads)
        return leaves

    def probabilities(self, table: Table, node_probabilities: Numbers, threads: Threads) -> Numbers:
        """Class probabilities of each row, from those of the nodes."""
        return self._answer(core.prediction.answer, (), table, node_probabilities, threads, ROWS_PER_PIECE)

    def confused_probabilities(
        self, table: Table, node_probabilities: Numbers, factor: float, threads: Threads
    ) -> Numbers:
        """Class probabilities of each row, from all leaves: each test that a row fails costs a leaf this factor."""
        confuse = core.prediction.answer_confused
        return self._answer(confuse, (factor,), table, node_probabilities, threads, CONFUSED_PER_PIECE)

    def doubted_probabilities(
        self, table: Table, node_probabilities: Numbers, doubt: float, threads: Threads
    ) -> Numbers:
        """Class probabilities of each row, from all leaves: a test is doubted this much, and then goes every way.

        A doubted way that weighs less than `LEAST_WEIGHT` is not followed: the node it leads to answers for its leaves.
        No probability changes by more than the sum of these weights.
        """
        in_doubt = core.prediction.answer_in_doubt
        return self._answer(in_doubt, (doubt, LEAST_WEIGHT), table, node_probabilities, threads, CONFUSED_PER_PIECE)

    def _answer(
        self,
        loop: Callable[..., None],
        settings: tuple[float, ...],
        table: Table,
        node_probabilities: Numbers,
        threads: Threads,
        n_rows: int,
    ) -> Numbers:
        own = np.ascontiguousarray(node_probabilities, np.float64)
        answers = np.empty((table.n_rows, own.shape[1]))

        def answer(matrix: Numbers, rows: slice) -> None:
            loop(self.packed, matrix, *settings, own, answers[rows], threads.stop)

        run_in_pieces(answer, table, n_rows, threads)
        return answers

    @property
    def shares(self) -> Numbers:
        """Part of each node in the training weight of it and its siblings; all alike where they have none."""
        return core.prediction.shares(self.packed)


class DividingRouter(Router):
    """A router of trees that were grown from parts of rows: a row is in every leaf that it has a part in."""

    def parts(self, table: Table, threads: Threads) -> tuple[NDArray[np.int64], NDArray[np.int64], Numbers]:
        """Rows, the leaves that each has a part in, and how much of it is there; by row."""
        found = [
            (rows.start + row, leaf, share)
            for rows, matrix in table.chunks()
            for row, leaf, share in [core.prediction.find_parts(self.packed, matrix, threads.stop)]
        ]
        row, leaf, share = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
        return row, leaf, share


def run_in_pieces(answer: Callable[[Numbers, slice], None], table: Table, n_rows: int, threads: Threads) -> None:
    """Call a function with so many rows of a table at a time, and where they stand in it."""
    for rows, matrix in table.chunks():
        ends = [(start, min(start + n_rows, len(matrix))) for start in range(0, len(matrix), n_rows)]
        pieces = [(matrix[start:stop], slice(rows.start + start, rows.start + stop)) for start, stop in ends]
        threads.run(answer, pieces)


def tests_of(conditions: Conditions) -> Any:
    """The tests of a tree as the compiled loops know them, where the members of all sets stand in one array."""
    starts, members = _members_of(conditions)
    return core.prediction.Tests(
        np.ascontiguousarray(conditions.kind, np.uint8),
        np.ascontiguousarray(conditions.column, np.int32),
        np.ascontiguousarray(conditions.value, np.float64),
        np.ascontiguousarray(conditions.missing, np.int32),
        starts,
        members,
    )


def surrogates_of(tree: Tree) -> core.prediction.Surrogates:
    """The surrogates of a tree's tests as the compiled loops know them."""
    found = tree.surrogates
    if found is None:
        return core.prediction.Surrogates(_no_tests(), np.zeros(len(tree.conditions) + 1, np.int32), _NO_BYTES)
    return core.prediction.Surrogates(tests_of(found.tests), found.start, found.turned.astype(np.uint8))


def _no_tests() -> core.prediction.Tests:
    return core.prediction.Tests(_NO_BYTES, _NO_CODES, _NO_NUMBERS, _NO_CODES, np.zeros(1, np.int32), _NO_NUMBERS)


def _members_of(conditions: Conditions) -> tuple[NDArray[np.int32], Numbers]:
    """Where those of each split begin among the members of all sets, and these, ascending in each, each one once."""
    splits = np.flatnonzero(conditions.kind == IN)
    if not len(splits):
        return np.zeros(len(conditions) + 1, np.int32), _NO_NUMBERS
    sets = [conditions.extras[row] for row in conditions.value[splits].astype(np.intp).tolist()]
    owners = np.repeat(splits, np.array([len(one) for one in sets], np.intp))
    codes = np.fromiter(chain.from_iterable(sets), np.int64, len(owners))
    n_codes = int(codes.max(initial=0)) + 1
    owner, code = np.divmod(np.unique(owners * n_codes + codes), n_codes)
    n_members = np.bincount(owner + 1, minlength=len(conditions) + 1)
    return np.cumsum(n_members, dtype=np.int32), code.astype(np.float64)
