"""Criteria that say yes or no to the best test of a node."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from petree.pruning.bottom_up import prune_stumps
from petree.pruning.context import Context
from petree.pruning.log import Notes, PruningLog
from petree.pruning.stumps import Stumps, Verdicts, inner_nodes, refuse_options
from petree.tree import Tree

TIMES = ("pre", "post")


def check_when(owner: Any) -> None:
    """Raise unless a criterion's 'when' is "pre" or "post"."""
    if owner.when not in TIMES:
        raise ValueError(
            f"The 'when' parameter of {type(owner).__name__} must be 'pre' or 'post'. Got {owner.when!r} instead."
        )


class Acceptance(BaseEstimator):
    """A criterion with ``judge(stumps, context)``, and a parameter `when`.

    With "post" stumps go bottom-up (CW488 section 2.2); with "pre" a node is split only if its test is accepted, while
    growing or, what comes to the same, from the root of a grown tree down.
    """

    names: ClassVar[tuple[str, str]] = ("statistic", "threshold")
    when: str

    def judge(self, stumps: Stumps, context: Context | None) -> Verdicts:
        """The verdict on each of some nodes."""
        raise NotImplementedError

    def prune(self, tree: Tree, context: Context | None = None) -> Tree:
        check_when(self)
        if self.when == "post":
            return prune_stumps(self, tree, lambda stumps: self.judge(stumps, context), self.names).pruned()
        return self._from_the_root(tree, context).pruned()

    def _from_the_root(self, tree: Tree, context: Context | None) -> PruningLog:
        refuse_options(tree)
        notes, cut = Notes(), []
        nodes = inner_nodes(tree)[:1]
        while len(nodes):
            verdicts = self.judge(Stumps.of(tree, nodes), context)
            notes.add(nodes, verdicts)
            cut.append(nodes[~verdicts.accepted])
            children = tree.children_of(nodes[verdicts.accepted]).astype(np.intp)
            nodes = children[~tree.is_leaf[children]]
        return notes.log(self, self.names, tree, np.concatenate([np.empty(0, np.intp), *cut]))
