"""Mixtures over the nodes of a tree, or of a directed acyclic graph of options, by plain operators.

An item is a row that has arrived at a vertex, with a weight. All items lie on a stack. Each iteration takes the topmost
items, moves each of them along one edge, or along all edges where no branch takes the row, and puts those that have not
arrived back on the stack. So time and memory grow with the nodes that rows reach, not with the nodes of the tree, and
the memory is bounded: rows are processed in blocks, and the stack depth first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import GraphProto, TensorProto

from petree.caching import cached_property
from petree.columns import Column
from petree.exports.onnx.graph import Graph, info
from petree.exports.splits import Split, child_shares
from petree.tree import Tree, ranges

Numbers = NDArray[np.float64]
Integers = NDArray[np.int32]
# The branch of a value that fits none: missing where training had none missing, or a new category.
NO_BRANCH = -1
# The edge leads to no vertex, or emits nothing.
NOTHING = -1
# Codes of a test: missing values, new categories, then the known categories, or below the threshold and not below.
MISSING_CODE, NEW_CODE, FIRST_CODE = 0, 1, 2
ROWS_PER_BLOCK = 1024
ITEMS_PER_STEP = 16384
# Items that meet at a vertex are merged if a tree without shared nodes would have so many times as many.
MOST_COPIES = 2.0


@dataclass(frozen=True)
class Mixture:
    """A tree whose answer for a row is a weighted mean over nodes.

    Of the weight that arrives at a node, `stay` ends there, and `go` continues with a split. A row that no branch of a
    split takes continues with all branches, by their shares of the training weight.
    """

    tree: Tree
    splits: list[Split]
    stay: Numbers
    go: Numbers
    probabilities: Numbers

    @classmethod
    def of_leaves(cls, tree: Tree, splits: list[Split], probabilities: Numbers) -> Mixture:
        """Return the mixture of a tree in which rows end in leaves."""
        return cls(tree, splits, tree.is_leaf.astype(np.float64), np.ones(len(splits)), probabilities)

    @cached_property
    def continuing(self) -> Numbers:
        """The part of the weight of each node that continues."""
        return np.bincount(self.tree.split_nodes, self.go, self.tree.n_nodes).astype(np.float64)

    @cached_property
    def n_parents(self) -> NDArray[np.intp]:
        return np.bincount(self.tree.children, minlength=self.tree.n_nodes)

    @cached_property
    def merges(self) -> bool:
        """Whether items that meet are merged, since many ways lead to the same nodes."""
        tree = self.tree
        n_ways = np.zeros(tree.n_nodes)
        n_ways[0] = 1.0
        for nodes in tree.by_level():
            n_children = np.diff(tree.child_start)[ranges(tree.split_start[nodes], tree.split_start[nodes + 1])]
            n_splits = np.diff(tree.split_start)[nodes]
            np.add.at(n_ways, tree.children_of(nodes), np.repeat(np.repeat(n_ways[nodes], n_splits), n_children))
        return bool(n_ways.sum() > MOST_COPIES * tree.n_nodes)

    @cached_property
    def sums(self) -> tuple[Numbers, Numbers]:
        """For each node, the part of a weight that arrives there, and the sum of what stays on the way.

        The way begins at the last node that has several parents, or at the root. Branches and options share what
        continues, so that an item needs to emit this sum only where it ends, or arrives at a node with several parents.
        """
        tree = self.tree
        parts = np.ones(tree.n_nodes)
        sums = self.stay[:, None] * self.probabilities
        parents = np.repeat(tree.split_nodes, np.diff(tree.child_start))
        is_only = self.n_parents[tree.children] == 1
        only_children, only_parents = tree.children[is_only], parents[is_only]
        above = np.full(tree.n_nodes, -1)
        above[only_children] = only_parents
        for nodes in tree.by_level()[1:]:
            inner = nodes[above[nodes] >= 0]
            parts[inner] = parts[above[inner]] * self.continuing[above[inner]]
            sums[inner] = sums[above[inner]] + parts[inner, None] * sums[inner]
        return parts, sums

    def write(self, graph: Graph, matrix: str, columns: list[Column]) -> str:
        """Write the means of every row of the matrix, and return their name."""
        if not self.continuing[0]:
            shape = graph.add("Shape", graph.take(matrix, [0]))
            return graph.add("Expand", graph.constant(self.probabilities[:1]), shape)
        vertices, edges = _Vertices.of(self, columns), _Edges.of(self)
        return _Writer(graph, matrix, vertices, edges, self.tree.n_classes, len(columns), self.merges).write()


def _vertex_of_node(mixture: Mixture) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The first vertex of each node where weight continues, else `NOTHING`, and the number of vertices of each node.

    A node with one split is one vertex. A node with options is one that leads to all splits, and one for each of them.
    So is every node if items are merged, which meet only if all ways to a node have the same length.
    """
    n_splits = np.diff(mixture.tree.split_start)
    n_vertices = np.where(mixture.continuing > 0, n_splits + ((n_splits > 1) | mixture.merges), 0)
    first = np.cumsum(n_vertices) - n_vertices
    return np.where(n_vertices > 0, first, NOTHING), n_vertices


def _vertex_of_split(mixture: Mixture) -> NDArray[np.intp]:
    """The vertex that tests each split, `NOTHING` where no weight continues."""
    tree = mixture.tree
    first, n_vertices = _vertex_of_node(mixture)
    owner = tree.split_nodes
    number = np.arange(len(owner)) - tree.split_start[owner]
    n_before = n_vertices[owner] - np.diff(tree.split_start)[owner]
    return np.where(n_vertices[owner] > 0, first[owner] + number + n_before, NOTHING)


@dataclass(frozen=True)
class _Vertices:
    """What each vertex tests: a column, a threshold where it is a number, and the branch of each code in a table."""

    column: Integers
    threshold: Numbers
    is_number: NDArray[np.bool_]
    table_start: Integers
    table: Integers

    @classmethod
    def of(cls, mixture: Mixture, columns: list[Column]) -> _Vertices:
        n_vertices = int(_vertex_of_node(mixture)[1].sum())
        tables: dict[tuple[int, ...], int] = {}
        table: list[int] = []

        def start_of(branches: tuple[int, ...]) -> int:
            if branches not in tables:
                tables[branches] = len(table)
                table.extend(branches)
            return tables[branches]

        column = np.zeros(n_vertices, np.int32)
        threshold = np.zeros(n_vertices)
        is_number = np.ones(n_vertices, np.bool_)
        table_start = np.full(n_vertices, start_of((NO_BRANCH,) * (FIRST_CODE + 2)), np.int32)
        places = {one: place for place, one in enumerate(columns)}
        for vertex, split in zip(_vertex_of_split(mixture).tolist(), mixture.splits, strict=True):
            if vertex != NOTHING:
                column[vertex] = places[split.column]
                threshold[vertex] = split.threshold if split.asks_for_number else 0.0
                is_number[vertex] = not split.column.categories
                table_start[vertex] = start_of(_branches(split))
        return cls(column, threshold, is_number, table_start, np.array(table, np.int32))


def _branches(split: Split) -> tuple[int, ...]:
    """The branch of missing values, of new categories, and of each code."""
    n_codes = len(split.column.categories) or 2
    if split.asks_for_missing:
        return (0, *[1] * (1 + n_codes))
    if split.asks_for_number:
        return (split.missing, NO_BRANCH, 0, 1)
    if split.is_multiway:
        return (split.missing, NO_BRANCH, *range(n_codes))
    members = set(split.codes(0))
    return (split.missing, NO_BRANCH, *(int(code not in members) for code in range(n_codes)))


@dataclass(frozen=True)
class _Edges:
    """The edges of each vertex, one vertex's after the other's.

    `target` is the next vertex, `emission` the row of `emissions` that an item adds to the answer of its row times its
    weight, `share` the part of the weight that takes an edge if all of them are taken, and `factor` the part of that
    which goes on to the target.
    """

    first: Integers
    number: Integers
    target: Integers
    emission: Integers
    share: Numbers
    factor: Numbers
    emissions: Numbers

    @classmethod
    def of(cls, mixture: Mixture) -> _Edges:
        tree = mixture.tree
        first_vertex, n_vertices = _vertex_of_node(mixture)
        vertex_of_split = _vertex_of_split(mixture)
        parts, sums = mixture.sums
        # The edges of tests.
        splits = np.repeat(np.arange(len(vertex_of_split)), np.diff(tree.child_start))
        is_used = vertex_of_split[splits] != NOTHING
        children = tree.children[is_used]
        parents = tree.split_nodes[splits[is_used]]
        is_shared = mixture.n_parents[children] > 1
        is_end = first_vertex[children] == NOTHING
        going = parts[parents] * mixture.continuing[parents]
        to_shared_end = is_shared & is_end
        emissions = np.where(is_shared[:, None], sums[parents], sums[children])
        emissions[to_shared_end] += going[to_shared_end, None] * mixture.probabilities[children[to_shared_end]]
        emits = is_shared | is_end
        # The edges of nodes with options, which lead to their tests.
        is_option = n_vertices[tree.split_nodes] > np.minimum(np.diff(tree.split_start)[tree.split_nodes], 1)
        optional = np.flatnonzero(is_option & (mixture.go > 0))
        owners = tree.split_nodes[optional]
        n_options = len(optional)
        source = np.concatenate((vertex_of_split[splits[is_used]], first_vertex[owners]))
        order = np.argsort(source, kind="stable")
        number = np.bincount(source, minlength=int(n_vertices.sum()))
        places = np.where(emits, np.cumsum(emits) - 1, NOTHING)

        def ordered(of_tests: NDArray[Any], of_options: NDArray[Any]) -> NDArray[Any]:
            return np.concatenate((of_tests, of_options))[order]

        return cls(
            first=(np.cumsum(number) - number).astype(np.int32),
            number=number.astype(np.int32),
            target=ordered(first_vertex[children], vertex_of_split[optional]).astype(np.int32),
            emission=ordered(places, np.full(n_options, NOTHING)).astype(np.int32),
            share=ordered(child_shares(tree)[is_used], mixture.go[optional] / mixture.continuing[owners]),
            factor=ordered(np.where(is_shared & ~is_end, going, 1.0), np.ones(n_options)),
            emissions=emissions[emits],
        )


# The stack, in three arrays of one length.
STACK = {"row": TensorProto.INT64, "vertex": TensorProto.INT32, "weight": TensorProto.DOUBLE}


@dataclass(frozen=True)
class _Writer:
    """Writes the operators of a mixture."""

    graph: Graph
    matrix: str
    vertices: _Vertices
    edges: _Edges
    n_classes: int
    n_columns: int
    merges: bool

    def write(self) -> str:
        """Write a loop over blocks of rows, and return the name of the answers."""
        graph = self.graph
        zero, one = (graph.constant([number], np.int64) for number in (0, 1))
        n_rows = graph.add("Slice", graph.add("Shape", self.matrix), zero, one)
        n_blocks = graph.add("Add", graph.add("Div", n_rows, graph.constant(ROWS_PER_BLOCK, np.int64)), one)
        blocks = graph.add("Loop", n_blocks, "", body=self._block())
        answers = graph.add("Reshape", blocks, graph.constant([-1, self.n_classes], np.int64))
        return graph.add("Slice", answers, zero, n_rows, zero)

    def _block(self) -> GraphProto:
        """Write the answers of one block of rows, all of which begin at the root."""
        graph = Graph("block_")
        first, zero, size = (graph.constant(value, np.int64) for value in ([0], 0, [ROWS_PER_BLOCK]))
        start = graph.add("Mul", "block_number", size)
        rows = graph.add("Slice", self.matrix, start, graph.add("Add", start, size), first)
        values = graph.add("Reshape", rows, graph.constant([-1], np.int64))
        n_rows = graph.add("Squeeze", graph.add("Shape", rows, start=0, end=1))
        row = graph.add("Range", zero, n_rows, graph.constant(1, np.int64))
        shape = graph.add("Shape", row)
        vertex = graph.add("Expand", graph.constant(0, np.int32), shape)
        weight = graph.add("Expand", graph.constant(1.0), shape)
        answers = graph.constant(np.zeros(ROWS_PER_BLOCK * self.n_classes))
        is_any = graph.add("Greater", n_rows, zero)
        *_, found = graph.add_several("Loop", 4, "", is_any, row, vertex, weight, answers, body=self._step(values))
        shape = graph.constant([ROWS_PER_BLOCK, self.n_classes], np.int64)
        graph.name(graph.add("Reshape", found, shape), "block_answers")
        graph.name("block_continues", "block_continues_after")
        return graph.finish(
            "block",
            [info("block_number", TensorProto.INT64, []), info("block_continues", TensorProto.BOOL, [])],
            [
                info("block_continues_after", TensorProto.BOOL, []),
                info("block_answers", TensorProto.DOUBLE, [ROWS_PER_BLOCK, self.n_classes]),
            ],
        )

    def _step(self, values: str) -> GraphProto:
        """Write one iteration over the topmost items of the stack, given the values of all rows and columns."""
        graph = Graph("step_")
        n_items = graph.add("Shape", "step_row")
        below = graph.add("Sub", n_items, graph.constant(ITEMS_PER_STEP, np.int64))
        below = graph.add("Max", below, graph.constant([0], np.int64))
        row, vertex, weight = (graph.add("Slice", f"step_{name}", below, n_items) for name in STACK)
        row, edge, weight = self._moved(graph, row, vertex, weight, self._branch(graph, values, row, vertex))
        graph.name(self._emitted(graph, row, edge, weight), "step_answers_after")
        target = graph.look_up(self.edges.target, edge)
        continues = graph.add("GreaterOrEqual", target, graph.constant(0, np.int32))
        if (self.edges.factor != 1).any():
            weight = graph.add("Mul", weight, graph.look_up(self.edges.factor, edge))
        items = tuple(graph.add("Compress", moved, continues) for moved in (row, target, weight))
        for name, moved in zip(STACK, self._merged(graph, *items) if self.merges else items, strict=True):
            rest = graph.add("Slice", f"step_{name}", graph.constant([0], np.int64), below)
            stack = graph.add("Concat", rest, moved, axis=0)
            graph.name(stack, f"step_{name}_after")
        n_left = graph.add("Squeeze", graph.add("Shape", "step_row_after"))
        graph.name(graph.add("Greater", n_left, graph.constant(0, np.int64)), "step_continues_after")
        state = {"continues": TensorProto.BOOL, **STACK, "answers": TensorProto.DOUBLE}
        shapes = {name: [] if name == "continues" else [None] for name in state}
        inputs = [info(f"step_{name}", kind, shapes[name]) for name, kind in state.items()]
        outputs = [info(f"step_{name}_after", kind, shapes[name]) for name, kind in state.items()]
        return graph.finish("step", [info("step_number", TensorProto.INT64, []), *inputs], outputs)

    def _branch(self, graph: Graph, values: str, row: str, vertex: str) -> str:
        """Write the branch that each item takes, or `NO_BRANCH`."""
        vertices = self.vertices
        start = graph.add("Mul", row, graph.constant(self.n_columns, np.int64))
        column = graph.add("Cast", graph.look_up(vertices.column, vertex), to=TensorProto.INT64)
        value = graph.add("Gather", values, graph.add("Add", start, column))
        is_below = graph.add("Less", value, graph.look_up(vertices.threshold, vertex))
        code = graph.add("Cast", graph.add("Not", is_below), to=TensorProto.DOUBLE)
        if not vertices.is_number.all():
            code = graph.add("Where", graph.look_up(vertices.is_number, vertex), code, value)
        code = graph.add("Where", graph.add("IsNaN", value), graph.constant(float(MISSING_CODE - FIRST_CODE)), code)
        start = graph.look_up(vertices.table_start + np.int32(FIRST_CODE), vertex)
        return graph.look_up(vertices.table, graph.add("Add", start, graph.add("Cast", code, to=TensorProto.INT32)))

    def _moved(self, graph: Graph, row: str, vertex: str, weight: str, branch: str) -> tuple[str, str, str]:
        """Write the row, edge and weight of each item that moves along the edge of its branch, or along all edges."""
        takes_all = graph.add("Equal", branch, graph.constant(NO_BRANCH, np.int32))
        zero, one = graph.constant(0, np.int32), graph.constant(1, np.int32)
        n_edges = graph.add("Where", takes_all, graph.look_up(self.edges.number, vertex), one)
        numbers = graph.add("Range", zero, graph.add("ReduceMax", n_edges, keepdims=0), one)
        is_taken = graph.add("Less", numbers, graph.add("Unsqueeze", n_edges, graph.constant([1], np.int64)))
        pairs = graph.add_several("Split", 2, graph.add("NonZero", is_taken), axis=0, num_outputs=2)
        item, number = (graph.add("Reshape", part, graph.constant([-1], np.int64)) for part in pairs)
        first = graph.add("Add", graph.look_up(self.edges.first, vertex), graph.add("Max", branch, zero))
        edge = graph.add("Add", graph.add("Gather", first, item), graph.add("Cast", number, to=TensorProto.INT32))
        share = graph.look_up(self.edges.share, edge)
        part = graph.add("Where", graph.add("Gather", takes_all, item), share, graph.constant(1.0))
        return graph.add("Gather", row, item), edge, graph.add("Mul", graph.add("Gather", weight, item), part)

    def _merged(self, graph: Graph, row: str, vertex: str, weight: str) -> tuple[str, str, str]:
        """Write one item for all of the same row and vertex, with the sum of their weights."""
        n_vertices = graph.constant(len(self.vertices.column), np.int64)
        one = graph.constant([1], np.int64)
        key = graph.add("Add", graph.add("Mul", row, n_vertices), graph.add("Cast", vertex, to=TensorProto.INT64))
        n_items = graph.add("Shape", key)
        keys, order = graph.add_several("TopK", 2, key, n_items, axis=0, largest=0)
        previous = graph.add("Slice", keys, graph.constant([0], np.int64), graph.add("Sub", n_items, one))
        previous = graph.add("Concat", graph.constant([-1], np.int64), previous, axis=0)
        is_first = graph.add("Not", graph.add("Equal", keys, previous))
        number = graph.add("CumSum", graph.add("Cast", is_first, to=TensorProto.INT64), graph.constant(0, np.int64))
        keys = graph.add("Compress", keys, is_first)
        zeros = graph.add("Expand", graph.constant(0.0), graph.add("Shape", keys))
        weights = graph.add("Gather", weight, order)
        sums = graph.add("ScatterElements", zeros, graph.add("Sub", number, one), weights, axis=0, reduction="add")
        vertex = graph.add("Cast", graph.add("Mod", keys, n_vertices), to=TensorProto.INT32)
        return graph.add("Div", keys, n_vertices), vertex, sums

    def _emitted(self, graph: Graph, row: str, edge: str, weight: str) -> str:
        """Write the answers of all rows and classes, with what the items emit."""
        emission = graph.look_up(self.edges.emission, edge)
        emits = graph.add("GreaterOrEqual", emission, graph.constant(0, np.int32))
        row, emission, weight = (graph.add("Compress", each, emits) for each in (row, emission, weight))
        one, flat = graph.constant([1], np.int64), graph.constant([-1], np.int64)
        values = graph.add("Mul", graph.look_up(self.edges.emissions, emission), graph.add("Unsqueeze", weight, one))
        start = graph.add("Mul", graph.add("Unsqueeze", row, one), graph.constant(self.n_classes, np.int64))
        indices = graph.add("Add", start, graph.constant(np.arange(self.n_classes), np.int64))
        indices, values = graph.add("Reshape", indices, flat), graph.add("Reshape", values, flat)
        return graph.add("ScatterElements", "step_answers", indices, values, axis=0, reduction="add")
