"""Where cases end in a tree."""

from __future__ import annotations

import numpy as np

from petree.estimators.learning.cases import Cases
from petree.pruning.engine.reached import Reached
from petree.threads import Threads
from petree.tree import Tree


def reach(tree: Tree, cases: Cases, threads: Threads) -> Reached:
    """Cases by the leaf they reach; of those that would be answered by a blend, the heaviest."""
    router = cases.route(tree)
    leaves = np.concatenate([router.leaves(piece.table, threads).astype(np.intp) for piece in cases.pieces()])
    return Reached(leaves, cases.codes, np.ones(len(leaves)) if cases.weights is None else cases.weights)
