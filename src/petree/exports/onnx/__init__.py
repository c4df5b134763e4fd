"""A tree as an ONNX model, in doubles throughout.

`encoding` turns the inputs into a matrix of numbers and codes, `leaves` finds the leaf of each row by the operator for
trees, `traversal` computes means over nodes by plain operators (for trees with options, and for rows that fit no leaf),
`model` puts them together.
"""

from petree.exports.onnx.model import onnx_bytes, to_onnx

__all__ = ["onnx_bytes", "to_onnx"]
