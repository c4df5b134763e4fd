"""Probabilities that rise or fall with a column, whatever estimate they come from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.conditions import THRESHOLD
from petree.smoothing.base import Estimates, Probabilities
from petree.tree import Tree, wiring_of


@dataclass(frozen=True, eq=False)
class Directions:
    """For each column, whether the probability of the second of two classes must not fall (1) or rise (-1) with it.

    At a cut of such a column no leaf on the one side may answer more than any leaf on the other side, so that any
    mixture of leaves, as a missing value makes one, keeps the order, too. The leaves are moved as little as can be for
    that, in squares times cases: isotonic regression, in which leaves that stand in the wrong order get their common
    mean. The nodes above them are moved into the range of their leaves.

    Parameters
    ----------
    signs : array (columns,)
    """

    signs: NDArray[np.int64]

    def keep(self, tree: Tree, probabilities: Probabilities) -> Probabilities:
        """The class probabilities of the nodes of a tree, moved as far as the directions ask for."""
        conditions = tree.conditions
        signs = np.where(conditions.kind == THRESHOLD, self.signs[conditions.column], 0)
        if tree.n_classes != 2 or not signs.any():
            return probabilities
        second = np.ascontiguousarray(probabilities[:, 1], np.float64).copy()
        weights = tree.counts.sum(axis=1, dtype=np.float64)
        core.trees.keep_directions(wiring_of(tree), signs.astype(np.int64), weights, second)
        is_moved = (second != probabilities[:, 1])[:, None]
        return np.where(is_moved, np.column_stack((1 - second, second)), probabilities)


@dataclass(frozen=True, eq=False)
class Directed:
    """The estimates of a smoothing under directions."""

    smoothing: Estimates
    directions: Directions

    def estimate(self, tree: Tree) -> Probabilities:
        return self.directions.keep(tree, self.smoothing.estimate(tree))
