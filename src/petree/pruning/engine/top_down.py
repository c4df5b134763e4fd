"""The way down a grown tree: whole subtrees go, and what lies below them is not looked at."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from petree.pruning.engine.log import Notes, PruningLog
from petree.pruning.engine.stumps import Verdicts, inner_nodes, refuse_options
from petree.tree import Tree


def prune_down(
    criterion: object, tree: Tree, judge: Callable[[NDArray[np.intp]], Verdicts], names: tuple[str, str]
) -> PruningLog:
    """Cut every node that is not acceptable, from the root down, in one pass."""
    refuse_options(tree)
    notes = Notes()
    cut = [np.empty(0, np.intp)]
    nodes = inner_nodes(tree)[:1]
    while len(nodes):
        verdicts = judge(nodes)
        notes.add(nodes, verdicts)
        cut.append(nodes[~verdicts.accepted])
        children = tree.children_of(nodes[verdicts.accepted]).astype(np.intp)
        nodes = children[~tree.is_leaf[children]]
    return notes.log(criterion, names, tree, np.concatenate(cut))
