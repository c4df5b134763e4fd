"""Cases by the leaf of a tree that they reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.pruning.engine.counts import over_leaves
from petree.tree import Tree


@dataclass(frozen=True)
class RoutedCases:
    """The leaf that each case reaches, the code of its class, and its weight.

    Where cases are divided among leaves, `parts` says how much of a case each line is; it is empty where none is.
    """

    leaves: NDArray[np.intp]
    classes: NDArray[np.intp]
    weights: NDArray[np.float64]
    parts: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))

    def __len__(self) -> int:
        return len(self.leaves)

    def take(self, cases: NDArray[Any]) -> RoutedCases:
        """Some of the cases."""
        parts = self.parts[cases] if len(self.parts) else self.parts
        return RoutedCases(self.leaves[cases], self.classes[cases], self.weights[cases], parts)

    @staticmethod
    def join(parts: Sequence[RoutedCases]) -> RoutedCases:
        """The cases of several sets, at least one."""
        return RoutedCases(
            np.concatenate([part.leaves for part in parts]),
            np.concatenate([part.classes for part in parts]),
            np.concatenate([part.weights for part in parts]),
            np.concatenate([part.parts for part in parts]),
        )

    def tally(self, places: NDArray[np.intp], n_places: int, n_classes: int) -> NDArray[np.float64]:
        """Class counts at each of some places, given the place of each case."""
        cells = np.bincount(places * n_classes + self.classes, self.weights, n_places * n_classes)
        return cells.reshape(n_places, n_classes).astype(np.float64)

    def counts(self, tree: Tree) -> NDArray[np.float64]:
        """Class counts of the cases at every node of the tree, on the scale of the data."""
        return over_leaves(tree, self.tally(self.leaves, tree.n_nodes, tree.n_classes))

    def sizes(self, tree: Tree) -> NDArray[np.int64]:
        """Number of cases at every node; one of whole weight k counts k times, as long as all weights are whole."""
        if len(self.parts):
            return np.rint(over_leaves(tree, np.bincount(self.leaves, self.parts, tree.n_nodes))).astype(np.int64)
        is_whole = bool((self.weights == np.rint(self.weights)).all())
        rows = np.bincount(self.leaves, self.weights if is_whole else None, tree.n_nodes)
        return over_leaves(tree, rows.astype(np.int64))
