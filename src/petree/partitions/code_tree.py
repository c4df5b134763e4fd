"""A tree as tasks carry it: a test by codes for each node, and where its children stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.conditions import IN, THRESHOLD
from petree.partitions.partition import Partition
from petree.sources.coding import BinnedColumn
from petree.sources.found import TEST, as_bits, as_lines
from petree.tree import Tree, ranges

# No room for marks of nodes.
NOT_NOTED = np.empty(0, np.uint8)


@dataclass(frozen=True, eq=False)
class CodeTree:
    """Tests of all nodes; a node without children is a leaf, or still open, and its test means nothing."""

    tests: NDArray[Any]
    first_child: NDArray[np.int64]
    n_children: NDArray[np.int64]

    @classmethod
    def root(cls) -> CodeTree:
        """A single open node."""
        return cls(np.zeros(1, TEST), np.zeros(1, np.int64), np.zeros(1, np.int64))

    @classmethod
    def of(cls, tree: Tree, columns: tuple[BinnedColumn, ...]) -> CodeTree:
        """A finished tree whose cuts are among those of binned columns; its nodes keep their numbers."""
        owners = np.flatnonzero(~tree.is_leaf)
        n_children = np.zeros(tree.n_nodes, np.int64)
        first_child = np.zeros(tree.n_nodes, np.int64)
        tests = np.zeros(tree.n_nodes, TEST)
        n_children[owners] = np.diff(tree.child_start)
        first_child[owners] = tree.children[tree.child_start[:-1]]
        tests[owners] = _tests_of(tree, columns)
        return cls(tests, first_child, n_children)

    def __len__(self) -> int:
        return len(self.tests)

    def divided(self, nodes: NDArray[np.intp], tests: NDArray[Any], n_children: NDArray[np.intp]) -> CodeTree:
        """The same with children of some open nodes behind all others, one node's after the other's."""
        n_new = int(n_children.sum())
        grown = CodeTree(
            np.concatenate((self.tests, np.zeros(n_new, TEST))),
            np.concatenate((self.first_child, np.zeros(n_new, np.int64))),
            np.concatenate((self.n_children, np.zeros(n_new, np.int64))),
        )
        grown.tests[nodes] = tests
        grown.first_child[nodes] = len(self) + np.cumsum(n_children) - n_children
        grown.n_children[nodes] = n_children
        return grown

    def move(
        self,
        part: Partition,
        columns: core.tables.Columns,
        nodes: NDArray[np.int32],
        stop: NDArray[np.uint8],
        met_missing: NDArray[np.uint8] = NOT_NOTED,
    ) -> None:
        """Send the rows of a part on from the nodes where they are; -1 where a test has no branch for a row.

        Nodes at whose test a value is missing are marked, where there is room for marks.
        """
        lines = as_lines(self.tests)
        core.partitions.find_nodes(
            columns, part.narrow, part.wide, lines, self.first_child, self.n_children, nodes, met_missing, stop
        )


@dataclass(frozen=True, eq=False)
class Lineage:
    """Who stands above whom in a tree.

    Parameters
    ----------
    parents : array (nodes,)
        -1 for the root.
    first_sibling : array (nodes,)
    levels : list of array
        The nodes of each level below the root.
    """

    parents: NDArray[np.intp]
    first_sibling: NDArray[np.intp]
    levels: list[NDArray[np.intp]]

    @classmethod
    def of(cls, tree: CodeTree) -> Lineage:
        parents = np.full(len(tree), -1)
        first_sibling = np.zeros(len(tree), np.intp)
        levels = []
        wave = np.zeros(1, np.intp)
        while len(wave := wave[tree.n_children[wave] > 0]):
            n_children = tree.n_children[wave]
            below = ranges(tree.first_child[wave], tree.first_child[wave] + n_children)
            parents[below] = np.repeat(wave, n_children)
            first_sibling[below] = np.repeat(tree.first_child[wave], n_children)
            levels.append(below)
            wave = below
        return cls(parents, first_sibling, levels)

    def over_nodes(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Values of nodes, summed over each node and all below it."""
        sums = values.copy()
        for level in reversed(self.levels):
            np.add.at(sums, self.parents[level], sums[level])
        return sums

    def topmost(self, nodes: NDArray[np.intp]) -> NDArray[np.intp]:
        """The first of some nodes on the way from the root to each node, itself included; -1 where there is none."""
        top = np.full(len(self.parents), -1)
        top[nodes] = nodes
        for level in self.levels:
            above = top[self.parents[level]]
            top[level] = np.where(above >= 0, above, top[level])
        return top

    def starts(self, n_rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the rows of each node begin, so many each, if those of every node are to stand together."""
        before = np.cumsum(n_rows) - n_rows
        starts = before - before[self.first_sibling]
        starts[0] = 0
        for level in self.levels:
            starts[level] += starts[self.parents[level]]
        return starts


def _tests_of(tree: Tree, columns: tuple[BinnedColumn, ...]) -> NDArray[Any]:
    """The tests of a tree's splits by codes, one split's after the other's."""
    conditions = tree.conditions
    tests = np.zeros(len(conditions.kind), TEST)
    tests["column"] = conditions.column
    tests["kind"] = conditions.kind
    tests["missing"] = conditions.missing
    tests["cut"] = np.where(conditions.kind == IN, 0, conditions.value)
    for column, binned in enumerate(columns):
        cuts = np.flatnonzero((conditions.kind == THRESHOLD) & (conditions.column == column))
        tests["cut"][cuts] = np.searchsorted(binned.thresholds, conditions.value[cuts])
    sets = np.flatnonzero(conditions.kind == IN)
    is_inside = np.zeros((len(sets), 256), bool)
    for line, split in zip(is_inside, sets.tolist(), strict=True):
        line[list(conditions.extras[int(conditions.value[split])])] = True
    tests["inside"][sets] = as_bits(is_inside)
    return tests
