"""C4.5's pruning with subtree raising, node by node on parts of rows."""

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


# Rows, and how much of each is there.
Parts = dict[int, float]


@dataclass(frozen=True)
class Rows:
    """Training rows with the tree grown on them; a row whose value is missing goes every way in parts."""

    grown: Tree
    X: NDArray[np.float64]
    codes: NDArray[np.intp]

    def every(self) -> Parts:
        return dict.fromkeys(range(len(self.codes)), 1.0)

    def branch(self, conditions: Any, split: int, row: int) -> int | None:
        value = self.X[row, conditions.column[split]]
        if np.isnan(value):
            return None
        return int(value) if conditions.kind[split] == MULTIWAY else int(value >= conditions.value[split])

    def divide(self, conditions: Any, split: int, rows: Parts, n_branches: int) -> list[Parts]:
        """The parts that take each branch, where rows without a value go by the shares of the others."""
        branches = {row: self.branch(conditions, split, row) for row in rows}
        found: list[Parts] = [
            {row: part for row, part in rows.items() if branches[row] == branch} for branch in range(n_branches)
        ]
        known = [sum(parts.values()) for parts in found]
        for branch, parts in enumerate(found):
            share = known[branch] / sum(known) if sum(known) else 1 / n_branches
            parts |= {row: part * share for row, part in rows.items() if branches[row] is None and share}
        return found

    def count(self, rows: Parts) -> list[float]:
        codes = self.codes[list(rows)]
        return np.bincount(codes, list(rows.values()), self.grown.n_classes).astype(float).tolist()

    # -- what an estimator gives to the criterion ---------------------------------------------------------------------

    def reroute(self, tree: Tree, places: Any, starts: Any) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        counts = np.zeros((tree.n_nodes, tree.n_classes))
        grown = self.below(self.grown, 0, self.every())
        for place, start in zip(places, starts, strict=True):
            for node, rows in self.below(tree, int(start), grown[place]).items():
                counts[node] += self.count(rows)
        return counts, np.rint(counts.sum(axis=1)).astype(np.int64)

    def below(self, tree: Tree, node: int, rows: Parts) -> dict[int, Parts]:
        """The rows at a node and at all below it."""
        found = {node: rows}
        if not tree.is_leaf[node]:
            children = tree.children_of(np.array([node])).tolist()
            parts = self.divide(tree.conditions, int(tree.split_start[node]), rows, len(children))
            for child, part in zip(children, parts, strict=True):
                found |= self.below(tree, child, part)
        return found

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

    def estimate(self, place: Place, rows: Parts, update: bool) -> float:
        """Errors that are predicted of a subtree with these rows, after it is pruned if it is to be updated."""
        counts = self.count(rows)
        leaf = c45_errors(sum(counts), sum(counts) - max(counts))
        if update:
            place.counts = counts
        if not place.children:
            return leaf
        parts = self.divide(self.grown.conditions, int(place.split or 0), rows, len(place.children))
        subtree = sum(self.estimate(child, part, update) for child, part in zip(place.children, parts, strict=True))
        if not update:
            return subtree
        largest = max(range(len(parts)), key=lambda i: (round(sum(parts[i].values()), 6), i))
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
