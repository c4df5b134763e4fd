"""The inputs of an ONNX model: one per column that the tree asks for, made into one matrix of doubles.

A number is itself, and NaN where it is missing. A category is its code, `NEW` where it was never seen, and NaN where it
is missing. Inputs are texts, of which the empty one is missing, or doubles for numbers, truths (0 and 1) and numbers
that are categories.
"""

from __future__ import annotations

import numpy as np
from onnx import TensorProto, ValueInfoProto, helper

from petree.columns import NUMBER, Column
from petree.exports.onnx.graph import TREES, Graph

NEW = -1
_MISSING = -2


def input_of(column: Column) -> ValueInfoProto:
    """The declared input of a column: a matrix of one column."""
    return helper.make_tensor_value_info(column.name, _type_of(column), [None, 1])


def matrix(graph: Graph, columns: list[Column]) -> str:
    """The matrix of all columns."""
    encoded = [column.name if column.kind == NUMBER else _codes(graph, column) for column in columns]
    return graph.add("Concat", *encoded, axis=1)


def _codes(graph: Graph, column: Column) -> str:
    """The code of each value as a double, `NEW` or NaN."""
    if _type_of(column) == TensorProto.STRING:
        return _text_codes(graph, column)
    is_own = graph.add("Equal", column.name, graph.constant([[float(one) for one in column.categories]]))
    marks = graph.add("Cast", is_own, to=TensorProto.DOUBLE)
    codes = graph.add("Cast", graph.add("ArgMax", marks, axis=1, keepdims=1), to=TensorProto.DOUBLE)
    is_known = graph.add("ReduceMax", marks, graph.constant([1], np.int64), keepdims=1)
    known = graph.add("Where", graph.add("Cast", is_known, to=TensorProto.BOOL), codes, graph.constant(float(NEW)))
    return graph.add("Where", graph.add("IsNaN", column.name), graph.constant(np.nan), known)


def _text_codes(graph: Graph, column: Column) -> str:
    keys = [str(category) for category in column.categories]
    if "" in keys:
        raise ValueError(
            f"Column {column.name!r} has the empty text among its categories, which in ONNX stands for what is "
            "missing; give it a name before fitting."
        )
    values = [*range(len(keys)), _MISSING]
    codes = graph.add(
        "LabelEncoder",
        column.name,
        domain=TREES,
        keys_strings=[*keys, ""],
        values_int64s=values,
        default_int64=NEW,
    )
    is_missing = graph.add("Equal", codes, graph.constant(_MISSING, np.int64))
    numbers = graph.add("Cast", codes, to=TensorProto.DOUBLE)
    return graph.add("Where", is_missing, graph.constant(np.nan), numbers)


def _type_of(column: Column) -> int:
    """The type of a column's values: texts, or doubles for numbers and truths; refuses categories of both."""
    kinds = {isinstance(category, str) for category in column.categories}
    if len(kinds) > 1:
        raise ValueError(
            f"Column {column.name!r} has texts and numbers among its categories, and ONNX knows one or the other; turn "
            "all into texts before fitting."
        )
    return int(TensorProto.STRING if kinds == {True} else TensorProto.DOUBLE)
