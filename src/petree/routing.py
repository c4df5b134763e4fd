"""Rows of a table to leaves of a tree, and to class probabilities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import kernels
from petree.conditions import EQUALS, IN, IS_MISSING, QUERY, THRESHOLD, Conditions
from petree.inputs import Table
from petree.threads import Threads
from petree.tree import Tree, ranges

# A node as the kernels read it at a threshold; see `kernels/route.py` for negative columns.
STEP = np.dtype([("value", np.float64), ("column", np.int32), ("first_child", np.int32)])
# The rest of a node; `value` to `stop` are the members of an `In`.
DETAIL = np.dtype(
    [
        ("value", np.float64),
        ("column", np.int32),
        ("n_children", np.int32),
        ("missing", np.int32),
        ("stop", np.int32),
        ("kind", np.int64),
    ]
)
LEAF, OTHER, EQUALITY = -1, -2, -3
# Rows that one thread takes at a time, of those that go to one leaf and of those that hear all leaves.
ROWS_PER_PIECE = 50_000
CONFUSED_PER_PIECE = 512
# The least weight of a doubted way that is followed to its leaves. What a node says is close to the mean of what its
# leaves say, so that answers change far less than by the weight that is cut off.
LEAST_WEIGHT = 1e-4


@dataclass(frozen=True)
class Router:
    """A tree packed for the kernels."""

    steps: NDArray[Any]
    details: NDArray[Any]
    members: NDArray[np.float64]
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, tree: Tree) -> Router:
        """Pack a tree whose tests are conditions on the columns of one table."""
        conditions, inner = tree.conditions, tree.split_nodes
        if tree.is_dag or (conditions.kind == QUERY).any():
            raise ValueError("Rows cannot be sent down this tree: its tests are not about columns of one table.")
        steps, details = np.zeros(tree.n_nodes, STEP), np.zeros(tree.n_nodes, DETAIL)
        details[inner], members = pack_details(tree)
        steps["column"] = LEAF
        not_by_threshold = np.where(conditions.kind == EQUALS, EQUALITY - conditions.column, OTHER)
        steps["column"][inner] = np.where(conditions.kind == THRESHOLD, conditions.column, not_by_threshold)
        steps["first_child"][inner] = tree.children[tree.child_start[:-1]]
        steps["value"][inner] = details["value"][inner]
        return cls(steps, details, members, tree.counts.sum(axis=1))

    def leaves(self, table: Table, threads: Threads) -> NDArray[np.int64]:
        """Leaf of each row; of a blend the heaviest."""
        no_probabilities = np.empty((len(self.steps), 0))
        return self._answer(table, no_probabilities, threads)[0]

    def probabilities(
        self, table: Table, node_probabilities: NDArray[np.float64], threads: Threads
    ) -> NDArray[np.float64]:
        """Class probabilities of each row, from those of the nodes."""
        return self._answer(table, node_probabilities, threads)[1]

    def confused_probabilities(
        self, table: Table, node_probabilities: NDArray[np.float64], factor: float, threads: Threads
    ) -> NDArray[np.float64]:
        """Class probabilities of each row, from all leaves: each test that a row fails costs a leaf this factor."""
        return self._hear_all(kernels.confusion.confuse, table, node_probabilities, (factor,), threads)

    def doubted_probabilities(
        self, table: Table, node_probabilities: NDArray[np.float64], doubt: float, threads: Threads
    ) -> NDArray[np.float64]:
        """Class probabilities of each row, from all leaves: a test is doubted this much, and then goes every way.

        A doubted way that weighs less than `LEAST_WEIGHT` is not followed: the node it leads to answers for its leaves.
        No probability changes by more than the sum of these weights.
        """
        settings = (doubt, LEAST_WEIGHT)
        return self._hear_all(kernels.confusion.answer_in_doubt, table, node_probabilities, settings, threads)

    def _hear_all(
        self,
        kernel: Callable[..., None],
        table: Table,
        node_probabilities: NDArray[np.float64],
        settings: tuple[float, ...],
        threads: Threads,
    ) -> NDArray[np.float64]:
        answers = np.empty((table.n_rows, node_probabilities.shape[1]))

        def answer(matrix: NDArray[np.float64], rows: slice) -> None:
            tree = self.steps, self.details, self.members, self.shares
            kernel(matrix, *tree, *settings, node_probabilities, answers[rows])

        run_in_pieces(answer, table, CONFUSED_PER_PIECE, threads)
        return answers

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Part of each node in the training weight of it and its siblings; all alike where they have none."""
        inner = np.flatnonzero(self.details["n_children"])
        first, n_children = self.steps["first_child"][inner], self.details["n_children"][inner]
        children, family = ranges(first, first + n_children), np.repeat(np.arange(len(inner)), n_children)
        totals = np.bincount(family, self.weights[children])[family]
        shares = np.ones(len(self.steps))
        shares[children] = np.divide(self.weights[children], totals, out=1 / n_children[family], where=totals > 0)
        return shares

    def _answer(
        self, table: Table, node_probabilities: NDArray[np.float64], threads: Threads
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        leaves = np.empty(table.n_rows, np.int64)
        answers = np.empty((table.n_rows, node_probabilities.shape[1]))

        def answer(matrix: NDArray[np.float64], rows: slice) -> None:
            found = leaves[rows]
            kernels.route.find_leaves(matrix, self.steps, self.details, self.members, found)
            stuck = np.flatnonzero(found < 0)
            blended = np.zeros((len(stuck), node_probabilities.shape[1]))
            if len(stuck):
                heaviest = np.empty(len(stuck), np.int64)
                kernels.route.blend(
                    matrix, self.steps, self.details, self.members, stuck, -1 - found[stuck], self.weights,
                    node_probabilities, blended, heaviest,
                )  # fmt: skip
                found[stuck] = heaviest
            np.take(node_probabilities, found, axis=0, out=answers[rows])
            answers[rows][stuck] = blended

        run_in_pieces(answer, table, ROWS_PER_PIECE, threads)
        return leaves, answers


def run_in_pieces(
    answer: Callable[[NDArray[np.float64], slice], None], table: Table, n_rows: int, threads: Threads
) -> None:
    """Call a function with so many rows of a table at a time, and where they stand in it."""
    for rows, matrix in table.chunks():
        starts = range(0, len(matrix), n_rows)
        pieces = [
            (matrix[start : start + n_rows], slice(rows.start + start, rows.start + start + n_rows)) for start in starts
        ]
        threads.run(answer, pieces)


def pack_details(tree: Tree) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """The tests of a tree, one record a split, and the members of all sets of categories."""
    conditions, details = tree.conditions, np.zeros(len(tree.conditions), DETAIL)
    details["value"], details["stop"], members = _spread_members(conditions)
    details["column"] = conditions.column
    details["n_children"] = np.diff(tree.child_start)
    details["missing"] = np.where(conditions.kind == IS_MISSING, 0, conditions.missing)
    details["kind"] = conditions.kind
    return details, members


def _spread_members(conditions: Conditions) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Values of the conditions, where the members of an `In` are a slice of one array: its start, its stop."""
    value, stop = conditions.value.copy(), np.zeros(len(conditions), np.int64)
    members: list[float] = []
    for split in np.flatnonzero(conditions.kind == IN):
        value[split] = len(members)
        members += sorted(conditions.extras[int(conditions.value[split])])
        stop[split] = len(members)
    return value, stop, np.array(members, np.float64)
