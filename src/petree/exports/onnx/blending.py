"""The answer to rows that fit no leaf, by plain operators: every way that a row might take, by its share.

Each split says which branch a row takes, or none; each child of a split then has the weight 1, 0 or its share; and the
weight of a node is the product of those on the way to it, level by level.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from petree.columns import Column
from petree.exports.onnx.graph import Graph
from petree.exports.splits import Split, child_shares
from petree.tree import Tree

# No branch: a value that is missing where none was, or a category that is new.
NONE = -1


def blended(
    graph: Graph,
    matrix: str,
    tree: Tree,
    splits: dict[int, Split],
    columns: list[Column],
    probabilities: NDArray[np.float64],
) -> str:
    """The class probabilities of every row of the matrix."""
    weights = _child_weights(graph, _branches(graph, matrix, list(splits.values()), columns), tree)
    return _mean_over_leaves(graph, matrix, weights, tree, probabilities)


def _branches(graph: Graph, matrix: str, splits: list[Split], columns: list[Column]) -> str:
    """The branch that each row takes at each split, or `NONE`."""
    by_number = [place for place, split in enumerate(splits) if split.asks_for_number]
    by_code = [place for place, split in enumerate(splits) if not split.asks_for_number]
    found = []
    if by_number:
        found.append(_branches_of_numbers(graph, matrix, [splits[place] for place in by_number], columns))
    if by_code:
        found.append(_branches_of_codes(graph, matrix, [splits[place] for place in by_code], columns))
    together = graph.add("Concat", *found, axis=1)
    return graph.take(together, np.argsort(by_number + by_code))


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
    codes = graph.add("Where", is_number, graph.constant(0.0), graph.add("Where", is_missing, graph.constant(0.0), values))
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


def _child_weights(graph: Graph, branches: str, tree: Tree) -> str:
    """The weight of each child, as they stand in the tree, given that a row is at its parent."""
    n_children = np.diff(tree.child_start)
    split = np.repeat(np.arange(len(n_children)), n_children)
    number = np.arange(len(tree.children)) - tree.child_start[split]
    taken = graph.take(branches, split)
    is_own = graph.add("Equal", taken, graph.constant(number[None], np.int64))
    is_stuck = graph.add("Equal", taken, graph.constant(NONE, np.int64))
    otherwise = graph.add("Where", is_stuck, graph.constant(child_shares(tree)[None]), graph.constant(0.0))
    return graph.add("Where", is_own, graph.constant(1.0), otherwise)


def _mean_over_leaves(
    graph: Graph, matrix: str, child_weights: str, tree: Tree, probabilities: NDArray[np.float64]
) -> str:
    place_among_children = np.zeros(tree.n_nodes, np.intp)
    place_among_children[tree.children] = np.arange(len(tree.children))
    place_in_level = np.zeros(tree.n_nodes, np.intp)
    first = graph.take(matrix, [0])
    weights = graph.add("Where", graph.add("IsNaN", first), graph.constant(1.0), graph.constant(1.0))
    of_leaves = []
    order = []
    for level, nodes in enumerate(tree.by_level()):
        place_in_level[nodes] = np.arange(len(nodes))
        if level:
            above = graph.take(weights, place_in_level[tree.parents[nodes]])
            weights = graph.add("Mul", above, graph.take(child_weights, place_among_children[nodes]))
        leaves = nodes[tree.is_leaf[nodes]]
        if len(leaves):
            of_leaves.append(graph.take(weights, place_in_level[leaves]))
            order.append(leaves)
    together = graph.add("Concat", *of_leaves, axis=1)
    return graph.add("MatMul", together, graph.constant(probabilities[np.concatenate(order)]))
