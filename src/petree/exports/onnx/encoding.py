"""The inputs of an ONNX model: one per column that the tree asks for, made into one matrix of doubles.

A number is itself, and NaN where it is missing. A category is its code, `NEW` where it was never seen, and NaN where it
is missing: texts have the empty text for that.
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
    kind = _type_of(column)
    given = column.name
    if kind == TensorProto.BOOL:
        given = graph.add("Cast", given, to=TensorProto.INT64)
        kind = TensorProto.INT64
    write = _text_codes if kind == TensorProto.STRING else _number_codes
    codes = write(graph, given, column)
    is_missing = graph.add("Equal", codes, graph.constant(_MISSING, np.int64))
    numbers = graph.add("Cast", codes, to=TensorProto.DOUBLE)
    return graph.add("Where", is_missing, graph.constant(np.nan), numbers)


def _text_codes(graph: Graph, given: str, column: Column) -> str:
    keys = [str(category) for category in column.categories]
    values = list(range(len(keys)))
    if "" not in keys:
        keys.append("")
        values.append(_MISSING)
    return graph.add("LabelEncoder", given, domain=TREES, keys_strings=keys, values_int64s=values, default_int64=NEW)


def _number_codes(graph: Graph, given: str, column: Column) -> str:
    keys = [int(category) for category in column.categories]
    values = list(range(len(keys)))
    return graph.add("LabelEncoder", given, domain=TREES, keys_int64s=keys, values_int64s=values, default_int64=NEW)


def _type_of(column: Column) -> int:
    """The type of a column's values; refuses categories of several types."""
    if column.kind == NUMBER:
        return int(TensorProto.DOUBLE)
    kinds = {type(category.item() if isinstance(category, np.generic) else category) for category in column.categories}
    types = {str: TensorProto.STRING, bool: TensorProto.BOOL, int: TensorProto.INT64}
    if len(kinds) != 1 or not kinds <= set(types):
        names = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise ValueError(
            f"Column {column.name!r} has categories of type {names}, and ONNX knows texts, whole numbers or booleans; "
            "turn them into texts before fitting."
        )
    return int(types[kinds.pop()])
