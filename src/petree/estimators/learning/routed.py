"""Where cases end in a tree."""

from __future__ import annotations

import numpy as np

from petree.estimators.learning.cases import Cases
from petree.estimators.learning.content import row_copies
from petree.pruning.engine.routed_cases import RoutedCases
from petree.routing import DividingRouter
from petree.threads import Threads
from petree.tree import Tree


def route_cases(tree: Tree, cases: Cases, threads: Threads) -> RoutedCases:
    """Cases by the leaf they reach; of those that would be answered by a blend, the heaviest.

    Where rows are divided, parts of them, each by its leaf.
    """
    router = cases.route(tree)
    if isinstance(router, DividingRouter):
        return RoutedCases.join([_parts(router, piece, threads) for piece in cases.pieces()])
    leaves = np.concatenate([router.leaves(piece.table, threads).astype(np.intp) for piece in cases.pieces()])
    return RoutedCases(leaves, cases.codes, cases.amounts)


def _parts(router: DividingRouter, cases: Cases, threads: Threads) -> RoutedCases:
    rows, leaves, shares = router.parts(cases.table, threads)
    n_copies = row_copies(cases)
    return RoutedCases(leaves.astype(np.intp), cases.codes[rows], cases.amounts[rows] * shares, n_copies[rows] * shares)
