"""Rows at the nodes of a tree that was not grown from them: sorted so that each node is a slice."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.pruning.engine.counts import over_leaves
from petree.tree import Tree


def slices_of(tree: Tree, leaves: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Rows in an order in which those of every node stand together, and where they begin and end.

    Parameters
    ----------
    tree : Tree
        Without options.
    leaves : array (rows,)
        The leaf of each row.

    Returns
    -------
    order : array (rows,)
        The rows; those of one leaf in the order they had.
    slices : array (nodes, 2)
    """
    n_rows = over_leaves(tree, np.bincount(leaves, minlength=tree.n_nodes).astype(np.int64))
    starts = _before_siblings(tree, n_rows)
    for level in tree.by_level()[1:]:
        starts[level] += starts[tree.parents[level]]
    order = np.argsort(starts[leaves], kind="stable")
    return order, np.column_stack((starts, starts + n_rows))


def _before_siblings(tree: Tree, n_rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rows of the siblings that stand before each node; 0 for the root."""
    of_children = n_rows[tree.children]
    before = np.cumsum(of_children) - of_children
    first = np.repeat(before[tree.child_start[:-1]], np.diff(tree.child_start))
    offset = np.zeros(tree.n_nodes, np.int64)
    offset[tree.children] = before - first
    return offset
