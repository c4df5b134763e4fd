"""Tilde's safe pruning."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from petree.parts import check_choice
from petree.pruning.engine.context import Context
from petree.pruning.engine.counts import over_leaves
from petree.pruning.engine.stumps import Verdicts, refuse_options
from petree.pruning.engine.top_down import prune_down
from petree.tree import Tree


class SafePruning(BaseEstimator):
    """A subtree whose leaves all predict the same class becomes a leaf (Tilde; Blockeel & De Raedt 1998).

    No prediction changes; probabilities do. A leaf without cases predicts what the nearest node above with cases does.

    Parameters
    ----------
    ties : {"first", "last"}, default="first"
        Which of equally frequent classes is predicted; Tilde takes the last.
    """

    names: ClassVar[tuple[str, str]] = ("classes predicted below", "classes needed")

    def __init__(self, ties: str = "first") -> None:
        self.ties = ties

    def check(self) -> None:
        """Raise for a bad parameter."""
        check_choice(self, "ties", ("first", "last"))

    def prune(self, tree: Tree, context: Context | None = None) -> Tree:
        self.check()
        refuse_options(tree)
        is_predicted = predictions(tree, self.ties)[:, None] == np.arange(tree.n_classes)
        n_predicted = (over_leaves(tree, is_predicted.astype(np.intp)) > 0).sum(axis=1).astype(np.float64)

        def judge(nodes: NDArray[np.intp]) -> Verdicts:
            return Verdicts(n_predicted[nodes], np.full(len(nodes), 2.0), n_predicted[nodes] >= 2)

        return prune_down(self, tree, judge, self.names).pruned()


def predictions(tree: Tree, ties: str = "first") -> NDArray[np.intp]:
    """The class that each node would predict as a leaf, the first or the last of equals."""
    counts = tree.weighted_counts
    predicted: NDArray[np.intp] = counts.argmax(axis=1)
    if ties == "last":
        predicted = tree.n_classes - 1 - counts[:, ::-1].argmax(axis=1)
    is_empty = counts.sum(axis=1) == 0
    for level in tree.by_level()[1:]:
        empty = level[is_empty[level]]
        predicted[empty] = predicted[tree.parents[empty]]
    return predicted
