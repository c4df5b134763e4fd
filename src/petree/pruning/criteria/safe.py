"""Tilde's safe pruning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.parts import check_choice
from petree.pruning.criterion import Criterion
from petree.pruning.engine.context import Context
from petree.pruning.engine.counts import over_leaves, predictions
from petree.pruning.engine.stumps import Verdicts, refuse_options
from petree.pruning.engine.top_down import prune_down
from petree.tree import Tree


class SafePruning(Criterion):
    """A subtree whose leaves all predict the same class becomes a leaf (Tilde; Blockeel & De Raedt 1998).

    No prediction changes; probabilities do. A leaf without cases predicts what the nearest node above with cases does.

    Parameters
    ----------
    ties : {"first", "last"}, default="first"
        Which of equally frequent classes is predicted; Tilde takes the last.
    """

    names = ("different classes predicted below it", "needed to keep it")

    def __init__(self, ties: str = "first") -> None:
        self.ties = ties

    def check(self) -> None:
        check_choice(self, "ties", ("first", "last"))

    def _prune(self, tree: Tree, context: Context) -> Tree:
        refuse_options(tree)
        is_predicted = predictions(tree, self.ties)[:, None] == np.arange(tree.n_classes)
        n_predicted = (over_leaves(tree, is_predicted.astype(np.intp)) > 0).sum(axis=1).astype(np.float64)

        def judge(nodes: NDArray[np.intp]) -> Verdicts:
            return Verdicts(n_predicted[nodes], np.full(len(nodes), 2.0), n_predicted[nodes] >= 2)

        return prune_down(self, tree, judge, self.names).pruned()
