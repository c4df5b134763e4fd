"""A tree with fewer splits: what is left when nodes are cut or branches raised."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from petree.tree.spans import offsets, ranges

if TYPE_CHECKING:
    from petree.tree.tree import Tree


def rewired(tree: Tree, owners: NDArray[np.int32], splits: NDArray[np.intp]) -> Tree:
    """Keep `splits`, owned by `owners` (ascending), and the nodes that can still be reached."""
    wired = replace(
        tree,
        split_start=np.searchsorted(owners, np.arange(tree.n_nodes + 1)).astype(np.int32),
        child_start=offsets(np.diff(tree.child_start)[splits]),
        children=tree.children[ranges(tree.child_start[splits], tree.child_start[splits + 1])],
        conditions=tree.conditions.take(splits),
        split_annotations={name: values[splits] for name, values in tree.split_annotations.items()},
        pruning_log=None,
    )
    reached = _reached_in_many_ways(wired) if tree.is_dag else _reached(wired)
    return wired if reached.all() else _only(wired, np.flatnonzero(reached))


def _reached(tree: Tree) -> NDArray[np.bool_]:
    """Which nodes hang on the root, where none has several parents: each looks twice as far up every time."""
    above = np.arange(tree.n_nodes)
    above[tree.children] = np.repeat(tree.split_nodes, np.diff(tree.child_start))
    while not np.array_equal(above, further := above[above]):
        above = further
    return above == 0


def _reached_in_many_ways(tree: Tree) -> NDArray[np.bool_]:
    """Which nodes hang on the root, level by level."""
    reached, frontier = np.zeros(tree.n_nodes, bool), np.zeros(1, np.intp)
    while len(frontier):
        reached[frontier] = True
        frontier = np.unique(tree.children_of(frontier))
    return reached


def _only(tree: Tree, nodes: NDArray[np.intp]) -> Tree:
    """Drop every node but these (a set closed under children); the nodes are numbered anew."""
    number = np.full(tree.n_nodes, -1, np.int32)
    number[nodes] = np.arange(len(nodes), dtype=np.int32)
    splits = ranges(tree.split_start[nodes], tree.split_start[nodes + 1])
    return replace(
        tree,
        counts=tree.counts[nodes],
        sizes=tree.sizes[nodes],
        n_tests=tree.n_tests[nodes],
        split_start=offsets(np.diff(tree.split_start)[nodes]),
        child_start=offsets(np.diff(tree.child_start)[splits]),
        children=number[tree.children[ranges(tree.child_start[splits], tree.child_start[splits + 1])]],
        conditions=tree.conditions.take(splits),
        annotations={name: values[nodes] for name, values in tree.annotations.items()},
        split_annotations={name: values[splits] for name, values in tree.split_annotations.items()},
    )
