"""One tree out of a tree with options: the most probable, or the most probable of few leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.tree import Tree, rewire, wiring_of

Numbers = NDArray[np.float64]
# The split of a node, -1 for none, and how many leaves each child gets.
Choice = tuple[int, list[int]]


def most_probable(tree: Tree, leaves: Numbers, splits: Numbers, max_leaves: int | None = None) -> Tree:
    """The ordinary tree of the greatest posterior probability, the smallest of equals.

    Parameters
    ----------
    tree : Tree
        With options or without.
    leaves, splits : array (nodes,), array (splits,)
        Logarithms of the weights of the nodes as leaves and of the splits.
    max_leaves : int, optional
        The tree has at most so many leaves.
    """
    chosen = np.empty(tree.n_nodes, np.int64)
    core.trees.best_splits(wiring_of(tree), leaves, splits, chosen)
    found = _pick(tree, lambda node, _: (int(chosen[node]), []), 0)
    if max_leaves is None or found.n_leaves <= max_leaves:
        return found
    table = _ByLeaves.of(tree, leaves, splits, max_leaves)
    return _pick(tree, table.choose, int(np.argmax(table.best_of(0))) + 1)


def _pick(tree: Tree, choose: Callable[[int, int], Choice], n_leaves: int) -> Tree:
    """The tree whose nodes have the splits that are chosen for them, given how many leaves they get."""
    nodes = [0]
    wanted = [n_leaves]
    owners: list[int] = []
    splits: list[int] = []
    for place, node in enumerate(nodes):  # grows while it is read: level by level
        split, shares = choose(node, wanted[place])
        if split >= 0:
            owners.append(place)
            splits.append(split)
            children = tree.children[tree.child_start[split] : tree.child_start[split + 1]].tolist()
            nodes.extend(children)
            wanted.extend(shares or [0] * len(children))
    return unfold(tree, np.array(nodes), np.array(owners, np.intp), np.array(splits, np.intp))


@dataclass(frozen=True)
class _ByLeaves:
    """Logarithms of the weights of the best trees below each node, from its `start` on those of 1, 2, ... leaves."""

    tree: Tree
    splits: Numbers
    start: NDArray[np.int64]
    best: Numbers

    @classmethod
    def of(cls, tree: Tree, leaves: Numbers, splits: Numbers, limit: int) -> _ByLeaves:
        start, best = core.trees.best_by_leaves(wiring_of(tree), leaves, splits, limit, core.NO_STOP)
        return cls(tree, splits, start, best)

    def best_of(self, node: int) -> Numbers:
        return self.best[self.start[node] : self.start[node + 1]]

    def choose(self, node: int, n_leaves: int) -> Choice:
        """The split of a node whose best tree has so many leaves, and how many of them each child gets."""
        tree = self.tree
        found = -np.inf
        choice: Choice = (-1, [])
        for split in range(tree.split_start[node], tree.split_start[node + 1]) if n_leaves > 1 else ():
            children = tree.children[tree.child_start[split] : tree.child_start[split + 1]].tolist()
            value, shares = _share([self.best_of(child) for child in children], n_leaves)
            if value + self.splits[split] > found:
                found = value + self.splits[split]
                choice = (split, shares)
        return choice


def _share(best: list[Numbers], n_leaves: int) -> tuple[float, list[int]]:
    """The best way to share leaves among children, given the best value of each for each number."""
    # the value and the shares of the children looked at, for each number of leaves that they have together
    found: dict[int, tuple[float, list[int]]] = {0: (0.0, [])}
    for values in best:
        longer: dict[int, tuple[float, list[int]]] = {}
        for used, (value, shares) in found.items():
            for own, more in enumerate(values[: n_leaves - used].tolist(), 1):
                if value + more > longer.get(used + own, (-np.inf, []))[0]:
                    longer[used + own] = (value + more, [*shares, own])
        found = longer
    return found.get(n_leaves, (-np.inf, []))


def unfold(tree: Tree, nodes: NDArray[np.int64], owners: NDArray[np.intp], splits: NDArray[np.intp]) -> Tree:
    """The tree of these nodes, numbered anew, each owner having one split."""
    return rewire(tree, nodes, owners, splits, np.arange(1, len(nodes)))
