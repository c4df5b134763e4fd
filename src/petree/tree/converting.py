"""Trees of scikit-learn as trees of ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

from petree.columns import Column
from petree.conditions import IS_MISSING, THRESHOLD, UNSEEN, Conditions
from petree.tree.making import assemble, check_n_tests
from petree.tree.tree import Tree

# Counts that differ from whole numbers by no more are these; where a monotonic constraint moved them, they are not.
ROUNDING = 1e-6


def from_sklearn(decision_tree: DecisionTreeClassifier, n_tests: int, feature_names: Sequence[str] | None) -> Tree:
    """What `Tree.from_sklearn` makes."""
    check_n_tests(n_tests)
    fitted = vars(decision_tree) if isinstance(decision_tree, DecisionTreeClassifier) else {}
    if "tree_" not in fitted or fitted["n_outputs_"] != 1:
        raise TypeError(
            "Tree.from_sklearn needs a fitted scikit-learn DecisionTreeClassifier with one target, "
            f"got {type(decision_tree).__name__}."
        )
    inner = fitted["tree_"]
    # A test that takes missing values from all others has no threshold there, and missing values on the right.
    is_missing = np.isinf(inner.threshold)
    left = np.where(is_missing, inner.children_right, inner.children_left)
    right = np.where(is_missing, inner.children_left, inner.children_right)
    order = _level_order(left, right)
    is_inner = left[order] >= 0
    splits = order[is_inner]
    tree = assemble(
        _counts(inner, order),
        inner.n_node_samples[order],
        np.full(len(order), n_tests),
        np.flatnonzero(is_inner),
        np.full(len(splits), 2),
        _conditions(inner, splits, is_missing[splits], _columns(fitted, feature_names)),
        fitted["classes_"].tolist(),
    )
    return tree.with_annotations(impurity=inner.impurity[order])


def _columns(fitted: dict[str, Any], feature_names: Sequence[str] | None) -> list[Column]:
    """The columns by the names that are given, or else those that the tree has noted."""
    n_columns = fitted["n_features_in_"]
    names = fitted.get("feature_names_in_", [f"x{i}" for i in range(n_columns)])
    names = [str(name) for name in (names if feature_names is None else feature_names)]
    if len(names) != n_columns or len(set(names)) != n_columns:
        raise ValueError(f"'feature_names' must be {n_columns} different names, one a column. Got {names!r}.")
    return [Column(name) for name in names]


def _counts(inner: Any, order: NDArray[np.intp]) -> NDArray[np.float64]:
    """Class counts: scikit-learn keeps shares, and without weights the counts are whole."""
    weight = inner.weighted_n_node_samples[order, None]
    counts: NDArray[np.float64] = inner.value[order, 0, :] * weight
    whole = np.rint(counts)
    is_whole = np.array_equal(weight[:, 0], inner.n_node_samples[order]) and np.abs(counts - whole).max() < ROUNDING
    return whole if is_whole else counts


def _conditions(
    inner: Any, splits: NDArray[np.intp], is_missing: NDArray[np.bool_], columns: list[Column]
) -> Conditions:
    """The tests of some nodes; `is_missing` says which of them ask for missing values alone."""
    missing = np.where(inner.missing_go_to_left[splits], 0, 1)
    return Conditions.from_arrays(
        columns,
        np.where(is_missing, IS_MISSING, THRESHOLD),
        inner.feature[splits],
        np.where(is_missing, 0.0, _route_alike(np.where(is_missing, 0.0, inner.threshold[splits]))),
        np.where(is_missing, UNSEEN, missing),
    )


def _level_order(left: NDArray[Any], right: NDArray[Any]) -> NDArray[np.intp]:
    """Old numbers of the nodes, level by level, siblings side by side."""
    levels = [np.zeros(1, np.intp)]
    while len(levels[-1]):
        parents = levels[-1][left[levels[-1]] >= 0]
        levels.append(np.column_stack((left[parents], right[parents])).ravel().astype(np.intp))
    return np.concatenate(levels)


def _route_alike(thresholds: NDArray[np.float64]) -> NDArray[np.float64]:
    """The t for which ``x < t`` on float64 equals scikit-learn's ``float32(x) <= threshold``."""
    below = thresholds.astype(np.float32)
    below = np.where(below > thresholds, np.nextafter(below, np.float32(-np.inf)), below)
    above = np.nextafter(below, np.float32(np.inf))
    middle = (below.astype(np.float64) + above.astype(np.float64)) / 2
    # A value half way is rounded to the even neighbour, so it goes left when `below` is the even one.
    is_even = below.view(np.uint32) % 2 == 0
    return np.where(is_even, np.nextafter(middle, np.inf), middle)
