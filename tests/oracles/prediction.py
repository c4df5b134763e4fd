"""What a fitted tree must answer for one row, by walking it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.conditions import EQUALS, IN, IS_MISSING, MULTIWAY, THRESHOLD, UNSEEN

# A category that the training table did not declare; a missing value is None.
UNKNOWN = "unknown"

Cell = float | str | None
Way = tuple[tuple[int, int], ...]


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
    return branch_at(tree, int(tree.split_start[node]), row)


def branch_at(tree: Any, split: int, row: list[Cell]) -> int | None:
    """The same at a split, of which a node with options has several."""
    conditions = tree.conditions
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
    holds = {
        THRESHOLD: lambda: float(cell) < value,
        EQUALS: lambda: float(cell) == value,
        IN: lambda: cell in conditions.extras[int(value)],
    }[kind]()
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


def ways_to_leaves(tree: Any, node: int = 0, way: Way = ()) -> Iterator[tuple[int, Way]]:
    """Every leaf, with the tests on the way to it: the node of the test and the branch from it."""
    children = children_of(tree, node)
    if not children:
        yield node, way
    for branch, child in enumerate(children):
        yield from ways_to_leaves(tree, child, (*way, (node, branch)))


def training_share(tree: Any, node: int, branch: int) -> float:
    """The part of a node's training weight that went this way; as much as any other way where there was none."""
    sizes = [float(tree.counts[child].sum()) for child in children_of(tree, node)]
    return sizes[branch] / sum(sizes) if sum(sizes) else 1 / len(sizes)


def share_of_branch(tree: Any, node: int, branch: int, row: list[Cell]) -> float:
    """How much of a row goes this way: all, nothing, or where nobody can know the share of the training weight."""
    taken = branch_of(tree, node, row)
    return training_share(tree, node, branch) if taken is None else float(taken == branch)


def confused_probabilities(
    tree: Any, row: list[Cell], estimates: NDArray[np.float64], factor: float
) -> NDArray[np.float64]:
    """Class probabilities of one row by all leaves: the factor to the power of the failed tests is a leaf's weight."""
    answer, total = np.zeros(estimates.shape[1]), 0.0
    for leaf, way in ways_to_leaves(tree):
        weight = 1.0
        for node, branch in way:
            share = share_of_branch(tree, node, branch, row)
            weight *= share * 1 + (1 - share) * factor
        answer += weight * estimates[leaf]
        total += weight
    return answer / total


def doubted_probabilities(
    tree: Any, row: list[Cell], estimates: NDArray[np.float64], doubt: float
) -> NDArray[np.float64]:
    """Class probabilities of one row by all leaves, where each test is doubted and then goes every way."""
    answer = np.zeros(estimates.shape[1])
    for leaf, way in ways_to_leaves(tree):
        weight = 1.0
        for node, branch in way:
            trusted, doubted = share_of_branch(tree, node, branch, row), training_share(tree, node, branch)
            weight *= (1 - doubt) * trusted + doubt * doubted
        answer += weight * estimates[leaf]
    return answer


def ends_of_ways(
    tree: Any, row: list[Cell], doubt: float, least: float, node: int = 0, weight: float = 1.0
) -> Iterator[tuple[int, float]]:
    """The nodes that answer where a doubted branch is followed only if it weighs enough, and their weights."""
    children, taken = children_of(tree, node), branch_of(tree, node, row) if children_of(tree, node) else None
    if not children:
        yield node, weight
    for branch, child in enumerate(children):
        trusted, doubted = share_of_branch(tree, node, branch, row), training_share(tree, node, branch)
        way = weight * ((1 - doubt) * trusted + doubt * doubted)
        if branch == taken or way >= least:
            yield from ends_of_ways(tree, row, doubt, least, child, way)
        else:
            yield child, way


def probabilities(tree: Any, row: list[Cell], smoothing: str) -> NDArray[np.float64]:
    """Class probabilities of one row."""
    estimates = node_estimates(tree, smoothing)
    answer = np.zeros(estimates.shape[1])
    for leaf, share in leaf_shares(tree, row).items():
        answer += share * estimates[leaf]
    return answer
