"""What criteria look at: nodes with the split each of them has, and the verdicts on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.tree import Tree


class Stumps:
    """Some inner nodes, one row a node, each with its split; children stand one node's after the other's.

    Attributes
    ----------
    nodes : array (n,)
        Their numbers in the tree.
    counts : array (n, classes)
        Class counts times class weights.
    children : array (children, classes)
        The same of all children.
    child_start : array (n + 1,)
        Node i has the children ``child_start[i]:child_start[i + 1]``.
    score : array (n,)
        The score of each split, as the tree was grown by it; NaN where nobody knows.
    n_tests : array (n,)
        Number of candidate tests of each node.
    n_cases : float
        Weight of the whole training set.
    """

    nodes: NDArray[np.intp]
    counts: NDArray[np.float64]
    children: NDArray[np.float64]
    child_start: NDArray[np.intp]
    score: NDArray[np.float64]
    n_tests: NDArray[np.int64]
    n_cases: float

    @staticmethod
    def of(tree: Tree, nodes: NDArray[np.intp]) -> Stumps:
        """The given inner nodes of a tree without options."""
        refuse_options(tree)
        return _OfTree(tree, nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def sum(self, values: NDArray[Any]) -> NDArray[Any]:
        """Sums over the children of each node of values that stand one a child."""
        return np.add.reduceat(values, self.child_start[:-1]) if len(self) else values[:0]


@dataclass(frozen=True)
class WaveStumps(Stumps):
    """Nodes that have just been split, of a tree that is still growing."""

    nodes: NDArray[np.intp]
    counts: NDArray[np.float64]
    children: NDArray[np.float64]
    child_start: NDArray[np.intp]
    score: NDArray[np.float64]
    n_tests: NDArray[np.int64]
    n_cases: float


class _OfTree(Stumps):
    """Nodes of a tree; what nobody asks for is not worked out, since a tree is pruned in many small rounds."""

    def __init__(self, tree: Tree, nodes: NDArray[np.intp]) -> None:
        self.nodes = nodes
        self.counts = _weigh(tree, tree.counts[nodes])
        self.n_tests = tree.n_tests[nodes]
        self._tree = tree

    @property
    def score(self) -> NDArray[np.float64]:  # type: ignore[override]
        score = self._tree.annotations.get("gain")
        return np.full(len(self), np.nan) if score is None else score[self.nodes]

    @property
    def n_cases(self) -> float:  # type: ignore[override]
        return float(_weigh(self._tree, self._tree.counts[0]).sum())

    @cached_property
    def children(self) -> NDArray[np.float64]:  # type: ignore[override]
        return _weigh(self._tree, self._tree.counts[self._tree.children_of(self.nodes)])

    @cached_property
    def child_start(self) -> NDArray[np.intp]:  # type: ignore[override]
        lengths = np.diff(self._tree.child_start)[self._tree.split_start[self.nodes]]
        return np.concatenate(([0], np.cumsum(lengths))).astype(np.intp)


def _weigh(tree: Tree, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    return counts if tree.class_weight is None else counts * tree.class_weight


@dataclass(frozen=True)
class Verdicts:
    """What a criterion found at each node: its statistic, the threshold it had to pass, and whether it did."""

    statistic: NDArray[np.float64]
    threshold: NDArray[np.float64]
    accepted: NDArray[np.bool_]

    def take(self, rows: NDArray[Any]) -> Verdicts:
        return Verdicts(self.statistic[rows], self.threshold[rows], self.accepted[rows])


def inner_nodes(tree: Tree) -> NDArray[np.intp]:
    """All nodes that are no leaves."""
    return np.flatnonzero(~tree.is_leaf)


def refuse_options(tree: Tree) -> None:
    """Raise for a tree with option nodes."""
    if tree.is_dag:
        raise ValueError("This tree has option nodes; pruning criteria need an ordinary tree.")
