"""What a fitted tree must answer for one row, by walking it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import EQUALS, IS_MISSING, MULTIWAY, THRESHOLD, UNSEEN

# A category that the training table did not declare; a missing value is None.
UNKNOWN = "unknown"

Cell = float | str | None


def node_estimates(tree: Any, smoothing: str) -> NDArray[np.float64]:
    """Class probabilities of every node."""
    counts = tree.counts
    if smoothing == "laplace":
        return np.array([(row + 1) / (row.sum() + len(row)) for row in counts])
    shares: list[Any] = []
    for node, row in enumerate(counts):
        shares.append(row / row.sum() if row.sum() > 0 else shares[parent_of(tree, node)])
    return np.array(shares)


def parent_of(tree: Any, node: int) -> int:
    """The node of whose children this is one."""
    return next(other for other in range(tree.n_nodes) if node in children_of(tree, other))


def children_of(tree: Any, node: int) -> list[int]:
    """Children of a node that has one split, none of a leaf."""
    first, last = tree.split_start[node], tree.split_start[node + 1]
    return [int(child) for child in tree.children[tree.child_start[first] : tree.child_start[last]]]


def branch_of(tree: Any, node: int, row: list[Cell]) -> int | None:
    """The branch that a row takes at a node, or None where nobody can know."""
    conditions, split = tree.conditions, tree.split_start[node]
    kind, value = conditions.kind[split], conditions.value[split]
    cell = row[conditions.column[split]]
    if kind == IS_MISSING:
        return 0 if cell is None else 1
    if cell is None:
        return None if conditions.missing[split] == UNSEEN else int(conditions.missing[split])
    if cell == UNKNOWN:
        return None
    if kind == MULTIWAY:
        return int(cell)
    holds = {THRESHOLD: lambda: float(cell) < value, EQUALS: lambda: float(cell) == value}[kind]()
    return 0 if holds else 1


def leaf_shares(tree: Any, row: list[Cell], node: int = 0, share: float = 1.0) -> dict[int, float]:
    """The leaves that answer for a row, and how much each of them says."""
    children = children_of(tree, node)
    if not children:
        return {node: share}
    branch = branch_of(tree, node, row)
    if branch is not None:
        return leaf_shares(tree, row, children[branch], share)
    sizes = [float(tree.counts[child].sum()) for child in children]
    shares: dict[int, float] = {}
    for child, size in zip(children, sizes, strict=True):
        shares |= leaf_shares(tree, row, child, share * size / sum(sizes))
    return shares


def probabilities(tree: Any, row: list[Cell], smoothing: str) -> NDArray[np.float64]:
    """Class probabilities of one row."""
    estimates = node_estimates(tree, smoothing)
    answer = np.zeros(estimates.shape[1])
    for leaf, share in leaf_shares(tree, row).items():
        answer += share * estimates[leaf]
    return answer
