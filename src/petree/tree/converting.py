"""Trees of scikit-learn as trees of ours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

from petree.columns import Column
from petree.conditions import THRESHOLD, Conditions
from petree.tree.making import assemble, check_n_tests
from petree.tree.tree import Tree


def from_sklearn(decision_tree: DecisionTreeClassifier, n_tests: int) -> Tree:
    """What `Tree.from_sklearn` makes."""
    check_n_tests(n_tests)
    fitted = vars(decision_tree) if isinstance(decision_tree, DecisionTreeClassifier) else {}
    if "tree_" not in fitted or fitted["n_outputs_"] != 1:
        raise TypeError(
            "Tree.from_sklearn needs a fitted scikit-learn DecisionTreeClassifier with one target, "
            f"got {type(decision_tree).__name__}."
        )
    inner = fitted["tree_"]
    order = _level_order(inner.children_left, inner.children_right)
    is_inner = inner.children_left[order] >= 0
    splits = order[is_inner]
    weight = inner.weighted_n_node_samples[order, None]
    counts = inner.value[order, 0, :] * weight
    if np.array_equal(weight[:, 0], inner.n_node_samples[order]):
        counts = np.rint(counts)  # scikit-learn keeps shares; without weights the counts are whole
    names = fitted.get("feature_names_in_", [f"x{i}" for i in range(inner.n_features)])
    conditions = Conditions.from_arrays(
        [Column(str(name)) for name in names],
        np.full(len(splits), THRESHOLD),
        inner.feature[splits],
        _route_alike(inner.threshold[splits]),
        np.where(inner.missing_go_to_left[splits], 0, 1),
    )
    tree = assemble(
        counts,
        inner.n_node_samples[order],
        np.full(len(order), n_tests),
        np.flatnonzero(is_inner),
        np.full(len(splits), 2),
        conditions,
        fitted["classes_"].tolist(),
    )
    return tree.with_annotations(impurity=inner.impurity[order])


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
