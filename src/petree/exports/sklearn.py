"""A tree as a scikit-learn tree, for all that works with those: pictures, SHAP values, converters."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier
from sklearn.tree._tree import NODE_DTYPE
from sklearn.tree._tree import Tree as InnerTree

from petree.columns import Column
from petree.exports.splits import Split, refuse_parts, splits_of
from petree.reading.view import View
from petree.tree import Tree

# What scikit-learn writes where a leaf has no test.
_NO_CHILD = -1
_NO_TEST = -2


def to_sklearn(shown: View) -> DecisionTreeClassifier:
    """The tree as a fitted `DecisionTreeClassifier` over the same columns, with the model's probabilities in its nodes.

    A value of two or of ordered categories is given to it as its code, counted from 0. scikit-learn rounds values to 32
    bits and cannot blend: it answers alike where values are as exact in 32 bits, and where none is missing that never
    was in training; those it sends along the heavier branch.
    """
    refuse_parts(shown, "a scikit-learn tree")
    splits = splits_of(shown, "a scikit-learn tree")
    for split in splits.values():
        _refuse_what_no_threshold_can_ask(split)
    _refuse_what_is_equal_in_32_bits(splits.values())
    columns = shown.tree.conditions.columns
    tree = shown.tree
    made = DecisionTreeClassifier()
    inner = InnerTree(len(columns), np.array([tree.n_classes], np.intp), 1)
    inner.__setstate__(
        {
            "max_depth": tree.depth,
            "node_count": tree.n_nodes,
            "nodes": _nodes(tree, splits),
            "values": np.ascontiguousarray(shown.probabilities[:, None, :]),
        }
    )
    made.tree_ = inner
    made.classes_ = np.array(tree.classes)
    made.n_classes_ = np.int64(tree.n_classes)
    made.n_outputs_ = 1
    made.max_features_ = len(columns)
    made.n_features_in_ = len(columns)
    made.feature_names_in_ = np.array([column.name for column in columns], object)
    return made


def _nodes(tree: Tree, splits: dict[int, Split]) -> NDArray[np.void]:
    """The nodes in scikit-learn's own records."""
    nodes = np.zeros(tree.n_nodes, NODE_DTYPE)
    weights = tree.counts.sum(axis=1)
    shares = tree.counts / np.maximum(weights, np.finfo(float).tiny)[:, None]
    nodes["left_child"] = _NO_CHILD
    nodes["right_child"] = _NO_CHILD
    nodes["feature"] = _NO_TEST
    nodes["threshold"] = _NO_TEST
    nodes["impurity"] = 1 - (shares**2).sum(axis=1)
    nodes["n_node_samples"] = tree.sizes
    nodes["weighted_n_node_samples"] = weights
    inner = np.array(list(splits), np.intp)
    ways = [_ways(split) for split in splits.values()]
    nodes["left_child"][inner] = [split.children[low] for split, (_, low, _) in zip(splits.values(), ways, strict=True)]
    nodes["right_child"][inner] = [
        split.children[1 - low] for split, (_, low, _) in zip(splits.values(), ways, strict=True)
    ]
    nodes["feature"][inner] = tree.conditions.column
    nodes["threshold"][inner] = [threshold for threshold, _, _ in ways]
    nodes["missing_go_to_left"][inner] = [goes_left for _, _, goes_left in ways]
    return nodes


def _ways(split: Split) -> tuple[float, int, bool]:
    """The t for which ``x <= t`` asks the same, the branch where it holds, and whether missing values go there."""
    if split.asks_for_missing:
        return np.inf, 1, False
    when_missing = split.missing if split.missing >= 0 else int(np.argmax(split.shares))
    below, threshold = (0, split.threshold) if split.asks_for_number else _code_threshold(split)
    return float(np.nextafter(threshold, -np.inf)), below, when_missing == below


def _code_threshold(split: Split) -> tuple[int, float]:
    """The branch that takes the lower codes, and the code at which the others begin."""
    codes = split.codes(0)
    return (0, len(codes) - 0.5) if min(codes) == 0 else (1, min(codes) - 0.5)


def _refuse_what_no_threshold_can_ask(split: Split) -> None:
    if split.is_multiway:
        raise ValueError("A scikit-learn tree has two branches at each test; fit with tests='binary'.")
    if not split.asks_for_categories:
        return
    codes = split.codes(0)
    is_at_an_end = min(codes) == 0 or max(codes) == len(split.column.categories) - 1
    if not is_at_an_end or max(codes) - min(codes) + 1 != len(codes):
        raise ValueError(
            f"The test {split.condition} on column {split.column.name!r} is no threshold, and a scikit-learn tree has "
            "no other tests; turn the column into columns of 0 and 1 before fitting."
        )


def _refuse_what_is_equal_in_32_bits(splits: Iterable[Split]) -> None:
    thresholds: dict[Column, set[float]] = {}
    for split in splits:
        if split.asks_for_number:
            thresholds.setdefault(split.column, set()).add(split.threshold)
    for column, found in thresholds.items():
        if len(np.unique(np.array(list(found), np.float32))) < len(found):
            raise ValueError(
                f"Some thresholds of column {column.name!r} are equal in 32 bits, and scikit-learn knows no more; "
                "subtract a constant from the column, or scale it, before fitting."
            )
