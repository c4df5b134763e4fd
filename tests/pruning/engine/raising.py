"""C4.5's pruning with subtree raising, node by node on lists of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.oracles.pruning_by_errors import c45_errors

from petree.conditions import MULTIWAY
from petree.tree import Tree


@dataclass
class Place:
    """A node that can be changed: its test, as a split of the grown tree, its children and its cases."""

    split: int | None
    children: list[Place]
    counts: list[float]


@dataclass(frozen=True)
class Rows:
    """Training rows of columns that are never missing, with the tree grown on them."""

    grown: Tree
    X: NDArray[np.float64]
    codes: NDArray[np.intp]

    def branch(self, conditions: Any, split: int, row: int) -> int:
        value = self.X[row, conditions.column[split]]
        return int(value) if conditions.kind[split] == MULTIWAY else int(value >= conditions.value[split])

    def count(self, rows: list[int]) -> list[float]:
        return np.bincount(self.codes[rows], minlength=self.grown.n_classes).astype(float).tolist()

    # -- what an estimator gives to the criterion ---------------------------------------------------------------------

    def reroute(self, tree: Tree, places: Any, starts: Any) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        counts = np.zeros((tree.n_nodes, tree.n_classes))
        for place, start in zip(places, starts, strict=True):
            for row, code in enumerate(self.codes):
                if place in self.path(self.grown, row, 0):
                    counts[self.path(tree, row, int(start)), code] += 1
        return counts, counts.sum(axis=1).astype(np.int64)

    def path(self, tree: Tree, row: int, node: int) -> list[int]:
        path = [node]
        while not tree.is_leaf[path[-1]]:
            branch = self.branch(tree.conditions, int(tree.split_start[path[-1]]), row)
            path.append(int(tree.children_of(np.array([path[-1]]))[branch]))
        return path

    # -- the slow definition -------------------------------------------------------------------------------------------

    def place(self, node: int = 0) -> Place:
        children = [self.place(child) for child in self.grown.children_of(np.array([node])).tolist()]
        split = int(self.grown.split_start[node]) if children else None
        return Place(split, children, self.grown.counts[node].tolist())

    def collapse(self, place: Place) -> float:
        """Make leaves of subtrees that save no training error; gives the errors of what is left."""
        errors = sum(place.counts) - max(place.counts)
        below = sum(self.collapse(child) for child in place.children)
        if place.children and below < errors - 0.001:
            return below
        place.split, place.children = None, []
        return errors

    def estimate(self, place: Place, rows: list[int], update: bool) -> float:
        """Errors that are predicted of a subtree with these rows, after it is pruned if it is to be updated."""
        counts = self.count(rows)
        leaf = c45_errors(sum(counts), sum(counts) - max(counts))
        if update:
            place.counts = counts
        if not place.children:
            return leaf
        parts: list[list[int]] = [[] for _ in place.children]
        for row in rows:
            parts[self.branch(self.grown.conditions, place.split, row)].append(row)
        subtree = sum(self.estimate(child, part, update) for child, part in zip(place.children, parts, strict=True))
        if not update:
            return subtree
        largest = max(range(len(parts)), key=lambda i: (len(parts[i]), i))
        branch = self.estimate(place.children[largest], rows, False)
        if leaf <= branch + 0.1 and leaf <= subtree + 0.1:
            place.split, place.children = None, []
            return leaf
        if branch <= subtree + 0.1:
            raised = place.children[largest]
            subtree = self.estimate(raised, rows, True)
            place.split, place.children, place.counts = raised.split, raised.children, raised.counts
        return subtree


def shape_of(place: Place) -> Any:
    return place.counts, [shape_of(child) for child in place.children]
