"""The tree: plain arrays, frozen after growing, the same for every learner.

A node has no split (leaf), one (ordinary node) or several (option node); a split has a condition and two or
more children. Children come after their parents and siblings stand side by side. Edits return a new tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from petree.columns import Column
from petree.conditions import THRESHOLD, Condition, Conditions

IntArray = NDArray[np.int32]


def ranges(starts: NDArray[Any], stops: NDArray[Any]) -> NDArray[np.intp]:
    """All integers of several half-open ranges, one range after the other."""
    lengths = np.asarray(stops, np.intp) - starts
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + lengths, lengths)


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
        One condition a split.
    classes : tuple
        Class labels, one a column of `counts`.
    class_weight : array (classes,), optional
        Factor of each class while growing; `weighted_counts` are the counts times these.
    annotations : mapping of name to array (nodes,)
        What a learner or pruner noted at each node, such as the gain of its split.
    split_annotations : mapping of name to array (splits,)
        What a learner noted at each split, such as the share of an option.
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

    # -- making one ---------------------------------------------------------------------------------------

    @classmethod
    def from_counts(cls, nested: Sequence[Any], n_tests: int = 1, classes: Sequence[Any] | None = None) -> Tree:
        """A tree from nested class counts: a leaf is a list of numbers, an inner node a list of its children."""
        return _from_counts(nested, n_tests, classes)

    @classmethod
    def from_sklearn(cls, decision_tree: Any, n_tests: int = 1) -> Tree:
        """A fitted scikit-learn `DecisionTreeClassifier` as a petree tree that routes every row alike.

        scikit-learn does not say how many candidate tests a node considered; give `n_tests` for the pruning
        criteria that pay for the choice.
        """
        return _from_sklearn(decision_tree, n_tests)

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

    def down(self) -> Iterator[int]:
        """Every node, parents before children."""
        return iter(range(self.n_nodes))

    def up(self) -> Iterator[int]:
        """Every node, children before parents."""
        return iter(range(self.n_nodes - 1, -1, -1))

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
        frontier, level = np.zeros(1, np.intp), 0
        while len(frontier):
            levels[frontier] = level
            frontier, level = np.unique(self.children_of(frontier)), level + 1
        return levels

    def _levels_of_tree(self) -> IntArray:
        """The same where every node has one parent: each looks twice as far up every time."""
        above, levels = np.maximum(self.parents, 0), (self.parents >= 0).astype(np.int32)
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
    def split_nodes(self) -> IntArray:
        """The node that owns each split."""
        return np.repeat(np.arange(self.n_nodes, dtype=np.int32), np.diff(self.split_start))

    def children_of(self, nodes: NDArray[np.intp]) -> IntArray:
        """Children of some nodes, one node's after the other's."""
        splits = ranges(self.split_start[nodes], self.split_start[nodes + 1])
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
        return self._rewired(self.split_nodes[splits], splits)

    def graft(self, node: int, child: int) -> Tree:
        """A new tree in which `child`'s subtree stands at `node` (subtree raising); the node keeps its counts."""
        node, child = self._check_nodes([node, child])
        if child not in self.children_of(np.array([node])):
            raise ValueError(f"Node {child} is not a child of node {node}.")
        keep = self.split_nodes != node
        owners = np.where(self.split_nodes == child, node, self.split_nodes)[keep]
        order = np.argsort(owners, kind="stable")
        return self._rewired(owners[order], np.flatnonzero(keep)[order])

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
        checked = np.asarray(nodes if isinstance(nodes, np.ndarray) else list(nodes), np.intp)
        wrong = checked[(checked < 0) | (checked >= self.n_nodes)]
        if len(wrong):
            raise IndexError(f"The tree has nodes 0 to {self.n_nodes - 1}; there is no node {wrong[0]}.")
        return checked

    def _rewired(self, owners: IntArray, splits: NDArray[np.intp]) -> Tree:
        """Keep `splits`, owned by `owners` (ascending), and the nodes that can still be reached."""
        wired = replace(
            self,
            split_start=np.searchsorted(owners, np.arange(self.n_nodes + 1)).astype(np.int32),
            child_start=_offsets(np.diff(self.child_start)[splits]),
            children=self.children[ranges(self.child_start[splits], self.child_start[splits + 1])],
            conditions=self.conditions.take(splits),
            split_annotations={name: values[splits] for name, values in self.split_annotations.items()},
            pruning_log=None,
        )
        reached = wired._reached_in_many_ways() if self.is_dag else wired._reached()
        return wired if reached.all() else wired._only(np.flatnonzero(reached))

    def _reached(self) -> NDArray[np.bool_]:
        """Which nodes hang on the root, where none has several parents: each looks twice as far up every time."""
        above = np.arange(self.n_nodes)
        above[self.children] = np.repeat(self.split_nodes, np.diff(self.child_start))
        while not np.array_equal(above, further := above[above]):
            above = further
        return above == 0

    def _reached_in_many_ways(self) -> NDArray[np.bool_]:
        """Which nodes hang on the root, level by level."""
        reached, frontier = np.zeros(self.n_nodes, bool), np.zeros(1, np.intp)
        while len(frontier):
            reached[frontier] = True
            frontier = np.unique(self.children_of(frontier))
        return reached

    def _only(self, nodes: NDArray[np.intp]) -> Tree:
        """Drop every node but these (a set closed under children); the nodes are numbered anew."""
        number = np.full(self.n_nodes, -1, np.int32)
        number[nodes] = np.arange(len(nodes), dtype=np.int32)
        splits = ranges(self.split_start[nodes], self.split_start[nodes + 1])
        return replace(
            self,
            counts=self.counts[nodes],
            sizes=self.sizes[nodes],
            n_tests=self.n_tests[nodes],
            split_start=_offsets(np.diff(self.split_start)[nodes]),
            child_start=_offsets(np.diff(self.child_start)[splits]),
            children=number[self.children[ranges(self.child_start[splits], self.child_start[splits + 1])]],
            conditions=self.conditions.take(splits),
            annotations={name: values[nodes] for name, values in self.annotations.items()},
            split_annotations={name: values[splits] for name, values in self.split_annotations.items()},
        )


def _offsets(lengths: NDArray[Any]) -> IntArray:
    return np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)


def assemble(
    counts: NDArray[Any],
    sizes: NDArray[Any],
    n_tests: NDArray[Any],
    owners: NDArray[Any],
    n_children: NDArray[Any],
    conditions: Conditions,
    classes: Sequence[Any],
    class_weight: NDArray[np.float64] | None = None,
    annotations: Mapping[str, NDArray[Any]] | None = None,
) -> Tree:
    """A tree whose nodes are numbered level by level, so that the children need no naming.

    `owners` is the node of each split, ascending; the first split's children are the nodes 1, 2, ..., and so on.
    """
    child_start = _offsets(n_children)
    return Tree(
        counts=np.asarray(counts, np.float64),
        sizes=np.asarray(sizes, np.int64),
        n_tests=np.asarray(n_tests, np.int64),
        split_start=np.searchsorted(owners, np.arange(len(counts) + 1)).astype(np.int32),
        child_start=child_start,
        children=np.arange(1, child_start[-1] + 1, dtype=np.int32),
        conditions=conditions,
        classes=tuple(classes),
        class_weight=class_weight,
        annotations=dict(annotations or {}),
    )


def _from_counts(nested: Sequence[Any], n_tests: int, classes: Sequence[Any] | None) -> Tree:
    queue: list[Any] = [nested]
    owners, n_children = [], []
    for index, item in enumerate(queue):  # grows while it is read: level by level
        if len(item) and not np.isscalar(item[0]):
            owners.append(index)
            n_children.append(len(item))
            queue.extend(item)
    if min(n_children, default=2) < 2:
        raise ValueError("An inner node needs at least two children.")
    is_leaf = np.ones(len(queue), bool)
    is_leaf[owners] = False
    lengths = {len(queue[index]) for index in np.flatnonzero(is_leaf)}
    if len(lengths) > 1 or min(lengths) == 0:
        raise ValueError(f"Every leaf needs one count per class; found leaves of {sorted(lengths)} counts.")
    n_classes = lengths.pop()
    counts = np.zeros((len(queue), n_classes))
    counts[is_leaf] = [queue[index] for index in np.flatnonzero(is_leaf)]
    if not np.isfinite(counts).all() or (counts < 0).any():
        raise ValueError("Class counts must be finite and not negative.")
    last = len(queue)
    for owner, arity in zip(reversed(owners), reversed(n_children), strict=True):  # children before parents
        counts[owner] = counts[last - arity : last].sum(axis=0)
        last -= arity
    return assemble(
        counts,
        np.rint(counts.sum(axis=1)),
        np.full(len(counts), n_tests),
        np.array(owners, np.intp),
        np.array(n_children, np.intp),
        Conditions.queries([(f"test {owner}", arity) for owner, arity in zip(owners, n_children, strict=True)]),
        range(n_classes) if classes is None else classes,
    )


def _from_sklearn(decision_tree: Any, n_tests: int) -> Tree:
    inner = getattr(decision_tree, "tree_", None)
    classes = getattr(decision_tree, "classes_", None)
    if inner is None or classes is None or getattr(decision_tree, "n_outputs_", 1) != 1:
        raise TypeError(
            "Tree.from_sklearn needs a fitted scikit-learn DecisionTreeClassifier with one target, "
            f"got {type(decision_tree).__name__}."
        )
    order = _level_order(inner.children_left, inner.children_right)
    is_inner = inner.children_left[order] >= 0
    splits = order[is_inner]
    weight = inner.weighted_n_node_samples[order, None]
    counts = inner.value[order, 0, :] * weight
    if np.array_equal(weight[:, 0], inner.n_node_samples[order]):
        counts = np.rint(counts)  # scikit-learn keeps shares; without weights the counts are whole
    names = getattr(decision_tree, "feature_names_in_", [f"x{i}" for i in range(inner.n_features)])
    conditions = Conditions.from_arrays(
        [Column(str(name)) for name in names],
        np.full(len(splits), THRESHOLD),
        inner.feature[splits],
        _route_alike(inner.threshold[splits]),
        np.where(inner.missing_go_to_left[splits], 0, 1),
    )
    return assemble(
        counts,
        inner.n_node_samples[order],
        np.full(len(order), n_tests),
        np.flatnonzero(is_inner),
        np.full(len(splits), 2),
        conditions,
        classes.tolist(),
        annotations={"impurity": inner.impurity[order]},
    )


def _level_order(left: NDArray[Any], right: NDArray[Any]) -> NDArray[np.intp]:
    """Old numbers of the nodes, level by level, siblings side by side."""
    levels = [np.zeros(1, np.intp)]
    while len(levels[-1]):
        parents = levels[-1][left[levels[-1]] >= 0]
        levels.append(np.column_stack((left[parents], right[parents])).ravel().astype(np.intp))
    return np.concatenate(levels)


def _route_alike(thresholds: NDArray[np.float64]) -> NDArray[np.float64]:
    """The t for which ``x < t`` on float64 equals scikit-learn's ``float32(x) <= threshold``."""
    below = thresholds.astype(np.float32)
    below = np.where(below > thresholds, np.nextafter(below, np.float32(-np.inf)), below)
    above = np.nextafter(below, np.float32(np.inf))
    middle = (below.astype(np.float64) + above.astype(np.float64)) / 2
    # A value half way is rounded to the even neighbour, so it goes left when `below` is the even one.
    is_even = below.view(np.uint32) % 2 == 0
    return np.where(is_even, np.nextafter(middle, np.inf), middle)
