"""What a tree may not do: go against the direction of a column, or test columns of several groups on one path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from petree.pruning.engine.permutation_tests import PermutationTests, PruningWalk
from petree.sources.base import Candidates, Finished, Limits, Nodes, Splits
from petree.sources.found import Best
from petree.sources.permutation import exceedances
from petree.sources.table import TableSource
from petree.tree import Tree

Numbers = NDArray[np.int64]


class Groups:
    """The groups that have all columns of a path: a state of a node is a set of them, known by its number.

    A tree has few states beside its nodes, since the order of the tests and their cuts do not matter.

    Parameters
    ----------
    groups : sparse array (groups, columns)
    """

    def __init__(self, groups: csr_array) -> None:
        self._groups = groups
        self._by_column = groups.tocsc()
        self._left: list[Numbers] = []  # of each state: the groups, ascending,
        self._allowed: list[NDArray[np.bool_]] = []  # and the columns that they have
        self._numbers: dict[bytes, int] = {}
        self._below: dict[tuple[int, int], int] = {}
        self._number(np.arange(groups.shape[0]))

    def allowed(self, states: Numbers) -> NDArray[np.bool_]:
        """Which columns may be tested at nodes of these states."""
        return np.array(self._allowed)[states]

    def follow(self, states: Numbers, columns: Numbers) -> Numbers:
        """The states of the children of nodes that test these columns."""
        pairs, place = np.unique(np.column_stack((states, columns)), axis=0, return_inverse=True)
        below = [self._state_below(state, column) for state, column in pairs.tolist()]
        return np.array(below, np.int64)[place.ravel()]

    def only(self, state: int) -> Groups:
        """The groups that are left in a state, as if no column had been tested."""
        return Groups(self._groups[self._left[state]])

    def _state_below(self, state: int, column: int) -> int:
        if (state, column) not in self._below:
            first, last = self._by_column.indptr[column : column + 2]
            having = self._by_column.indices[first:last].astype(np.int64)
            self._below[state, column] = self._number(np.intersect1d(self._left[state], having, assume_unique=True))
        return self._below[state, column]

    def _number(self, left: Numbers) -> int:
        """The number of a set of groups, noted if it is new."""
        key = left.tobytes()
        if key not in self._numbers:
            self._numbers[key] = len(self._left)
            self._left.append(left)
            allowed = np.zeros(self._groups.shape[1], bool)
            allowed[self._groups[left].indices] = True
            self._allowed.append(allowed)
        return self._numbers[key]


@dataclass(frozen=True, eq=False)
class Constraints:
    """What a tree may not do.

    Parameters
    ----------
    signs : array (columns,)
        Whether the share of the second of two classes must not fall (1) or rise (-1) over a cut of the column.
    groups : sparse array (groups, columns) or None
        Which columns may be tested on one path: those of any one group.
    """

    signs: NDArray[np.int64]
    groups: csr_array | None

    def bind(self, source: TableSource) -> TableSource:
        """A source that has just been made, under these constraints."""
        rows = source.rows
        if rows.n_classes == 2:
            rows = replace(rows, columns=replace(rows.columns, signs=self.signs[rows.columns.order]))
        bound = TableSource(rows, source.searcher, source.vocabulary, source.threads)
        return bound if self.groups is None else GroupedSource(bound, Groups(self.groups))


class GroupedSource(TableSource):
    """A table whose columns may be tested together only where they are in one group.

    A handle has the state of the node behind its slice of the rows. What grows in one go knows nothing of states, and
    neither do the loops over bit sets: nodes are searched wave by wave, and permutations are searched as they are.
    """

    def __init__(self, source: TableSource, groups: Groups) -> None:
        super().__init__(source.rows, source.searcher, source.vocabulary, source.threads)
        self._groups = groups
        self._n_tests_by_column = np.array(source.vocabulary.n_tests_by_column(source.rows.n_classes), np.int64)

    # -- growing ------------------------------------------------------------------------------------------

    def root(self) -> Nodes:
        return self._in_states(super().root(), np.zeros(1, np.int64))

    def n_tests(self, nodes: Nodes) -> NDArray[np.int64]:
        return self._allowed_at(nodes.handles) @ self._n_tests_by_column

    def best_splits(self, nodes: Nodes) -> Splits:
        return super().best_splits(self._as_slices(nodes))

    def candidates(self, nodes: Nodes) -> Iterator[Candidates]:
        return super().candidates(self._as_slices(nodes))

    def divide(self, nodes: Nodes, splits: Splits) -> tuple[Nodes, NDArray[np.intp]]:
        children, n_children = super().divide(self._as_slices(nodes), splits)
        states = self._groups.follow(nodes.handles[:, 2], splits.tests["column"])
        return self._in_states(children, np.repeat(states, n_children)), n_children

    def finish(self, nodes: Nodes, limits: Limits) -> Finished | None:
        return None

    def annotate(self, tree: Tree, handles: Numbers) -> Tree:
        nodes = self._as_slices(Nodes(handles, tree.counts, tree.sizes))
        return self.searcher.annotate(self.rows, tree, nodes, self.threads)

    def best_by_column(self, nodes: Nodes) -> list[Best]:
        return super().best_by_column(self._as_slices(nodes))

    # -- looking at nodes again ---------------------------------------------------------------------------

    def permuted(self, handle: Numbers, key: np.uint64) -> GroupedSource:
        return GroupedSource(super().permuted(handle[:2], key), self._groups.only(int(handle[2])))

    def exceedances(
        self, trials: PermutationTests, moves_attributes: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return exceedances(self.rows, self.searcher, trials, self.threads, self._allowed_at)

    @property
    def is_plain_gain(self) -> bool:
        return False

    @property
    def pruning_walk(self) -> PruningWalk | None:
        return None

    # -- states -------------------------------------------------------------------------------------------

    def _allowed_at(self, handles: Numbers) -> NDArray[np.bool_]:
        return self._groups.allowed(handles[:, 2])

    def _as_slices(self, nodes: Nodes) -> Nodes:
        """Nodes as the searchers know them, with the columns that each may test."""
        slices = np.ascontiguousarray(nodes.handles[:, :2])
        return Nodes(slices, nodes.counts, nodes.sizes, self._allowed_at(nodes.handles))

    @staticmethod
    def _in_states(nodes: Nodes, states: NDArray[np.int64]) -> Nodes:
        return Nodes(np.column_stack((nodes.handles, states)), nodes.counts, nodes.sizes)
