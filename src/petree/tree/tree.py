"""A tree as arrays: its measures, ways to walk it, and its edits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from petree.caching import cached_property
from petree.conditions import Condition, Conditions
from petree.tree.editing import reached, with_splits
from petree.tree.spans import ranges
from petree.tree.surrogates import Surrogates

if TYPE_CHECKING:
    from sklearn.tree import DecisionTreeClassifier

IntArray = NDArray[np.int32]


@dataclass(frozen=True)
class Node:
    """One node, for people to look at: `tree.node(3)`."""

    index: int
    level: int
    counts: dict[Any, float]
    size: int
    n_tests: int
    conditions: tuple[Condition, ...]
    children: tuple[tuple[int, ...], ...]
    annotations: dict[str, float]

    @property
    def is_leaf(self) -> bool:
        return not self.conditions


@dataclass(frozen=True, eq=False)
class Tree:
    """A probability estimation tree as arrays.

    Parameters
    ----------
    counts : array (nodes, classes)
        Training weight of each class at each node, on the scale of the data.
    sizes : array (nodes,)
        Number of training rows at each node (a row of integer weight k counts k times).
    n_tests : array (nodes,)
        Number of candidate tests that the node considered.
    split_start : array (nodes + 1,)
        Node i owns the splits ``split_start[i]:split_start[i + 1]``.
    child_start : array (splits + 1,)
        Split s leads to the nodes ``children[child_start[s]:child_start[s + 1]]``.
    children : array
        Child nodes of all splits, one split after the other.
    conditions : Conditions
        One condition per split.
    classes : tuple
        Class labels, one per column of `counts`.
    class_weight : array (classes,), optional
        Factor of each class while growing; `weighted_counts` are the counts times these.
    annotations : mapping of name to array (nodes,)
        What a learner or pruner noted at each node, such as the gain of its split.
    split_annotations : mapping of name to array (splits,)
        What a learner noted at each split, such as the share of an option.
    surrogates : Surrogates, optional
        Tests that stand in for those of the splits where values are missing.
    pruning_log : PruningLog, optional
        The tree before pruning, with the verdict on every node that was examined.

    Examples
    --------
    >>> tree = Tree.from_counts([[[12, 0], [3, 5]], [[1, 9], [6, 4]]], n_tests=6)
    >>> tree.n_nodes, tree.n_leaves, tree.depth
    (7, 4, 2)
    >>> tree.cut([1]).n_leaves
    3
    """

    counts: NDArray[np.float64]
    sizes: NDArray[np.int64]
    n_tests: NDArray[np.int64]
    split_start: IntArray
    child_start: IntArray
    children: IntArray
    conditions: Conditions
    classes: tuple[Any, ...]
    class_weight: NDArray[np.float64] | None = None
    annotations: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    pruning_log: Any = None
    split_annotations: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    surrogates: Surrogates | None = None

    # -- making one ---------------------------------------------------------------------------------------

    @classmethod
    def from_counts(cls, nested: Sequence[Any], n_tests: int = 1, classes: Sequence[Any] | None = None) -> Tree:
        """A tree from nested class counts: a leaf is a list of numbers, an inner node a list of its children."""
        from petree.tree.making import from_counts

        return from_counts(nested, n_tests, classes)

    @classmethod
    def from_sklearn(
        cls, decision_tree: DecisionTreeClassifier, n_tests: int = 1, feature_names: Sequence[str] | None = None
    ) -> Tree:
        """A fitted scikit-learn `DecisionTreeClassifier` as a petree tree that routes every row alike.

        scikit-learn does not say how many candidate tests a node considered; give `n_tests` for the pruning
        criteria that pay for the choice. Columns have the names of the table that it was fitted to, unless others are
        given, or x0, x1, ... where that was an array.
        """
        from petree.tree.converting import from_sklearn

        return from_sklearn(decision_tree, n_tests, feature_names)

    # -- its measures -------------------------------------------------------------------------------------

    @property
    def n_nodes(self) -> int:
        return len(self.counts)

    @property
    def n_classes(self) -> int:
        return self.counts.shape[1]

    @property
    def n_leaves(self) -> int:
        return int(self.is_leaf.sum())

    @property
    def n_internal(self) -> int:
        return self.n_nodes - self.n_leaves

    @cached_property
    def is_leaf(self) -> NDArray[np.bool_]:
        return np.diff(self.split_start) == 0

    @property
    def depth(self) -> int:
        """Number of tests on the longest path from the root."""
        return int(self.levels.max())

    @property
    def weighted_counts(self) -> NDArray[np.float64]:
        """Counts times class weights: what steered the growing."""
        return self.counts if self.class_weight is None else self.counts * self.class_weight

    @property
    def is_dag(self) -> bool:
        """Whether some node can be reached in more than one way, as in an option tree."""
        return len(self.children) != self.n_nodes - 1 or len(self.conditions) != self.n_internal

    # -- walking ------------------------------------------------------------------------------------------

    def by_level(self) -> list[NDArray[np.intp]]:
        """The nodes of each level, root first; reverse the list to go up."""
        order = np.argsort(self.levels, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(self.levels[order])) + 1)

    @cached_property
    def levels(self) -> IntArray:
        """Level of each node: the length of the longest way to it from the root."""
        if not self.is_dag:
            return self._levels_of_tree()
        levels = np.zeros(self.n_nodes, np.int32)
        frontier = np.zeros(1, np.intp)
        level = 0
        while len(frontier):
            levels[frontier] = level
            frontier = np.unique(self.children_of(frontier))
            level += 1
        return levels

    def _levels_of_tree(self) -> IntArray:
        """The same where every node has one parent: each looks twice as far up every time."""
        above = np.maximum(self.parents, 0)
        levels = (self.parents >= 0).astype(np.int32)
        while above.any():
            levels += levels[above]
            above = above[above]
        return levels

    @cached_property
    def parents(self) -> IntArray:
        """Parent of each node, -1 for the root; refused where a node has several."""
        if self.is_dag:
            raise ValueError(
                "This tree has option nodes, so a node can have several parents; "
                "path-based methods need an ordinary tree."
            )
        parents = np.full(self.n_nodes, -1, np.int32)
        parents[self.children] = np.repeat(self.split_nodes, np.diff(self.child_start))
        return parents

    @cached_property
    def class_shares(self) -> NDArray[np.float64]:
        """The share of each class in all cases; all alike where there are none."""
        counts = self.counts[0]
        total = counts.sum()
        shares = np.asarray(counts / total) if total > 0 else np.full(len(counts), 1 / len(counts))
        shares.flags.writeable = False  # they stand for the tree, whoever holds them
        return shares

    @cached_property
    def tested_columns(self) -> NDArray[np.int32]:
        """Numbers of the columns that some test or surrogate asks for, ascending."""
        asked = self.conditions.column
        return np.unique(asked if self.surrogates is None else np.append(asked, self.surrogates.tests.column))

    @cached_property
    def split_nodes(self) -> IntArray:
        """The node that owns each split."""
        return np.repeat(np.arange(self.n_nodes, dtype=np.int32), np.diff(self.split_start))

    def children_of(self, nodes: NDArray[np.intp]) -> IntArray:
        """Children of some nodes, one node's after the other's."""
        return self.children_of_splits(ranges(self.split_start[nodes], self.split_start[nodes + 1]))

    def children_of_splits(self, splits: NDArray[np.intp]) -> IntArray:
        """Children of some splits, one split's after the other's."""
        return self.children[ranges(self.child_start[splits], self.child_start[splits + 1])]

    def node(self, index: int) -> Node:
        """A readable view of one node."""
        if not 0 <= index < self.n_nodes:
            raise IndexError(f"The tree has nodes 0 to {self.n_nodes - 1}; there is no node {index}.")
        splits = range(self.split_start[index], self.split_start[index + 1])
        return Node(
            index=index,
            level=int(self.levels[index]),
            counts=dict(zip(self.classes, self.counts[index].tolist(), strict=True)),
            size=int(self.sizes[index]),
            n_tests=int(self.n_tests[index]),
            conditions=tuple(self.conditions[split] for split in splits),
            children=tuple(
                tuple(self.children[self.child_start[split] : self.child_start[split + 1]].tolist()) for split in splits
            ),
            annotations={name: values[index].item() for name, values in self.annotations.items()},
        )

    def __repr__(self) -> str:
        return f"Tree(nodes={self.n_nodes}, leaves={self.n_leaves}, depth={self.depth}, classes={self.n_classes})"

    # -- editing ------------------------------------------------------------------------------------------

    def cut(self, nodes: Iterable[int]) -> Tree:
        """A new tree in which the given nodes are leaves."""
        is_cut = np.zeros(self.n_nodes, bool)
        is_cut[self._check_nodes(nodes)] = True
        splits = np.flatnonzero(~is_cut[self.split_nodes])
        return self._only(self.split_nodes[splits], splits)

    def graft(self, node: int, child: int) -> Tree:
        """A new tree in which `child`'s subtree stands at `node` (subtree raising); the node keeps its counts."""
        node, child = self._check_nodes([node, child])
        if child not in self.children_of(np.array([node])):
            raise ValueError(f"Node {child} is not a child of node {node}.")
        keep = self.split_nodes != node
        owners = np.where(self.split_nodes == child, node, self.split_nodes)[keep]
        order = np.argsort(owners, kind="stable")
        return self._only(owners[order], np.flatnonzero(keep)[order])

    def _only(self, owners: IntArray, splits: NDArray[np.intp]) -> Tree:
        """The tree with these splits alone, and the nodes that they lead to."""
        return replace(reached(with_splits(self, owners, splits), self.is_dag), pruning_log=None)

    def with_counts(self, counts: ArrayLike, sizes: ArrayLike | None = None) -> Tree:
        """The same tree with other class counts in its nodes."""
        counts = np.asarray(counts, np.float64)
        if counts.shape != self.counts.shape:
            raise ValueError(f"The tree needs counts of shape {self.counts.shape}, got {counts.shape}.")
        sizes = np.rint(counts.sum(axis=1)) if sizes is None else np.asarray(sizes)
        return replace(self, counts=counts, sizes=sizes.astype(np.int64))

    def with_annotations(self, **annotations: NDArray[Any]) -> Tree:
        """The same tree with more notes at its nodes."""
        return replace(self, annotations={**self.annotations, **annotations})

    def with_log(self, pruning_log: Any) -> Tree:
        """The same tree with a record of how it was pruned."""
        return replace(self, pruning_log=pruning_log)

    def _check_nodes(self, nodes: Iterable[int]) -> NDArray[np.intp]:
        given = np.asarray(nodes if isinstance(nodes, np.ndarray) or not isinstance(nodes, Iterable) else list(nodes))
        if given.ndim != 1 or (len(given) and given.dtype.kind not in "iu"):
            raise TypeError(f"Nodes must be a list of whole numbers, such as [3, 5]. Got {nodes!r} instead.")
        checked = given.astype(np.intp)
        wrong = checked[(checked < 0) | (checked >= self.n_nodes)]
        if len(wrong):
            raise IndexError(f"The tree has nodes 0 to {self.n_nodes - 1}; there is no node {wrong[0]}.")
        return checked
