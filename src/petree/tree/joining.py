"""Trees of one root as a single tree with options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import Conditions
from petree.tree.spans import offsets, ranges
from petree.tree.tree import Tree

Join = Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]


def joined_at_root(first: Tree, second: Tree) -> Tree:
    """The splits of two roots, which have the same cases, as options of one; other nodes stay apart.

    Conditions of both are about the same columns, and have no extras. Nodes come level by level, and what is noted at
    the root is that of the second.
    """
    order = np.argsort(np.concatenate((first.levels, second.levels[1:])), kind="stable")
    number = np.argsort(order)
    of_second = np.append(0, number[first.n_nodes :])
    owners = np.concatenate((number[first.split_nodes], of_second[second.split_nodes]))
    by_owner = np.argsort(owners, kind="stable")
    children = np.concatenate((number[first.children], of_second[second.children]))
    n_children = np.concatenate((np.diff(first.child_start), np.diff(second.child_start)))
    stops = np.cumsum(n_children)
    starts = stops - n_children
    return replace(
        first,
        counts=_of_nodes(first.counts, second.counts)[order],
        sizes=_of_nodes(first.sizes, second.sizes)[order],
        n_tests=_of_nodes(first.n_tests, second.n_tests)[order],
        split_start=np.searchsorted(owners[by_owner], np.arange(len(order) + 1)).astype(np.int32),
        child_start=offsets(n_children[by_owner]).astype(np.int32),
        children=children[ranges(starts[by_owner], stops[by_owner])].astype(np.int32),
        conditions=_conditions(first, second, by_owner),
        annotations=_notes(first.annotations, second.annotations, _of_nodes, order),
        split_annotations=_notes(first.split_annotations, second.split_annotations, _of_splits, by_owner),
    )


def _of_nodes(first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
    """What nodes have: the root as the second says, the others of the first, those of the second."""
    return np.concatenate((second[:1], first[1:], second[1:]))


def _of_splits(first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
    """What splits have: those of the first, those of the second."""
    return np.concatenate((first, second))


def _notes(
    first: Mapping[str, NDArray[Any]], second: Mapping[str, NDArray[Any]], join: Join, order: NDArray[np.intp]
) -> dict[str, NDArray[Any]]:
    """What both have noted, in another order."""
    return {name: join(values, second[name])[order] for name, values in first.items()}


def _conditions(first: Tree, second: Tree, order: NDArray[np.intp]) -> Conditions:
    one = first.conditions
    other = second.conditions
    return Conditions(
        one.columns,
        _of_splits(one.kind, other.kind)[order],
        _of_splits(one.column, other.column)[order],
        _of_splits(one.value, other.value)[order],
        _of_splits(one.missing, other.missing)[order],
    )
