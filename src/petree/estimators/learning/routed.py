"""Where cases end in a tree."""

from __future__ import annotations

import numpy as np

from petree.estimators.learning.cases import Cases
from petree.pruning.engine.routed_cases import RoutedCases
from petree.threads import Threads
from petree.tree import Tree


def route_cases(tree: Tree, cases: Cases, threads: Threads) -> RoutedCases:
    """Cases by the leaf they reach; of those that would be answered by a blend, the heaviest."""
    router = cases.route(tree)
    leaves = np.concatenate([router.leaves(piece.table, threads).astype(np.intp) for piece in cases.pieces()])
    return RoutedCases(leaves, cases.codes, np.ones(len(leaves)) if cases.weights is None else cases.weights)
