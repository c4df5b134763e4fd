"""The whole ONNX model: inputs, leaves, probabilities, and the most probable class."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, checker, helper

from petree.columns import Column
from petree.exports.onnx.encoding import input_of, matrix
from petree.exports.onnx.graph import TREES, Graph
from petree.exports.onnx.leaves import leaf_tests
from petree.exports.onnx.traversal import Mixture
from petree.exports.options import OptionView
from petree.exports.splits import Split, all_splits, columns_of, splits_of
from petree.reading.view import View
from petree.tree import Tree
from petree.tree.prediction import TIE

# The operator for trees of version 5, and the oldest versions beside it that have all that is used.
OPERATORS = 18
TREE_OPERATORS = 5
FORMAT = 10


def to_onnx(shown: View) -> ModelProto:
    """The tree as an ONNX model with one input per column that it asks for, equal to the model's own `predict_proba`.

    An input is a matrix of one column: doubles, or texts. A missing number is NaN, a missing
    text is empty. The outputs are "label" and "probabilities", in doubles. Run it by onnxruntime 1.23.2 or later:
    earlier ones read sets of categories wrongly.
    """
    graph = Graph()
    if isinstance(shown, OptionView):
        tree = shown.whole
        splits = all_splits(tree, "ONNX")
        columns = _inputs(splits, tree)
        mixture = Mixture(tree, splits, shown.stay, shown.go, shown.whole_masses)
        found = _divided(graph, mixture.write(graph, matrix(graph, columns), columns))
    else:
        tree = shown.tree
        by_node = splits_of(shown, "ONNX")
        columns = _inputs(list(by_node.values()), tree)
        found = _answers(graph, shown, by_node, columns)
    return _model(graph, found, tree, columns)


def _inputs(splits: list[Split], tree: Tree) -> list[Column]:
    """The columns that are asked for; a tree that asks for none has one to tell the number of rows."""
    columns = columns_of(splits) or list(tree.conditions.columns[:1])
    if not columns:
        raise ValueError("A tree of a single leaf that knows no columns has no input, which ONNX needs.")
    return columns


def _model(graph: Graph, probabilities: str, tree: Tree, columns: list[Column]) -> ModelProto:
    graph.name(probabilities, "probabilities")
    graph.name(_labels(graph, probabilities, tree), "label")
    outputs = [
        helper.make_tensor_value_info("label", _label_type(tree), [None]),
        helper.make_tensor_value_info("probabilities", TensorProto.DOUBLE, [None, tree.n_classes]),
    ]
    made = graph.finish("petree", [input_of(column) for column in columns], outputs)
    versions = [helper.make_opsetid("", OPERATORS), helper.make_opsetid(TREES, TREE_OPERATORS)]
    model = helper.make_model(made, opset_imports=versions, ir_version=FORMAT, producer_name="petree")
    helper.set_model_props(model, {"classes": json.dumps(_label_values(tree).tolist())})
    checker.check_model(model)
    return model


def onnx_bytes(shown: View) -> bytes:
    """The same as the bytes of a file."""
    return bytes(to_onnx(shown).SerializeToString())


def _answers(graph: Graph, shown: View, splits: dict[int, Split], columns: list[Column]) -> str:
    """The class probabilities: those of the leaf, of a row that is stuck the blend of all that it might reach."""
    leaves = np.flatnonzero(shown.tree.is_leaf)
    known = matrix(graph, columns)
    tests = leaf_tests(splits, columns, {leaf: number for number, leaf in enumerate(leaves.tolist())})
    reached = graph.add("Reshape", tests.write(graph, known), graph.constant([-1], np.int64))
    table = np.vstack([shown.probabilities[leaves], np.ones(shown.tree.n_classes)])
    found = graph.add("Gather", graph.constant(table), reached, axis=0)
    if not any(split.may_blend for split in splits.values()):
        return found
    is_stuck = graph.add("Equal", reached, graph.constant(len(leaves), np.int64))
    rows = graph.add("Transpose", graph.add("NonZero", is_stuck))
    stuck_rows = graph.add("GatherND", known, rows)
    masses = shown.probabilities if shown.masses is None else shown.masses
    blends = Mixture.of_leaves(shown.tree, list(splits.values()), masses).write(graph, stuck_rows, columns)
    blends = blends if shown.masses is None else _divided(graph, blends)
    return graph.add("ScatterND", found, rows, blends)


def _divided(graph: Graph, masses: str) -> str:
    """Masses over their sums."""
    return graph.add("Div", masses, graph.add("ReduceSum", masses, graph.constant([1], np.int64), keepdims=1))


def _labels(graph: Graph, probabilities: str, tree: Tree) -> str:
    """The class that `predict` answers: the most probable after class weights, the first of equals."""
    if tree.class_weight is not None:
        # Runtimes drop a multiplication by a single number that is nearly 1, hence the weights times the tolerance.
        weighted = graph.add("Mul", probabilities, graph.constant(tree.class_weight[None]))
        tolerant = graph.add("Mul", probabilities, graph.constant(tree.class_weight[None] * (1 - TIE)))
        least = graph.add("ReduceMax", tolerant, graph.constant([1], np.int64), keepdims=1)
        probabilities = graph.add("Cast", graph.add("GreaterOrEqual", weighted, least), to=TensorProto.DOUBLE)
    best = graph.add("ArgMax", probabilities, axis=1, keepdims=0)
    return graph.add("Gather", graph.constant(_label_values(tree), None), best, axis=0)


def _label_values(tree: Tree) -> Any:
    """The classes as whole numbers or truth values, where they are; else as texts."""
    values = np.asarray(tree.classes)
    if values.dtype.kind == "i":
        return values.astype(np.int64)
    return values if values.dtype.kind == "b" else np.array([str(label) for label in tree.classes], object)


def _label_type(tree: Tree) -> int:
    kind = _label_values(tree).dtype.kind
    types = {"b": TensorProto.BOOL, "i": TensorProto.INT64}
    return int(types.get(kind, TensorProto.STRING))
