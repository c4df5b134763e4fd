"""What there is to read: the one place that turns a tree or a fitted estimator into things to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import NotFittedError

from petree.tree import Tree
from petree.words import visible


@dataclass(frozen=True)
class View:
    """A tree, what to show at its nodes (probabilities, perhaps their bounds), and its classes as one-line texts."""

    tree: Tree
    probabilities: NDArray[np.float64]
    class_names: tuple[str, ...]
    bounds: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None

    def prediction(self, node: int) -> str:
        """The most probable class of a node, such as ``P(good)=0.91``, or ``P(good)=0.91 [0.67, 0.98]`` with bounds."""
        best = int(self.probabilities[node].argmax())
        text = f"P({self.class_names[best]})={share_text(float(self.probabilities[node, best]))}"
        if self.bounds is None:
            return text
        lower, upper = (share_text(float(bound[node, best])) for bound in self.bounds)
        return f"{text} [{lower}, {upper}]"


def view(model: Any, probabilities: ArrayLike | None = None, bounds: tuple[ArrayLike, ArrayLike] | None = None) -> View:
    """Resolve a model for reading.

    Parameters
    ----------
    model : Tree or fitted estimator
        A bare tree shows its class shares; an estimator shows its node probabilities.
    probabilities : array (nodes, classes), optional
        Other probabilities to show.
    bounds : two arrays (nodes, classes), optional
        Lower and upper bounds of the probabilities.
    """
    tree = tree_of(model)
    if probabilities is None:
        probabilities = class_shares(tree) if tree is model else model.node_probabilities_
    shown = _per_node(probabilities, tree, "probabilities")
    checked = None if bounds is None else (_per_node(bounds[0], tree, "bounds"), _per_node(bounds[1], tree, "bounds"))
    return View(tree, shown, tuple(visible(str(label)) for label in tree.classes), checked)


def _per_node(values: ArrayLike, tree: Tree, what: str) -> NDArray[np.float64]:
    array = np.asarray(values, np.float64)
    if array.shape != tree.counts.shape:
        raise ValueError(f"The tree needs {what} of shape {tree.counts.shape}, got {array.shape}.")
    return array


def tree_of(model: Any) -> Tree:
    """The tree of a fitted estimator, or the tree itself."""
    if isinstance(model, Tree):
        return model
    tree = getattr(model, "tree_", None)
    if isinstance(tree, Tree):
        return tree
    if hasattr(model, "fit"):
        raise NotFittedError(f"This {type(model).__name__} has no petree tree yet; call fit before reading it.")
    raise TypeError(f"Only a petree Tree or a fitted petree estimator can be read, got {type(model).__name__}.")


def class_shares(tree: Tree) -> NDArray[np.float64]:
    """Raw share of each class at each node; an empty node shows its parent's, an empty root equal shares."""
    totals = tree.counts.sum(axis=1, keepdims=True)
    shares: NDArray[np.float64] = np.full(tree.counts.shape, 1 / tree.n_classes)
    np.divide(tree.counts, totals, out=shares, where=totals > 0)
    a_parent = np.zeros(tree.n_nodes, np.intp)
    a_parent[tree.children] = np.repeat(tree.split_nodes, np.diff(tree.child_start))
    for node in np.flatnonzero(totals[1:] == 0) + 1:  # parents come first
        shares[node] = shares[a_parent[node]]
    return shares


def share_text(share: float) -> str:
    """Two digits, or as many more as it takes not to show as certain what is not."""
    for digits in range(2, 18):
        text = f"{share:.{digits}f}"
        if not 0 < share < 1 or 0 < float(text) < 1:
            return text
    return repr(share)
