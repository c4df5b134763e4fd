"""One tree out of a tree with options: the most probable, or the most probable of few leaves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from petree import kernels
from petree.tree import Tree

Numbers = NDArray[np.float64]


def most_probable(tree: Tree, leaves: Numbers, splits: Numbers, max_leaves: int) -> Tree:
    """The ordinary tree of the greatest posterior probability among those of at most so many leaves.

    Parameters
    ----------
    tree : Tree
        With options or without.
    leaves, splits : array (nodes,), array (splits,)
        Logarithms of the weights of the nodes as leaves and of the splits.
    max_leaves : int
    """
    best = np.empty((tree.n_nodes, max_leaves + 1))
    kernels.leaves.best_by_leaves(tree.split_start, tree.child_start, tree.children, leaves, splits, best)
    nodes, owners, chosen = [0], [], []
    wanted = [int(np.argmax(best[0]))]
    for place, node in enumerate(nodes):  # grows while it is read: level by level, at most two nodes a leaf
        if wanted[place] == 1:
            continue
        split, shares = _choose(tree, best, splits, node, wanted[place])
        owners.append(place)
        chosen.append(split)
        nodes.extend(tree.children[tree.child_start[split] : tree.child_start[split + 1]].tolist())
        wanted.extend(shares)
    return unfold(tree, np.array(nodes), np.array(owners, np.intp), np.array(chosen, np.intp))


def _choose(tree: Tree, best: Numbers, splits: Numbers, node: int, n_leaves: int) -> tuple[int, list[int]]:
    """The split of a node whose best tree has so many leaves, and how many of them each child gets."""
    found: tuple[float, int, list[int]] = (-np.inf, -1, [])
    for split in range(tree.split_start[node], tree.split_start[node + 1]):
        children = tree.children[tree.child_start[split] : tree.child_start[split + 1]]
        value, shares = _share(best[children], n_leaves)
        if value + splits[split] > found[0]:
            found = (value + splits[split], split, shares)
    return found[1], found[2]


def _share(best: Numbers, n_leaves: int) -> tuple[float, list[int]]:
    """The best way to share leaves among children, given the best value of each for each number."""
    # the value and the shares of the children looked at, for each number of leaves that they have together
    found: dict[int, tuple[float, list[int]]] = {0: (0.0, [])}
    for child in best:
        longer: dict[int, tuple[float, list[int]]] = {}
        for used, (value, shares) in found.items():
            for own in range(1, n_leaves - used + 1):
                total = value + float(child[own])
                if total > longer.get(used + own, (-np.inf, []))[0]:
                    longer[used + own] = (total, [*shares, own])
        found = longer
    return found.get(n_leaves, (-np.inf, []))


def unfold(tree: Tree, nodes: NDArray[np.int64], owners: NDArray[np.intp], splits: NDArray[np.intp]) -> Tree:
    """The tree of these nodes, numbered anew, each owner having one split."""
    n_children = np.diff(tree.child_start)[splits]
    return replace(
        tree,
        counts=tree.counts[nodes],
        sizes=tree.sizes[nodes],
        n_tests=tree.n_tests[nodes],
        split_start=np.searchsorted(owners, np.arange(len(nodes) + 1)).astype(np.int32),
        child_start=np.concatenate(([0], np.cumsum(n_children))).astype(np.int32),
        children=np.arange(1, n_children.sum() + 1, dtype=np.int32),
        conditions=tree.conditions.take(splits),
        annotations={name: values[nodes] for name, values in tree.annotations.items()},
        split_annotations={name: values[splits] for name, values in tree.split_annotations.items()},
    )
