"""Trees from arrays, level by level, and from nested counts."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import Conditions
from petree.tree.spans import offsets
from petree.tree.tree import Tree


def assemble(
    counts: NDArray[Any],
    sizes: NDArray[Any],
    n_tests: NDArray[Any],
    owners: NDArray[Any],
    n_children: NDArray[Any],
    conditions: Conditions,
    classes: Sequence[Any],
) -> Tree:
    """A tree whose nodes are numbered level by level, so that the children need no naming.

    `owners` is the node of each split, ascending; the first split's children are the nodes 1, 2, ..., and so on.
    """
    child_start = offsets(n_children).astype(np.int32)
    return Tree(
        counts=np.asarray(counts, np.float64),
        sizes=np.asarray(sizes, np.int64),
        n_tests=np.asarray(n_tests, np.int64),
        split_start=np.searchsorted(owners, np.arange(len(counts) + 1)).astype(np.int32),
        child_start=child_start,
        children=np.arange(1, child_start[-1] + 1, dtype=np.int32),
        conditions=conditions,
        classes=tuple(classes),
    )


def check_n_tests(n_tests: int) -> None:
    """Raise unless a number of candidate tests is a whole number of at least 1."""
    if not isinstance(n_tests, Integral) or isinstance(n_tests, bool) or n_tests < 1:
        raise ValueError(
            "The 'n_tests' of a tree, the number of candidate tests of a node, must be a whole number of at least 1. "
            f"Got {n_tests!r} instead."
        )


def from_counts(nested: Sequence[Any], n_tests: int, classes: Sequence[Any] | None) -> Tree:
    """What `Tree.from_counts` makes."""
    check_n_tests(n_tests)
    queue: list[Any] = [nested]
    owners: list[int] = []
    n_children: list[int] = []
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
