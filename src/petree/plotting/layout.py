"""Where the nodes of a drawn tree stand: levels from left to right, leaves one below the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree.reading.walk import walk
from petree.tree import Tree


@dataclass(frozen=True)
class TreeLayout:
    """Places of the shown nodes.

    Parameters
    ----------
    nodes : list of int
        In the order in which the tree is read.
    x, y : dict of node to float
        The level, and the line; lines are counted downwards.
    ends : list of int
        The nodes below which nothing is shown, from the top down.
    texts : dict of node to str
        The branch that leads to a node, in words.
    """

    nodes: list[int]
    x: dict[int, float]
    y: dict[int, float]
    ends: list[int]
    texts: dict[int, str]


def lay_out(tree: Tree, max_depth: int | None) -> TreeLayout:
    """The places of all nodes of at most this depth."""
    is_open = ~tree.is_leaf & (tree.levels < (tree.n_nodes if max_depth is None else max_depth))
    steps = list(walk(tree, is_open, is_short=True))
    nodes = [step.node for step in steps]
    ends = [node for node in nodes if not is_open[node]]
    y = {node: float(line) for line, node in enumerate(ends)}
    for node in reversed(nodes):
        if is_open[node]:
            y[node] = _middle(tree, node, y)
    x = {step.node: float(step.level) for step in steps}
    return TreeLayout(nodes, x, y, ends, {step.node: step.text for step in steps})


def _middle(tree: Tree, node: int, y: dict[int, float]) -> float:
    children: NDArray[np.int32] = tree.children_of(np.array([node]))
    lines = [y[child] for child in children.tolist()]
    return (min(lines) + max(lines)) / 2
