"""What criteria look at: nodes with the split each of them has, and the verdicts on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.caching import cached_property
from petree.tree import Tree, offsets


@dataclass(frozen=True)
class Stumps:
    """Some inner nodes, one row per node, each with its split; children stand one node's after the other's.

    Parameters
    ----------
    nodes : array (n,)
        Their numbers in the tree.
    counts : array (n, classes)
        Class counts times class weights.
    count_children : callable
        Gives the same of all children; not asked where nobody looks at them, since a tree is pruned in many rounds.
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
    count_children: Callable[[], NDArray[np.float64]]
    child_start: NDArray[np.intp]
    score: NDArray[np.float64]
    n_tests: NDArray[np.int64]
    n_cases: float

    @classmethod
    def of(cls, tree: Tree, nodes: NDArray[np.intp]) -> Stumps:
        """The given inner nodes of a tree without options."""
        refuse_options(tree)
        n_children = np.diff(tree.child_start)[tree.split_start[nodes]]
        score = tree.annotations.get("gain")
        return cls(
            nodes,
            _weigh(tree, tree.counts[nodes]),
            lambda: _weigh(tree, tree.counts[tree.children_of(nodes)]),
            offsets(n_children),
            np.full(len(nodes), np.nan) if score is None else score[nodes],
            tree.n_tests[nodes],
            float(_weigh(tree, tree.counts[0]).sum()),
        )

    @classmethod
    def just_split(
        cls,
        nodes: NDArray[np.intp],
        counts: NDArray[np.float64],
        children: NDArray[np.float64],
        child_start: NDArray[np.intp],
        score: NDArray[np.float64],
        n_tests: NDArray[np.int64],
        n_cases: float,
    ) -> Stumps:
        """Nodes of a tree that is still growing, whose children have just been counted."""
        return cls(nodes, counts, lambda: children, child_start, score, n_tests, n_cases)

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def children(self) -> NDArray[np.float64]:
        """Class counts times class weights of all children."""
        return self.count_children()

    def sum(self, values: NDArray[Any]) -> NDArray[Any]:
        """Sums over the children of each node of values that stand one a child."""
        return np.add.reduceat(values, self.child_start[:-1]) if len(self) else values[:0]


def _weigh(tree: Tree, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    return counts if tree.class_weight is None else counts * tree.class_weight


@dataclass(frozen=True)
class Verdicts:
    """What a criterion found at each node: its statistic, the threshold it had to pass, and whether it did.

    People read them (`model.why()`), so the numbers are finite, and whether the statistic has to lie above the
    threshold or below it is the same at all nodes.
    """

    statistic: NDArray[np.float64]
    threshold: NDArray[np.float64]
    accepted: NDArray[np.bool_]

    @classmethod
    def of_counts(cls, found: NDArray[np.int64], allowed: int) -> Verdicts:
        """Accepted are nodes of which no more was found than is allowed."""
        return cls(found.astype(np.float64), np.full(len(found), float(allowed)), found <= allowed)

    def take(self, rows: NDArray[Any]) -> Verdicts:
        return Verdicts(self.statistic[rows], self.threshold[rows], self.accepted[rows])


def inner_nodes(tree: Tree) -> NDArray[np.intp]:
    """All nodes that are no leaves."""
    return np.flatnonzero(~tree.is_leaf)


def refuse_options(tree: Tree) -> None:
    """Raise for a tree with option nodes."""
    if tree.is_dag:
        raise ValueError("This tree has option nodes; pruning criteria need an ordinary tree.")
