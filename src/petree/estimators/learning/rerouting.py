"""Cases of some nodes, sent down other parts of a tree than they were grown in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.columns import NOMINAL, Column
from petree.conditions import IN, MULTIWAY, THRESHOLD, UNSEEN, Conditions
from petree.estimators.learning.cases import Cases
from petree.growing import Grown
from petree.inputs import Table
from petree.inputs.columns import as_floats
from petree.pruning.engine.routed_cases import RoutedCases
from petree.sources.base import Source
from petree.sources.missing.fractions import FractionalSource, RowParts
from petree.sources.missing.known import NOWHERE
from petree.threads import Threads
from petree.tree import Tree, offsets, ranges

Nodes = NDArray[np.intp]


class Rerouting:
    """``rerouting(tree, places, starts)``: what reaches each node of a tree when cases start inside it.

    The cases of the grown tree's nodes `places` go down `tree`, each from the node that stands beside its own in
    `starts`; no start is below another. A case whose value is missing where the branch saw none missing takes the
    heaviest way.

    Returns
    -------
    counts : array (nodes, classes)
    sizes : array (nodes,)
        Of `tree`; zero where no start leads.
    """

    def __init__(self, cases: Cases, source: Source, grown: Grown, threads: Threads) -> None:
        if not source.are_tests_movable:
            raise ValueError(
                "A branch cannot be raised where tests are queries, which speak of what the tests above them found; "
                "set raising=False."
            )
        self.cases = cases
        self.source = source
        self.handles = grown.handles
        self.threads = threads

    @staticmethod
    def of(cases: Cases, source: Source, grown: Grown, threads: Threads) -> Rerouting:
        """Where the source divides rows, they are divided again."""
        kind = DividedRerouting if isinstance(source, FractionalSource) else Rerouting
        return kind(cases, source, grown, threads)

    def __call__(self, tree: Tree, places: Nodes, starts: Nodes) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        rows, n_rows = self.source.rows_of(self.handles[places])
        cases = self.cases.take(rows)
        start = np.repeat(np.arange(len(starts)), n_rows)
        forest, nodes = gather(tree, starts)
        table = Table(forest.conditions.columns, (*cases.table.arrays, start), len(start))
        leaves = cases.route(forest).leaves(table, self.threads).astype(np.intp)
        reached = RoutedCases(leaves, cases.codes, cases.amounts)
        counts = np.zeros(tree.counts.shape)
        counts[nodes] = reached.counts(forest)[1:]
        sizes = np.zeros(tree.n_nodes, np.int64)
        sizes[nodes] = reached.sizes(forest)[1:]
        return counts, sizes


class DividedRerouting(Rerouting):
    """The same of rows in parts: one whose value is missing goes every way, by the shares of the rows that come by.

    As in C4.5 these are the rows that now reach the test, not those that it was grown from; where none of them has a
    value, all ways are alike.
    """

    source: FractionalSource

    def __call__(self, tree: Tree, places: Nodes, starts: Nodes) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        handles = self.handles[places]
        parts = self.source.parts_of(handles)
        node = np.repeat(starts, handles[:, 2] - handles[:, 1])
        counts = np.zeros(tree.counts.shape)
        sizes = np.zeros(tree.n_nodes)
        while len(node):
            reached = RoutedCases(node, self.cases.codes[parts.row], parts.weight)
            counts += reached.tally(node, tree.n_nodes, tree.n_classes)
            sizes += np.bincount(node, parts.part, tree.n_nodes)
            is_inner = np.flatnonzero(~tree.is_leaf[node])
            parts, node = self._divide(tree, parts.take(is_inner, np.ones(len(is_inner))), node[is_inner])
        return counts, np.rint(sizes).astype(np.int64)

    def _divide(self, tree: Tree, parts: RowParts, node: Nodes) -> tuple[RowParts, Nodes]:
        """The parts that reach the children of their nodes, and these."""
        inner, owner = np.unique(node, return_inverse=True)
        splits = tree.split_start[inner].astype(np.intp)
        branch = _branches(tree.conditions, splits[owner], self.cases, parts.row)
        child_start = offsets(tree.child_start[splits + 1] - tree.child_start[splits])
        divided, child = parts.divide(branch, owner, child_start)
        return divided, tree.children_of_splits(splits)[child].astype(np.intp)


def _branches(conditions: Conditions, splits: Nodes, cases: Cases, rows: Nodes) -> Nodes:
    """The branch of some rows, each at a split of its own; `NOWHERE` where its value is missing."""
    branch = np.empty(len(rows), np.intp)
    column = conditions.column[splits]
    for number in np.unique(column).tolist():
        which = np.flatnonzero(column == number)
        values = as_floats(cases.table.columns[number], cases.table.arrays[number][rows[which]])
        branch[which] = _branches_of(conditions, splits[which], values)
    return branch


def _branches_of(conditions: Conditions, splits: Nodes, values: NDArray[np.float64]) -> Nodes:
    """The same of values of one column."""
    kind = conditions.kind[splits]
    value = conditions.value[splits]
    branch = np.where(kind == THRESHOLD, values >= value, values != value).astype(np.intp)
    for split in np.unique(splits[kind == IN]).tolist():
        at = splits == split
        branch[at] = ~np.isin(values[at], conditions.extras[int(conditions.value[split])])
    is_missing = np.isnan(values)
    branch = np.where(kind == MULTIWAY, np.where(is_missing, 0, values).astype(np.intp), branch)
    return np.where(is_missing, NOWHERE, branch)


def gather(tree: Tree, starts: Nodes) -> tuple[Tree, Nodes]:
    """A tree whose root sends row i to the i-th of some subtrees, by a column of its own behind the others.

    Also the nodes of the tree that it has, from its second on.
    """
    nodes = np.concatenate((starts, np.sort(_below(tree, starts)))).astype(np.intp)
    number = np.zeros(tree.n_nodes, np.intp)
    number[nodes] = np.arange(1, len(nodes) + 1)
    splits = ranges(tree.split_start[nodes], tree.split_start[nodes + 1])
    children = number[tree.children_of_splits(splits)]
    n_splits = np.diff(tree.split_start)[nodes]
    n_children = np.diff(tree.child_start)[splits]
    forest = Tree(
        counts=np.vstack((tree.counts[starts].sum(axis=0), tree.counts[nodes])),
        sizes=np.append(tree.sizes[starts].sum(), tree.sizes[nodes]),
        n_tests=np.append(1, tree.n_tests[nodes]),
        split_start=np.cumsum([0, 1, *n_splits]).astype(np.int32),
        child_start=np.cumsum([0, len(starts), *n_children]).astype(np.int32),
        children=np.concatenate((np.arange(1, len(starts) + 1), children)).astype(np.int32),
        conditions=_with_choice(tree.conditions.take(splits), len(starts)),
        classes=tree.classes,
    )
    return forest, nodes


def _below(tree: Tree, nodes: Nodes) -> Nodes:
    """All nodes below some."""
    found = [np.empty(0, np.intp)]
    while len(nodes):
        nodes = tree.children_of(nodes).astype(np.intp)
        found.append(nodes)
    return np.concatenate(found)


def _with_choice(conditions: Conditions, n_branches: int) -> Conditions:
    """Conditions, and before them one that asks a further column which branch to take."""
    choice = Column("start", NOMINAL, tuple(range(n_branches)))
    return Conditions.from_arrays(
        (*conditions.columns, choice),
        np.append(MULTIWAY, conditions.kind),
        np.append(len(conditions.columns), conditions.column),
        np.append(0.0, conditions.value),
        np.append(UNSEEN, conditions.missing),
        conditions.extras,
    )
