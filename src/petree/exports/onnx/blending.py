"""Answers by plain operators: every way that a row might take, by its share.

Each split says which branch a row takes, or none; each child of a split then has the weight 1, 0 or its share of the
training cases; the weight of a node is the sum over the ways to it, level by level; and the answer is the mean over the
nodes where trees end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from petree.columns import Column
from petree.exports.onnx.graph import Graph
from petree.exports.splits import Split, child_shares
from petree.tree import Tree

Numbers = NDArray[np.float64]
# No branch: a value that is missing where none was, or a category that is new.
NONE = -1


@dataclass(frozen=True)
class Mixture:
    """A tree whose answer is a mean over its nodes: `stay` of what comes to a node ends there, `go` takes a split."""

    tree: Tree
    splits: list[Split]
    stay: Numbers
    go: Numbers
    probabilities: Numbers

    @classmethod
    def of_leaves(cls, tree: Tree, splits: list[Split], probabilities: Numbers) -> Mixture:
        """A tree in which rows end in leaves."""
        return cls(tree, splits, tree.is_leaf.astype(np.float64), np.ones(len(splits)), probabilities)

    def write(self, graph: Graph, matrix: str, columns: list[Column]) -> str:
        """The class probabilities of every row of the matrix."""
        passed = self._passed(graph, _branches(graph, matrix, self.splits, columns)) if self.splits else ""
        first = graph.take(matrix, [0])
        weights = graph.add("Where", graph.add("IsNaN", first), graph.constant(1.0), graph.constant(1.0))
        place_in_level = np.zeros(self.tree.n_nodes, np.intp)
        ends: list[str] = []
        order: list[NDArray[np.intp]] = []
        for level, nodes in enumerate(self.tree.by_level()):
            if level:
                weights = self._one_level_down(graph, weights, passed, nodes, place_in_level)
            place_in_level[nodes] = np.arange(len(nodes))
            ending = nodes[self.stay[nodes] > 0]
            if len(ending):
                ends.append(graph.take(weights, place_in_level[ending]))
                order.append(ending)
        ended = np.concatenate(order)
        spoken = graph.constant(self.stay[ended, None] * self.probabilities[ended])
        return graph.add("MatMul", graph.add("Concat", *ends, axis=1), spoken)

    def _passed(self, graph: Graph, branches: str) -> str:
        """The part that each child gets of what is at its parent, one column per child of a split."""
        tree = self.tree
        n_children = np.diff(tree.child_start)
        split = np.repeat(np.arange(len(n_children)), n_children)
        number = np.arange(len(tree.children)) - tree.child_start[split]
        taken = graph.take(branches, split)
        is_own = graph.add("Equal", taken, graph.constant(number[None], np.int64))
        is_stuck = graph.add("Equal", taken, graph.constant(NONE, np.int64))
        share = graph.constant((child_shares(tree) * self.go[split])[None])
        otherwise = graph.add("Where", is_stuck, share, graph.constant(0.0))
        return graph.add("Where", is_own, graph.constant(self.go[split][None]), otherwise)

    def _one_level_down(
        self, graph: Graph, weights: str, passed: str, nodes: NDArray[np.intp], place_above: NDArray[np.intp]
    ) -> str:
        """The weights of a level's nodes from those of the level above, over all ways to each."""
        tree = self.tree
        parents = np.repeat(tree.split_nodes, np.diff(tree.child_start))
        ways = np.flatnonzero(np.isin(tree.children, nodes))
        ways = ways[np.argsort(tree.children[ways], kind="stable")]
        above = graph.take(weights, place_above[parents[ways]])
        coming = graph.add("Mul", above, graph.take(passed, ways))
        n_ways = np.bincount(np.searchsorted(nodes, tree.children[ways]), minlength=len(nodes))
        if n_ways.max() == 1:
            return coming
        nothing = graph.add("Mul", graph.take(coming, [0]), graph.constant(0.0))
        padded = np.full((len(nodes), n_ways.max()), len(ways))
        padded[np.arange(n_ways.max()) < n_ways[:, None]] = np.arange(len(ways))
        together = graph.take(graph.add("Concat", coming, nothing, axis=1), padded)
        return graph.add("ReduceSum", together, graph.constant([2], np.int64), keepdims=0)


def _branches(graph: Graph, matrix: str, splits: list[Split], columns: list[Column]) -> str:
    """The branch that each row takes at each split, or `NONE`."""
    by_number = [place for place, split in enumerate(splits) if split.asks_for_number]
    by_code = [place for place, split in enumerate(splits) if not split.asks_for_number]
    found = []
    if by_number:
        found.append(_branches_of_numbers(graph, matrix, [splits[place] for place in by_number], columns))
    if by_code:
        found.append(_branches_of_codes(graph, matrix, [splits[place] for place in by_code], columns))
    return graph.take(graph.add("Concat", *found, axis=1), np.argsort(by_number + by_code))


def _branches_of_numbers(graph: Graph, matrix: str, splits: list[Split], columns: list[Column]) -> str:
    values = graph.take(matrix, [columns.index(split.column) for split in splits])
    below = graph.add("Less", values, graph.constant([[split.threshold for split in splits]]))
    branch = graph.add("Cast", graph.add("Not", below), to=TensorProto.INT64)
    when_missing = graph.constant([[split.missing for split in splits]], np.int64)
    return graph.add("Where", graph.add("IsNaN", values), when_missing, branch)


def _branches_of_codes(graph: Graph, matrix: str, splits: list[Split], columns: list[Column]) -> str:
    """From a table of branches: of missing values, of new categories, and of each known one; numbers are no codes."""
    values = graph.take(matrix, [columns.index(split.column) for split in splits])
    is_missing = graph.add("IsNaN", values)
    is_number = graph.constant([[not split.column.categories for split in splits]], np.bool_)
    codes = graph.add(
        "Where", is_number, graph.constant(0.0), graph.add("Where", is_missing, graph.constant(0.0), values)
    )
    places = graph.add("Add", graph.add("Cast", codes, to=TensorProto.INT64), graph.constant(2, np.int64))
    places = graph.add("Where", is_missing, graph.constant(0, np.int64), places)
    return graph.add("GatherElements", graph.constant(_table(splits), np.int64), places, axis=0)


def _table(splits: list[Split]) -> NDArray[np.int64]:
    """One column per split, one row for missing values, one for new categories, and one per code."""
    most = max(max(len(split.column.categories), 1) for split in splits)
    table = np.full((most + 2, len(splits)), NONE, np.int64)
    for place, split in enumerate(splits):
        table[0, place] = split.missing
        if split.asks_for_missing:
            table[1:, place] = 1
        elif split.is_multiway:
            codes = np.arange(len(split.column.categories))
            table[2 + codes, place] = codes
        else:
            table[2 : 2 + len(split.column.categories), place] = 1
            table[2 + np.array(split.codes(0)), place] = 0
    return table
