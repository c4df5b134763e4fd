"""Trees made of the nodes and splits of another one: the one place where nodes are rewired."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from petree.tree.spans import offsets, ranges

if TYPE_CHECKING:
    from petree.tree.tree import Tree

Numbers = NDArray[np.intp] | NDArray[np.int32]
ALL = slice(None)


def rewire(tree: Tree, nodes: Numbers | slice, owners: Numbers, splits: NDArray[np.intp], children: Numbers) -> Tree:
    """A tree of some nodes and splits of another, numbered anew; whatever is noted at them comes along.

    Parameters
    ----------
    tree : Tree
        The other tree.
    nodes : array, or `ALL`
        Its nodes, in the order that they have in the new tree.
    owners : array
        The node of the new tree that has each split, ascending.
    splits : array
        Splits of the other tree, one for each owner.
    children : array
        Where they lead in the new tree, one split's children after the other's.

    Returns
    -------
    Tree
    """
    counts = tree.counts[nodes]
    return replace(
        tree,
        counts=counts,
        sizes=tree.sizes[nodes],
        n_tests=tree.n_tests[nodes],
        split_start=np.searchsorted(owners, np.arange(len(counts) + 1)).astype(np.int32),
        child_start=offsets(np.diff(tree.child_start)[splits]).astype(np.int32),
        children=np.asarray(children, np.int32),
        conditions=tree.conditions.take(splits),
        annotations={name: values[nodes] for name, values in tree.annotations.items()},
        split_annotations={name: values[splits] for name, values in tree.split_annotations.items()},
        surrogates=None if tree.surrogates is None else tree.surrogates.take(splits),
    )


def with_splits(tree: Tree, owners: Numbers, splits: NDArray[np.intp]) -> Tree:
    """The tree with these splits alone, owned by `owners` (ascending), and all of its nodes, reached or not."""
    return rewire(tree, ALL, owners, splits, tree.children_of_splits(splits))


def reached(tree: Tree, in_many_ways: bool) -> Tree:
    """The tree without the nodes that cannot be reached from its root, whether some can be in several ways or none."""
    is_reached = _reached_in_many_ways(tree) if in_many_ways else _reached(tree)
    if is_reached.all():
        return tree
    nodes = np.flatnonzero(is_reached)
    number = np.cumsum(is_reached) - 1
    splits = ranges(tree.split_start[nodes], tree.split_start[nodes + 1])
    return rewire(tree, nodes, number[tree.split_nodes[splits]], splits, number[tree.children_of_splits(splits)])


def _reached(tree: Tree) -> NDArray[np.bool_]:
    """Which nodes hang on the root, where none has several parents: each looks twice as far up every time."""
    above = np.arange(tree.n_nodes)
    above[tree.children] = np.repeat(tree.split_nodes, np.diff(tree.child_start))
    while not np.array_equal(above, further := above[above]):
        above = further
    return above == 0


def _reached_in_many_ways(tree: Tree) -> NDArray[np.bool_]:
    """Which nodes hang on the root, level by level."""
    is_reached = np.zeros(tree.n_nodes, bool)
    frontier = np.zeros(1, np.intp)
    while len(frontier):
        is_reached[frontier] = True
        frontier = np.unique(tree.children_of(frontier))
    return is_reached
