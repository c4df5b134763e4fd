"""What some criteria need beyond the counts of a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from petree.pruning.engine.permutation_tests import PermutationTests, PruningWalk
from petree.pruning.engine.routed_cases import RoutedCases
from petree.tree import Tree

Found = TypeVar("Found")
Nodes = NDArray[np.intp]
# A tree and the class counts of other cases at its nodes.
Fold = tuple[Tree, NDArray[np.float64]]
# Class counts and numbers of rows at the nodes of a tree.
Rerouted = tuple[NDArray[np.float64], NDArray[np.int64]]


class PermutableSource(Protocol):
    """What criteria ask of the source that a tree was grown from; `petree.sources.base.Source` says more."""

    @property
    def is_linked(self) -> bool: ...

    @property
    def is_plain_gain(self) -> bool: ...

    def exceedances(
        self, trials: PermutationTests, moves_attributes: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...

    def permutes(self, handles: NDArray[Any]) -> NDArray[np.bool_]: ...

    @property
    def pruning_walk(self) -> PruningWalk | None: ...


@dataclass(frozen=True)
class Context:
    """What is known of a grown tree beyond its counts; what is not to be had is None.

    A criterion names what it wants in `needs`: "source" (with handles and keys), "held_out" (with `read`), "training",
    "grow_folds", "regrow", "reroute".

    Parameters
    ----------
    source : Source
        Where the tree was grown from, with the rows of every node.
    handles, keys : array
        The source's handle and the random key of each node.
    nodes : array, optional
        The nodes that `handles` and `keys` belong to, ascending; all nodes if it is not given.
    seed : int
        Where random numbers begin.
    held_out : RoutedCases
        Cases that the tree was not grown from; while they are held out, it is grown from the others alone.
    read : callable
        ``read(X, y)`` sends further cases down the tree, given in the user's own columns and labels; a `RoutedCases`.
    training : RoutedCases
        The cases that the tree was grown from.
    grow_folds : callable
        ``grow_folds(k)`` grows a tree without each of k folds of the cases; for each it gives this tree, unpruned, and
        the class counts of the left-out cases at its nodes.
    regrow : callable
        ``regrow(criterion, node)`` permutes the classes of a node's cases, again and again, and gives the tree that is
        then grown in its place and pruned by the criterion.
    reroute : callable
        ``reroute(tree, places, starts)`` sends the cases of some nodes down another tree, each from the node that
        stands beside it in `starts`; the class counts and the numbers of rows that reach each node of that tree.
    """

    source: PermutableSource | None = None
    handles: NDArray[Any] | None = None
    keys: NDArray[np.uint64] | None = None
    nodes: Nodes | None = None
    seed: int = 0
    held_out: RoutedCases | None = None
    read: Callable[..., RoutedCases] | None = None
    training: RoutedCases | None = None
    grow_folds: Callable[[int], Sequence[Fold]] | None = None
    regrow: Callable[..., Iterator[Tree]] | None = None
    reroute: Callable[[Tree, Nodes, Nodes], Rerouted] | None = None

    def places(self, nodes: Nodes) -> Nodes:
        """Where some nodes stand in `handles` and `keys`."""
        return nodes if self.nodes is None else np.searchsorted(self.nodes, nodes)


# What to say where a part of the context is missing.
PARTS = {
    "source": "the rows of every node",
    "handles": "the rows of every node",
    "keys": "the rows of every node",
    "held_out": "cases that the tree was not grown from",
    "read": "the columns of the training data",
    "training": "the training data",
    "grow_folds": "the training data",
    "regrow": "the training data",
    "reroute": "the rows of every node to send them down other branches",
}


def require(criterion: object, part: str, found: Found | None) -> Found:
    """A part of the context, of this name, or a sentence that says where to get it."""
    if found is None:
        raise ValueError(
            f"{type(criterion).__name__} needs {PARTS[part]}, not only the counts of a tree; "
            "give it to an estimator as its 'pruning' parameter and fit that, or give such rows to from_tree."
        )
    return found
